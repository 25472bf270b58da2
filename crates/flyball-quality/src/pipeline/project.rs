//! Linters that check the whole project.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{JobResult, Scratch};

use super::context::{CommandTemplate, Context, Task};
use super::linter_output::{self, LinterRun};
use super::placeholders::PlaceholderValues;
use super::programs::Command;
use super::{keys, select, versions};
use crate::finding::Finding;
use crate::linter::{Check, Linter, Reach, takes_many};

/// One linter to be run in one folder.
struct Run<'a> {
    linter: &'a Linter,
    check: &'a Check,
    command: Command,
    /// The files it was started for.
    files: Vec<&'a AbsolutePath>,
    key: Option<String>,
    scratch: Option<Box<dyn Scratch>>,
}

impl Run<'_> {
    fn scratch(&self) -> &str {
        self.scratch.as_ref().map_or("", |scratch| scratch.path())
    }
}

/// What the linters of the whole project find.
pub(super) fn findings(context: &mut Context<'_>) -> Vec<Finding> {
    context.set_time_limit(context.settings.project.deadline_seconds);
    let mut findings = Vec::new();
    let mut open = Vec::new();
    for run in plan(context) {
        let cached = run.key.as_ref().and_then(|key| context.workshop.cached_result(key));
        match cached.and_then(|cached| serde_json::from_slice::<Vec<Finding>>(&cached).ok()) {
            Some(cached) => {
                context.advance(&run.linter.name, 1);
                findings.extend(filter_in_scope(context, run.linter, cached));
            }
            None => open.push(run),
        }
    }
    let mut tasks: Vec<Task> = open.iter_mut().map(|run| task(context, run)).collect();
    let version_queries = versions::pending_queries(
        context,
        open.iter().filter_map(|run| Some((run.linter, *run.files.first()?))),
    );
    tasks.extend(version_queries.iter().map(versions::PendingQuery::task));
    let mut results = context.run(tasks);
    let answers = results.split_off(open.len());
    versions::store_answers(context, version_queries, &answers);
    for (run, ran) in open.iter().zip(&results) {
        let found = read_result(context, run, ran);
        findings.extend(filter_in_scope(context, run.linter, found));
    }
    findings.sort_unstable();
    findings.dedup();
    findings
}

/// Every linter that applies to one of the files.
fn plan<'a>(context: &mut Context<'a>) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    let (settings, paths) = (context.settings, context.request.files);
    for linter in settings.linters.iter().filter(|linter| linter.entry.reach == Some(Reach::Project)) {
        let Some(check) = &linter.entry.check else { continue };
        let mut folders: BTreeMap<AbsolutePath, Vec<&'a AbsolutePath>> = BTreeMap::new();
        for path in paths {
            if path.strip_folder(context.root).is_some_and(|file| select::applies_to(context, linter, file)) {
                folders.entry(context.folder(linter, check.folder, path)).or_default().push(path);
            }
        }
        for files in folders.into_values() {
            let Some(first) = files.first() else { continue };
            let Some(command) =
                context.command(linter, CommandTemplate::for_check(check, &check.command), first)
            else {
                continue;
            };
            context.add_steps(1);
            let mut run = Run { linter, check, command, files, key: None, scratch: None };
            run.key = key(context, &run);
            runs.push(run);
        }
    }
    runs
}

fn key(context: &mut Context<'_>, run: &Run<'_>) -> Option<String> {
    let project = context.project_fingerprint(run.linter)?;
    let entry = context.linter_fingerprint(run.linter);
    let configs = context.configs_fingerprint(run.linter, &run.command.folder);
    let words = format!("{:?} {}", run.command.words, run.command.folder);
    // A letter that no path has separates them, so that no two lists look alike.
    let folders = context.project_folders().join("\u{1}");
    let mut parts = vec![&*entry, run.command.identity(), &configs, &words, &project, context.root, &folders];
    // Only then do the edited files decide what is checked.
    if takes_many(&run.check.command) {
        parts.extend(run.files.iter().map(|path| path.as_str()));
    }
    Some(keys::key(context.workshop, "project", &parts))
}

fn task(context: &Context<'_>, run: &mut Run<'_>) -> Task {
    if run.command.words.iter().any(|word| word.contains("{scratch}")) {
        run.scratch = context.workshop.scratch(&[]).ok();
    }
    let folders = context.project_folders();
    let place = PlaceholderValues {
        folders: &folders,
        scratch: run.scratch(),
        ..PlaceholderValues::new(context.root, &run.command.folder, &run.files)
    };
    let job = context.job(&run.command, &run.linter.entry, place);
    Task { linter: run.linter.name.clone(), job, steps: 1 }
}

/// Reads and caches what a linter found, and reports it if it failed.
fn read_result(context: &mut Context<'_>, run: &Run<'_>, ran: &JobResult) -> Vec<Finding> {
    let linter_run = LinterRun {
        linter: run.linter,
        check: run.check,
        folder: &run.command.folder,
        // No list of files: a linter of the project may report any file.
        files: &[],
        stdin: false,
        scratch: run.scratch(),
    };
    let answer = linter_output::read(context, linter_run, ran);
    match (&answer.failure, &run.key) {
        (Some(failure), _) => context.failures.failed(run.linter, failure, ""),
        (None, Some(key)) => {
            if let Ok(text) = serde_json::to_vec(&answer.findings) {
                context.workshop.cache_result(key, &text);
            }
        }
        (None, None) => {}
    }
    answer.findings
}

/// The findings about edited files or the project itself, if the linter reports only those; never about
/// excluded files.
fn filter_in_scope(context: &Context<'_>, linter: &Linter, findings: Vec<Finding>) -> Vec<Finding> {
    let is_edited = |finding: &Finding| {
        let mut files = context.request.files.iter().filter_map(|path| path.strip_folder(context.root));
        finding.file == "." || files.any(|file| file == finding.file)
    };
    let only_edited = linter.entry.only_edited.unwrap_or(true);
    let is_reported = |finding: &Finding| {
        (!only_edited || is_edited(finding)) && !select::is_excluded(linter, &finding.file, context.settings)
    };
    findings.into_iter().filter(is_reported).collect()
}
