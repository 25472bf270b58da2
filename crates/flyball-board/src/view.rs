//! What the board shows of sessions and projects, independent of policies.

use flyball_core::time::{self, Time};

use serde::Serialize;

/// What a session waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaitingView {
    /// Whether it is a person who has to do something.
    pub on_person: bool,
    /// What it is, in a line.
    pub what: String,
}

/// The loop of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoopView {
    /// All of it in a line.
    pub line: String,
    /// `idle`, `open`, `passed`, `escalated`, `aborted` or `handed over`.
    pub standing: String,
    /// The round it is in.
    pub iteration: u32,
    /// How many there may be.
    pub of: u32,
    /// The domains that were edited.
    pub domains: Vec<DomainView>,
    /// Why a person has to decide, if one has.
    pub escalation: Option<String>,
    /// What happened so far, oldest first.
    pub history: Vec<HappenedView>,
}

/// One domain of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainView {
    pub name: String,
    /// The files that were edited.
    pub files: Vec<String>,
    /// Its phases in order.
    pub phases: Vec<PhaseView>,
}

/// One phase of a domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseView {
    pub name: String,
    /// `passed`, `open`, `reopened`, `stale` or `failed`.
    pub status: String,
    pub issues: Vec<String>,
    /// Who reported it last: an agent's role, or a command.
    pub by: Option<String>,
    #[serde(with = "time::micros")]
    pub at: Option<Time>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HappenedView {
    #[serde(with = "time::micros")]
    pub at: Time,
    pub what: String,
}

/// Something a linter found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingView {
    /// The file, from the project's root.
    pub file: String,
    /// The line, if there is one.
    pub line: Option<u32>,
    /// The linter's name of it.
    pub code: String,
    pub message: String,
    pub tool: String,
}

/// The files as they were before a call, for `flyball undo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotView {
    pub id: u64,
    pub at: Time,
    /// The call, in one line.
    pub before: String,
    /// What was different before the next snapshot of the tree.
    pub changed: Vec<ChangedFileView>,
    /// How many more files are.
    pub more: usize,
    /// How many files could not be copied.
    pub left_out: usize,
    /// Whether there is no later one yet that says what changed.
    pub is_latest: bool,
}

/// A file that differs from how a snapshot has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFileView {
    /// From the project's root, or absolute.
    pub path: String,
    /// Empty if it is no text, or a long one.
    pub diff: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskView {
    pub title: String,
    /// Its plan, from the project's root.
    pub plan: String,
    /// What it is: `pending`, `in progress`, `handoff` … or `unreadable`.
    pub status: String,
    /// What a person wrote to pause it: a prompt, or the command.
    pub paused: Option<String>,
    /// Phases that are done.
    pub done: usize,
    pub phases: usize,
    /// The phase that is next, or worked on.
    pub current: Option<String>,
    /// The session that it is bound to.
    pub session: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicyView {
    pub id: String,
    /// What it governs, in a line.
    pub summary: String,
    /// `enforce`, `observe` or `off`.
    pub mode: String,
    /// Where that comes from: `flyball.toml:12` or `the default`.
    pub origin: String,
    /// Its page, in Markdown.
    pub page: String,
}
