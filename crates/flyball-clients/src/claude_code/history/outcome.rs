//! The outcome of a call, by its result: newer clients have a field for it, for older ones it is read from the text for the model.

use crate::history::EventOutcome;
use crate::wire::{self, Object};

/// How a result begins that the user or a permission rule refused.
const REFUSALS: &[&str] = &[
    "The user doesn't want to proceed",
    "The user doesn't want to take this action",
    "[Request interrupted by user",
    "Permission to use ",
    "Permission for this ",
    "Claude requested permissions to ",
];

/// The outcome of the call that this is the result of.
pub(super) fn classify(line: &Object, part: &Object) -> EventOutcome {
    let decision = line.object("permissionDecision");
    if decision.text("decision").as_deref() == Some("reject") {
        let is_hooks = decision.text("source").as_deref() == Some("hook");
        return if is_hooks { EventOutcome::DeniedByHook } else { EventOutcome::Refused };
    }
    if part.flag("is_error") != Some(true) {
        return EventOutcome::Ran;
    }
    let text = result_text(part);
    // Only the beginning: the output of a command that failed may contain such a sentence.
    if REFUSALS.iter().any(|start| text.starts_with(start)) {
        return EventOutcome::Refused;
    }
    if is_from_hook(&text) { EventOutcome::DeniedByHook } else { EventOutcome::Failed }
}

/// What the model was shown.
pub(super) fn result_text(part: &Object) -> String {
    let Some(content) = part.raw("content") else { return String::new() };
    if let Some(text) = wire::text(content) {
        return text.into_owned();
    }
    let texts =
        wire::list(content).into_iter().filter_map(|block| Object::from_value(Some(block)).non_empty("text"));
    texts.collect::<Vec<_>>().join("\n")
}

/// Whether a hook wrote this: the client announces it in front, or flyball's tag is at the end (older versions
/// ended with a line of their own).
fn is_from_hook(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let is_announced = first.starts_with("PreToolUse:") && first.contains(" hook error: ")
        || first.starts_with("Hook PreToolUse:");
    let is_ours = |last: &str| {
        last.starts_with("(flyball explain ") || last.ends_with(']') && last.contains("[flyball ")
    };
    is_announced || text.lines().next_back().is_some_and(is_ours)
}
