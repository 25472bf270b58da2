//! What happened in the demo, in one line.

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::text::counted;
use flyball_core::verdict::Stance;

use crate::terminal::Style;

/// What came of an event, as people call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Result {
    /// It did not happen.
    Denied,
    /// It had happened, and the agent was shown what to fix.
    Finding,
    /// The agent was not allowed to stop.
    Held,
    Asked,
    Allowed,
    Silent,
}

impl Result {
    pub(super) const fn of(record: &Record) -> Result {
        match (record.stance, record.kind) {
            (Stance::Deny, EventKind::AfterTool | EventKind::ToolFailed) => Result::Finding,
            (Stance::Deny, EventKind::Stop | EventKind::AgentStop) => Result::Held,
            (Stance::Deny, _) => Result::Denied,
            (Stance::Ask, _) => Result::Asked,
            (Stance::Allow, _) => Result::Allowed,
            (Stance::Silent, _) => Result::Silent,
        }
    }

    /// The word for it, as wide as the others.
    pub(super) const fn mark(self) -> (&'static str, Style) {
        match self {
            Result::Denied => ("deny   ", Style::Bad),
            Result::Finding => ("finding", Style::Warning),
            Result::Held => ("hold   ", Style::Warning),
            Result::Asked => ("ask    ", Style::Warning),
            Result::Allowed => ("allow  ", Style::Good),
            Result::Silent => ("silent ", Style::Faint),
        }
    }
}

/// How often each came up.
pub(super) fn line(results: &[Result]) -> String {
    let count = |wanted| results.iter().filter(|result| **result == wanted).count();
    let parts = [
        format!("{} denied", count(Result::Denied)),
        counted(count(Result::Finding), "finding"),
        format!("{} held back from stopping", count(Result::Held)),
        format!("{} left to the user", count(Result::Asked)),
    ];
    format!("{}: {}. All of it was recorded.", counted(results.len(), "event"), parts.join(", "))
}
