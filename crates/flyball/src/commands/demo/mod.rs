//! `flyball demo`: plays a recorded agent session through the same process that clients call.

mod arguments;
mod board;
mod sandbox;

use std::time::Duration;

use flyball_clients::showcase::{self, DemoEvent};
use flyball_core::record::Record;
use flyball_core::verdict::Stance;

pub(crate) use self::arguments::Arguments;
use self::arguments::CONFIG;
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
    terminal.line(&terminal.paint(Style::Strong, "flyball demo: an agent at work in a temporary project"));
    terminal.line(&terminal.paint(
        Style::Faint,
        &format!("each event goes through `flyball hook`, as {} would call it", session.client),
    ));
    let mut denied = None;
    for (number, event) in session.events.iter().enumerate() {
        progress.bar("events", (number, session.events.len()));
        let played = sandbox.play(&session, event)?;
        progress.clear();
        show(number + 1, event, &played, terminal);
        let is_first_denial = played.record.stance == Stance::Deny && denied.is_none();
        denied = if is_first_denial { Some(played.record.id.clone()) } else { denied };
    }
    if let Some(id) = denied {
        terminal.line("");
        terminal.line(&terminal.paint(Style::Strong, &format!("$ flyball explain {id}")));
        terminal.line(&sandbox.run(&["explain", id.as_str()])?);
    }
    close(arguments, sandbox, terminal);
    Ok(Done::Success)
}

fn show(number: usize, event: &DemoEvent, played: &PlayedEvent, terminal: &Terminal) {
    let Record { stance, tool, project, .. } = &played.record;
    let subject = played.record.subject.replace(&format!("{project}/"), "");
    terminal.line("");
    terminal.line(&format!("{} {}", terminal.paint(Style::Faint, &format!("{number:2}")), event.about));
    let what = tool.map_or(played.record.kind.name(), |tool| tool.name());
    let (mark, style) = match stance {
        Stance::Deny => ("deny  ", Style::Bad),
        Stance::Ask => ("ask   ", Style::Warning),
        Stance::Allow => ("allow ", Style::Good),
        Stance::Silent => ("silent", Style::Faint),
    };
    let time = terminal.paint(Style::Faint, &milliseconds(played.took));
    terminal.line(&format!(
        "   {} {} {subject}  {time}",
        terminal.paint(style, mark),
        terminal.paint(Style::Accent, what)
    ));
    for line in message_lines(played) {
        for part in wrap_lines(&line, terminal.columns().clamp(40, 100) - 13) {
            terminal.line(&format!("          {} {part}", terminal.paint(Style::Faint, "│")));
        }
    }
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

fn close(arguments: &Arguments, sandbox: Sandbox, terminal: &Terminal) {
    terminal.line("");
    terminal.line(&terminal.paint(Style::Strong, "Use it in your project"));
    for (command, about) in [
        ("flyball init", "set it up in your project; --dry-run shows every change first"),
        ("flyball doctor", "check that it is registered and its hooks run"),
        ("flyball log --follow", "watch what your agents do"),
        (
            "flyball dash",
            "see all of it in the browser; `flyball demo --dash` shows a board with sample data",
        ),
        ("flyball test", "run the test cases of your rules"),
    ] {
        terminal.line(&format!("  {}  {about}", terminal.paint(Style::Accent, &format!("{command:<22}"))));
    }
    if arguments.keep {
        terminal.line(&format!("\nThe project is still at {}", sandbox.keep().display()));
    }
}

fn milliseconds(took: Duration) -> String {
    format!("{:.1} ms", took.as_secs_f64() * 1000.0)
}
