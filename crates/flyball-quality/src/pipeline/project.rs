//! Linters that check the whole project.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Job, JobResult, Scratch};

use super::base_tree::{self, BaseTree};
use super::context::{CommandTemplate, Context, Task};
use super::linter_output::{self, LinterRun};
use super::placeholders::PlaceholderValues;
use super::programs::Command;
use super::{applies, collect, keys, select, versions};
use crate::finding::Finding;
use crate::linter::{Check, Linter, Reach, takes_many};
use crate::scope;
use crate::settings::Scope;

/// One linter to be run in one folder.
struct Run<'a> {
    linter: &'a Linter,
    check: &'a Check,
    command: Arc<Command>,
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
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for run in plan(context) {
        let cached = run.key.as_ref().and_then(|key| context.workshop.cached_result(key));
        match cached.and_then(|cached| serde_json::from_slice::<Vec<Finding>>(&cached).ok()) {
            Some(cached) => {
                context.advance(&run.linter.name, 1);
                found.push((run, cached));
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
    for (run, ran) in open.into_iter().zip(&results) {
        let findings = read_result(context, &run, ran);
        found.push((run, findings));
    }
    let mut base = None;
    let mut findings = Vec::new();
    for (run, all) in found {
        let all = filter_in_scope(context, run.linter, all);
        findings.extend(new_only(context, &run, all, &mut base));
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

/// The findings that were not there before the change. Without the old ones, those on changed lines of edited files.
fn new_only(
    context: &mut Context<'_>,
    run: &Run<'_>,
    findings: Vec<Finding>,
    base: &mut Option<Option<BaseTree>>,
) -> Vec<Finding> {
    if context.settings.scope == Scope::File || findings.is_empty() {
        return findings;
    }
    match findings_before(context, run, base) {
        Some(before) => scope::new_in_project(findings, &before),
        None => on_changed_lines(context, findings),
    }
}

/// What the linter finds in the project as it was; `None` if that cannot be known.
fn findings_before(
    context: &mut Context<'_>,
    run: &Run<'_>,
    base: &mut Option<Option<BaseTree>>,
) -> Option<Vec<Finding>> {
    let commit = base_tree::commit(context)?;
    let entry = context.linter_fingerprint(run.linter);
    let words = format!("{:?} {}", run.command.words, run.command.folder);
    let parts = [&*entry, run.command.identity(), &words, context.root, &commit];
    let key = keys::key(context.workshop, "project-before", &parts);
    let cached = context.workshop.cached_result(&key);
    if let Some(known) = cached.and_then(|cached| serde_json::from_slice(&cached).ok()) {
        return Some(known);
    }
    let tree = base.get_or_insert_with(|| BaseTree::write(context)).as_ref()?;
    let (job, scratch) = job_before(context, run, tree);
    let results = context.run(vec![Task { linter: run.linter.name.clone(), job, steps: 0 }]);
    let folder = tree.place(&run.command.folder);
    let linter_run = LinterRun {
        linter: run.linter,
        check: run.check,
        folder: &folder,
        files: &[],
        stdin: false,
        scratch: scratch.as_ref().map_or("", |scratch| scratch.path()),
    };
    let answer = linter_output::read(context, linter_run, results.first()?);
    if answer.failure.is_some() {
        return None;
    }
    let findings = tree.rename(answer.findings);
    if let Ok(text) = serde_json::to_vec(&findings) {
        context.workshop.cache_result(&key, &text);
    }
    Some(findings)
}

fn job_before(context: &Context<'_>, run: &Run<'_>, tree: &BaseTree) -> (Job, Option<Box<dyn Scratch>>) {
    let needs_scratch = run.command.words.iter().any(|word| word.contains("{scratch}"));
    let scratch = needs_scratch.then(|| context.workshop.scratch(&[]).ok()).flatten();
    let command = Command { folder: tree.place(&run.command.folder), ..(*run.command).clone() };
    let files: Vec<AbsolutePath> = run.files.iter().map(|path| tree.place(path)).collect();
    // A file that is new was not there.
    let files: Vec<&AbsolutePath> =
        files.iter().filter(|path| context.workshop.stat(path).is_some()).collect();
    let folders = context.project_folders();
    let place = PlaceholderValues {
        folders: &folders,
        scratch: scratch.as_ref().map_or("", |scratch| scratch.path()),
        ..PlaceholderValues::new(tree.root(), &command.folder, &files)
    };
    let mut job = context.job(&command, &run.linter.entry, place);
    // What others have built already is not built again for this.
    job.set.insert("CARGO_TARGET_DIR".to_owned(), context.root.join("target").to_string());
    (job, scratch)
}

/// The findings on lines of edited files that changed.
fn on_changed_lines(context: &Context<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let edited: BTreeSet<&AbsolutePath> = context.request.files.iter().collect();
    let mut changed: BTreeMap<String, Option<Vec<bool>>> = BTreeMap::new();
    let mut is_on_changed = |finding: &Finding| {
        let path = context.root.join(&finding.file);
        let lines = changed.entry(finding.file.clone()).or_insert_with(|| {
            let is_edited = edited.contains(&path);
            let now = select::read_text(context, &path).filter(|_| is_edited)?;
            let before = collect::base_text(context, &path);
            Some(scope::changed_lines(before.as_deref().unwrap_or_default(), &now))
        });
        lines.as_ref().is_some_and(|lines| scope::is_touched(lines, finding))
    };
    findings.into_iter().filter(|finding| is_on_changed(finding)).collect()
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
    for file in &answer.unread {
        context.failures.unreadable(run.linter, file);
    }
    match (&answer.failure, run.key.as_ref().filter(|_| answer.unread.is_empty())) {
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
        (!only_edited || is_edited(finding)) && !applies::is_excluded(linter, &finding.file, context.settings)
    };
    findings.into_iter().filter(is_reported).collect()
}
