//! What a person can do next about a decision, besides changing it.

use flyball_core::record::Record;
use flyball_core::verdict::Stance;

use crate::show::record::{is_silent, would_object};
use crate::views::project::Project;

/// The suggestions, most useful first; each is one sentence.
pub(super) fn next(record: &Record, project: &Project) -> Vec<String> {
    let mut next = Vec::new();
    let objecting =
        record.deciders().filter(|ruling| ruling.stance >= Stance::Ask).chain(would_object(record));
    for ruling in objecting {
        next.push(format!("Read what it denies and allows: `flyball policies {}`", ruling.policy));
    }
    if record.rulings.iter().any(|ruling| ruling.error.is_some()) {
        next.push("See why a policy fails: `flyball doctor`".to_owned());
    }
    if record.duplicate {
        next.push("See where flyball is registered twice: `flyball doctor`".to_owned());
    }
    next.extend(project.loaded.notices.iter().map(|notice| format!("Fix the config: {notice}")));
    if next.is_empty() && is_silent(record) {
        next.push("Nothing to do: flyball had no objection, and the client continued".to_owned());
    }
    next.push(format!("See what happened around it: `flyball log --session {}`", record.session));
    next
}
