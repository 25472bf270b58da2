//! Plans: phases, their boxes and the status, in both forms that exist, and the active task of a project.

mod blocks;
mod files;
mod head;
mod parts;
mod phases;
#[cfg(test)]
mod tests;

use flyball_core::policy::{PolicyError, World};

pub use self::files::{
    Artifact, Step, absolute_path, all, artifacts, folder, lessons_path, read_text, sibling_path, task_name,
};

/// How a task stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Pending,
    InProgress,
    /// Handed over from before a compaction.
    Handoff,
    Finished,
    /// Given up by a person.
    Cancelled,
    /// It did not work out.
    Failed,
    Error,
    /// A word that is not known: the task is open.
    Other(String),
}

impl Status {
    /// Whether nothing is to be done any more.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Status::Finished | Status::Cancelled | Status::Failed | Status::Error)
    }

    /// The word as it stands in plans.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in progress",
            Status::Handoff => "handoff",
            Status::Finished => "finished",
            Status::Cancelled => "cancelled",
            Status::Failed => "failed",
            Status::Error => "error",
            Status::Other(word) => word,
        }
    }
}

/// One phase of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    pub number: u32,
    /// Whether it verifies the phase of the same number: `Phase 2V`.
    pub verifies: bool,
    /// What its heading says behind the number.
    pub title: String,
    /// Its boxes that are not ticked, in order.
    pub open: Vec<String>,
    /// How many are ticked.
    pub ticked: usize,
    /// Whether it is complete.
    pub is_complete: bool,
    /// Whether nothing in it can say how far it is: no boxes, no status.
    pub is_bare: bool,
}

impl Phase {
    /// `2` or, for the one that verifies it, `2V`.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{}{}", self.number, if self.verifies { "V" } else { "" })
    }
}

/// A plan as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How the task stands.
    pub status: Status,
    /// Its title; empty if it has none.
    pub title: String,
    /// Its phases in the order in which they are worked on.
    pub phases: Vec<Phase>,
    /// The first phase that is not complete, by its place in `phases`; `None` if all are.
    pub current: Option<usize>,
}

impl Plan {
    /// Reads a plan without the files of its phases.
    #[must_use]
    pub fn parse(text: &str) -> Plan {
        Plan::parse_with(text, &[])
    }

    /// Reads a plan with the files of its phases: their names and texts.
    #[must_use]
    pub fn parse_with(text: &str, files: &[(String, String)]) -> Plan {
        let status = head::status(head::value(text, "status").unwrap_or_default());
        let title = blocks::blocks(text).into_iter().find_map(|block| match block {
            blocks::Block::Heading(1, title) => Some(title),
            _ => None,
        });
        let title = title.unwrap_or_default();
        let title = title.strip_prefix("Plan:").map_or(title.as_str(), str::trim).to_owned();
        let phases = phases::phases(text, files);
        let current = phases.iter().position(|phase| !phase.is_complete);
        Plan { status, title, phases, current }
    }

    /// The phase that is being worked on.
    #[must_use]
    pub fn phase(&self) -> Option<&Phase> {
        self.phases.get(self.current?)
    }

    /// The phases that say themselves that they are not complete: by an open box or by their status. One that cannot
    /// say anything is not among them.
    pub fn unfinished(&self) -> impl Iterator<Item = &Phase> {
        self.phases.iter().filter(|phase| !phase.is_complete && !phase.is_bare)
    }

    /// `phase 2 of 5`, for messages.
    #[must_use]
    pub fn progress(&self) -> String {
        let at = self.current.map_or(self.phases.len(), |at| at + 1);
        format!("phase {at} of {}", self.phases.len())
    }
}

/// Whether a task of this status may be marked as handed over: one that has ended stays as it is.
#[must_use]
pub const fn may_hand_off(status: &Status) -> bool {
    !status.is_terminal()
}

/// The text of a plan with another status: only that line is touched.
#[must_use]
pub fn with_status(text: &str, status: &Status) -> String {
    head::with_status(text, status)
}

/// What stands between `<!-- NAME -->` and `<!-- /NAME -->`, without lines that are only a comment.
#[must_use]
pub fn role_section(text: &str, name: &str) -> Option<String> {
    parts::role_section(text, name)
}

/// Decisions that a plan holds: the items below a heading that says so.
#[must_use]
pub fn decisions(text: &str) -> Vec<String> {
    parts::decisions(text)
}

/// The path of the active plan, relative to the project's root, as `TASK.md` names it; `None` if there is no active task
/// or the file does not name a plan that exists.
///
/// # Errors
/// When the file is there and cannot be read.
pub fn active(world: &dyn World) -> Result<Option<String>, PolicyError> {
    files::active(world)
}

/// Whether a path (relative to the project's root) can be that of a plan: below the folder of tasks, in a folder of a
/// task, without `..`.
#[must_use]
pub fn is_plan_path(path: &str) -> bool {
    files::is_plan_path(path)
}

/// Reads the plan at a path relative to the project's root, with the files of its phases.
///
/// # Errors
/// When it is there and cannot be read.
pub fn read(world: &dyn World, path: &str) -> Result<Option<Plan>, PolicyError> {
    files::read(world, path)
}
