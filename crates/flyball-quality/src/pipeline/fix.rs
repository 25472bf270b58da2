//! Lets the fixer have a go at what is left, and looks again at what it did.

use std::cell::RefCell;

use super::context::Context;
use super::select::{self, Target};
use super::{ModelUse, Write, collect, format};
use crate::fixer::guard::Verified;
use crate::fixer::{self, Attempt};
use crate::report::{FixOutcome, Formatted};

/// Lets a model mend each file that has findings, if that is wanted. Where nothing is tried, nothing runs.
pub(super) fn all<'a>(bench: &mut Context<'a>, targets: &mut [Target<'a>]) {
    let is_wanted = bench.request.model == ModelUse::Allowed
        && bench.request.write == Write::Yes
        && bench.settings.fixer.enabled;
    for target in targets.iter_mut().filter(|target| is_wanted && !target.findings.is_empty()) {
        fix_target(bench, target);
    }
}

fn fix_target<'a>(bench: &mut Context<'a>, target: &mut Target<'a>) {
    let before = target.clone();
    let (settings, root, workshop) = (&bench.settings.fixer, bench.root, bench.workshop);
    let guards = bench.request.guards;
    let both = RefCell::new((&mut *bench, &mut *target));
    let check = || {
        let (bench, target) = &mut *both.borrow_mut();
        verify(bench, target)
    };
    let attempt = Attempt {
        settings,
        root,
        path: &before.file,
        before: &before.content,
        findings: &before.findings,
        millis: u64::MAX,
        verify: &check,
        guards,
    };
    let story = fixer::fix(&attempt, workshop);
    if story.as_ref().is_some_and(|story| matches!(story.end, FixOutcome::Kept(_))) {
        target.format = Formatted::Rewritten;
    } else {
        *target = before;
        reload_from_disk(bench, target);
    }
    target.fix = story;
}

/// The first two phases again, for a file as it is on disk now.
fn verify<'a>(bench: &mut Context<'a>, target: &mut Target<'a>) -> Verified {
    let looked = std::mem::take(&mut target.linters_run);
    if let Some(content) = select::read_text(bench, &target.path) {
        target.set_content(bench, content);
    }
    recheck(bench, target);
    let silent = looked.into_iter().filter(|name| !target.linters_run.contains(name)).collect();
    Verified { content: target.content.clone(), findings: target.findings.clone(), failed_linters: silent }
}

fn recheck<'a>(bench: &mut Context<'a>, target: &mut Target<'a>) {
    bench.set_time_limit(bench.settings.deadline_seconds);
    let targets = std::slice::from_mut(target);
    let doubts = format::all(bench, targets);
    collect::all(bench, targets);
    format::report_failures(bench, targets, doubts);
}

/// A file that could not be put back as it was is looked at as it is.
fn reload_from_disk<'a>(bench: &mut Context<'a>, target: &mut Target<'a>) {
    if let Some(content) = select::read_text(bench, &target.path).filter(|content| *content != target.content)
    {
        target.set_content(bench, content);
        bench.disk_state.forget_tree();
        collect::all(bench, std::slice::from_mut(target));
    }
}
