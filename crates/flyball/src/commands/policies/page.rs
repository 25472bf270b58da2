//! One policy's page, for the terminal.

use flyball_core::event::EventKind;
use flyball_core::policy::{OnError, Policy};

use super::view::View;
use crate::project_context::mode_in;
use crate::show::record::style_of_mode;
use crate::show::{Page, markdown};
use crate::terminal::Style;

/// Adds what is in force here and now, then the policy's own page.
pub(super) fn add(page: &mut Page, policy: &'static Policy, view: &View) {
    let id = policy.id.as_str();
    let mode = mode_in(&view.loaded.config, policy);
    let mode = style_of_mode(mode).text(mode.name()).and(format!(" ({})", view.origins.describe_mode(id)));
    page.line(Style::Strong.text(id).and(format!("  {}", policy.summary)));
    page.blank();
    page.paragraph("mode         ", mode);
    page.paragraph("listens to   ", listens(policy));
    page.paragraph("if it fails  ", failure(policy));
    page.blank();
    let title = format!("# {id}\n");
    page.append(markdown::render(policy.page.strip_prefix(&title).unwrap_or(policy.page)));
}

fn listens(policy: &Policy) -> String {
    if policy.listens.len() == EventKind::ALL.len() {
        return "all events".to_owned();
    }
    policy.listens.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

const fn failure(policy: &Policy) -> &'static str {
    match policy.on_error {
        OnError::Hold => "the end of a turn is held, three times at most; else the user gets a notice",
        OnError::Deny => "the call is denied if the client waits for an answer, else the user gets a notice",
        OnError::Notice => "the call passes, and the user gets a notice",
    }
}
