//! `flyball demo --dash`: a board with data. Two sessions are played through `flyball hook`, the second without an end; the
//! history before them is generated.

use std::process::Stdio;
use std::time::Duration;

use flyball_core::time::Time;

use flyball_board::Range;
use flyball_clients::showcase::{self, Session};
use flyball_store::Store;

use super::arguments::{Arguments, CONFIG};
use super::sandbox::Sandbox;
use crate::history::{self, Plan};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::terminal::Terminal;

/// How much history there is: a week of a small team.
const EVENTS: u64 = 6_000;
const DAYS: u32 = 7;
/// The range that shows all of it.
const RANGE: &str = Range::Week.name();
/// How long before now it ends: the played sessions come last.
const END_OFFSET: Duration = Duration::from_secs(90);

/// Fills the board and serves it until it is closed.
pub(super) fn run(arguments: &Arguments, session: &Session, terminal: &Terminal) -> Result<Done, Failed> {
    let broken = |cause| Failed::new(format!("the recorded session is broken: {cause}"), "this is a bug");
    let unfinished = showcase::unfinished_session().map_err(broken)?;
    let sandbox = Sandbox::create(CONFIG)?;
    let progress = Progress::on_terminal();
    let until = Time::now() - END_OFFSET;
    let plan = Plan { events: EVENTS, days: DAYS, until, ..Plan::default() };
    history::write(&Store::at(&sandbox.state()), &plan, |written| {
        progress.set_text(&format!("generating a week of history: {written} of {EVENTS} events"));
    })?;
    for (number, event) in session.events.iter().enumerate() {
        progress.bar("playing a session", (number, session.events.len()));
        sandbox.send(session, event)?;
    }
    play_unfinished(&sandbox, &unfinished, &progress)?;
    drop(progress);
    serve(arguments, sandbox, terminal)
}

fn play_unfinished(sandbox: &Sandbox, session: &Session, progress: &Progress) -> Result<(), Failed> {
    let (plan, text) = showcase::PLAN;
    sandbox.write(plan, text)?;
    for (number, event) in session.events.iter().enumerate() {
        progress.bar("playing a second session", (number, session.events.len()));
        sandbox.send(session, event)?;
        if number == 0 {
            let inside = session.variables.iter().copied().chain([showcase::SESSION_ENV]);
            // The board is worth showing without a task, too.
            sandbox.command(&["task", "start", plan]).envs(inside).output().ok();
        }
    }
    Ok(())
}

/// Serves it from a process of its own, which sees only the record of the temporary project. It ends with this process,
/// which closes its standard input.
fn serve(arguments: &Arguments, sandbox: Sandbox, terminal: &Terminal) -> Result<Done, Failed> {
    // On a weekend morning the default range would show an empty day.
    let mut arguments_of_dash =
        vec!["dash".to_owned(), "--with-parent".to_owned(), format!("--page=/?range={RANGE}")];
    arguments_of_dash.extend(arguments.no_open.then(|| "--no-open".to_owned()));
    arguments_of_dash.extend(arguments.json.then(|| "--json".to_owned()));
    arguments_of_dash.extend(arguments.port.map(|port| format!("--port={port}")));
    let arguments_of_dash: Vec<&str> = arguments_of_dash.iter().map(String::as_str).collect();
    let failed =
        |cause| Failed::new(format!("the board cannot be served: {cause}"), "build or install flyball again");
    let mut board = sandbox.command(&arguments_of_dash).stdin(Stdio::piped()).spawn().map_err(failed)?;
    // `wait` would close its input.
    let input = board.stdin.take();
    let ended = board.wait().map_err(failed)?;
    drop(input);
    if arguments.keep {
        terminal.line(&format!("The project is still at {}", sandbox.keep().display()));
    }
    if ended.success() {
        Ok(Done::Success)
    } else {
        Err(Failed::new("the board failed", "its error is above"))
    }
}
