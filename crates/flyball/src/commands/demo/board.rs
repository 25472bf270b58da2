//! `flyball demo --dash`: a board worth looking at. Two sessions are played through `flyball hook`, the second of them is not
//! at its end; what lies before is made up.

use std::process::Stdio;
use std::time::Duration;

use flyball_core::time::Time;

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
/// It ends so long before now: the sessions that are played come last.
const END_OFFSET: Duration = Duration::from_secs(90);

/// Fills the board and serves it until it is closed.
pub(super) fn run(arguments: &Arguments, session: &Session, terminal: &Terminal) -> Result<Done, Failed> {
    let broken = |cause| Failed::new(format!("the recorded session is broken: {cause}"), "this is a bug");
    let unfinished = showcase::unfinished_session().map_err(broken)?;
    let stage = Sandbox::create(CONFIG)?;
    let progress = Progress::on_terminal();
    let until = Time::now() - END_OFFSET;
    let plan = Plan { events: EVENTS, days: DAYS, until, ..Plan::default() };
    history::write(&Store::at(&stage.state()), &plan, |written| {
        progress.set_text(&format!("generating a week of history: {written} of {EVENTS} events"));
    })?;
    for (number, scene) in session.events.iter().enumerate() {
        progress.bar("playing a session", (number, session.events.len()));
        stage.send(session, scene)?;
    }
    play_unfinished(&stage, &unfinished, &progress)?;
    drop(progress);
    serve(arguments, stage, terminal)
}

fn play_unfinished(stage: &Sandbox, session: &Session, progress: &Progress) -> Result<(), Failed> {
    let (plan, text) = showcase::PLAN;
    stage.write(plan, text)?;
    for (number, scene) in session.events.iter().enumerate() {
        progress.bar("playing another", (number, session.events.len()));
        stage.send(session, scene)?;
        if number == 0 {
            let inside = session.variables.iter().copied().chain([showcase::SESSION_ENV]);
            stage.command(&["task", "start", plan]).envs(inside).output().ok();
        }
    }
    Ok(())
}

/// Serves it from a process of its own, which sees only the throwaway project's record. It ends with this one: its standard
/// input does.
fn serve(arguments: &Arguments, stage: Sandbox, terminal: &Terminal) -> Result<Done, Failed> {
    let mut words = vec!["dash".to_owned(), "--with-parent".to_owned()];
    words.extend(arguments.no_open.then(|| "--no-open".to_owned()));
    words.extend(arguments.json.then(|| "--json".to_owned()));
    words.extend(arguments.port.map(|port| format!("--port={port}")));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let failed =
        |cause| Failed::new(format!("the board cannot be served: {cause}"), "build or install flyball again");
    let mut board = stage.command(&words).stdin(Stdio::piped()).spawn().map_err(failed)?;
    // Waiting for it would close its input.
    let held = board.stdin.take();
    let ended = board.wait().map_err(failed)?;
    drop(held);
    if arguments.keep {
        terminal.line(&format!("The project is kept at {}", stage.keep().display()));
    }
    if ended.success() { Ok(Done::Success) } else { Err(Failed::new("the board has failed", "see above")) }
}
