//! Format, collect, fix, verify: one or many files through all linters that are for them.
//!
//! 1. [`select`] chooses the linters for each file.
//! 2. [`format`] runs all formatters on the content and writes the result.
//! 3. [`collect`] runs all checks at once, unless their results are cached.
//! 4. [`fixes`] lets linters fix what they can, at the end of a turn.
//! 5. [`fix`] lets a model fix what is left, and verifies with the same code.
//! 6. [`project`] runs the linters of the whole project.

mod applies;
mod base_tree;
mod before;
mod broken_config;
mod by_path;
mod changes;
mod chosen;
mod chunks;
mod collect;
mod configs;
mod context;
mod excerpt;
mod failures;
mod fix;
mod fixes;
mod format;
mod globs;
mod imports;
mod keys;
mod linter_output;
mod paths;
mod placeholders;
mod programs;
mod project;
mod project_code;
mod request;
mod select;
mod unread;
mod versions;

use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::workshop::Workshop;

pub use self::applies::{applies_to_path, is_left_out};
pub use self::chosen::{Choice, ChoiceFinder};
use self::context::Context;
use self::format::FilterKind;
pub(crate) use self::paths::absolute;
pub use self::request::{Fixes, ModelUse, Progress, ProjectCode, RunRequest, Write};
use crate::finding::Finding;
use crate::phases::{Phase, Phases};
use crate::report::Report;

/// Runs the pipeline. It never fails as a whole: failures are in the report.
#[must_use]
pub fn run(request: &RunRequest<'_>, workshop: &dyn Workshop) -> Report {
    let mut context = Context::new(request, workshop);
    let mut stopwatch = Stopwatch::start(workshop);
    let (mut targets, skipped) = select::targets(&mut context);
    stopwatch.lap(Phase::Find);
    // Format before check, or findings would point at lines that the formatter moves; filters that fail are
    // reported only after the checks, which may explain them.
    collect::look_up_bases(&context, &mut targets);
    stopwatch.lap(Phase::Base);
    let failures = format::all(&mut context, &mut targets, FilterKind::Layout);
    stopwatch.lap(Phase::Format);
    collect::all(&mut context, &mut targets);
    format::report_failures(&mut context, &mut targets, failures);
    stopwatch.lap(Phase::Check);
    fixes::all(&mut context, &mut targets);
    stopwatch.lap(Phase::Fix);
    fix::all(&mut context, &mut targets);
    stopwatch.lap(Phase::Model);
    unread::report(&mut context, &targets);
    let mut project = if request.project { project::findings(&mut context) } else { Vec::new() };
    // A linter that also checks the project says there what it said about the file, perhaps in other words.
    let place = |finding: &Finding| {
        (finding.linter.clone(), finding.file.clone(), finding.line, finding.column, finding.code.clone())
    };
    let known: BTreeSet<_> = targets.iter().flat_map(|target| &target.findings).map(place).collect();
    project.retain(|finding| !known.contains(&place(finding)));
    let files = targets.into_iter().map(select::Target::into_report).collect();
    stopwatch.lap(Phase::Project);
    Report { files, project, troubles: context.failures.into_list(), skipped, phases: stopwatch.phases }
}

/// Measures one phase after the other.
struct Stopwatch<'a> {
    workshop: &'a dyn Workshop,
    since: Duration,
    phases: Phases,
}

impl<'a> Stopwatch<'a> {
    fn start(workshop: &'a dyn Workshop) -> Stopwatch<'a> {
        Stopwatch { workshop, since: workshop.elapsed(), phases: Phases::default() }
    }

    /// What was done since the last lap is this phase.
    fn lap(&mut self, phase: Phase) {
        let now = self.workshop.elapsed();
        self.phases.add(phase, now.saturating_sub(self.since));
        self.since = now;
    }
}
