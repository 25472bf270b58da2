//! Linters and models that did not do their work: silence must not be taken for clean.

use flyball_core::text;
use flyball_core::verdict::Verdict;
use flyball_quality::report::{
    FailureKind, FixOutcome, FixReport, LinterFailure, Report, SkipReason, SkippedFile,
};

use super::inputs::Inputs;
use super::memory::Session;
use super::messages::{short, snippet};

/// Reports new failures to the user, and unchecked files to the model.
pub(super) fn report(inputs: &Inputs, session: &mut Session) -> Verdict {
    let report = &inputs.report;
    forget_what_works_again(report, session);
    // Before `is_new` records the failures of this run.
    let is_known = |kind| session.failures.values().any(|what| what == describe_kind(kind));
    let is_told = is_known(FailureKind::Untrusted);
    let mut verdict = Verdict::silent();
    let (mut missing, mut untrusted) = (Vec::new(), Vec::new());
    for error in &report.troubles {
        let LinterFailure { linter, kind, what, fix, .. } = error;
        verdict = verdict.with_evidence(linter, format!("{}: {}", describe_kind(*kind), short(what)));
        if *kind == FailureKind::Unreadable {
            verdict.join(unreadable(error, session));
            continue;
        }
        if let Some(text) = unchecked(error) {
            verdict.context.push(snippet(&format!("unchecked.{linter}"), text));
        }
        if !is_new(error, session) {
            continue;
        }
        match kind {
            FailureKind::Missing => missing.push(error),
            FailureKind::Untrusted => untrusted.push(error),
            FailureKind::TooOld
            | FailureKind::Failed
            | FailureKind::Late
            | FailureKind::Memory
            | FailureKind::Unreadable => {
                let fix = if fix.is_empty() { String::new() } else { format!("; {}", short(fix)) };
                verdict.notices.push(format!("{linter} {}: {}{fix}", describe_kind(*kind), short(what)));
            }
        }
    }
    verdict.join(skipped(&report.skipped, session));
    verdict.notices.extend(not_installed(&missing));
    verdict.notices.extend(left_out(&untrusted).filter(|_| !is_told));
    verdict
}

/// Each file once in a session: it stays as it is, and so does the linter.
fn unreadable(error: &LinterFailure, session: &mut Session) -> Verdict {
    let what = describe_kind(error.kind);
    let mut is_new = |file: &&str| {
        let key = format!("{} {file}", error.linter);
        session.failures.insert(key, what.to_owned()).is_none()
    };
    let files: Vec<&str> = error.files.iter().map(String::as_str).filter(&mut is_new).collect();
    let it = match files.as_slice() {
        [] => return Verdict::silent(),
        [_] => "it",
        _ => "them",
    };
    let text = format!("{} {what} of {}, so it did not check {it}", error.linter, text::list(&files));
    let context = snippet(&format!("unchecked.{}", error.linter), format!("[flyball:warning] {text}"));
    Verdict { notices: vec![text], ..Verdict::context(context) }
}

/// Files that no linter checks: each once in a session, and one for all that are left out on purpose.
fn skipped(files: &[SkippedFile], session: &mut Session) -> Verdict {
    let mut verdict = Verdict::silent();
    for SkippedFile { file, why } in files {
        let key = match why {
            SkipReason::Excluded | SkipReason::Outside => why.describe().to_owned(),
            SkipReason::TooLarge | SkipReason::NotUtf8 | SkipReason::Unreadable => format!("skipped {file}"),
        };
        if session.failures.insert(key, why.describe().to_owned()).is_none() {
            verdict.notices.push(format!("{file} is not checked, because {}", why.describe()));
        }
    }
    verdict
}

/// One short line, whatever is missing.
fn not_installed(missing: &[&LinterFailure]) -> Option<String> {
    match missing {
        [] => None,
        [one] => Some(format!(
            "{} is not installed, so it checks nothing ({}); run `flyball doctor` to see all linters",
            one.linter,
            short(&one.fix)
        )),
        many => {
            let names: Vec<&str> = many.iter().map(|it| it.linter.as_str()).collect();
            let names = text::list(&names);
            Some(format!(
                "{names} are not installed, so they check nothing; run `flyball doctor` to see how to install them"
            ))
        }
    }
}

/// One line in a session, whatever is left out: a person trusts the project as a whole.
fn left_out(untrusted: &[&LinterFailure]) -> Option<String> {
    let names: Vec<&str> = untrusted.iter().map(|it| it.linter.as_str()).collect();
    let (was, they) = match names.as_slice() {
        [] => return None,
        [_] => ("was", "it"),
        _ => ("were", "they"),
    };
    Some(format!(
        "nobody trusts this project, so {} {was} left out ({they} would run its code), like its own programs; `flyball trust` trusts it",
        text::list(&names)
    ))
}

/// The results of the models that were given findings.
pub(super) fn report_fixes(report: &Report, session: &mut Session) -> Verdict {
    let mut verdict = Verdict::silent();
    for file in &report.files {
        let Some(fix) = &file.fix else { continue };
        let FixReport { model, given, end, took } = fix;
        let (story, error) = match end {
            FixOutcome::Kept(gone) => (format!("{gone} of {given} findings fixed"), None),
            FixOutcome::Unchanged => (format!("{given} findings given, nothing changed"), None),
            FixOutcome::Refused(why) => {
                let why = why.iter().map(|why| short(why)).collect::<Vec<_>>().join("; ");
                (format!("its patch was rejected: {why}"), Some(format!("rejected: {why}")))
            }
            FixOutcome::Failed(how) => {
                (format!("failed: {}", short(how)), Some(format!("failed: {}", short(how))))
            }
        };
        verdict = verdict
            .with_evidence("fixer", format!("{}: {model}, {story} ({} ms)", file.file, took.as_millis()));
        // A rejected patch is reported each time.
        let key = format!("fixer {model}");
        let is_known = match end {
            FixOutcome::Refused(_) => false,
            _ => error.as_ref() == session.failures.get(&key),
        };
        if let Some(text) = error.filter(|_| !is_known) {
            verdict.notices.push(match end {
                FixOutcome::Refused(_) => format!("a patch of {model} for {} was {text}", file.file),
                _ => format!("the fixer {model} {text}"),
            });
            session.failures.insert(key, text);
        }
    }
    verdict
}

const fn describe_kind(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Missing => "is not installed",
        FailureKind::TooOld => "is too old",
        FailureKind::Failed => "failed",
        FailureKind::Late => "took too long",
        FailureKind::Memory => "used too much memory",
        FailureKind::Untrusted => "was left out",
        FailureKind::Unreadable => "cannot read the syntax",
    }
}

/// A missing or old linter is reported once, a failing one whenever it fails in another way.
fn is_new(error: &LinterFailure, session: &mut Session) -> bool {
    let what = match error.kind {
        // Another duration is not another reason.
        FailureKind::Missing
        | FailureKind::TooOld
        | FailureKind::Late
        | FailureKind::Memory
        | FailureKind::Untrusted
        | FailureKind::Unreadable => describe_kind(error.kind).to_owned(),
        FailureKind::Failed => short(&error.what),
    };
    session.failures.insert(error.linter.clone(), what.clone()) != Some(what)
}

/// A failure that comes back is reported again.
fn forget_what_works_again(report: &Report, session: &mut Session) {
    let fails = |linter: &str| report.troubles.iter().any(|error| error.linter == linter);
    for linter in report.files.iter().flat_map(|file| &file.linters).filter(|linter| !fails(linter)) {
        session.failures.remove(linter);
    }
}

/// The warning for the model: a file that was not checked is not clean. What is not installed is the user's
/// choice, and the model can do nothing about it.
fn unchecked(error: &LinterFailure) -> Option<String> {
    let did = match error.kind {
        FailureKind::Missing | FailureKind::TooOld | FailureKind::Untrusted | FailureKind::Unreadable => {
            return None;
        }
        FailureKind::Failed => "did not run",
        FailureKind::Late => "did not finish in time",
        FailureKind::Memory => "was stopped because it used too much memory",
    };
    let files: Vec<&str> = error.files.iter().map(String::as_str).collect();
    let so = match files.as_slice() {
        [] => "nothing is checked".to_owned(),
        [file] => format!("{file} is not checked"),
        files => format!("{} are not checked", text::list(files)),
    };
    Some(format!("[flyball:warning] {} {did}, so {so} by it", error.linter))
}
