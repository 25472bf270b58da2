//! Fixes that must pass, and changes of meaning that must not.

mod accepted;
mod refused;

use self::accepted::ACCEPTED;
use self::refused::REFUSED;
use super::refusals;
use crate::finding::{Finding, Level};
use crate::fixer::candidate::Candidate;

const E501: &str = "E501 Line too long (99 > 88)";
const F841: &str = "F841 Local variable `x` is assigned to but never used";
const E711: &str = "E711 Comparison to `None` should be `cond is None`";
const B904: &str =
    "B904 Within an `except` clause, raise exceptions with `raise ... from err` or `raise ... from None`";
const SC2086: &str = "SC2086 Double quote to prevent globbing and word splitting.";
const EQEQ: &str =
    "lint/suspicious/noDoubleEquals Using == may be unsafe if you are relying on type coercion.";
const UNUSED: &str = "no-unused-vars 'a' is assigned a value but never used.";

/// One case: name, path, before, after, the line of the finding, its rule and message as linters write them.
type Case<'a> = (&'a str, &'a str, &'a str, &'a str, u32, &'a str);

/// What is said about a case.
fn check(&(_, path, before, after, line, rule): &Case<'_>) -> Vec<String> {
    let (code, message) = rule.split_once(' ').unwrap();
    let findings = [Finding {
        file: path.to_owned(),
        line,
        column: 1,
        end_line: None,
        code: code.to_owned(),
        message: message.to_owned(),
        linter: "any".to_owned(),
        level: Level::Warning,
        fixable: false,
        fix: None,
    }];
    refusals(&Candidate { path, before, after, findings: &findings, most_lines: 80 })
}

#[test]
fn honest_fixes_pass() {
    let refused = ACCEPTED.iter().filter_map(|case| {
        let found = check(case);
        (!found.is_empty()).then(|| format!("{}: {}", case.0, found.join("; ")))
    });
    assert_eq!(refused.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn changes_of_meaning_are_refused() {
    let wrong = REFUSED.iter().filter_map(|case| {
        let found = check(case);
        (found != [case.0])
            .then(|| format!("{}: {:?} → {:?}: {found:?}, not {:?}", case.1, case.2, case.3, case.0))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
}
