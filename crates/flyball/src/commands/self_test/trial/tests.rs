//! Results for linters that work, fail, are missing, or find too much or too little.

use flyball_quality::finding::Level;
use flyball_quality::linter::{Check, Entry, Filter};

use flyball_core::path::ProjectPath;

use super::*;

fn linter(name: &str) -> Linter {
    let entry = Entry {
        language: Some("python".to_owned()),
        check: Some(Check::default()),
        format: Some(vec![Filter::default()]),
        install: Some("pip install it".to_owned()),
        ..Entry::default()
    };
    Linter { name: name.to_owned(), entry, ..Linter::default() }
}

fn found_in(file: &str, linter: &str, code: &str) -> Finding {
    Finding {
        file: file.to_owned(),
        line: 1,
        column: 1,
        end_line: None,
        code: code.to_owned(),
        message: "wrong".to_owned(),
        linter: linter.to_owned(),
        level: Level::Warning,
        fixable: false,
        fix: None,
    }
}

fn report(good: (Formatted, &[Finding]), bad: (Formatted, &[Finding])) -> Report {
    let file = |file: &str, (format, findings): (Formatted, &[Finding])| FileReport {
        file: ProjectPath::new(file).unwrap(),
        format,
        findings: findings.to_vec(),
        linters: vec!["ruff".to_owned(), "own".to_owned()],
        ..FileReport::default()
    };
    let files = vec![file("python/good.py", good), file("python/bad.py", bad)];
    Report { files, ..Report::default() }
}

/// State, the three outcomes, and the note.
fn judged(name: &str, report: &Report) -> (State, [Outcome; 3], String) {
    let found = Found::At { path: format!("/bin/{name}"), version: None };
    let trial = judge(&linter(name), report, found);
    (trial.state, [trial.good, trial.bad, trial.format], trial.note)
}

#[test]
fn a_linter_works_if_good_is_silent_bad_is_found_and_formatted() {
    use Outcome::{No, NotAsked, Yes};
    let (already, due) = (Formatted::Already, Formatted::Due);
    let right = found_in("python/bad.py", "ruff", "F841");
    let right = std::slice::from_ref(&right);
    let other = found_in("python/bad.py", "ruff", "E999");
    let wrong = found_in("python/good.py", "ruff", "E1");
    let no = |note: &str, outcomes: [Outcome; 3]| (State::Broken, outcomes, note.to_owned());
    let cases = [
        (report((already, &[]), (due, right)), (State::Works, [Yes, Yes, Yes], String::new())),
        (
            report((already, &[wrong]), (due, right)),
            no("found E1 in the good python/good.py", [No, Yes, Yes]),
        ),
        (report((already, &[]), (due, &[other])), no("did not find F841 in the bad sample", [Yes, No, Yes])),
        (report((due, &[]), (due, right)), no("would change the good python/good.py", [Yes, Yes, No])),
        (report((already, &[]), (already, right)), no("formats no unformatted file", [Yes, Yes, No])),
        (Report::default(), (State::Untried, [NotAsked, NotAsked, NotAsked], String::new())),
    ];
    for (report, expected) in cases {
        assert_eq!(judged("ruff", &report), expected, "{report:?}");
    }
    let anything = found_in("python/bad.py", "own", "X1");
    assert_eq!(judged("own", &report((already, &[]), (due, &[anything]))).0, State::Works);
    assert_eq!(
        judged("own", &report((already, &[]), (due, &[]))),
        no("found nothing in the bad sample", [Yes, No, Yes])
    );
}

#[test]
fn a_missing_linter_is_not_broken_and_a_failed_one_is() {
    let with = |kind: FailureKind| {
        let mut report = report((Formatted::Already, &[]), (Formatted::Already, &[]));
        report.troubles = vec![LinterFailure {
            linter: "ruff".to_owned(),
            kind,
            what: "ended with 2".to_owned(),
            fix: "look".to_owned(),
            files: Vec::new(),
        }];
        let (state, _, note) = judged("ruff", &report);
        (state, note)
    };
    assert_eq!(with(FailureKind::Missing), (State::Missing, "pip install it".to_owned()));
    assert_eq!(with(FailureKind::Failed), (State::Broken, "ended with 2".to_owned()));
    assert_eq!(with(FailureKind::Late), (State::Broken, "ended with 2".to_owned()));
    assert_eq!(with(FailureKind::TooOld), (State::Broken, "ended with 2".to_owned()));
}

#[test]
fn a_missing_optional_linter_is_found_by_its_program() {
    let report = report((Formatted::Already, &[]), (Formatted::Already, &[]));
    let trial = judge(&linter("ruff"), &report, Found::Nowhere);
    let expected = Trial {
        language: "python".to_owned(),
        linter: "ruff".to_owned(),
        state: State::Missing,
        version: None,
        program: None,
        good: Outcome::NotAsked,
        bad: Outcome::NotAsked,
        format: Outcome::NotAsked,
        note: "pip install it".to_owned(),
    };
    assert_eq!(trial, expected);
}
