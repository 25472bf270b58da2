//! `flyball dash`: serves the board to this machine's browsers.

mod browser;
mod listener;
mod token;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use flyball_board::{Board, BoardError, serve_on};
use flyball_core::config::StoreSettings;
use flyball_core::time::Time;
use flyball_store::{FoldOptions, Store, StoreError};
use flyball_world::interrupt;

use crate::environment::Environment;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::{ProjectContext, tilde};
use crate::terminal::{Style, Terminal};
use crate::views::board::LocalViews;

/// How long to wait for another process that brings the index up to date. The board does it again anyway.
const FOLD_WAIT: Duration = Duration::from_secs(10);

/// Arguments of `flyball dash`.
#[derive(Args)]
#[command(
    after_help = "The address contains a token, which is new at each start: anyone who has it sees what is recorded.
Through SSH, forward the same port on both sides: ssh -L 7177:127.0.0.1:7177 HOST"
)]
pub(crate) struct Arguments {
    /// Listen on this port (default: 7177, or another one if that is taken)
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on this address instead of this machine's own; needs --expose if others reach it
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), hide_default_value = true)]
    listen: IpAddr,
    /// Let other machines open the board, over plain HTTP
    #[arg(long)]
    expose: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Use this token instead of a new one
    #[arg(long, value_name = "T")]
    token: Option<String>,
    /// Print address, port and process as one line of JSON, and open no browser
    #[arg(long)]
    json: bool,
    /// Open this page of the board instead of its first
    #[arg(long, value_name = "PATH", hide = true, value_parser = page_of_board)]
    page: Option<String>,
    /// End when standard input does: with the process that started this one
    #[arg(long, hide = true)]
    with_parent: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    // First of all, so that nothing listens for others even for a moment.
    check_exposure(arguments)?;
    if arguments.with_parent {
        end_with_input();
    }
    let token = arguments.token.as_deref().map_or_else(token::new, token::validate)?;
    let (state, settings) = locate_store()?;
    // Before the fold, which may take long: a port that is taken is reported at once.
    let listener = listener::listen(arguments.listen, arguments.port)?;
    update_index(&state, &settings, terminal);
    let board = Board { state: state.clone(), settings, views: Arc::new(LocalViews::open()) };
    let ready = |address: SocketAddr| {
        // The server listens for signals by now, and closes the board.
        interrupt::leave_to_others();
        let link = link(listener::browser_address(address), arguments.page.as_deref(), &token);
        announce(arguments, &Announcement { state: &state, address, link: &link }, terminal);
    };
    serve(board, listener, &token, ready)?;
    if !arguments.json {
        print_status("The board is closed.");
    }
    Ok(Done::Success)
}

/// The address that opens the board.
fn link(address: SocketAddr, page: Option<&str>, token: &str) -> String {
    let page = page.unwrap_or("/");
    let mark = if page.contains('?') { '&' } else { '?' };
    format!("http://{address}{page}{mark}token={token}")
}

fn page_of_board(text: &str) -> Result<String, String> {
    if text.starts_with('/') { Ok(text.to_owned()) } else { Err("a page begins with `/`".to_owned()) }
}

fn serve(
    board: Board,
    listener: TcpListener,
    token: &str,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), Failed> {
    serve_on(board, (listener, token), ready)
        .map_err(|error: BoardError| Failed::new(error.to_string(), "try again, or another --port"))
}

/// Ends this process as Ctrl-C does when standard input is closed.
fn end_with_input() {
    let wait = || {
        // An error ends the input too.
        drop(std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
        flyball_system::interrupt_self();
    };
    // Without the thread, the board runs until someone ends it.
    drop(std::thread::Builder::new().spawn(wait));
}

/// Other machines may open the board only with --expose.
fn check_exposure(arguments: &Arguments) -> Result<(), Failed> {
    if arguments.listen.is_loopback() || arguments.expose {
        return Ok(());
    }
    let what = format!("other machines could open the board on {}", arguments.listen);
    Err(Failed::new(
        what,
        "add --expose if they may (plain HTTP: anyone who has the link, or listens on the network, sees commands and \
         file names), or forward a port: ssh -L 7177:127.0.0.1:7177 HOST",
    ))
}

/// Where the record is, and how long it is stored.
fn locate_store() -> Result<(PathBuf, StoreSettings), Failed> {
    let Some(state) = Environment::read().state_dir().map(Path::to_owned) else {
        return Err(Failed::new(
            "no home directory, so nothing is recorded",
            "set HOME or FLYBALL_STATE_DIR",
        ));
    };
    // The store belongs to the user, so no project's config decides how long events are stored.
    Ok((state, ProjectContext::at(PathBuf::from("/")).load_config().config.store.clone()))
}

/// Brings the index up to date. If that fails, the board still starts, and shows why.
fn update_index(state: &Path, settings: &StoreSettings, terminal: &Terminal) {
    let progress = Progress::after_a_while();
    let now = Time::now();
    let options = FoldOptions { now, ..FoldOptions::now(settings, FOLD_WAIT) };
    let folded = Store::at(state).fold_reporting(&options, &|step| progress.step(step));
    drop(progress);
    match folded {
        Ok(_) | Err(StoreError::Busy { .. }) => {}
        Err(error) => {
            print_status(&format!("{} {error}", terminal.paint(Style::Warning, "warning:")));
            print_status(&format!("{} {}", terminal.paint(Style::Accent, "   help:"), error.fix()));
        }
    }
}

struct Announcement<'a> {
    state: &'a Path,
    address: SocketAddr,
    link: &'a str,
}

/// Shows where the board is, and opens it.
fn announce(arguments: &Arguments, board: &Announcement<'_>, terminal: &Terminal) {
    let Announcement { state, address, link } = *board;
    if arguments.json {
        let line = serde_json::json!({ "url": link, "port": address.port(), "pid": std::process::id() });
        terminal.raw(&line.to_string());
        return;
    }
    let place = tilde(&state.display().to_string());
    print_status(&format!("The board shows all sessions that are recorded in {place}. Ctrl-C ends it."));
    if !address.ip().is_loopback() {
        let warning = terminal.paint(Style::Warning, "warning:");
        print_status(&format!(
            "{warning} other machines reach it over plain HTTP: anyone who has the link sees commands and file names."
        ));
    }
    terminal.line(link);
    if !arguments.no_open {
        browser::open(link);
    }
}

/// Status lines go to standard error; standard output has the address alone.
fn print_status(text: &str) {
    // The board keeps running when nobody reads these lines.
    drop(writeln!(std::io::stderr(), "{text}"));
}
