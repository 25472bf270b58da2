//! One policy's page, for the terminal.

use flyball_core::event::EventKind;
use flyball_core::policy::{OnError, Policy};

use super::view::View;
use crate::project_context::mode_in;
use crate::show::record::style_of_mode;
use crate::show::{markdown, text};
use crate::terminal::{Style, Terminal};

/// The column in which facts begin.
const INDENT: usize = 13;

/// The lines of the page: what holds here and now, then what its author wrote.
pub(super) fn lines(policy: &'static Policy, view: &View, terminal: &Terminal) -> Vec<String> {
    let id = policy.id.as_str();
    let mode = mode_in(&view.loaded.config, policy);
    let mut lines = vec![format!("{}  {}", terminal.paint(Style::Strong, id), policy.summary), String::new()];
    let painted = terminal.paint(style_of_mode(mode), mode.name());
    lines.push(format!("{:INDENT$}{painted} ({})", "mode", view.origins.describe_mode(id)));
    lines.extend(fact("listens to", &listens(policy), terminal));
    lines.extend(fact("if it fails", failure(policy), terminal));
    lines.push(String::new());
    let title = format!("# {id}\n");
    let page = policy.page.strip_prefix(&title).unwrap_or(policy.page);
    lines.extend(markdown::render(page.trim_start_matches('\n'), terminal));
    lines
}

fn fact(name: &str, value: &str, terminal: &Terminal) -> Vec<String> {
    let room = terminal.columns().saturating_sub(INDENT);
    let wrapped = text::wrap(value, room);
    let name_of = |number: usize| if number == 0 { name } else { "" };
    wrapped.iter().enumerate().map(|(number, line)| format!("{:INDENT$}{line}", name_of(number))).collect()
}

fn listens(policy: &Policy) -> String {
    if policy.listens.len() == EventKind::ALL.len() {
        return "all events".to_owned();
    }
    policy.listens.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

const fn failure(policy: &Policy) -> &'static str {
    match policy.on_error {
        OnError::Deny => "the answer is no where the client waits for one, else a notice",
        OnError::Notice => "the action passes, with a notice to the user",
    }
}
