//! Lets the fixer have a go at what is left, and looks again at what it did.

use std::cell::RefCell;

use super::bench::Bench;
use super::select::{self, Target};
use super::{Model, Write, collect, format};
use crate::fixer::guard::Verified;
use crate::fixer::{self, Attempt};
use crate::report::{FixEnd, Formatted};

/// Lets a model mend each file that has findings, if that is wanted. Where nothing is tried, nothing runs.
pub(super) fn all<'a>(bench: &mut Bench<'a>, targets: &mut [Target<'a>]) {
    let is_wanted = bench.order.model == Model::Allowed
        && bench.order.write == Write::Yes
        && bench.settings.fixer.enabled;
    for target in targets.iter_mut().filter(|target| is_wanted && !target.findings.is_empty()) {
        mend(bench, target);
    }
}

fn mend<'a>(bench: &mut Bench<'a>, target: &mut Target<'a>) {
    let before = target.clone();
    let (settings, root, shop) = (&bench.settings.fixer, bench.root, bench.shop);
    let guards = bench.order.guards;
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
    let story = fixer::mend(&attempt, shop);
    if story.as_ref().is_some_and(|story| matches!(story.end, FixEnd::Kept(_))) {
        target.format = Formatted::Rewritten;
    } else {
        *target = before;
        as_on_disk(bench, target);
    }
    target.fix = story;
}

/// The first two phases again, for a file as it is on disk now.
fn verify<'a>(bench: &mut Bench<'a>, target: &mut Target<'a>) -> Verified {
    let looked = std::mem::take(&mut target.looked);
    if let Some(content) = select::text(bench, &target.path) {
        target.set_content(bench, content);
    }
    look_again(bench, target);
    let silent = looked.into_iter().filter(|name| !target.looked.contains(name)).collect();
    Verified { content: target.content.clone(), findings: target.findings.clone(), silent }
}

fn look_again<'a>(bench: &mut Bench<'a>, target: &mut Target<'a>) {
    bench.give_seconds(bench.settings.deadline_seconds);
    let targets = std::slice::from_mut(target);
    let doubts = format::all(bench, targets);
    collect::all(bench, targets);
    format::settle(bench, targets, doubts);
}

/// A file that could not be put back as it was is looked at as it is.
fn as_on_disk<'a>(bench: &mut Bench<'a>, target: &mut Target<'a>) {
    if let Some(content) = select::text(bench, &target.path).filter(|content| *content != target.content) {
        target.set_content(bench, content);
        bench.traces.forget_tree();
        collect::all(bench, std::slice::from_mut(target));
    }
}
