//! `flyball memory`: the rules for a file, and how well they help.

mod affected;
mod coverage;
mod export;
mod history;
pub(in crate::commands) mod nodes;
mod overview;
pub(in crate::commands) mod patterns;
pub(in crate::commands) mod place;
pub(in crate::commands) mod project_files;
pub(in crate::commands) mod reports;
pub(in crate::commands) mod resolve;
pub(in crate::commands) mod rules;
pub(in crate::commands) mod sections;
mod statements;
mod stats;
mod stats_page;
mod tally;
mod validate;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use flyball_knowledge::report::ledger;

use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// Arguments of `flyball memory`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Show the rules for a file or folder by file and heading, those of the root first; exit code 1 if nothing covers it
    Resolve(resolve::Arguments),
    /// Check the project's rule files: rules found, stale paths, dead links, duplicates, size; exit code 1 on errors
    Validate(validate::Arguments),
    /// Show which rules a diff touches and which no longer hold; exit code 1 if some are stale
    Affected(affected::Arguments),
    /// Show which rules something enforces, which could be enforced, and which only a reader can follow
    Coverage(coverage::Arguments),
    /// Show how edits went with and without rules, and where rules are missing
    Stats(stats::Arguments),
    /// Print added rules, or the outcome of edits, as tab-separated lines
    Export(export::Arguments),
    /// Read all reports anew (runs by itself)
    #[command(hide = true)]
    Index {
        /// The project [default: that of the current directory]
        #[arg(long, value_name = "PATH")]
        project: Option<PathBuf>,
    },
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let Some(action) = &arguments.action else { return overview::run(terminal) };
    match action {
        Action::Resolve(arguments) => resolve::run(arguments, terminal),
        Action::Validate(arguments) => validate::run(arguments, terminal),
        Action::Affected(arguments) => affected::run(arguments, terminal),
        Action::Coverage(arguments) => coverage::run(arguments, terminal),
        Action::Stats(arguments) => stats::run(arguments, terminal),
        Action::Export(arguments) => export::run(arguments, terminal),
        Action::Index { project } => index(project.as_deref()),
    }
}

/// Reads all reports anew, unless there is nothing to read. Others may be at it: then it is done when they are.
fn index(project: Option<&Path>) -> Result<Done, Failed> {
    let here =
        project.map_or_else(ProjectContext::find, |root| Ok(ProjectContext::at(root.to_path_buf())))?;
    let machine = here.machine();
    let is_due = || ledger::is_enabled(&machine) && ledger::summary(&machine).is_ok_and(|it| it.is_stale);
    if !is_due() {
        return Ok(Done::Success);
    }
    match ledger::rebuild(&machine) {
        // Another process may have finished meanwhile: then there is nothing to report.
        Err(error) if is_due() => Err(error.into()),
        Ok(_) | Err(_) => Ok(Done::Success),
    }
}
