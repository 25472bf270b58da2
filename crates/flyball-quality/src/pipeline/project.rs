//! Linters that look at the whole project.

use std::collections::BTreeMap;

use flyball_core::workshop::{JobResult, Scratch};

use super::context::{CommandTemplate, Context, Task};
use super::linter_output::{self, LinterRun};
use super::placeholders::{PlaceholderValues, below};
use super::programs::Command;
use super::{keys, select, versions};
use crate::finding::Finding;
use crate::linter::{Check, Linter, Reach, takes_many};

/// One linter to be run in one folder.
struct Run<'a> {
    linter: &'a Linter,
    check: &'a Check,
    command: Command,
    files: Vec<&'a str>,
    key: Option<String>,
    scratch: Option<Box<dyn Scratch>>,
}

impl Run<'_> {
    /// One of the files it was started for.
    fn file(&self) -> &str {
        self.files.first().copied().unwrap_or_default()
    }

    fn scratch(&self) -> &str {
        self.scratch.as_ref().map_or("", |scratch| scratch.path())
    }
}

/// What the linters of the whole project find.
pub(super) fn findings(bench: &mut Context<'_>) -> Vec<Finding> {
    bench.set_time_limit(bench.settings.project.deadline_seconds);
    let mut findings = Vec::new();
    let mut open = Vec::new();
    for run in plan(bench) {
        let kept = run.key.as_ref().and_then(|key| bench.workshop.cached_result(key));
        match kept.and_then(|kept| serde_json::from_slice::<Vec<Finding>>(&kept).ok()) {
            Some(kept) => {
                bench.advance(&run.linter.name, 1);
                findings.extend(filter_in_scope(bench, run.linter, kept));
            }
            None => open.push(run),
        }
    }
    let mut tasks: Vec<Task> = open.iter_mut().map(|run| task(bench, run)).collect();
    let questions = versions::pending_queries(bench, open.iter().map(|run| (run.linter, run.file())));
    tasks.extend(questions.iter().map(versions::PendingQuery::task));
    let mut rans = bench.run(tasks);
    let answers = rans.split_off(open.len());
    versions::store_answers(bench, questions, &answers);
    for (run, ran) in open.iter().zip(&rans) {
        let found = read_result(bench, run, ran);
        findings.extend(filter_in_scope(bench, run.linter, found));
    }
    findings.sort_unstable();
    findings.dedup();
    findings
}

/// Every linter whose turn it is: one of the files is for it.
fn plan<'a>(bench: &mut Context<'a>) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    let (settings, paths) = (bench.settings, bench.request.files);
    for linter in settings.linters.iter().filter(|linter| linter.entry.reach == Some(Reach::Project)) {
        let Some(check) = &linter.entry.check else { continue };
        let mut folders: BTreeMap<String, Vec<&'a str>> = BTreeMap::new();
        for path in paths {
            if below(bench.root, path).is_some_and(|file| select::applies_to(bench, linter, file)) {
                folders.entry(bench.folder(linter, check.folder, path)).or_default().push(path);
            }
        }
        for files in folders.into_values() {
            let first = files.first().copied().unwrap_or_default();
            let Some(command) =
                bench.command(linter, CommandTemplate::for_check(check, &check.command), first)
            else {
                continue;
            };
            bench.add_steps(1);
            let mut run = Run { linter, check, command, files, key: None, scratch: None };
            run.key = key(bench, &run);
            runs.push(run);
        }
    }
    runs
}

fn key(bench: &mut Context<'_>, run: &Run<'_>) -> Option<String> {
    let project = bench.project_fingerprint(run.linter)?;
    let entry = bench.linter_fingerprint(run.linter);
    let configs = bench.configs_fingerprint(run.linter, &run.command.folder);
    let words = format!("{:?} {}", run.command.words, run.command.folder);
    let folders = bench.project_folders().join("\u{1}");
    let mut parts = vec![&*entry, run.command.identity(), &configs, &words, &project, bench.root, &folders];
    if takes_many(&run.check.command) {
        parts.extend(&run.files);
    }
    Some(keys::key(bench.workshop, "project", &parts))
}

fn task(bench: &Context<'_>, run: &mut Run<'_>) -> Task {
    if run.command.words.iter().any(|word| word.contains("{scratch}")) {
        run.scratch = bench.workshop.scratch(&[]).ok();
    }
    let folders = bench.project_folders();
    let place = PlaceholderValues {
        folders: &folders,
        scratch: run.scratch(),
        ..PlaceholderValues::new(bench.root, &run.command.folder, &run.files)
    };
    let job = bench.job(&run.command, &run.linter.entry, place);
    Task { linter: run.linter.name.clone(), job, steps: 1 }
}

/// Reads what a linter found, keeps it, and tells if it failed.
fn read_result(bench: &mut Context<'_>, run: &Run<'_>, ran: &JobResult) -> Vec<Finding> {
    let question = LinterRun {
        linter: run.linter,
        check: run.check,
        folder: &run.command.folder,
        files: &[],
        stdin: false,
        scratch: run.scratch(),
    };
    let answer = linter_output::read(bench, question, ran);
    match (&answer.failure, &run.key) {
        (Some(failure), _) => bench.failures.failed(run.linter, failure, ""),
        (None, Some(key)) => {
            if let Ok(text) = serde_json::to_vec(&answer.findings) {
                bench.workshop.cache_result(key, &text);
            }
        }
        (None, None) => {}
    }
    answer.findings
}

/// The findings about files of the order or the project itself, if the linter is to tell only of those;
/// never about files that are excluded, though it looked at them.
fn filter_in_scope(bench: &Context<'_>, linter: &Linter, findings: Vec<Finding>) -> Vec<Finding> {
    let is_edited = |finding: &Finding| {
        let mut files = bench.request.files.iter().filter_map(|path| below(bench.root, path));
        finding.file == "." || files.any(|file| file == finding.file)
    };
    let only_edited = linter.entry.only_edited.unwrap_or(true);
    let is_told = |finding: &Finding| {
        (!only_edited || is_edited(finding)) && !select::is_excluded(linter, &finding.file, bench.settings)
    };
    findings.into_iter().filter(is_told).collect()
}
