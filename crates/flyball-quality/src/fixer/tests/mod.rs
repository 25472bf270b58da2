//! The fixer from its settings to the file on disk.

mod client;
mod guard;
mod prompt;
mod server;
mod test_workshop;
mod tier;

use std::time::Duration;

use self::test_workshop::TestWorkshop;
use flyball_core::path::ProjectPath;

use super::guard::{Guards, Verified};
use super::{Attempt, fix};
use crate::finding::{Finding, Level};
use crate::report::{FixOutcome, FixReport};
use crate::settings::FixerSettings;

const FILE: &str = "src/app.py";

/// Two findings: an unused import and an unused variable.
const BAD: &str = "import os\n\n\ndef total(items):\n    unused = 1\n    return sum(items)\n";

const GOOD: &str = "def total(items):\n    return sum(items)\n";

fn finding(code: &str) -> Finding {
    Finding {
        file: FILE.to_owned(),
        line: 1,
        column: 8,
        end_line: None,
        code: code.to_owned(),
        message: format!("what {code} says"),
        linter: "ruff".to_owned(),
        level: Level::Warning,
        fixable: false,
        fix: None,
    }
}

fn findings(codes: &[&str]) -> Vec<Finding> {
    codes.iter().map(|code| finding(code)).collect()
}

fn settings(toml: &str) -> FixerSettings {
    toml::from_str(&format!("enabled = true\n{toml}")).unwrap()
}

/// What a linter with a few rules finds in this text.
fn lint(text: &str) -> Vec<Finding> {
    let rules = [
        ("import os", "F401", "`os` imported but unused"),
        ("unused = 1", "F841", "Local variable `unused` is assigned to but never used"),
        ("import re", "F401", "`re` imported but unused"),
        ("total(items:", "E999", "what E999 says"),
    ];
    let line = |needle: &str| text.lines().position(|line| line.contains(needle)).map(|at| at + 1);
    let found = rules.iter().filter_map(|(needle, code, message)| {
        let line = u32::try_from(line(needle)?).unwrap();
        Some(Finding { line, message: (*message).to_owned(), ..finding(code) })
    });
    found.collect()
}

/// A minimal stand-in for the policies: one marker is enough to see that they are called.
const GUARDS: Guards = Guards {
    clients: &[],
    off_limits: |_, path| path.contains("test").then(|| "it is a file of tests".to_owned()),
    objections: |_, before, after| {
        let is_new = after.contains("noqa") && !before.contains("noqa");
        is_new.then(|| "it silences a check: `noqa`".to_owned()).into_iter().collect()
    },
};

fn file() -> ProjectPath {
    ProjectPath::new(FILE).unwrap()
}

fn run_fix(workshop: &TestWorkshop, settings: &FixerSettings, timeout: Duration) -> Option<FixReport> {
    let verify = || {
        let content = workshop.text(FILE);
        Verified { findings: lint(&content), content, failed_linters: Vec::new() }
    };
    let findings = lint(BAD);
    let attempt = Attempt {
        settings,
        root: workshop.root(),
        path: &file(),
        before: BAD,
        findings: &findings,
        timeout,
        verify: &verify,
        guards: GUARDS,
    };
    fix(&attempt, workshop)
}

/// How it ended, and what is in the file then.
fn outcome(workshop: &TestWorkshop, settings: &FixerSettings) -> (FixOutcome, String) {
    let report = run_fix(workshop, settings, Duration::from_secs(20)).expect("a model is asked");
    assert_eq!(report.given, 2);
    (report.end, workshop.text(FILE))
}

fn refused(reasons: &[&str]) -> FixOutcome {
    FixOutcome::Refused(reasons.iter().map(|reason| (*reason).to_owned()).collect())
}

fn failed(reason: &str) -> FixOutcome {
    FixOutcome::Failed(reason.to_owned())
}
