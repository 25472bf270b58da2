//! Fixes that must pass, and changes of meaning that must not.

use serde::Deserialize;

use super::piece::LOOKED_AT;
use super::refusals;
use crate::finding::{Finding, Level};
use crate::fixer::candidate::Candidate;

/// The cases of one group of languages.
#[derive(Deserialize)]
struct Cases {
    accepted: Vec<Case>,
    refused: Vec<Case>,
}

/// Its name or the reason of its refusal, the path, the line of the finding, its rule with the message, the
/// text before and after.
#[derive(Deserialize)]
struct Case(String, String, u32, String, String, String);

const CASES: [&str; 5] = [
    include_str!("cases/python.toml"),
    include_str!("cases/script.toml"),
    include_str!("cases/shell.toml"),
    include_str!("cases/compiled.toml"),
    include_str!("cases/data.toml"),
];

fn cases() -> Vec<Cases> {
    CASES.iter().map(|text| toml::from_str(text).unwrap()).collect()
}

/// A finding in a line: its rule and its message as linters write them.
fn finding(line: u32, rule: &str) -> Finding {
    let (code, message) = rule.split_once(' ').unwrap();
    Finding {
        file: "a".to_owned(),
        line,
        column: 1,
        end_line: None,
        code: code.to_owned(),
        message: message.to_owned(),
        linter: "any".to_owned(),
        level: Level::Warning,
        fixable: false,
        fix: None,
    }
}

fn check(path: &str, [before, after]: [&str; 2], findings: &[Finding]) -> Vec<String> {
    refusals(&Candidate { path, before, after, findings, most_lines: 80 })
}

fn check_case(Case(_, path, line, rule, before, after): &Case) -> Vec<String> {
    check(path, [before, after], &[finding(*line, rule)])
}

#[test]
fn honest_fixes_pass() {
    let cases = cases();
    let refused = cases.iter().flat_map(|cases| &cases.accepted).filter_map(|case| {
        let found = check_case(case);
        (!found.is_empty()).then(|| format!("{}: {}", case.0, found.join("; ")))
    });
    assert_eq!(refused.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn changes_of_meaning_are_refused() {
    let cases = cases();
    let wrong = cases.iter().flat_map(|cases| &cases.refused).filter_map(|case| {
        let found = check_case(case);
        let Case(reason, path, _, _, before, after) = case;
        (found != [reason.as_str()])
            .then(|| format!("{path}: {before:?} → {after:?}: {found:?}, not {reason:?}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
}

/// No fix may be permitted twice or lost because both are in one patch.
#[test]
fn several_findings_permit_what_each_permits() {
    let before =
        "import os\nimport re\n\n\ndef f(a, b):\n    x = 1\n    y = g(a)\n    if a == None:\n        h(b)\n";
    let after = "import re\n\n\ndef f(a, b):\n    g(a)\n    if a is None:\n        h(b)\n";
    let findings = [
        finding(1, "F401 `os` imported but unused"),
        finding(6, "F841 Local variable `x` is assigned to but never used"),
        finding(7, "F841 Local variable `y` is assigned to but never used"),
        finding(8, "E711 Comparison to `None` should be `cond is None`"),
    ];
    assert_eq!(check("a.py", [before, after], &findings), [""; 0]);
    let worse = after.replace("h(b)", "h(a)");
    let reason = ["it changes a statement: `b` → `a`"];
    assert_eq!(check("a.py", [before, &worse], &findings), reason);
    for without in 0..findings.len() {
        let mut left = findings.to_vec();
        left.remove(without);
        assert_eq!(check("a.py", [before, after], &left).len(), 1, "without finding {without}");
    }
}

/// How often pieces are looked at.
fn work(run: impl Fn()) -> usize {
    LOOKED_AT.set(0);
    run();
    LOOKED_AT.get()
}

/// Eight times the text is eight times the work; quadratic work would be 64 times as much.
#[test]
fn long_files_are_linear_work() {
    let compare = |path: &str, line: &str, count: usize| {
        let before = line.repeat(count);
        let after = format!("{before}g\n");
        let findings = [finding(1, "F841 Local variable `x` is assigned to but never used")];
        assert_eq!(check(path, [&before, &after], &findings).len(), 1, "{path}");
    };
    let cases = [
        ("a.py", "(1, 2,),\n"),
        ("a.py", "if a:\n    f([(1, 2,),], \"b\")\n"),
        ("a.ts", "f((a) => { b({ c, d, }); });\n"),
        ("a.rs", "use a::{b, c};\nfn f() { vec![1, 2,]; }\n"),
        ("a.sh", "f ${a} `b` \"$(c d)\"\n"),
        ("a.yaml", "a:\n  - b: [c, d]\n"),
        ("a.json", "{\"a\": [1, 2,],},\n"),
        ("a.sql", "SELECT a, b FROM c\n"),
    ];
    for (path, line) in cases {
        let (short, long) = (work(|| compare(path, line, 100)), work(|| compare(path, line, 800)));
        assert!(long < 10 * short, "{path}: {line:?}: {short}, then {long}");
    }
}
