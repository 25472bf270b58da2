//! What happened in the demo: a word for each event, and one line for all.

use flyball_core::outcome::Outcome;
use flyball_core::text::counted;

use crate::terminal::Style;

/// The word for what came of an event, as wide as the others.
pub(super) const fn mark(outcome: Outcome) -> (&'static str, Style) {
    match outcome {
        Outcome::Blocked => ("deny   ", Style::Bad),
        Outcome::Finding => ("finding", Style::Warning),
        Outcome::Held => ("hold   ", Style::Warning),
        Outcome::Asked => ("ask    ", Style::Warning),
        Outcome::Allowed => ("allow  ", Style::Good),
        Outcome::Passed => ("silent ", Style::Faint),
    }
}

/// How often each came up.
pub(super) fn line(outcomes: &[Outcome]) -> String {
    let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
    let parts = [
        format!("{} denied", count(Outcome::Blocked)),
        counted(count(Outcome::Finding), "finding"),
        format!("{} held back from stopping", count(Outcome::Held)),
        format!("{} left to the user", count(Outcome::Asked)),
    ];
    format!("{}: {}. All of it was recorded.", counted(outcomes.len(), "event"), parts.join(", "))
}
