//! Runs linters on the project as it was, where they cannot be given old content.

use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult};
use serde::{Deserialize, Serialize};

use super::base_tree::{BaseTree, State};
use super::context::{Context, Task};
use super::keys;
use super::linter_output::{self, LinterRun};
use super::placeholders::PlaceholderValues;
use super::programs::{Command, Runner};
use crate::finding::Finding;
use crate::linter::{Check, Linter, Output};

/// A run that failed or was late is not tried again for this long.
const RETRY_AFTER: Duration = Duration::from_secs(10 * 60);

/// A command of a linter, on files of the project as they were.
pub(super) struct BeforeRun<'r> {
    pub linter: &'r Linter,
    pub check: &'r Check,
    /// As it runs in the project.
    pub command: &'r Command,
    /// The files that it is given.
    pub files: &'r [&'r AbsolutePath],
    /// Whether it may report any file, or only these.
    pub reports_any: bool,
}

/// What a linter found in the project as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoundBefore {
    pub findings: Vec<Finding>,
    /// The files that it could not read.
    pub unread: Vec<String>,
}

/// What is cached of a run.
#[derive(Serialize, Deserialize)]
enum Cached {
    Found(FoundBefore),
    /// It failed, at this time in milliseconds.
    Failed(u64),
}

/// How the project was, as far as a linter is concerned.
pub(super) enum Before {
    /// As it is now.
    Same,
    Found(FoundBefore),
    Unknown,
}

/// What a linter finds in the project as it was.
pub(super) fn find(context: &mut Context<'_>, run: &BeforeRun<'_>) -> Before {
    let state = match context.earlier_project.state(context.request, context.workshop) {
        State::Same => return Before::Same,
        State::Unknown => return Before::Unknown,
        State::Different(state) => state,
    };
    let key = key(context, run, &state);
    let now = context.workshop.now().as_millis();
    match context.workshop.cached_result(&key).and_then(|cached| serde_json::from_slice(&cached).ok()) {
        Some(Cached::Found(found)) => return Before::Found(found),
        Some(Cached::Failed(at)) if u128::from(now.saturating_sub(at)) < RETRY_AFTER.as_millis() => {
            return Before::Unknown;
        }
        Some(Cached::Failed(_)) | None => {}
    }
    let found = run_in_tree(context, run);
    let cached = found.clone().map_or(Cached::Failed(now), Cached::Found);
    if let Ok(text) = serde_json::to_vec(&cached) {
        context.workshop.cache_result(&key, &text);
    }
    found.map_or(Before::Unknown, Before::Found)
}

fn key(context: &mut Context<'_>, run: &BeforeRun<'_>, state: &str) -> String {
    let entry = context.linter_fingerprint(run.linter);
    let configs = context.configs_fingerprint(run.linter, &run.command.folder);
    let words = format!("{:?} {}", run.command.words, run.command.folder);
    // A letter that no path has separates them, so that no two lists look alike.
    let folders = context.project_folders().join("\u{1}");
    let mut parts = vec![&*entry, run.command.identity(), &configs, &words, context.root, &folders, state];
    let names_files = |word: &String| ["{file}", "{files}", "{folder}"].iter().any(|it| word.contains(it));
    if !run.reports_any || run.command.words.iter().any(names_files) {
        parts.extend(run.files.iter().map(|path| path.as_str()));
    }
    keys::key(context.workshop, "before", &parts)
}

/// `None` if it fails, or the project as it was cannot be written out.
fn run_in_tree(context: &mut Context<'_>, run: &BeforeRun<'_>) -> Option<FoundBefore> {
    let tree = context.earlier_project.tree(context.request, context.workshop)?;
    let needs_scratch = run.command.words.iter().any(|word| word.contains("{scratch}"));
    let scratch = needs_scratch.then(|| context.workshop.scratch(&[]).ok()).flatten();
    let scratch = scratch.as_ref().map_or("", |scratch| scratch.path());
    let is_there = |path: &AbsolutePath| context.workshop.stat(&tree.place(path)).is_some();
    if !is_there(&run.command.folder) || !(run.reports_any || run.files.iter().any(|path| is_there(path))) {
        return Some(FoundBefore::default());
    }
    let job = job(context, run, &tree, scratch)?;
    let results = context.run(vec![Task { linter: run.linter.name.clone(), job, steps: 0 }]);
    let texts: Vec<(&AbsolutePath, String)> =
        run.files.iter().map(|path| (*path, text(context, &tree, path))).collect();
    let files: Vec<(&AbsolutePath, &str)> = texts.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let linter_run = LinterRun {
        linter: run.linter,
        check: run.check,
        folder: &run.command.folder,
        files: if run.reports_any { &[] } else { &files },
        stdin: false,
        scratch,
        tree: Some(&tree),
    };
    let answer = linter_output::read(context, linter_run, results.first()?);
    let unread = answer.unread.into_iter().map(|finding| finding.file).collect();
    let found = FoundBefore { findings: answer.findings, unread };
    answer.failure.is_none().then_some(found)
}

fn text(context: &Context<'_>, tree: &BaseTree, path: &AbsolutePath) -> String {
    super::select::read_text(context, &tree.place(path)).unwrap_or_default()
}

/// `None` if a folder that it needs is not known.
fn job(context: &Context<'_>, run: &BeforeRun<'_>, tree: &BaseTree, scratch: &str) -> Option<Job> {
    let command = Command { folder: tree.place(&run.command.folder), ..run.command.clone() };
    let files: Vec<AbsolutePath> = run.files.iter().map(|path| tree.place(path)).collect();
    // A file that is new was not there.
    let files: Vec<&AbsolutePath> =
        files.iter().filter(|path| context.workshop.stat(path).is_some()).collect();
    let folders = context.project_folders();
    let place = PlaceholderValues {
        folders: &folders,
        scratch,
        ..PlaceholderValues::new(tree.root(), &command.folder, &files)
    };
    let mut job = context.job(&command, &run.linter.entry, place);
    if run.check.output == Output::Cargo {
        let target = cargo_target(context, run.command)?;
        job.set.insert("CARGO_TARGET_DIR".to_owned(), target.join("flyball").to_string());
    }
    Some(job)
}

/// The folder that cargo builds in. What is built of old content gets a folder of its own in there: in the same, cargo would
/// take it for what is built of the new content.
fn cargo_target(context: &Context<'_>, command: &Command) -> Option<AbsolutePath> {
    let Runner::Program(cargo) = &command.runner else { return None };
    let words = ["metadata", "--no-deps", "--offline", "--format-version=1"];
    let job = Job {
        program: cargo.path.clone(),
        arguments: words.map(str::to_owned).to_vec(),
        folder: command.folder.clone(),
        in_seatbelt: true,
        ..Job::default()
    };
    let results = context.workshop.run(&[job], context.limits());
    let JobResult { ending: Ending::Exited(0), stdout, .. } = results.into_iter().next()? else {
        return None;
    };
    let metadata: serde_json::Value = serde_json::from_slice(&stdout).ok()?;
    AbsolutePath::new(metadata.get("target_directory")?.as_str()?)
}
