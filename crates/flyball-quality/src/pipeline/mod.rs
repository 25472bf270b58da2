//! Format, collect, fix, verify: one or many files through all linters that are for them.
//!
//! 1. [`select`] chooses the linters for each file.
//! 2. [`format`] runs all formatters on the content and writes the result.
//! 3. [`collect`] runs all checks at once, unless their results are cached.
//! 4. [`fix`] lets a model fix what is left, and verifies with the same code.
//! 5. [`project`] runs the linters of the whole project.

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
mod project_code;
mod request;
mod select;
mod versions;

use flyball_core::workshop::Workshop;

use self::context::Context;
pub use self::request::{ModelUse, Progress, ProjectCode, RunRequest, Write};
pub use self::select::applies_to_path;
use crate::report::Report;

/// Runs the pipeline. It never fails as a whole: failures are in the report.
#[must_use]
pub fn run(request: &RunRequest<'_>, workshop: &dyn Workshop) -> Report {
    let mut context = Context::new(request, workshop);
    let mut targets = select::targets(&mut context);
    // Format before check, or findings would point at lines that the formatter moves; filters that fail are
    // reported only after the checks, which may explain them.
    let failures = format::all(&mut context, &mut targets);
    collect::all(&mut context, &mut targets);
    format::report_failures(&mut context, &targets, failures);
    fix::all(&mut context, &mut targets);
    let project = if request.project { project::findings(&mut context) } else { Vec::new() };
    let files = targets.into_iter().map(select::Target::into_report).collect();
    Report { files, project, troubles: context.failures.into_list() }
}
