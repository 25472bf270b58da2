//! Turns findings into a verdict and its messages.

use flyball_core::event::{Event, PermissionMode};
use flyball_core::text;
use flyball_core::verdict::{Reason, Snippet, Stance, Subject, Verdict};
use flyball_effects::lex::Language;

use super::compare::{Finding, Kind, Report};
use super::settings::{Level, Settings, Unattended};

/// How many findings of a kind are named.
const MOST_NAMED: usize = 3;

const KINDS: [Kind; 5] =
    [Kind::DeletedTest, Kind::SkippedTest, Kind::Suppression, Kind::LoosenedConfig, Kind::RemovedAssertion];

/// The verdict about all files of a call.
pub(super) fn verdict(reports: &[(&str, Report)], settings: &Settings, event: &Event) -> Verdict {
    let found =
        || reports.iter().flat_map(|(path, report)| report.findings.iter().map(move |it| (*path, it)));
    let mut verdict = Verdict::silent();
    for kind in KINDS {
        // Findings with a reason have another level than the rest of their kind.
        for level in [Level::Deny, Level::Ask, Level::Tell] {
            let is_in_group =
                |(_, it): &(&str, &Finding)| it.kind == kind && level_of(it, settings, event) == level;
            let group: Vec<(&str, &Finding)> = found().filter(is_in_group).collect();
            if !group.is_empty() {
                verdict.join(group_verdict(kind, level, &group, settings));
            }
        }
    }
    // What a person may allow. Only a denial lasts: an edit that they refused may be tried again with a reason.
    if verdict.stance == Stance::Ask {
        let asked = found().filter(|(_, it)| level_of(it, settings, event) == Level::Ask);
        verdict.subjects.extend(asked.map(|(path, it)| subject(path, it.kind)));
    }
    verdict
}

/// What a finding is about, by the path of its file below the project's root.
fn subject(path: &str, kind: Kind) -> Subject {
    Subject::Intent(format!("gaming.{}:{path}", kind.key()))
}

fn level_of(finding: &Finding, settings: &Settings, event: &Event) -> Level {
    let level = match finding.kind {
        Kind::Suppression => settings.suppressions,
        Kind::SkippedTest => settings.skipped_tests,
        Kind::DeletedTest => settings.deleted_tests,
        Kind::RemovedAssertion => settings.removed_assertions,
        Kind::LoosenedConfig => settings.loosened_config,
    };
    // A reason never makes it stricter: `off` stays `off`.
    let level = if finding.is_justified { level.min(settings.justified) } else { level };
    match (level, is_unattended(event), settings.unattended) {
        (Level::Ask, true, Unattended::Tell) => Level::Tell,
        (Level::Ask, true, Unattended::Deny) => Level::Deny,
        _ => level,
    }
}

/// Whether the client answers its prompts with yes by itself. A client that refuses instead of asking is not
/// unattended: it refuses with our reason.
fn is_unattended(event: &Event) -> bool {
    match event.permission_mode {
        Some(PermissionMode::Auto | PermissionMode::Bypass) => true,
        Some(
            PermissionMode::Default
            | PermissionMode::AcceptEdits
            | PermissionMode::Plan
            | PermissionMode::DontAsk,
        )
        | None => false,
    }
}

fn group_verdict(kind: Kind, level: Level, group: &[(&str, &Finding)], settings: &Settings) -> Verdict {
    let reason = reason(kind, level, group, settings);
    let mut verdict = match level {
        Level::Deny => Verdict { stance: Stance::Deny, reasons: vec![reason], ..Verdict::default() },
        Level::Ask => Verdict { stance: Stance::Ask, reasons: vec![reason], ..Verdict::default() },
        Level::Tell => notice_verdict(kind, &reason, group),
        Level::Off => Verdict::silent(),
    };
    for (path, finding) in group {
        verdict = verdict.with_evidence(kind.key(), place(path, finding));
        if level == Level::Deny {
            verdict = verdict.with_subject(subject(path, kind));
        }
    }
    verdict
}

/// A notice for the user, and context for the model unless it gave its reason already.
fn notice_verdict(kind: Kind, reason: &Reason, group: &[(&str, &Finding)]) -> Verdict {
    let notices = vec![format!("{}: {}", kind.key().replace('_', " "), reason.what)];
    let is_justified = group.iter().all(|(_, finding)| finding.is_justified);
    let hint = Snippet { key: format!("gaming {}", kind.key()), rank: 0, text: reason.text() };
    let context = if is_justified { Vec::new() } else { vec![hint] };
    Verdict { notices, context, ..Verdict::default() }
}

fn reason(kind: Kind, level: Level, group: &[(&str, &Finding)], settings: &Settings) -> Reason {
    let named: Vec<String> = group.iter().take(MOST_NAMED).map(|(path, it)| place(path, it)).collect();
    let more = text::and_more(group.len().saturating_sub(MOST_NAMED));
    let what = format!("{}{more}{}", named.join("; "), consequence(kind, group));
    let why = format!("To allow it, the user sets `{}` or `allow` in `[guard.gaming]`", kind.key());
    Reason { what, why, instead: instead(kind, level, group, settings) }
}

/// `app.py:3 `noqa: F401``.
fn place(path: &str, finding: &Finding) -> String {
    let what = text::head(&finding.what, 120);
    let what = if finding.line.is_some() && finding.kind != Kind::LoosenedConfig {
        format!("`{what}`")
    } else {
        what.to_owned()
    };
    match finding.line {
        Some(line) => format!("{path}:{line} {what}"),
        None => format!("{path}: {what}"),
    }
}

/// The consequence, unless the findings state it themselves.
fn consequence(kind: Kind, group: &[(&str, &Finding)]) -> &'static str {
    match kind {
        Kind::Suppression => " (silences a check)",
        Kind::SkippedTest => " (skips tests)",
        Kind::DeletedTest if asserts_nothing(group) => " (tests nothing)",
        Kind::DeletedTest => "",
        Kind::RemovedAssertion => " (fewer assertions)",
        Kind::LoosenedConfig => " (weaker checks)",
    }
}

/// Whether no test was removed, but one asserts what is always true.
fn asserts_nothing(group: &[(&str, &Finding)]) -> bool {
    group.iter().all(|(_, finding)| finding.line.is_some())
}

fn instead(kind: Kind, level: Level, group: &[(&str, &Finding)], settings: &Settings) -> String {
    match kind {
        Kind::Suppression => {
            let first = group.first().filter(|_| settings.justified < level);
            let explain = first.map_or_else(String::new, |(path, it)| {
                format!("explain it in the same line ({}) or ", justified_example(path, it))
            });
            format!("Fix the finding; if it is a false alarm, {explain}ask the user")
        }
        Kind::SkippedTest => "Make the test pass, or tell the user why it cannot run here".to_owned(),
        Kind::DeletedTest if asserts_nothing(group) => "Assert something about the code".to_owned(),
        Kind::DeletedTest => {
            "Keep the test and make it pass; if it is obsolete, ask the user first".to_owned()
        }
        Kind::RemovedAssertion => {
            "Restore the assertions, or tell the user what checks the same now".to_owned()
        }
        Kind::LoosenedConfig => {
            "Fix the code; if the check is wrong, tell the user what to change".to_owned()
        }
    }
}

/// The same marker with a reason, as its tool accepts it.
pub(super) fn justified_example(path: &str, finding: &Finding) -> String {
    let what = &finding.what;
    let language = Language::from_path(path);
    if what.starts_with("#[") || what.starts_with("#![") {
        return "`reason = \"…\"` in the attribute".to_owned();
    }
    match language {
        Some(Language::Python | Language::Shell | Language::Ruby | Language::Yaml | Language::Docker) => {
            format!("`# {what}  # the reason`")
        }
        Some(Language::Go) => format!("`//{what} // the reason`"),
        Some(Language::Jvm | Language::CSharp | Language::C) => "`// the reason` after it".to_owned(),
        _ => format!("`{what} -- the reason`"),
    }
}
