//! Reports: what went wrong, denied or corrected, or was learned, one Markdown file each, waiting for a person.

mod document;
mod files;
pub mod ledger;
mod parse;
mod render;
mod sanitize;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use self::document::{ends_entry, is_entry};
pub use self::files::{load, path, relocate};
pub use self::parse::parse;
pub use self::render::render;
pub use self::sanitize::sanitize;

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

    /// The heading of the section that says what happened.
    const fn section_title(self) -> &'static str {
        match self {
            Kind::Pitfall => "What Went Wrong",
            Kind::Check => "Check Needed",
            Kind::Pattern => "Better Approach",
            Kind::Insight => "Key Insight",
        }
    }

    /// What its entry in a node is called.
    const fn entry(self) -> &'static str {
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
    /// A policy said no.
    Denial,
    /// A person said that it was wrong.
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
    /// What kind of rule it asks for.
    pub kind: Kind,
    /// Where it comes from.
    pub origin: Origin,
    /// One line that names it.
    pub title: String,
    /// The folder it is about, relative to the project's root; `.` for all of it.
    pub folder: String,
    /// What was being done: `Edit on a.ts`.
    pub operation: String,
    /// What happened, or what was learned: the text of the rule.
    pub detail: String,
    /// The error, denial or correction in its own words; may be empty.
    pub said: String,
    /// The command line; may be empty.
    pub command: String,
    /// The file, relative to the project's root; may be empty.
    pub file: String,
    /// The node that covers it, relative to the project's root; may be empty.
    pub node: String,
    /// What was told before that edit and did not help: one line each.
    pub told_before: Vec<String>,
    /// The agent that reported it; may be empty.
    pub agent: String,
    /// What makes two of these the same: equal for the same failure on another day.
    pub sameness: String,
}

impl Draft {
    /// Whether nobody has said yet what is to be learned: it was noticed, not understood.
    #[must_use]
    pub fn is_skeleton(&self) -> bool {
        matches!(self.origin, Origin::Failure | Origin::Denial) || self.detail.trim().is_empty()
    }
}

/// The id of a new report: the same for the same thing on the same day, another for anything else.
#[must_use]
pub fn new_id(draft: &Draft, at: u64) -> String {
    let draft = sanitize(draft);
    let prefix = if draft.is_skeleton() { "SKELETON".to_owned() } else { draft.kind.name().to_uppercase() };
    let sameness = format!("{}\n{}", draft.kind.name(), draft.sameness);
    // FNV-1a. Whoever writes the file never takes another's place, so that two of a hash do no harm.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in sameness.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{prefix}-{}-{hash:016x}", crate::timestamp::date(at))
}

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It waits for a person.
    Pending,
    /// A person took it for true, and it is not in a node yet.
    Accepted,
    /// A person did not.
    Rejected,
    /// It is in a node.
    Integrated,
}

/// A report as it lies in a folder: ours, or one that other programs or people wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The name of its file without `.md`.
    pub id: String,
    /// What became of it.
    pub status: Status,
    /// When it was made, in milliseconds since 1970; 0 if it does not say.
    pub at: u64,
    /// How often it happened.
    pub times: u32,
    /// What it says. `sameness` is empty if another program wrote it.
    pub draft: Draft,
    /// Whether nobody has said yet what is to be learned from it.
    pub is_skeleton: bool,
}
