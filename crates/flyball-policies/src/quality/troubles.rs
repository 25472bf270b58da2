//! Linters and models that did not do their work: silence must not be taken for clean.

use flyball_core::text;
use flyball_core::verdict::Verdict;
use flyball_quality::report::{FixEnd, FixStory, LinterTrouble, Report, TroubleKind};

use super::gather::Brought;
use super::memory::Session;
use super::telling::{short, snippet};

/// Tells the user of what is new, and the model of what was not checked.
pub(super) fn tell(brought: &Brought, session: &mut Session) -> Verdict {
    let report = &brought.report;
    forget_what_works_again(report, session);
    let is_first = !session.troubles.values().any(|what| what == word(TroubleKind::Missing));
    let mut verdict = Verdict::silent();
    let mut missing = Vec::new();
    for trouble in &report.troubles {
        let LinterTrouble { linter, kind, what, way_out, .. } = trouble;
        verdict = verdict.seen(linter, format!("{}: {}", word(*kind), short(what)));
        if let Some(text) = unchecked(trouble) {
            verdict.context.push(snippet(&format!("unchecked.{linter}"), text));
        }
        if !is_new(trouble, session) {
            continue;
        }
        match kind {
            // One line in a session is enough for tools that the project never spoke of.
            TroubleKind::Missing if !is_first && !brought.wanted.contains(linter) => {}
            TroubleKind::Missing => missing.push(trouble),
            TroubleKind::TooOld | TroubleKind::Failed | TroubleKind::Late => {
                let way_out =
                    if way_out.is_empty() { String::new() } else { format!("; {}", short(way_out)) };
                verdict.notices.push(format!("{linter} {}: {}{way_out}", word(*kind), short(what)));
            }
        }
    }
    verdict.notices.extend(not_installed(&missing));
    verdict
}

/// One short line, whatever is missing.
fn not_installed(missing: &[&LinterTrouble]) -> Option<String> {
    match missing {
        [] => None,
        [one] => Some(format!(
            "{} is not installed and checks nothing ({}); `flyball doctor` lists all linters",
            one.linter,
            short(&one.way_out)
        )),
        many => {
            let names: Vec<&str> = many.iter().map(|it| it.linter.as_str()).collect();
            let names = text::list(&names);
            Some(format!(
                "{names} are not installed and check nothing; `flyball doctor` says how to get them"
            ))
        }
    }
}

/// What became of findings that a model was given.
pub(super) fn tell_of_fixes(report: &Report, session: &mut Session) -> Verdict {
    let mut verdict = Verdict::silent();
    for file in &report.files {
        let Some(fix) = &file.fix else { continue };
        let FixStory { model, given, end, millis } = fix;
        let (story, trouble) = match end {
            FixEnd::Kept(gone) => (format!("{gone} of {given} findings mended"), None),
            FixEnd::Unchanged => (format!("{given} findings given, nothing changed"), None),
            FixEnd::Refused(why) => {
                let why = why.iter().map(|why| short(why)).collect::<Vec<_>>().join("; ");
                (format!("its patch was thrown away: {why}"), Some(format!("thrown away: {why}")))
            }
            FixEnd::Failed(how) => {
                (format!("failed: {}", short(how)), Some(format!("failed: {}", short(how))))
            }
        };
        verdict = verdict.seen("fixer", format!("{}: {model}, {story} ({millis} ms)", file.file));
        // A patch that was refused is told each time: it was made, and it is gone.
        let key = format!("fixer {model}");
        let is_told = match end {
            FixEnd::Refused(_) => false,
            _ => trouble.as_ref() == session.troubles.get(&key),
        };
        if let Some(text) = trouble.filter(|_| !is_told) {
            verdict.notices.push(match end {
                FixEnd::Refused(_) => format!("a patch of {model} for {} was {text}", file.file),
                _ => format!("the fixer {model} {text}"),
            });
            session.troubles.insert(key, text);
        }
    }
    verdict
}

const fn word(kind: TroubleKind) -> &'static str {
    match kind {
        TroubleKind::Missing => "is not installed",
        TroubleKind::TooOld => "is too old",
        TroubleKind::Failed => "failed",
        TroubleKind::Late => "took too long",
    }
}

/// A linter that is missing or old is told of once, one that fails whenever it fails otherwise.
fn is_new(trouble: &LinterTrouble, session: &mut Session) -> bool {
    let what = match trouble.kind {
        // How many milliseconds it was this time is no other reason.
        TroubleKind::Missing | TroubleKind::TooOld | TroubleKind::Late => word(trouble.kind).to_owned(),
        TroubleKind::Failed => short(&trouble.what),
    };
    session.troubles.insert(trouble.linter.clone(), what.clone()) != Some(what)
}

/// A failure that comes back is told again.
fn forget_what_works_again(report: &Report, session: &mut Session) {
    let fails = |linter: &str| report.troubles.iter().any(|trouble| trouble.linter == linter);
    for linter in report.files.iter().flat_map(|file| &file.linters).filter(|linter| !fails(linter)) {
        session.troubles.remove(linter);
    }
}

/// The model's part: a file that was not checked is not clean. What is not installed is the user's
/// choice, and the model can do nothing about it.
fn unchecked(trouble: &LinterTrouble) -> Option<String> {
    let did = match trouble.kind {
        TroubleKind::Missing | TroubleKind::TooOld => return None,
        TroubleKind::Failed => "did not run",
        TroubleKind::Late => "did not come to an end in time",
    };
    let files: Vec<&str> = trouble.files.iter().map(String::as_str).collect();
    let so = match files.as_slice() {
        [] => "nothing is checked".to_owned(),
        [file] => format!("{file} is not checked"),
        files => format!("{} are not checked", text::list(files)),
    };
    Some(format!("[flyball:warning] {} {did}, so {so} by it", trouble.linter))
}
