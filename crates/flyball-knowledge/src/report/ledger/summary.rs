//! The summary of all reports.

use flyball_core::time::{self, Time};

use serde::{Deserialize, Serialize};

use crate::report::sanitize::line;
use crate::report::{Draft, Report};

/// How many reports a summary names.
pub(super) const MOST_LINES: usize = 20;
/// All reports at a glance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// How many wait for a review.
    pub pending: usize,
    /// The newest of those, newest first; a few.
    pub newest_pending: Vec<Line>,
    /// The last accepted ones, also if they are in a node by now, newest first; a few.
    pub newest_accepted: Vec<Line>,
    /// Whether the folders changed since this was written: by hand, by git.
    #[serde(skip)]
    pub is_stale: bool,
}

/// A report in one line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub id: String,
    pub title: String,
    /// The folder it is about, relative to the project's root.
    pub folder: String,
    /// When it was made or accepted.
    #[serde(with = "time::millis")]
    pub at: Time,
}

impl Line {
    pub(super) fn new(report: &Report, at: Time) -> Line {
        let Draft { title, folder, .. } = &report.draft;
        Line { id: report.id.clone(), title: line(title), folder: line(folder), at }
    }
}

impl From<&Draft> for Line {
    fn from(draft: &Draft) -> Line {
        Line {
            id: String::new(),
            title: draft.title.clone(),
            folder: draft.folder.clone(),
            at: Time::default(),
        }
    }
}
