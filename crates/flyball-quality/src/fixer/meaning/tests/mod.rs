//! Fixes that must pass, and changes of meaning that must not.

use std::time::{Duration, Instant};

use flyball_effects::lex::Language;
use serde::Deserialize;

use super::{layout, refusals, source};
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

/// The shortest of a few runs.
fn time(run: impl Fn()) -> Duration {
    let once = |_| {
        let began = Instant::now();
        run();
        began.elapsed()
    };
    (0..5).map(once).min().unwrap()
}

/// Eight times the text may take about eight times as long; quadratic work would take 64 times.
#[test]
fn long_files_take_linear_time() {
    let texts = ["(1, 2,),\n", "${a} `b`\n"].map(|line| [line.repeat(500), line.repeat(4000)]);
    let [lists, words] = &texts;
    let reads: [(&str, &dyn Fn(&str), &[String; 2]); 3] = [
        ("lists", &|text| drop(source::read(&format!("x = [\n{text}]\n"), Language::Python)), lists),
        ("words of a shell", &|text| layout::shell(&mut source::read(text, Language::Shell)), words),
        (
            "a whole comparison",
            &|text| {
                let text = text.replace("(1, 2,),", "f(1, 2,)");
                let after = format!("{text}g()\n");
                let finding = [finding(1, "F841 Local variable `x` is assigned to but never used")];
                assert_eq!(check("a.py", [&text, &after], &finding).len(), 1);
            },
            lists,
        ),
    ];
    for (name, read, [short, long]) in reads {
        let ratio = time(|| read(long)).as_secs_f64() / time(|| read(short)).as_secs_f64();
        assert!(ratio < 24.0, "{name}: {ratio}");
    }
}
