//! `flyball top`: what is going on, in the terminal.
//!
//! One screen: numbers, sessions, events. A session opens its own events, an event its explanation. What is drawn
//! is a function of what was read and of the keys that were pressed ([`Screen`]), so that tests look at whole screens.

mod draw;
mod keys;
mod load;
mod screen;
mod snapshot;
#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use clap::Args;
use flyball_world::interrupt;
use jiff::Zoned;
use ratatui::Terminal as Window;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{self, Event};
use ratatui::crossterm::terminal::disable_raw_mode;

use self::screen::{Action, Screen};
use self::snapshot::Snapshot;
use crate::outcome::{Done, Failed};
use crate::project_context::{Archive, ProjectContext};
use crate::terminal::Terminal;
use crate::views::board::LocalViews;

/// How long to wait for a key before looking at the store again.
const PAUSE: Duration = Duration::from_millis(200);
/// How often the store is looked at.
const REFRESH: Duration = Duration::from_millis(500);
/// The height of the screen that `--once` prints.
const ONCE_LINES: u16 = 40;

/// Arguments of `flyball top`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Print one screen and end (also where there is no terminal)
    #[arg(long)]
    once: bool,
    /// Only this project
    #[arg(long)]
    here: bool,
}

/// Shows it until the user quits.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let archive = here.archive()?;
    let mut screen = Screen::new(arguments.here.then(|| here.root.to_string_lossy().into_owned()));
    let views = LocalViews::open();
    screen.columns = terminal.columns();
    screen.take(Snapshot::load((&archive, &views), &screen, &Zoned::now())?);
    if arguments.once || !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return once(&mut screen, terminal);
    }
    // A signal ends the program without returning here: the shell would be left in raw mode.
    interrupt::at_exit(restore_terminal);
    let mut window = ratatui::init();
    let result = watch(&mut window, (&archive, &views), &mut screen);
    ratatui::restore();
    result.map(|()| Done::Success)
}

/// Restores the terminal even while another thread draws, and blocks further drawing.
fn restore_terminal() {
    // Works also if the other thread holds the stream because nobody reads it.
    drop(disable_raw_mode());
    let out = std::io::stdout().lock();
    ratatui::restore();
    std::mem::forget(out);
}

fn watch(
    window: &mut ratatui::DefaultTerminal,
    (archive, views): (&Archive, &LocalViews),
    screen: &mut Screen,
) -> Result<(), Failed> {
    let failed = |cause: std::io::Error| {
        Failed::new(format!("the terminal failed: {cause}"), "`flyball top --once` prints one screen")
    };
    let mut loaded = Instant::now();
    loop {
        window.draw(|frame| draw::screen(frame, screen)).map_err(failed)?;
        let action = if event::poll(PAUSE).map_err(failed)? {
            match event::read().map_err(failed)? {
                Event::Key(key) => keys::handle_key(key, screen),
                _ => Action::Nothing,
            }
        } else {
            Action::Nothing
        };
        let is_due = !screen.is_paused && loaded.elapsed() >= REFRESH;
        match action {
            Action::Quit => return Ok(()),
            Action::Reload => {}
            Action::Nothing if is_due => {}
            Action::Nothing => continue,
        }
        loaded = Instant::now();
        let now = Zoned::now();
        archive.refresh(&now)?;
        screen.columns = usize::from(window.size().map_err(failed)?.width);
        screen.take(Snapshot::load((archive, views), screen, &now)?);
    }
}

/// One screen as plain lines.
fn once(screen: &mut Screen, terminal: &Terminal) -> Result<Done, Failed> {
    let width = u16::try_from(terminal.columns().clamp(40, 400)).unwrap_or(100);
    let backend = TestBackend::new(width, ONCE_LINES);
    // Drawing into memory has no way to fail.
    let Ok(mut window) = Window::new(backend);
    let Ok(_) = window.draw(|frame| draw::screen(frame, screen));
    terminal.lines(draw::plain(window.backend().buffer()));
    Ok(Done::Success)
}
