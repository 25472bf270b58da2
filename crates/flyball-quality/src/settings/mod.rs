//! `[quality]`: what users write, and the settings it is compiled into.

mod changes;
mod check;
mod compile;
mod fixer;
mod problem;
#[cfg(test)]
mod tests;
mod written;

use serde::{Deserialize, Serialize};

pub use self::fixer::{FixerSettings, Pattern, Provider, Strength, Tier, Tiers};
pub use self::written::{AtStop, Biome, Format, Nursery, Project, Runtime, Scope, Written};
use crate::linter::Linter;

/// This many files get the time of one edit.
pub const FILES_OF_AN_EDIT: usize = 20;

/// The files that the settings make flyball run or obey, as they are written: the fixer's program and its settings, scripts of
/// linters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obeyed {
    pub files: Vec<String>,
}

/// The settings in force, with every linter that is switched on. What the hook reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Which files they make flyball run or obey. First, because every hook reads only that.
    pub obeyed: Obeyed,
    /// Which findings are reported.
    pub scope: Scope,
    /// Which files are formatted.
    pub format: Format,
    /// Files that are never checked.
    pub exclude: Vec<String>,
    /// Files that security and dead-code linters do not check.
    pub security_exclude: Vec<String>,
    /// How long all linters of one edit may take.
    pub deadline_seconds: u32,
    /// How long one command may take for every 20 files; 0 is as long as all.
    pub timeout_seconds: u32,
    /// How much memory one command may use, in megabytes; 0 is any amount.
    pub memory_mb: u32,
    /// How many linters run at a time; 0 is one per core.
    pub processes: usize,
    /// How many findings one answer shows.
    pub shown: usize,
    /// How many files of one command are checked.
    pub files_at_once: usize,
    /// What findings that are left do when the agent wants to stop.
    pub at_stop: AtStop,
    /// Linters of the whole project.
    pub project: Project,
    pub fixer: FixerSettings,
    /// Every linter that is switched on, in the order in which they run.
    pub linters: Vec<Linter>,
}
