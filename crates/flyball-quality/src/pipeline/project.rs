//! Linters that check the whole project.

use std::collections::BTreeMap;
use std::sync::Arc;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{JobResult, Scratch};

use super::before::{self, Before, BeforeRun};
use super::context::{CommandTemplate, Context, Task};
use super::failures::Failure;
use super::linter_output::{self, LinterRun};
use super::placeholders::PlaceholderValues;
use super::programs::Command;
use super::{applies, collect, keys, select, versions};
use crate::finding::{Finding, Level};
use crate::linter::{Check, Folder, Linter, Reach, takes_many};
use crate::report::FailureKind;
use crate::scope;
use crate::settings::Scope;

/// One linter to be run in one folder.
struct Run<'a> {
    linter: &'a Linter,
    check: &'a Check,
    command: Arc<Command>,
    /// What is tried if that fails.
    others: Vec<Arc<Command>>,
    /// The files it was started for.
    files: Vec<&'a AbsolutePath>,
    key: Option<String>,
    scratch: Option<Box<dyn Scratch>>,
}

impl Run<'_> {
    fn scratch(&self) -> &str {
        self.scratch.as_ref().map_or("", |scratch| scratch.path())
    }

    /// Whether the linter is one of files, whose errors in other files count too.
    fn is_of_files(&self) -> bool {
        self.linter.entry.reach != Some(Reach::Project)
    }
}

/// What the linters of the whole project find.
pub(super) fn findings(context: &mut Context<'_>) -> Vec<Finding> {
    context.set_time_limit(context.settings.project.deadline_seconds);
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for mut run in plan(context) {
        match cached(context, &mut run) {
            Some(cached) => {
                context.advance(&run.linter.name, 1);
                found.push((run, cached));
            }
            None => open.push(run),
        }
    }
    let mut version_queries = versions::pending_queries(
        context,
        open.iter().filter_map(|run| Some((run.linter, *run.files.first()?))),
    );
    while !open.is_empty() {
        let mut tasks: Vec<Task> = open.iter_mut().map(|run| task(context, run)).collect();
        let queries = std::mem::take(&mut version_queries);
        tasks.extend(queries.iter().map(versions::PendingQuery::task));
        let mut results = context.run(tasks);
        let answers = results.split_off(open.len());
        versions::store_answers(context, queries, &answers);
        let mut again = Vec::new();
        for (mut run, ran) in open.into_iter().zip(&results) {
            match read_result(context, &mut run, ran) {
                Some(findings) => found.push((run, findings)),
                None => again.push(run),
            }
        }
        open = again;
    }
    // A time of its own for the project as it was: what is found there is cached.
    let until = context.give_time(context.settings.project.deadline_seconds);
    let mut findings = Vec::new();
    for (run, all) in found {
        let all = filter_in_scope(context, &run, all);
        findings.extend(new_only(context, &run, all));
    }
    context.set_deadline(until);
    findings.sort_unstable();
    findings.dedup();
    findings
}

/// The cached result of a run, by any of its commands.
fn cached(context: &mut Context<'_>, run: &mut Run<'_>) -> Option<Vec<Finding>> {
    let commands: Vec<Arc<Command>> = std::iter::once(&run.command).chain(&run.others).cloned().collect();
    for command in commands.iter().rev() {
        run.command = Arc::clone(command);
        run.key = key(context, run);
        let cached = run.key.as_ref().and_then(|key| context.workshop.cached_result(key));
        if let Some(cached) = cached.and_then(|cached| serde_json::from_slice(&cached).ok()) {
            return Some(cached);
        }
    }
    None
}

/// Every linter that applies to one of the files.
fn plan<'a>(context: &mut Context<'a>) -> Vec<Run<'a>> {
    let mut runs = Vec::new();
    let (settings, paths) = (context.settings, context.request.files);
    for linter in settings.linters.iter().filter(|linter| linter.entry.checks_project()) {
        let Some(check) = &linter.entry.check else { continue };
        let (commands, folder) = match linter.entry.reach.unwrap_or_default() {
            Reach::Project => (std::slice::from_ref(&check.command), check.folder),
            Reach::File => (check.project_commands.as_slice(), Folder::Config),
        };
        let mut folders: BTreeMap<AbsolutePath, Vec<&'a AbsolutePath>> = BTreeMap::new();
        for path in paths {
            if path.strip_folder(context.root).is_some_and(|file| select::applies_to(context, linter, file)) {
                folders.entry(context.folder(linter, folder, path)).or_default().push(path);
            }
        }
        for files in folders.into_values() {
            let Some(first) = files.first() else { continue };
            let template = |words| CommandTemplate { words, with: &check.with_config, folder };
            let mut commands =
                commands.iter().filter_map(|words| context.command(linter, template(words), first));
            let Some(command) = commands.next() else { continue };
            let others = commands.collect();
            context.add_steps(1);
            runs.push(Run { linter, check, command, others, files, key: None, scratch: None });
        }
    }
    runs
}

/// The findings that were not there before the change.
fn new_only(context: &mut Context<'_>, run: &Run<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    if context.settings.scope == Scope::File || findings.is_empty() {
        return findings;
    }
    let before = before::find(
        context,
        &BeforeRun {
            linter: run.linter,
            check: run.check,
            command: &run.command,
            files: &run.files,
            reports_any: true,
        },
    );
    match before {
        Before::Same => Vec::new(),
        Before::Found(before) => scope::new_in_project(findings, &before.findings),
        Before::Unknown => without_before(context, run.linter, findings),
    }
}

/// What counts if nobody knows what was there before: what is on changed lines of edited files, and what does not compile in
/// them. The rest is mentioned.
fn without_before(context: &Context<'_>, linter: &Linter, findings: Vec<Finding>) -> Vec<Finding> {
    let mut changed: BTreeMap<String, Option<Vec<bool>>> = BTreeMap::new();
    let mut counts = |finding: &Finding| {
        let lines =
            changed.entry(finding.file.clone()).or_insert_with(|| changed_lines(context, &finding.file));
        let is_broken = linter.entry.compiles == Some(true) && finding.level == Level::Error;
        lines
            .as_ref()
            .is_some_and(|lines| scope::is_touched(lines, finding) || (is_broken && lines.contains(&true)))
    };
    let (mut kept, rest): (Vec<Finding>, Vec<Finding>) = findings.into_iter().partition(|it| counts(it));
    kept.extend(scope::may_be_older(&rest));
    kept
}

/// The lines of an edited file that changed; `None` for other files.
fn changed_lines(context: &Context<'_>, file: &str) -> Option<Vec<bool>> {
    let path = context.root.join(file);
    let is_edited = context.request.files.contains(&path);
    let now = select::read_text(context, &path).filter(|_| is_edited)?;
    let before = collect::before(context, &path, &now);
    Some(scope::changed_lines(before.text().unwrap_or_default(), &now))
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
    if takes_many(&run.command.words) {
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

/// Reads and caches what a linter found, and reports it if it failed. `None` if it is to be tried in another way.
fn read_result(context: &mut Context<'_>, run: &mut Run<'_>, ran: &JobResult) -> Option<Vec<Finding>> {
    let linter_run = LinterRun {
        linter: run.linter,
        check: run.check,
        folder: &run.command.folder,
        // No list of files: a linter of the project may report any file.
        files: &[],
        stdin: false,
        scratch: run.scratch(),
        tree: None,
    };
    let answer = linter_output::read(context, linter_run, ran);
    for unread in answer.unread.iter().filter(|_| !run.is_of_files()) {
        context.failures.unreadable(run.linter, &unread.file);
    }
    if let Some(failure) = &answer.failure {
        if failure.kind == FailureKind::Failed && !run.others.is_empty() {
            run.command = run.others.remove(0);
            run.key = key(context, run);
            return None;
        }
        report_failure(context, run, failure);
        // Of a part of the project nobody knows what the rest would say.
        let findings = if run.is_of_files() { Vec::new() } else { answer.findings };
        return Some(findings);
    }
    if let Some(key) = run.key.as_ref().filter(|_| answer.unread.is_empty())
        && let Ok(text) = serde_json::to_vec(&answer.findings)
    {
        context.workshop.cache_result(key, &text);
    }
    Some(answer.findings)
}

/// That a linter of files cannot check the whole project says nothing about the files, which it did check.
fn report_failure(context: &mut Context<'_>, run: &Run<'_>, failure: &Failure) {
    if !run.is_of_files() {
        context.report_failure(run.linter, failure, "");
    } else if failure.kind == FailureKind::Late {
        let mut linter = run.linter.clone();
        linter.entry.reach = Some(Reach::Project);
        context.report_failure(&linter, failure, "");
    }
}

/// The findings about edited files or the project itself, if the linter reports only those; never about
/// excluded files.
fn filter_in_scope(context: &Context<'_>, run: &Run<'_>, findings: Vec<Finding>) -> Vec<Finding> {
    let linter = run.linter;
    let is_edited = |finding: &Finding| {
        let mut files = context.request.files.iter().filter_map(|path| path.strip_folder(context.root));
        finding.file == "." || files.any(|file| file == finding.file)
    };
    let only_edited = linter.entry.only_edited.unwrap_or(!run.is_of_files());
    let is_reported = |finding: &Finding| {
        (!only_edited || is_edited(finding))
            // What else it finds in a file is reported where the file is edited.
            && (!run.is_of_files() || finding.level == Level::Error)
            && !applies::is_excluded(linter, &finding.file, context.settings)
    };
    findings.into_iter().filter(is_reported).collect()
}
