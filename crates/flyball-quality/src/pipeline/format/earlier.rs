//! Leaves files alone that were not formatted before: an edit of one line must not become a change of the whole file.

use super::chain::Step;
use super::output;
use crate::builtin;
use crate::linter::Origin;
use crate::pipeline::context::{Context, Task};
use crate::pipeline::keys;
use crate::pipeline::placeholders::PlaceholderValues;
use crate::pipeline::programs::Runner;
use crate::pipeline::select::Target;
use crate::scope::Before;
use crate::settings::{Format, Scope};
use flyball_core::workshop::Job;

/// The cached answer for content that a filter leaves as it is; anything else is the opposite.
const FORMATTED: &[u8] = b"=";
const NOT_FORMATTED: &[u8] = b"+";

/// A step of a file, and whether it would have left the file as it was before the change.
struct Earlier<'a> {
    at: usize,
    step: Step<'a>,
    /// The cache key of the answer.
    key: String,
    /// `None` if a program has to be asked.
    was_formatted: Option<bool>,
}

/// The steps that would have left each file as it was before the change: whoever formatted it before goes on.
pub(super) fn keep_formatted<'a>(
    context: &mut Context<'a>,
    targets: &[Target<'a>],
    steps: Vec<Vec<Step<'a>>>,
) -> Vec<Vec<Step<'a>>> {
    if context.settings.scope != Scope::New || context.settings.format == Format::Always {
        return steps;
    }
    let mut all = Vec::new();
    for (at, (target, steps)) in targets.iter().zip(steps).enumerate() {
        all.extend(steps.into_iter().map(|step| look_up(context, (at, target), step)));
    }
    ask(context, targets, &mut all);
    let mut kept: Vec<Vec<Step<'a>>> = targets.iter().map(|_| Vec::new()).collect();
    for earlier in all {
        match kept.get_mut(earlier.at) {
            Some(steps) if earlier.was_formatted == Some(true) => steps.push(earlier.step),
            _ => context.advance("formatting", 1),
        }
    }
    kept
}

/// What is known without running a program.
fn look_up<'a>(context: &mut Context<'a>, (at, target): (usize, &Target<'a>), step: Step<'a>) -> Earlier<'a> {
    let before = target.text_before();
    let mut key = String::new();
    let was_formatted = match (before, &step.command.runner) {
        // A new file is all new; one of which nobody can say what it was is not.
        (None, _) => Some(target.base != Some(Before::Unknown)),
        (Some(before), _) if before == target.content => Some(false),
        // It only works on the file itself; whoever wrote such a linter chose it.
        _ if step.filter.in_place => Some(step.linter.origin == Origin::Own),
        (Some(before), Runner::Builtin(name)) => {
            let result = builtin::format(name, &target.file, before);
            Some(result.is_some_and(|result| result.is_ok_and(|after| after == before)))
        }
        (Some(before), Runner::Program(_)) => {
            let hash = context.workshop.hash(before.as_bytes()).as_str().to_owned();
            let parts = [step.command.fingerprint.as_str(), &target.file, &hash];
            key = keys::key(context.workshop, "formatted", &parts);
            context.workshop.cached_result(&key).map(|answer| answer == FORMATTED)
        }
    };
    Earlier { at, step, key, was_formatted }
}

/// Runs the filters on the files as they were. One that fails there has not formatted them; if it fails on what they are now
/// too, that is reported.
fn ask<'a>(context: &mut Context<'a>, targets: &[Target<'a>], all: &mut [Earlier<'a>]) {
    let mut open: Vec<&mut Earlier<'a>> =
        all.iter_mut().filter(|earlier| earlier.was_formatted.is_none()).collect();
    let before = |at: usize| targets.get(at).and_then(|target| target.text_before()).unwrap_or_default();
    let mut tasks = Vec::new();
    for earlier in &open {
        let Step { linter, command, .. } = &earlier.step;
        let files: Vec<_> = targets.get(earlier.at).map(|target| &target.path).into_iter().collect();
        let values = PlaceholderValues::new(context.root, &command.folder, &files);
        let mut job = context.job(command, &linter.entry, values);
        job.stdin = Some(before(earlier.at).as_bytes().to_vec());
        tasks.push(Task { linter: linter.name.clone(), job, steps: 0 });
    }
    let jobs: Vec<Job> = tasks.iter().map(|task| task.job.clone()).collect();
    let results = context.run(tasks);
    let mut failing = Vec::new();
    for ((earlier, ran), job) in open.iter_mut().zip(results).zip(jobs) {
        let before = before(earlier.at);
        let result = output::read(before, ran, &earlier.step);
        if result.as_ref().is_err_and(|failure| failure.parse_error.is_none()) {
            failing.push((earlier.at, earlier.step.clone(), job));
        }
        let is_formatted = result.as_ref().is_ok_and(|after| after == before);
        // A failure may pass, so it is not cached.
        if result.is_ok() {
            let answer = if is_formatted { FORMATTED } else { NOT_FORMATTED };
            context.cache_result(&earlier.key, answer.to_vec());
        }
        earlier.was_formatted = Some(is_formatted);
    }
    report_failing(context, targets, failing);
}

/// Reports the filters that fail on the files as they are.
fn report_failing<'a>(
    context: &mut Context<'a>,
    targets: &[Target<'a>],
    failing: Vec<(usize, Step<'a>, Job)>,
) {
    let now = |at: usize| targets.get(at).map_or("", |target| target.content.as_str());
    let tasks = failing.iter().map(|(at, step, job)| {
        let job = Job { stdin: Some(now(*at).as_bytes().to_vec()), ..job.clone() };
        Task { linter: step.linter.name.clone(), job, steps: 0 }
    });
    let results = context.run(tasks.collect());
    for ((at, step, _), ran) in failing.into_iter().zip(results) {
        let (Err(failure), Some(target)) = (output::read(now(at), ran, &step), targets.get(at)) else {
            continue;
        };
        if failure.parse_error.is_none() {
            context.report_failure(step.linter, &failure, &target.file);
        }
    }
}
