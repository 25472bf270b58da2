//! Which findings count under each scope.

use super::*;

fn finding(line: u32, code: &str) -> Finding {
    Finding {
        file: "a.py".to_owned(),
        line,
        column: 0,
        end_line: None,
        code: code.to_owned(),
        message: format!("{code} in line {line}"),
        linter: "l".to_owned(),
        level: Level::Warning,
        fixable: false,
        fix: None,
    }
}

fn by_linter(findings: &[(u32, &str)], before: Option<&[(u32, &str)]>) -> Vec<LinterFindings> {
    let all = |list: &[(u32, &str)]| list.iter().map(|(line, code)| finding(*line, code)).collect();
    vec![LinterFindings { linter: "l".to_owned(), findings: all(findings), before: before.map(all) }]
}

fn remaining(
    scope: Scope,
    (before, now): (Option<&str>, &str),
    by_linter: &[LinterFindings],
) -> (Vec<(u32, String)>, usize) {
    let (findings, old) = apply(scope, States { before, now }, by_linter);
    (findings.into_iter().map(|finding| (finding.line, finding.code)).collect(), old)
}

#[test]
fn all_findings_of_an_edited_file_count() {
    let by_linter = by_linter(&[(2, "B"), (1, "A")], None);
    let (findings, old) = remaining(Scope::File, (Some("a\nb\n"), "a\nb\n"), &by_linter);
    assert_eq!(findings, [(1, "A".to_owned()), (2, "B".to_owned())]);
    assert_eq!(old, 0);
}

#[test]
fn only_changed_lines_count() {
    let by_linter = by_linter(&[(0, "W"), (1, "A"), (2, "B"), (9, "END")], None);
    let states = (Some("a\nb\nc\n"), "a\nx\nc\n");
    let expected = (vec![(0, "W".to_owned()), (2, "B".to_owned())], 2);
    assert_eq!(remaining(Scope::ChangedLines, states, &by_linter), expected);
    assert_eq!(remaining(Scope::ChangedLines, (Some("a\n"), "a\n"), &by_linter), (vec![], 4));
    assert_eq!(remaining(Scope::ChangedLines, (None, "a\n"), &by_linter).1, 0);
}

#[test]
fn a_finding_about_many_lines_counts_if_one_of_them_changed() {
    let mut by_linter = by_linter(&[(1, "A")], None);
    by_linter[0].findings[0].end_line = Some(3);
    assert_eq!(remaining(Scope::ChangedLines, (Some("a\nb\nc\n"), "a\nb\nx\n"), &by_linter).1, 0);
    assert_eq!(remaining(Scope::ChangedLines, (Some("a\nb\nc\nd\n"), "a\nb\nc\nx\n"), &by_linter).1, 1);
}

#[test]
fn what_moved_is_not_new() {
    let before = "bad()\nbad()\nfine()\n";
    let now = "first()\nbad()\nbad()\nfine()\nbad()\n";
    let by_linter = by_linter(&[(2, "A"), (3, "A"), (5, "A")], Some(&[(1, "A"), (2, "A")]));
    assert_eq!(remaining(Scope::New, (Some(before), now), &by_linter), (vec![(5, "A".to_owned())], 2));
}

#[test]
fn a_message_may_show_the_line_that_was_edited() {
    let (before, now) = ("fine\n* one\n", "fine\n* two\n");
    let shows = |text: &str| {
        let mut found = by_linter(&[(2, "A")], Some(&[(2, "A")]));
        found[0].findings[0].message = format!("about [Context: \"{text}\"]");
        found[0].before.as_mut().unwrap()[0].message = "about [Context: \"* one\"]".to_owned();
        remaining(Scope::New, (Some(before), now), &found)
    };
    assert_eq!(shows("* two"), (vec![], 1));
    // Another problem of the same kind is shown.
    assert_eq!(shows("two").0, [(2, "A".to_owned())]);
}

#[test]
fn a_new_finding_on_an_old_line_is_new() {
    let (before, now) = ("import os\nos.x()\n", "import os\n");
    let by_linter = by_linter(&[(1, "F401")], Some(&[]));
    assert_eq!(remaining(Scope::New, (Some(before), now), &by_linter), (vec![(1, "F401".to_owned())], 0));
}

#[test]
fn without_the_old_findings_changed_lines_decide_what_is_new() {
    let by_linter = by_linter(&[(1, "A"), (2, "B")], None);
    let (findings, old) = apply(Scope::New, States { before: Some("a\nb\n"), now: "a\nx\n" }, &by_linter);
    let [older, new] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((new.code.as_str(), new.level, old), ("B", Level::Warning, 0));
    assert_eq!((older.code.as_str(), older.level), ("unknown-age", Level::Advisory));
    let expected = "1 finding may be older, because the project as it was could not be checked: line 1 A";
    assert_eq!(older.message, expected);
}
