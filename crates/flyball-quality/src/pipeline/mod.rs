//! Format, collect, fix, verify: one or many files through all linters that are for them.
//!
//! 1. [`select`] says which linters are for which file.
//! 2. [`format`] lets all filters work on the content, and writes the result.
//! 3. [`collect`] asks all checks at once; what was answered before is kept.
//! 4. [`mend`] lets the fixer try, and verifies with the same code.
//! 5. [`project`] runs what looks at the whole project.

mod chunks;
mod collect;
mod configs;
mod context;
mod failures;
mod fix;
mod format;
mod globs;
mod keys;
mod linter_output;
mod paths;
mod placeholders;
mod programs;
mod project;
mod request;
mod select;
mod versions;

use flyball_core::workshop::Workshop;

use self::context::Context;
pub use self::request::{ModelUse, Progress, RunRequest, Write};
pub use self::select::applies_to_path;
use crate::report::Report;

/// Carries it out. Never fails as a whole: what went wrong is in the report.
#[must_use]
pub fn run(order: &RunRequest<'_>, workshop: &dyn Workshop) -> Report {
    let mut context = Context::new(order, workshop);
    let mut targets = select::targets(&mut context);
    let doubts = format::all(&mut context, &mut targets);
    collect::all(&mut context, &mut targets);
    format::report_failures(&mut context, &targets, doubts);
    fix::all(&mut context, &mut targets);
    let project = if order.project { project::findings(&mut context) } else { Vec::new() };
    let files = targets.into_iter().map(select::Target::into_report).collect();
    Report { files, project, troubles: context.failures.into_list() }
}
