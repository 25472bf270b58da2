//! `flyball lint`: what the hook does after an edit, for people, commits and builds.

mod arguments;
mod choose;
mod coverage;
pub(in crate::commands) mod git;
mod human;
mod protected;
mod settings;
mod snapshot;
mod why;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use flyball_policies::guard::gaming::guards;
use flyball_quality::formats::{self, Rewriting, Tally, github, json, sarif};
use flyball_quality::linter::Linter;
use flyball_quality::pipeline::{self, Fixes, ModelUse, ProjectCode, RunRequest, Write};
use flyball_quality::report::{FailureKind, Report};
use flyball_quality::settings::Settings;
use flyball_world::machine::{Machine, real_path};

pub(super) use self::settings::defaults;

pub(crate) use self::arguments::Arguments;
use self::arguments::Format;
use self::choose::{Chosen, choose};
use self::coverage::Coverage;
use self::git::Git;
use self::human::Human;
use crate::environment::{self, Environment};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::ProjectContext;
use crate::temporary::TemporaryFolder;
use crate::terminal::Terminal;

/// Checks, and shows what was found.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let started = Instant::now();
    let here = ProjectContext::find()?;
    let settings = settings::with_arguments(settings::load(&here, terminal)?, arguments)?;
    let root = real_path(&here.root);
    let folder = environment::working_directory().unwrap_or_else(|| root.clone());
    let chosen = choose(arguments, &root, &folder)?;
    if arguments.why {
        return Ok(why::show(&settings, &chosen, terminal));
    }
    let settings = settings::with_time_for(chosen.files.len(), settings);
    let mut report = check(arguments, &settings, &chosen)?;
    if arguments.staged {
        report.project.extend(protected::staged_changes(&root)?);
    }
    // A file that was fixed but not staged again is not in the commit: that has to fail.
    let rewriting = if arguments.staged { Rewriting::NeedsStaging } else { Rewriting::Wanted };
    let mut report = formats::with_formatting(report, rewriting);
    report.skipped.extend(chosen.left_out(&settings));
    let coverage = Coverage::find(&report, &settings, &chosen, arguments);
    match arguments.format {
        Format::Human => {
            let fixing_linters = fixing_linters(&settings);
            let human =
                Human { report: &report, coverage, took: started.elapsed(), fixing_linters, terminal };
            terminal.lines(human.lines(arguments))
        }
        Format::Json => terminal.raw(&json::render(&report)),
        Format::Sarif => terminal.raw(&sarif::render(&report, &prefix(&root))),
        Format::Github => terminal.lines(github::render(&report, &prefix(&root))),
    };
    Ok(exit_status(&report, coverage, arguments))
}

fn check(arguments: &Arguments, settings: &Settings, chosen: &Chosen) -> Result<Report, Failed> {
    let environment = Environment::read();
    let machine = Machine::new(
        Instant::now(),
        environment.home.clone(),
        &chosen.root,
        Vec::new(),
        flyball_clients::FACTS,
    );
    // Results are cached in the state directory: an empty one has no results.
    let fresh = arguments.no_cache.then(TemporaryFolder::new).transpose()?;
    let state = fresh.as_ref().map(TemporaryFolder::path).or(environment.state_dir());
    let machine = machine.with_state(state).with_environment(environment::variable);
    let progress = Progress::also_without_terminal();
    progress.bar("looking around", (0, chosen.files.len()));
    let request = RunRequest {
        settings,
        files: &chosen.files,
        write: if arguments.fix { Write::Yes } else { Write::No },
        fixes: Fixes::Now,
        model: if arguments.model { ModelUse::Allowed } else { ModelUse::Never },
        // A person or a pipeline asks for it.
        project_code: ProjectCode::Run,
        guards: guards(flyball_clients::FACTS),
        base: &chosen.base,
        earlier: &BTreeMap::new(),
        project: arguments.project,
        progress: &|step| progress.bar(step.doing, (step.done, step.total)),
    };
    Ok(pipeline::run(&request, &machine))
}

/// The linters that change files if they may.
fn fixing_linters(settings: &Settings) -> Vec<&str> {
    let fixes = |linter: &&Linter| linter.entry.format.as_ref().is_some_and(|filters| !filters.is_empty());
    settings.linters.iter().filter(fixes).map(|linter| linter.name.as_str()).collect()
}

/// Code-scanning services name files from the root of the repository.
fn prefix(root: &Path) -> String {
    Git::around(root).map(|git| git.prefix_of(root)).unwrap_or_default()
}

fn exit_status(report: &Report, coverage: Coverage, arguments: &Arguments) -> Done {
    let tally = Tally::from_report(report);
    let is_unchecked = |kind: FailureKind| match kind {
        FailureKind::Failed | FailureKind::Late | FailureKind::Memory => true,
        FailureKind::Missing | FailureKind::TooOld | FailureKind::Untrusted | FailureKind::Unreadable => {
            arguments.strict
        }
    };
    let nothing_ran = report.files.iter().all(|file| file.linters.is_empty()) && !report.troubles.is_empty();
    // A finding is certain, so it wins over what could not be checked.
    if tally.findings > 0 {
        Done::Findings
    } else if coverage == Coverage::Nothing
        || nothing_ran
        || !report.skipped.is_empty()
        || report.troubles.iter().any(|error| is_unchecked(error.kind))
    {
        Done::Unchecked
    } else {
        Done::Success
    }
}
