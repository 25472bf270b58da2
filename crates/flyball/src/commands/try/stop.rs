//! What was found.

use serde::Serialize;

/// A line that would be stopped.
#[derive(Serialize)]
pub(super) struct Stop {
    /// Its number in the file.
    pub(super) line: usize,
    pub(super) command: String,
    pub(super) decision: &'static str,
    pub(super) policy: String,
    /// The rule of `guard.commands`, if it was one.
    pub(super) rule: Option<String>,
    pub(super) reason: String,
}

/// What was found in all lines.
#[derive(Default, Serialize)]
pub(super) struct Counts {
    pub(super) lines: usize,
    pub(super) denied: usize,
    pub(super) asked: usize,
}

impl Counts {
    pub(super) const fn stopped(&self) -> usize {
        self.denied + self.asked
    }
}
