//! What was found.

use flyball_core::outcome::Outcome;
use serde::Serialize;

/// What would be decided about one thing.
#[derive(Serialize)]
pub(super) struct Tried {
    /// Its number in the file.
    pub(super) line: usize,
    /// The command line, or what the event is about.
    pub(super) command: String,
    pub(super) decision: &'static str,
    pub(super) outcome: Outcome,
    pub(super) policy: String,
    /// The rule of the policy, if it was one.
    pub(super) rule: Option<String>,
    /// Other policies that would stop it too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<String>,
    pub(super) reason: String,
    /// The settings behind it, and where each is written.
    pub(super) config: Vec<String>,
    /// What a person allowed, if it passes because of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) allowed: Option<String>,
    /// When a hook does not ask: files are copied before a call, but not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) undo: Option<String>,
}

impl Tried {
    /// Whether it would be denied or asked about.
    pub(super) fn is_stopped(&self) -> bool {
        self.outcome >= Outcome::Asked
    }
}

/// What was found in all lines.
#[derive(Default, Serialize)]
pub(super) struct Counts {
    pub(super) lines: usize,
    pub(super) denied: usize,
    pub(super) asked: usize,
}

impl Counts {
    pub(super) fn add(&mut self, tried: &Tried) {
        match tried.outcome {
            Outcome::Asked => self.asked += 1,
            Outcome::Finding | Outcome::Held | Outcome::Blocked => self.denied += 1,
            Outcome::Passed | Outcome::Allowed => {}
        }
    }

    pub(super) const fn stopped(&self) -> usize {
        self.denied + self.asked
    }
}
