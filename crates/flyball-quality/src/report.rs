//! The result of a run of the pipeline.

use std::time::Duration;

use flyball_core::time;

use serde::{Deserialize, Serialize};

use flyball_core::path::ProjectPath;

use crate::finding::Finding;
use crate::phases::Phases;

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Every file that was checked, in the order given.
    pub files: Vec<FileReport>,
    /// What linters of the whole project found.
    pub project: Vec<Finding>,
    /// Linters that failed, each once.
    pub troubles: Vec<LinterFailure>,
    /// Files that linters are for and that none of them checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<SkippedFile>,
    /// How long its phases took.
    #[serde(default)]
    pub phases: Phases,
}

/// A file that linters are for and that none of them checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SkippedFile {
    /// From the root of the project; absolute if it is not below it.
    pub file: String,
    pub why: SkipReason,
}

/// A file longer than this is not checked.
pub(crate) const LARGEST_FILE: u64 = 1024 * 1024;

/// Why a file is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Longer than `LARGEST_FILE`.
    TooLarge,
    /// Its text has another encoding.
    NotUtf8,
    /// It cannot be read.
    Unreadable,
    /// `quality.exclude` names it.
    Excluded,
    /// It is not in the project.
    Outside,
}

impl SkipReason {
    /// What follows `it is not checked, because`.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            SkipReason::TooLarge => "it is larger than 1 MiB",
            SkipReason::NotUtf8 => "it is not UTF-8",
            SkipReason::Unreadable => "it cannot be read",
            SkipReason::Excluded => "`quality.exclude` names it",
            SkipReason::Outside => "it is not in the project",
        }
    }
}

/// The result for one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReport {
    pub file: ProjectPath,
    /// Whether formatters changed it.
    pub format: Formatted,
    /// What is left to do, sorted by place.
    pub findings: Vec<Finding>,
    /// How many findings `quality.scope` left out because they were there before.
    pub old: usize,
    /// What was changed in it, for people: `reformatted by black (+2 −1)`, ``removed `import json` (F401)``.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// What linters will fix at the end of the turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<Finding>,
    /// What the model did, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixReport>,
    /// The linters that checked it.
    pub linters: Vec<String>,
    /// Whether every result came from the cache.
    pub cached: bool,
}

/// What formatters made of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Formatted {
    /// They would change nothing, or there are none.
    #[default]
    Already,
    Rewritten,
    /// They would change it, but nothing may be written.
    Due,
    /// It was changed by someone else in the meantime, so it was left alone.
    Overtaken,
}

/// A linter that failed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LinterFailure {
    pub linter: String,
    pub kind: FailureKind,
    /// What happened, in one line without the linter's name.
    pub what: String,
    /// What a person can do.
    // The name in the documented JSON of `flyball lint`, which others read.
    #[serde(rename = "way_out")]
    pub fix: String,
    /// The files it did not check, at most a few.
    pub files: Vec<String>,
}

/// How a linter failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// It is not installed.
    Missing,
    /// It is older than its minimum version; it ran anyway.
    TooOld,
    /// It crashed, could not read its config, or printed something unreadable.
    Failed,
    /// It was stopped at the deadline.
    Late,
    /// It was stopped because it used too much memory.
    Memory,
    /// It would run code of a project that nobody trusts.
    Untrusted,
    /// It cannot read the syntax of a file, so it did not check it.
    Unreadable,
}

/// What the model did with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixReport {
    /// The model that was asked.
    pub model: String,
    /// How many findings it was given.
    pub given: usize,
    pub end: FixOutcome,
    /// How long it took.
    #[serde(rename = "millis", with = "time::millis")]
    pub took: Duration,
}

/// How an attempt to fix went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FixOutcome {
    /// The patch was kept: this many findings are gone.
    Kept(usize),
    /// The model changed nothing.
    Unchanged,
    /// The patch was rejected, and why: the file is unchanged.
    Refused(Vec<String>),
    /// The model failed or did not answer, and why.
    Failed(String),
}
