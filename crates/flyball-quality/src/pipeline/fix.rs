//! Lets the fixer try what is left, and verifies its changes.

use std::cell::RefCell;
use std::time::Duration;

use super::context::Context;
use super::format::FilterKind;
use super::select::{self, Target};
use super::{ModelUse, Write, changes, collect, format};
use crate::fixer::guard::Verified;
use crate::fixer::{self, Attempt};
use crate::report::{FixOutcome, Formatted};

/// Lets a model fix each file that has findings, if that is enabled.
pub(super) fn all<'a>(context: &mut Context<'a>, targets: &mut [Target<'a>]) {
    let is_enabled = context.request.model == ModelUse::Allowed
        && context.request.write == Write::Yes
        && context.settings.fixer.enabled;
    for target in targets.iter_mut().filter(|target| is_enabled && !target.findings.is_empty()) {
        fix_target(context, target);
    }
}

fn fix_target<'a>(context: &mut Context<'a>, target: &mut Target<'a>) {
    // `verify` overwrites the target, so a refused fix needs the state from before.
    let before = target.clone();
    let (settings, root, workshop) = (&context.settings.fixer, context.root, context.workshop);
    let guards = context.request.guards;
    let both = RefCell::new((&mut *context, &mut *target));
    let check = || {
        let (context, target) = &mut *both.borrow_mut();
        verify(context, target)
    };
    let attempt = Attempt {
        settings,
        root,
        path: &before.file,
        before: &before.content,
        findings: &before.findings,
        // The fixer's own settings bound its time.
        timeout: Duration::from_millis(u64::MAX),
        verify: &check,
        guards,
    };
    let report = fixer::fix(&attempt, workshop);
    if report.as_ref().is_some_and(|report| matches!(report.end, FixOutcome::Kept(_))) {
        target.format = Formatted::Rewritten;
        let gone = changes::gone(&before.findings, &target.findings);
        target.changes = before.changes;
        target.changes.push(changes::fixed_by_model(&gone, &before.content, &target.content));
    } else {
        *target = before;
        reload_from_disk(context, target);
    }
    target.fix = report;
}

/// The first two phases again, for a file as it is on disk now.
fn verify<'a>(context: &mut Context<'a>, target: &mut Target<'a>) -> Verified {
    // A linter that ran before and fails now must not make a bad fix look clean.
    let linters_before = std::mem::take(&mut target.linters_run);
    if let Some(content) = select::read_text(context, &target.path) {
        target.set_content(context, content);
    }
    recheck(context, target);
    let failed_linters =
        linters_before.into_iter().filter(|name| !target.linters_run.contains(name)).collect();
    Verified { content: target.content.clone(), findings: target.findings.clone(), failed_linters }
}

fn recheck<'a>(context: &mut Context<'a>, target: &mut Target<'a>) {
    // The model may have used up the time of the first run.
    context.set_time_limit(context.settings.deadline_seconds);
    let targets = std::slice::from_mut(target);
    let failures = format::all(context, targets, FilterKind::Layout);
    collect::all(context, targets);
    format::report_failures(context, targets, failures);
}

/// A file that could not be restored is checked as it is now.
fn reload_from_disk<'a>(context: &mut Context<'a>, target: &mut Target<'a>) {
    if let Some(content) =
        select::read_text(context, &target.path).filter(|content| *content != target.content)
    {
        target.set_content(context, content);
        context.disk_state.forget_tree();
        collect::all(context, std::slice::from_mut(target));
    }
}
