//! Which linters check which files, and in how many commands.

use std::collections::BTreeMap;
use std::sync::Arc;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Job, Scratch};

use crate::finding::Finding;
use crate::linter::{Check, Linter, Reads, takes_many};
use crate::pipeline::context::{CommandTemplate, Context};
use crate::pipeline::placeholders::{PlaceholderValues, file_argument};
use crate::pipeline::programs::{Command, Runner};
use crate::pipeline::select::Target;
use crate::pipeline::{chunks, keys};
use crate::settings::Scope;

/// Which state of a file is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Now,
    Before,
}

/// One linter run on one state of one file.
#[derive(Clone)]
pub(super) struct CheckRequest<'a> {
    pub at: usize,
    pub side: Side,
    pub linter: &'a Linter,
    pub check: &'a Check,
    pub command: Arc<Command>,
    /// The content comes from standard input.
    pub stdin: bool,
    /// The cache key of its result; `None` if it cannot be cached.
    pub key: Option<String>,
}

impl CheckRequest<'_> {
    /// The content it is about.
    pub(super) fn content<'t>(&self, target: &'t Target<'_>) -> &'t str {
        match self.side {
            Side::Now => &target.content,
            Side::Before => target.text_before().unwrap_or_default(),
        }
    }

    fn is_for_many(&self) -> bool {
        !self.stdin && takes_many(&self.command.words)
    }
}

/// All checks of a target.
pub(super) fn plan<'a>(context: &mut Context<'a>, at: usize, target: &Target<'a>) -> Vec<CheckRequest<'a>> {
    let mut requests = Vec::new();
    for linter in &target.linters {
        let Some(check) = &linter.entry.check else { continue };
        let subject = Subject { at, target, linter, check };
        requests.extend(subject.request(context, Side::Now));
        let before = target.text_before();
        // Only a linter that reads standard input can see content that is no longer on disk.
        let is_compared = context.settings.scope == Scope::New && !check.stdin_command.is_empty();
        if is_compared && before.is_some_and(|before| before != target.content) {
            requests.extend(subject.request(context, Side::Before));
        }
    }
    requests
}

/// A linter and a file for it.
struct Subject<'t, 'a> {
    at: usize,
    target: &'t Target<'a>,
    linter: &'a Linter,
    check: &'a Check,
}

impl<'a> Subject<'_, 'a> {
    fn request(&self, context: &mut Context<'a>, side: Side) -> Option<CheckRequest<'a>> {
        let Subject { at, target, linter, check } = *self;
        let stdin = side == Side::Before
            || check.command.is_empty()
            || context.would_write(linter, &check.writes_if, &target.path);
        let words = if stdin { &check.stdin_command } else { &check.command };
        if words.is_empty() {
            return None;
        }
        let command = context.command(linter, CommandTemplate::for_check(check, words), &target.path)?;
        let mut request = CheckRequest { at, side, linter, check, command, stdin, key: None };
        let hash = match side {
            Side::Now => target.hash.clone(),
            Side::Before => context.workshop.hash(request.content(target).as_bytes()).as_str().to_owned(),
        };
        request.key = key(context, target, &request, &hash);
        Some(request)
    }
}

/// The cache key of a check of this content.
fn key(
    context: &mut Context<'_>,
    target: &Target<'_>,
    request: &CheckRequest<'_>,
    hash: &str,
) -> Option<String> {
    let project = match request.linter.entry.reads.unwrap_or_default() {
        Reads::File => String::new(),
        // No key if the project is too large to fingerprint: a stale result would be worse than none.
        Reads::Project => context.project_fingerprint(request.linter)?,
    };
    Some(keys::key(context.workshop, "check", &[&request.command.fingerprint, &project, &target.file, hash]))
}

/// Requests that one command answers.
pub(super) struct Batch<'a> {
    pub requests: Vec<CheckRequest<'a>>,
    /// Batches that are parts of the same failed batch have the same number; 0 for the first try.
    pub family: usize,
    /// Where the linter may write its report.
    pub scratch: Option<Box<dyn Scratch>>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(requests: Vec<CheckRequest<'a>>, family: usize) -> Batch<'a> {
        Batch { requests, family, scratch: None }
    }

    /// The path of the scratch folder.
    pub(super) fn scratch(&self) -> &str {
        self.scratch.as_ref().map_or("", |scratch| scratch.path())
    }
}

/// What requests must share to be one command: linter, program, folder and words.
type GroupKey = (String, String, AbsolutePath, Vec<String>);

/// The results of these requests, if they are cached.
pub(super) fn cached_findings(
    context: &Context<'_>,
    requests: &[CheckRequest<'_>],
) -> Vec<Option<Vec<Finding>>> {
    let keys: Vec<&str> = requests.iter().filter_map(|request| request.key.as_deref()).collect();
    let mut cached = context.workshop.cached_results(&keys).into_iter();
    let mut next = |request: &CheckRequest<'_>| {
        request.key.as_ref()?;
        // A damaged cache entry counts as none.
        serde_json::from_slice(&cached.next()??).ok()
    };
    requests.iter().map(&mut next).collect()
}

/// The commands for these requests.
pub(super) fn batches<'a>(
    context: &Context<'a>,
    targets: &[Target<'a>],
    requests: Vec<CheckRequest<'a>>,
) -> Vec<Batch<'a>> {
    let (many, alone): (Vec<CheckRequest<'a>>, Vec<CheckRequest<'a>>) =
        requests.into_iter().partition(CheckRequest::is_for_many);
    let mut groups: BTreeMap<GroupKey, Vec<CheckRequest<'a>>> = BTreeMap::new();
    for request in many {
        groups.entry(group_key(&request)).or_default().push(request);
    }
    let length = |request: &CheckRequest<'a>| {
        targets.get(request.at).map_or(0, |target| file_argument(&request.command.folder, &target.path).len())
    };
    // With this many linters every core is busy, and starting each of them twice would only cost time.
    let width = if groups.len() >= 2 * context.parallelism() { 1 } else { context.parallelism() };
    let shared = groups.into_values().flat_map(|group| chunks::split_evenly(group, width, length));
    let alone = alone.into_iter().map(|request| vec![request]);
    shared.chain(alone).map(|requests| Batch::new(requests, 0)).collect()
}

fn group_key(request: &CheckRequest<'_>) -> GroupKey {
    let program = match &request.command.runner {
        Runner::Builtin(name) => name.clone(),
        Runner::Program(program) => program.path.to_string(),
    };
    let Command { folder, words, .. } = &*request.command;
    (request.linter.name.clone(), program, folder.clone(), words.clone())
}

/// The job of a batch.
pub(super) fn job(context: &Context<'_>, targets: &[Target<'_>], batch: &mut Batch<'_>) -> Option<Job> {
    let needs_scratch =
        |request: &CheckRequest<'_>| request.command.words.iter().any(|word| word.contains("{scratch}"));
    if batch.requests.first().is_some_and(needs_scratch) {
        batch.scratch = context.workshop.scratch(&[]).ok();
    }
    let request = batch.requests.first()?;
    let target = targets.get(request.at)?;
    let files: Vec<&AbsolutePath> = batch
        .requests
        .iter()
        .filter_map(|request| targets.get(request.at))
        .map(|target| &target.path)
        .collect();
    let scratch = batch.scratch();
    let place = PlaceholderValues {
        scratch,
        ..PlaceholderValues::new(context.root, &request.command.folder, &files)
    };
    let mut job = context.job(&request.command, &request.linter.entry, place);
    job.stdin = request.stdin.then(|| request.content(target).as_bytes().to_vec());
    Some(job)
}
