//! Reports and drafts of them, and their kinds, origins and statuses.

use flyball_core::time::{self, Time};

use serde::{Deserialize, Serialize};

use crate::layout;

/// What kind of rule a report asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Something to be avoided.
    Pitfall,
    /// Something to be done before.
    Check,
    Pattern,
    /// Something to be known.
    Insight,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Pitfall, Kind::Check, Kind::Pattern, Kind::Insight];

    /// The name used in reports and on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Pitfall => "pitfall",
            Kind::Check => "check",
            Kind::Pattern => "pattern",
            Kind::Insight => "insight",
        }
    }

    /// The heading of the section about the incident.
    pub(super) const fn section_title(self) -> &'static str {
        match self {
            Kind::Pitfall => "What Went Wrong",
            Kind::Check => "Check Needed",
            Kind::Pattern => "Better Approach",
            Kind::Insight => "Key Insight",
        }
    }

    /// What its entry in a node is called.
    pub(super) const fn entry(self) -> &'static str {
        match self {
            Kind::Pitfall => "Pitfall",
            Kind::Check => "Check",
            Kind::Pattern => "Pattern",
            Kind::Insight => "Context",
        }
    }
}

/// Where a report comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A tool or a command failed.
    Failure,
    /// A policy denied it.
    Denial,
    /// A person corrected it.
    Correction,
    /// A model found it in the session.
    Session,
    /// An agent reported it.
    Agent,
    /// A person wrote it.
    Person,
}

impl Origin {
    pub const ALL: [Origin; 6] =
        [Origin::Failure, Origin::Denial, Origin::Correction, Origin::Session, Origin::Agent, Origin::Person];

    /// The name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Failure => "failure",
            Origin::Denial => "denial",
            Origin::Correction => "correction",
            Origin::Session => "session",
            Origin::Agent => "agent",
            Origin::Person => "person",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub kind: Kind,
    pub origin: Origin,
    /// One line that names it.
    pub title: String,
    /// The folder it is about, relative to the project's root; `.` for all of it.
    pub folder: String,
    /// What was being done: `Edit on a.ts`.
    pub operation: String,
    /// What happened, or what was learned: the text of the rule.
    pub detail: String,
    /// The text of the error, denial or correction; may be empty.
    pub said: String,
    /// The command line; may be empty.
    pub command: String,
    /// The file, relative to the project's root; may be empty.
    pub file: String,
    /// The node that covers it, relative to the project's root; may be empty.
    pub node: String,
    /// The rules shown before that edit, one line each.
    pub told_before: Vec<String>,
    /// The agent that reported it; may be empty.
    pub agent: String,
    /// Equal for two reports of the same thing, also on another day.
    pub sameness: String,
}

impl Draft {
    /// Whether the lesson is still missing: it was noticed, not understood.
    #[must_use]
    pub fn is_skeleton(&self) -> bool {
        matches!(self.origin, Origin::Failure | Origin::Denial) || self.detail.trim().is_empty()
    }
}

/// What a person decided about a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It waits for a person.
    Pending,
    /// A person accepted it, and it is not in a node yet.
    Accepted,
    Rejected,
    /// It is in a node.
    Integrated,
}

impl Status {
    pub const ALL: [Status; 4] = [Status::Pending, Status::Accepted, Status::Rejected, Status::Integrated];

    /// The folder with its reports, relative to the project's root.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Status::Pending => layout::PENDING,
            Status::Accepted => layout::ACCEPTED,
            Status::Rejected => layout::REJECTED,
            Status::Integrated => layout::INTEGRATED,
        }
    }
}

/// A report file: ours, or one that other programs or people wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The name of its file without `.md`.
    pub id: String,
    pub status: Status,
    /// When it was made; 1970 if unknown.
    #[serde(with = "time::millis")]
    pub at: Time,
    pub times: u32,
    /// Its content. `sameness` is empty if another program wrote it.
    pub draft: Draft,
    /// Whether the lesson is still missing.
    pub is_skeleton: bool,
}
