//! What a run of the pipeline is asked to do.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;

use crate::fixer::guard::Guards;
use crate::scope::{Base, Before};
use crate::settings::Settings;

/// The task of one run.
#[derive(Clone, Copy)]
pub struct RunRequest<'a> {
    /// The settings in force.
    pub settings: &'a Settings,
    /// The files, without symlinks. Files without a linter are skipped.
    pub files: &'a [AbsolutePath],
    /// Whether files may be written.
    pub write: Write,
    /// What happens to findings that linters fix by themselves.
    pub fixes: Fixes,
    /// Whether a model may fix what is left, if the settings allow it.
    pub model: ModelUse,
    /// Whether code of the project may be run.
    pub project_code: ProjectCode,
    /// What a model may not do.
    pub guards: Guards,
    /// What `quality.scope` compares with.
    pub base: &'a Base,
    /// What files were before, where that is known better than by `base`.
    pub earlier: &'a BTreeMap<AbsolutePath, Before>,
    /// Also run the linters of the whole project.
    pub project: bool,
    /// Is called with the progress.
    pub progress: &'a dyn Fn(Progress<'_>),
}

/// Whether files may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    Yes,
    /// Nothing is written; what would be is reported.
    No,
}

/// What happens to findings that linters fix by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixes {
    /// They are fixed, if files may be written.
    Now,
    /// They will be fixed later: between two edits nothing is removed that the next one may need.
    Later,
    /// They are reported like all others.
    Never,
}

/// Whether code of the project may be run: its own programs, and what linters load of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectCode {
    /// A person trusts it, or asked for it.
    Run,
    /// Nobody trusts it: linters that would run it are left out, and reported.
    LeaveOut,
}

/// Whether a model may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelUse {
    /// If the settings allow it.
    Allowed,
    Never,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done, for people: `formatting`, `ruff`.
    pub doing: &'a str,
    /// How many steps are done.
    pub done: usize,
    /// How many there are.
    pub total: usize,
}
