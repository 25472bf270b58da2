//! Format, collect, fix, verify: one or many files through all linters that are for them.
//!
//! 1. [`select`] says which linters are for which file.
//! 2. [`format`] lets all filters work on the content, and writes the result.
//! 3. [`collect`] asks all checks at once; what was answered before is kept.
//! 4. [`mend`] lets the fixer try, and verifies with the same code.
//! 5. [`project`] runs what looks at the whole project.

mod chunks;
mod collect;
mod context;
mod failures;
mod fix;
mod format;
mod globs;
mod keys;
mod linter_output;
mod placeholders;
mod programs;
mod project;
mod select;
mod versions;

use flyball_core::workshop::Workshop;

use self::context::Context;
pub use self::select::applies_to_path;
use crate::fixer::guard::Guards;
use crate::report::Report;
use crate::scope::Base;
use crate::settings::Settings;

/// What is to be done.
#[derive(Clone, Copy)]
pub struct RunRequest<'a> {
    /// The settings in force.
    pub settings: &'a Settings,
    /// The files: absolute, without symlinks. Those that no linter is for are passed over.
    pub files: &'a [String],
    /// Whether files may be written.
    pub write: Write,
    /// Whether a model may be asked to mend what is left, if the settings allow it.
    pub model: ModelUse,
    /// What a model may not do, by the word of those who know.
    pub guards: Guards,
    /// What `quality.scope` compares with.
    pub base: &'a Base,
    /// Also run the linters of the whole project.
    pub project: bool,
    /// Told how far it is, for people who wait.
    pub progress: &'a dyn Fn(Progress<'_>),
}

/// Whether files may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    Yes,
    /// Nothing is written; what would be is told.
    No,
}

/// Whether a model may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelUse {
    /// If the settings allow it.
    Allowed,
    Never,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done, for people: `formatting`, `ruff`.
    pub doing: &'a str,
    /// How many steps are done.
    pub done: usize,
    /// How many there are.
    pub total: usize,
}

/// Carries it out. Never fails as a whole: what went wrong is in the report.
#[must_use]
pub fn run(order: &RunRequest<'_>, workshop: &dyn Workshop) -> Report {
    let mut bench = Context::new(order, workshop);
    let mut targets = select::targets(&mut bench);
    let doubts = format::all(&mut bench, &mut targets);
    collect::all(&mut bench, &mut targets);
    format::report_failures(&mut bench, &targets, doubts);
    fix::all(&mut bench, &mut targets);
    let project = if order.project { project::findings(&mut bench) } else { Vec::new() };
    let files = targets.into_iter().map(select::Target::into_report).collect();
    Report { files, project, troubles: bench.failures.into_list() }
}
