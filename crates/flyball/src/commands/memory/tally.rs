//! What is counted of what a project knows.

use serde::Serialize;

use super::history::HistoryKind;

/// How often it went well, and how often not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Tally {
    pub(super) successes: usize,
    pub(super) failures: usize,
}

impl Tally {
    pub(super) fn count(&mut self, what: &HistoryKind) {
        match what {
            HistoryKind::Injected(_) => {}
            HistoryKind::Success => self.successes += 1,
            HistoryKind::Failure => self.failures += 1,
        }
    }

    pub(super) const fn all(self) -> usize {
        self.successes + self.failures
    }

    /// How many of a hundred went well; nothing if there are none.
    pub(super) fn percent(self) -> Option<usize> {
        (self.successes * 100).checked_div(self.all())
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Stats {
    pub(super) days: u32,
    pub(super) injections: usize,
    #[serde(flatten)]
    pub(super) all: Tally,
    /// Edits made with rules.
    pub(super) told: Tally,
    /// Edits made without rules.
    pub(super) untold: Tally,
    pub(super) nodes: Vec<NodeStats>,
    pub(super) uncovered: Vec<Uncovered>,
    pub(super) trend: Vec<Day>,
}

/// How well one rule file helps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct NodeStats {
    pub(super) node: String,
    pub(super) injections: usize,
    #[serde(flatten)]
    pub(super) tally: Tally,
}

/// A folder with failures and no rules of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Uncovered {
    pub(super) folder: String,
    pub(super) failures: usize,
    pub(super) files: Vec<String>,
}

/// One day, in UTC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Day {
    pub(super) day: String,
    pub(super) injections: usize,
    #[serde(flatten)]
    pub(super) tally: Tally,
}
