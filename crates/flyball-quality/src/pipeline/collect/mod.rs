//! Runs the checks of all linters on all files at the same time. The same code collects and verifies.

mod base;
mod before;
mod requests;

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, JobResult};

use self::requests::{Batch, CheckRequest, Side};
use super::chosen::Choice;
use super::context::{Context, Task, never_ran};
use super::failures::Failure;
use super::linter_output::{self, LinterResult, LinterRun};
use super::programs::Runner;
use super::select::{Target, Unread};
use super::unread;
use super::versions;
use crate::builtin;
use crate::finding::{Finding, Level};
use crate::report::FailureKind;
use crate::same_problem;
use crate::scope::{self, Before, LinterFindings, States};
use crate::settings::Scope;

/// A batch that failed is tried again in this many parts.
const PARTS: usize = 8;

/// Looks up what the targets were before, where that decides what is reported or written. With another scope, git is asked
/// later, only for files with findings.
pub(super) fn look_up_bases(context: &Context<'_>, targets: &mut [Target<'_>]) {
    if context.settings.scope == Scope::New {
        base::look_up(context, targets, &|_| true);
    }
}

/// What a file was before, with the line ends that it has now.
pub(super) fn before(context: &Context<'_>, path: &AbsolutePath, now: &str) -> Before {
    base::one(context, path, now)
}

/// Fills in what each linter found in each target, and the findings in scope.
pub(super) fn all<'a>(context: &mut Context<'a>, targets: &mut [Target<'a>]) {
    let pending = pending_requests(context, targets);
    let mut batches = requests::batches(context, targets, pending);
    let used = targets.iter().flat_map(|target| target.linters.iter().map(|linter| (*linter, &target.path)));
    let mut version_queries = versions::pending_queries(context, used);
    let mut families = 0;
    // Each round is smaller: a batch that fails is split, and a single file that fails is reported.
    while !batches.is_empty() || !version_queries.is_empty() {
        let queries = std::mem::take(&mut version_queries);
        let mut tasks: Vec<Task> = batches.iter_mut().map(|batch| task(context, targets, batch)).collect();
        tasks.extend(queries.iter().map(versions::PendingQuery::task));
        let mut results = context.run(tasks);
        // The versions were asked in the same go, so that their wait costs no time of its own.
        let answers = results.split_off(batches.len());
        versions::store_answers(context, queries, &answers);
        let answered: Vec<Answered<'a>> = batches
            .into_iter()
            .zip(results)
            .map(|(batch, ran)| Answered { result: read(context, targets, &batch, &ran), batch, ran })
            .collect();
        batches = process_answers(context, targets, answered, &mut families);
    }
    before::look_up(context, targets);
    targets.iter_mut().for_each(unread::settle);
    context.flush_results();
    lower_unchosen(context, targets);
    apply_scope(context, targets);
}

/// Findings of a linter that the project did not choose are advice at most, unless flyball.toml says how much they matter.
fn lower_unchosen<'a>(context: &mut Context<'a>, targets: &mut [Target<'a>]) {
    for target in targets {
        for linter in target.linters.clone() {
            let is_found = |found: &LinterFindings| found.linter == linter.name && !found.findings.is_empty();
            let Some(at) = target.by_linter.iter().position(is_found) else { continue };
            let is_chosen = |choice: &Choice| !choice.only_advises();
            if linter.entry.level.is_some()
                || context.choice(linter, &target.path).as_ref().is_some_and(is_chosen)
            {
                continue;
            }
            let found = target.by_linter.get_mut(at).into_iter().flat_map(|found| &mut found.findings);
            for finding in found {
                finding.level = Level::Advisory;
            }
        }
    }
}

/// Applies the scope. Asks git only where something was found.
fn apply_scope(context: &Context<'_>, targets: &mut [Target<'_>]) {
    let has_findings = |target: &Target<'_>| target.by_linter.iter().any(|found| !found.findings.is_empty());
    if context.settings.scope != Scope::File {
        base::look_up(context, targets, &has_findings);
    }
    for target in targets {
        let before = target.text_before();
        let states = States { before, now: &target.content };
        let (findings, old) = scope::apply(context.settings.scope, states, &target.by_linter);
        target.findings = same_problem::each_once(findings);
        target.old = old;
    }
}

/// The requests whose results are not cached.
fn pending_requests<'a>(context: &mut Context<'a>, targets: &mut [Target<'a>]) -> Vec<CheckRequest<'a>> {
    let mut open = Vec::new();
    let mut planned: Vec<CheckRequest<'a>> = Vec::new();
    for (at, target) in targets.iter_mut().enumerate() {
        // The same code verifies after a fix, where the old findings must not stay.
        target.by_linter.clear();
        target.unread_by.clear();
        planned.extend(requests::plan(context, at, target));
    }
    // All at once, so that the shown progress never goes back.
    context.add_steps(planned.len());
    let cached = requests::cached_findings(context, &planned);
    for (request, cached) in planned.into_iter().zip(cached) {
        let Some(target) = targets.get_mut(request.at) else { continue };
        if let Some(findings) = cached {
            add_findings(target, &request, findings);
            context.advance(&request.linter.name, 1);
        } else if let Runner::Builtin(name) = &request.command.runner {
            run_builtin(context, target, &request, name);
            context.advance(&request.linter.name, 1);
        } else {
            target.is_fresh = true;
            open.push(request);
        }
    }
    open
}

/// A built-in linter starts no process, so its results are not cached.
fn run_builtin(context: &mut Context<'_>, target: &mut Target<'_>, request: &CheckRequest<'_>, name: &str) {
    let content = request.content(target).to_owned();
    let Some(raw) = builtin::check(name, &target.file, &content) else {
        let failure = Failure::new(format!("unknown built-in `{name}`"));
        context.failures.failed(request.linter, &failure, &target.file);
        return;
    };
    let files = [(&target.path, content.as_str())];
    let linter_run = LinterRun {
        linter: request.linter,
        check: request.check,
        folder: context.root,
        files: &files,
        stdin: true,
        scratch: "",
        tree: None,
    };
    let findings = linter_output::builtin_findings(context, linter_run, raw);
    add_findings(target, request, findings);
}

/// Adds the findings of a linter to a target.
fn add_findings(target: &mut Target<'_>, request: &CheckRequest<'_>, findings: Vec<Finding>) {
    let name = &request.linter.name;
    let found = target.found_by(name);
    match request.side {
        Side::Now => {
            found.findings = findings;
            target.add_linter_run(name);
        }
        Side::Before => found.before = Some(findings),
    }
}

fn task(context: &Context<'_>, targets: &[Target<'_>], batch: &mut Batch<'_>) -> Task {
    let linter = batch.requests.first().map_or_else(String::new, |request| request.linter.name.clone());
    let job = requests::job(context, targets, batch).unwrap_or_default();
    // What is tried again was counted already.
    Task { linter, job, steps: if batch.family == 0 { batch.requests.len() } else { 0 } }
}

/// A batch, how its command ended, and what was read from it.
struct Answered<'a> {
    batch: Batch<'a>,
    ran: JobResult,
    result: LinterResult,
}

/// Stores the answers. Returns the parts of batches that failed, to be tried again.
fn process_answers<'a>(
    context: &mut Context<'a>,
    targets: &mut [Target<'a>],
    answered: Vec<Answered<'a>>,
    families: &mut usize,
) -> Vec<Batch<'a>> {
    let hopeless = failed_families(&answered);
    let mut again = Vec::new();
    for Answered { batch, ran, result } in answered {
        let may_be_one_file =
            |failure: &Failure| failure.kind == FailureKind::Failed || failure.limit.is_some();
        let is_worth_it = result.failure.as_ref().is_some_and(may_be_one_file)
            // A program that cannot start fails with fewer files too.
            && !matches!(ran.ending, Ending::NotStarted(_))
            && !hopeless.contains(&batch.family);
        if is_worth_it && batch.requests.len() > 1 {
            *families += 1;
            again.extend(parts(batch, *families));
        } else {
            store_result(context, targets, batch, result);
        }
    }
    again
}

fn read(context: &Context<'_>, targets: &[Target<'_>], batch: &Batch<'_>, ran: &JobResult) -> LinterResult {
    let files: Vec<(&AbsolutePath, &str)> = batch
        .requests
        .iter()
        .filter_map(|request| targets.get(request.at).map(|target| (&target.path, request.content(target))))
        .collect();
    let Some(request) = batch.requests.first() else {
        let failure = Failure::from_run(&never_ran(), &[]);
        return LinterResult { findings: Vec::new(), failure, unread: Vec::new() };
    };
    let linter_run = LinterRun {
        linter: request.linter,
        check: request.check,
        folder: &request.command.folder,
        files: &files,
        stdin: request.stdin,
        scratch: batch.scratch(),
        tree: None,
    };
    linter_output::read(context, linter_run, ran)
}

/// The families of which every part failed in the same way: the linter is the cause, not a file.
fn failed_families(answered: &[Answered<'_>]) -> BTreeSet<usize> {
    let mut ways: BTreeMap<usize, BTreeSet<Option<String>>> = BTreeMap::new();
    for answer in answered.iter().filter(|answer| answer.batch.family > 0) {
        // Numbers of processes and times differ.
        let plain = |what: &str| what.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
        let way = answer.result.failure.as_ref().map(|failure| plain(&failure.what));
        ways.entry(answer.batch.family).or_default().insert(way);
    }
    let is_one_way = |ways: &BTreeSet<Option<String>>| ways.len() == 1 && !ways.contains(&None);
    ways.into_iter().filter(|(_, ways)| is_one_way(ways)).map(|(family, _)| family).collect()
}

fn parts(batch: Batch<'_>, family: usize) -> Vec<Batch<'_>> {
    let each = batch.requests.len().div_ceil(PARTS).max(1);
    batch.requests.chunks(each).map(|requests| Batch::new(requests.to_vec(), family)).collect()
}

fn by_file(findings: &[Finding]) -> BTreeMap<&str, Vec<Finding>> {
    let mut by_file: BTreeMap<&str, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        by_file.entry(&finding.file).or_default().push(finding.clone());
    }
    by_file
}

/// Gives each target its findings, caches them, and reports failures.
fn store_result<'a>(
    context: &mut Context<'a>,
    targets: &mut [Target<'a>],
    batch: Batch<'a>,
    answer: LinterResult,
) {
    // A batch answers for many files.
    let (found, unread) = (by_file(&answer.findings), by_file(&answer.unread));
    for request in batch.requests {
        let Some(target) = targets.get_mut(request.at) else { continue };
        let findings = found.get(target.file.as_str()).cloned().unwrap_or_default();
        let unread = unread.get(target.file.as_str()).cloned().unwrap_or_default();
        match (&answer.failure, request.side) {
            (None, Side::Now) if !unread.is_empty() => {
                target.unread_by.push(Unread { linter: request.linter, findings: unread });
                target.found_by(&request.linter.name).findings = findings;
            }
            (None, Side::Before) if !unread.is_empty() => {}
            (None, _) => {
                cache_findings(context, target, &request, &findings);
                add_findings(target, &request, findings);
            }
            (Some(failure), Side::Now) => {
                context.report_failure(request.linter, failure, &target.file);
                // What it found before it failed still counts.
                target.found_by(&request.linter.name).findings = findings;
            }
            // Without the old findings, those on changed lines count; a failure on old content helps no one.
            (Some(_), Side::Before) => {}
        }
    }
}

fn cache_findings(
    context: &mut Context<'_>,
    target: &Target<'_>,
    request: &CheckRequest<'_>,
    findings: &[Finding],
) {
    let Some(key) = &request.key else { return };
    // The file may have been written while the linter read it. From standard input it had exactly this content.
    if (request.stdin || target.is_current(context))
        && let Ok(text) = serde_json::to_vec(findings)
    {
        context.cache_result(key, text);
    }
}
