//! Formats files: every filter of every linter that is for a file, one after the other, in memory. The
//! result is written once, and only if it differs.

mod chain;
mod earlier;
mod many;
mod output;

use flyball_core::workshop::Rewritten;

pub(super) use self::chain::FilterKind;
use self::chain::{Chain, Step};
use self::many::Round;
use super::context::{Context, Task};
use super::failures::Failure;
use super::placeholders::PlaceholderValues;
use super::programs::Runner;
use super::select::{self, Target};
use super::{Write, changes};
use crate::builtin;
use crate::finding::Level;
use crate::linter::Linter;
use crate::report::Formatted;

/// A filter that failed. It is reported only if the checks do not explain it: their findings say more
/// precisely what is wrong with a file.
pub(super) struct FilterFailure<'a> {
    at: usize,
    linter: &'a Linter,
    failure: Failure,
    /// What is cached if the file was the cause.
    cache_entry: (String, Vec<u8>),
}

pub(super) fn all<'a>(
    context: &mut Context<'a>,
    targets: &mut [Target<'a>],
    kind: FilterKind,
) -> Vec<FilterFailure<'a>> {
    // A filter that hangs must leave time for the checks.
    let until = context.halve_time_left();
    let steps: Vec<Vec<Step<'a>>> =
        targets.iter().map(|target| chain::steps(context, target, kind)).collect();
    let steps = earlier::keep_formatted(context, targets, steps);
    let mut chains = chain::plan(context, targets, steps);
    let longest = chains.iter().map(|chain| chain.steps.len()).max().unwrap_or(0);
    // Round by round over all files, so that equal filters can share one command.
    for round in 0..longest {
        run_round(context, Round { chains: &mut chains, targets, number: round });
    }
    let failures = chains.into_iter().flat_map(|chain| finish(context, targets, chain)).collect();
    context.flush_results();
    // The files on disk have changed, and with them what linters of the project read.
    context.disk_state.forget_tree();
    context.set_deadline(until);
    failures
}

/// The linters whose fixes would run on a file.
pub(super) fn linters_that_would_fix<'a>(context: &mut Context<'a>, target: &Target<'a>) -> Vec<String> {
    let steps = vec![chain::steps(context, target, FilterKind::Fixes)];
    let kept = earlier::keep_formatted(context, std::slice::from_ref(target), steps);
    kept.into_iter().flatten().map(|step| step.linter.name.clone()).collect()
}

/// Reports the filters that failed although no check found anything wrong with the file.
pub(super) fn report_failures(
    context: &mut Context<'_>,
    targets: &mut [Target<'_>],
    failures: Vec<FilterFailure<'_>>,
) {
    for failed in failures {
        let Some(target) = targets.get_mut(failed.at) else { continue };
        let mut findings = target.by_linter.iter().flat_map(|found| &found.findings);
        let explains =
            |level: Level, linter: &str| level == Level::Error || linter == failed.linter.name.as_str();
        // Cached, because the same content would fail the same way at the next edit.
        if failed.failure.may_be_file && findings.any(|finding| explains(finding.level, &finding.linter)) {
            context.cache_result(&failed.cache_entry.0, failed.cache_entry.1);
        } else if let Some(raw) = failed.failure.parse_error {
            target.add_parse_error(failed.linter, *raw);
        } else {
            context.report_failure(failed.linter, &failed.failure, &target.file);
        }
    }
    context.flush_results();
}

/// The step of each chain that is due in this round.
fn run_round<'a>(context: &mut Context<'a>, mut round: Round<'_, 'a>) {
    let mut alone: Vec<usize> = Vec::new();
    for group in chain::groups(round.chains, round.number) {
        alone.extend(round.run_group(context, group));
    }
    let Round { chains, targets, number } = round;
    let mut tasks: Vec<Task> = Vec::new();
    let mut running: Vec<usize> = Vec::new();
    for at in alone {
        let Some(chain) = chains.get_mut(at) else { continue };
        let (Some(target), Some(step)) = (targets.get(chain.at), chain.steps.get(number)) else { continue };
        match &step.command.runner {
            Runner::Builtin(name) => {
                let result = builtin::format(name, &target.file, &chain.content);
                let none = || Err(format!("unknown built-in `{name}`"));
                let result = result.unwrap_or_else(none).map_err(Failure::new);
                chain.add_result(number, result);
                context.advance("formatting", 1);
            }
            Runner::Program(_) => {
                tasks.push(task(context, (target, step), &chain.content));
                running.push(at);
            }
        }
    }
    let results = context.run(tasks);
    for (at, ran) in running.into_iter().zip(results) {
        let Some(chain) = chains.get_mut(at) else { continue };
        let Some(step) = chain.steps.get(number) else { continue };
        let result = output::read(&chain.content, ran, step);
        chain.add_result(number, result);
    }
}

fn task(context: &Context<'_>, (target, step): (&Target<'_>, &Step<'_>), content: &str) -> Task {
    let files = [&target.path];
    let mut job = context.job(
        &step.command,
        &step.linter.entry,
        PlaceholderValues::new(context.root, &step.command.folder, &files),
    );
    job.stdin = Some(content.as_bytes().to_vec());
    Task { linter: step.linter.name.clone(), job, steps: 1 }
}

/// Writes and caches the result of a chain. Returns the filters that failed.
fn finish<'a>(
    context: &mut Context<'a>,
    targets: &mut [Target<'a>],
    chain: Chain<'a>,
) -> Vec<FilterFailure<'a>> {
    let Some(target) = targets.get_mut(chain.at) else { return Vec::new() };
    target.is_fresh |= !chain.is_cached;
    for step in &chain.steps {
        if !chain.failures.iter().any(|(linter, _)| linter.name == step.linter.name) {
            target.add_linter_run(&step.linter.name);
        }
    }
    let cache_entry = (chain.key.clone(), chain.encode_result(&target.content));
    if chain.is_complete() {
        // Another process may have written what was on disk: it must not be cached for the old content.
        if !chain.was_on_disk || chain.content == target.content {
            context.cache_result(&cache_entry.0, cache_entry.1.clone());
        }
        // The result counts as formatted without another run: formatters that disagree would never end.
        if chain.content != target.content {
            let hash = context.workshop.hash(chain.content.as_bytes());
            let key = chain::key(context, &chain.steps, (&target.file, hash.as_str()));
            context.cache_result(&key, chain::UNCHANGED.to_vec());
        }
    }
    let at = chain.at;
    let failures = chain.failures.clone().into_iter();
    let failures = failures
        .map(|(linter, failure)| FilterFailure { at, linter, failure, cache_entry: cache_entry.clone() })
        .collect();
    write(context, target, chain);
    failures
}

fn write(context: &mut Context<'_>, target: &mut Target<'_>, chain: Chain<'_>) {
    let has_changed = chain.content != target.content;
    if context.request.write == Write::No {
        if has_changed || chain.is_due {
            target.format = Formatted::Due;
        }
        return;
    }
    if chain.is_overtaken {
        reload_overtaken(context, target);
        return;
    }
    if chain.content != chain.disk {
        let from = chain.disk.as_bytes();
        match context.workshop.rewrite(&target.path, from, chain.content.as_bytes()) {
            Ok(Rewritten::Yes) => {}
            Ok(Rewritten::Overtaken) => return reload_overtaken(context, target),
            Err(error) => {
                if let Some(step) = chain.steps.last() {
                    context.failures.failed(step.linter, &Failure::new(error.to_string()), &target.file);
                }
                return;
            }
        }
    }
    if has_changed {
        target.format = Formatted::Rewritten;
        let mut by: Vec<String> = chain.steps.iter().map(|step| step.linter.name.clone()).collect();
        by.dedup();
        target.changes.push(changes::reformatted(&by, &target.content, &chain.content));
        target.set_content(context, chain.content);
    }
}

/// Another process wrote the file: its new content is what is checked.
fn reload_overtaken(context: &Context<'_>, target: &mut Target<'_>) {
    target.format = Formatted::Overtaken;
    if let Some(content) = select::read_text(context, &target.path) {
        target.set_content(context, content);
    }
}
