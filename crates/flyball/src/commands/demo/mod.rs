//! `flyball demo`: plays a recorded agent session through the same process that clients call.

mod arguments;
mod board;
mod pace;
mod sandbox;
mod summary;

use std::time::Duration;

use flyball_clients::showcase::{self, DemoEvent};
use flyball_core::outcome::Outcome;
use flyball_core::record::Record;

pub(crate) use self::arguments::Arguments;
use self::arguments::CONFIG;
use self::pace::Pace;
use self::sandbox::PlayedEvent;
pub(super) use self::sandbox::Sandbox;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::show::text::wrap_lines;
use crate::terminal::{Style, Terminal};

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let session = showcase::session()
        .map_err(|cause| Failed::new(format!("the recorded session is broken: {cause}"), "this is a bug"))?;
    if arguments.dash {
        return board::run(arguments, &session, terminal);
    }
    let progress = Progress::with_text("creating a temporary project");
    let sandbox = Sandbox::create(CONFIG)?;
    progress.clear();
    let pace = if arguments.no_pause || !terminal.is_interactive() { Pace::Fast } else { Pace::paused() };
    introduce(session.client, &pace, terminal);
    let mut denied = None;
    let mut outcomes = Vec::new();
    for (number, event) in session.events.iter().enumerate() {
        progress.bar("events", (number, session.events.len()));
        let played = sandbox.play(&session, event)?;
        progress.clear();
        let shown = show(number + 1, event, &played, terminal);
        let outcome = played.record.outcome();
        outcomes.push(outcome);
        let is_first_denial = outcome == Outcome::Blocked && denied.is_none();
        denied = if is_first_denial { Some(played.record.id.clone()) } else { denied };
        pace.pause_for(shown);
    }
    if let Some(id) = denied {
        terminal.line("");
        terminal.line(&terminal.paint(Style::Strong, &format!("$ flyball explain {id}")));
        let columns = terminal.columns().to_string();
        let explanation = sandbox.run_with(&["explain", id.as_str(), terminal.colour_option()], &columns)?;
        terminal.line(&explanation);
        pace.pause_for(explanation.len());
    }
    drop(pace);
    close(&outcomes, terminal);
    if arguments.keep {
        terminal.line(&format!("\nThe project is still at {}", sandbox.keep().display()));
    }
    Ok(Done::Success)
}

fn introduce(client: &str, pace: &Pace, terminal: &Terminal) {
    terminal.line(&terminal.paint(Style::Strong, "flyball demo: an agent at work in a temporary project"));
    let hint = match pace {
        Pace::Fast => "",
        Pace::Paused(_) => "; a key goes on at once",
    };
    terminal.line(&terminal.paint(
        Style::Faint,
        &format!("each event goes through `flyball hook`, as {client} would call it{hint}"),
    ));
}

/// Shows an event and what came of it. Returns how many characters a person has to read.
fn show(number: usize, event: &DemoEvent, played: &PlayedEvent, terminal: &Terminal) -> usize {
    let Record { tool, project, .. } = &played.record;
    let subject = played.record.subject.replace(&format!("{project}/"), "");
    let room = terminal.columns().clamp(40, 100);
    let (mark, style) = summary::mark(played.record.outcome());
    let what = tool.map_or(played.record.kind.name(), |tool| tool.name());
    let time = terminal.paint(Style::Faint, &milliseconds(played.took));
    terminal.line("");
    for (part, line) in wrap_lines(event.about.as_ref(), room - 3).iter().enumerate() {
        let number = if part == 0 { format!("{number:2}") } else { "  ".to_owned() };
        terminal.line(&format!("{} {line}", terminal.paint(Style::Faint, &number)));
    }
    terminal.line(&format!(
        "   {} {} {subject}  {time}",
        terminal.paint(style, mark),
        terminal.paint(Style::Accent, what)
    ));
    let lines: Vec<String> =
        message_lines(played).iter().flat_map(|line| wrap_lines(line, room - 13)).collect();
    for line in &lines {
        terminal.line(&format!("          {} {line}", terminal.paint(Style::Faint, "│")));
    }
    event.about.len() + subject.len() + lines.iter().map(String::len).sum::<usize>()
}

/// The messages to the agent, the model and the user.
fn message_lines(played: &PlayedEvent) -> Vec<String> {
    let record = &played.record;
    let mut lines: Vec<String> = record.said.lines().map(str::to_owned).collect();
    if !played.context.is_empty() {
        lines.push("context for the model:".to_owned());
        let context = played.context.lines().filter(|line| !line.trim().is_empty());
        lines.extend(context.map(|line| format!("  {line}")));
    }
    if record.rewritten {
        lines.push("the call was rewritten before it ran".to_owned());
    }
    lines.extend(record.notices.iter().cloned());
    lines.iter().map(|line| line.replace(&format!("{}/", record.project), "")).collect()
}

fn close(outcomes: &[Outcome], terminal: &Terminal) {
    terminal.line("");
    terminal.line(&terminal.paint(Style::Strong, &summary::line(outcomes)));
    terminal.line("");
    terminal.line(&terminal.paint(Style::Strong, "Use it in your project"));
    for (command, about) in [
        ("flyball init", "set it up; --dry-run shows every change first"),
        ("flyball doctor", "check that it is registered and its hooks run"),
        ("flyball dash", "see what your agents do, in the browser"),
    ] {
        terminal.line(&format!("  {}  {about}", terminal.paint(Style::Accent, &format!("{command:<14}"))));
    }
}

fn milliseconds(took: Duration) -> String {
    format!("{:.1} ms", took.as_secs_f64() * 1000.0)
}
