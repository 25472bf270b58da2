//! Lets linters fix what they can by themselves: not between two edits, where a new import is not used yet.

use super::context::Context;
use super::format::FilterKind;
use super::select::Target;
use super::{Fixes, Write, changes, collect, format};
use crate::finding::Finding;
use crate::linter::Linter;
use crate::report::Formatted;
use crate::same_problem;

/// Fixes the findings that linters can fix, or sets them aside for later.
pub(super) fn all<'a>(context: &mut Context<'a>, targets: &mut [Target<'a>]) {
    if context.request.write == Write::No {
        return;
    }
    let is_fixed = |target: &Target<'_>| target.findings.iter().any(|it| fixes(target, it));
    for target in targets.iter_mut().filter(|target| !target.findings.is_empty()) {
        match context.request.fixes {
            Fixes::Now if is_fixed(target) => fix(context, target),
            Fixes::Later => set_aside(context, target),
            Fixes::Now | Fixes::Never => {}
        }
    }
}

/// Whether a finding says that an import is not used.
fn is_unused_import(target: &Target<'_>, finding: &Finding) -> bool {
    let line = target.content.lines().nth((finding.line as usize).saturating_sub(1)).unwrap_or_default();
    same_problem::is_unused_import(finding, line)
}

/// Whether a linter of a file says that it can fix a finding.
fn fixes(target: &Target<'_>, finding: &Finding) -> bool {
    let has_filter = |linter: &&&Linter| {
        linter.name == finding.linter && linter.entry.format.iter().flatten().any(|filter| filter.fixes)
    };
    finding.fixable && target.linters.iter().find(has_filter).is_some()
}

fn fix<'a>(context: &mut Context<'a>, target: &mut Target<'a>) {
    let before = target.clone();
    let one = std::slice::from_mut(target);
    let mut failures = format::all(context, one, FilterKind::Fixes);
    // What was removed leaves lines that only the formatter tidies up.
    failures.extend(format::all(context, one, FilterKind::Layout));
    if one.iter().any(|target| target.content != before.content) {
        collect::all(context, one);
    }
    format::report_failures(context, one, failures);
    if target.content != before.content {
        target.format = Formatted::Rewritten;
        let gone = changes::gone(&before.findings, &target.findings);
        target.changes = before.changes;
        target.changes.extend(changes::fixed(&gone, &before.content, &target.content));
    }
}

/// Takes out what will be fixed at the end, and imports that the next edit may use. Where the fix is not for this file, the
/// agent has to do it.
fn set_aside<'a>(context: &mut Context<'a>, target: &mut Target<'a>) {
    let fixing = format::linters_that_would_fix(context, target);
    let findings = std::mem::take(&mut target.findings);
    let (later, now) = findings.into_iter().partition(|finding: &Finding| {
        (finding.fixable && fixing.contains(&finding.linter)) || is_unused_import(target, finding)
    });
    target.later = later;
    target.findings = now;
}
