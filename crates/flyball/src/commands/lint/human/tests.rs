//! Whole pages for reports made by hand.

use flyball_quality::formats::{Rewriting, with_formatting};
use flyball_quality::report::{FileReport, Formatted};

use flyball_core::path::ProjectPath;

use super::super::Format;
use super::*;

fn arguments() -> Arguments {
    Arguments {
        paths: Vec::new(),
        staged: false,
        changed: None,
        fix: false,
        model: false,
        project: false,
        scope: None,
        format: Format::Human,
        linter: Vec::new(),
        no_cache: false,
        why: false,
        strict: false,
        quiet: false,
    }
}

fn finding(file: &str, (line, column): (u32, u32), (linter, code): (&str, &str), message: &str) -> Finding {
    Finding {
        file: file.to_owned(),
        line,
        column,
        end_line: None,
        code: code.to_owned(),
        message: message.to_owned(),
        linter: linter.to_owned(),
        level: Level::Error,
        fixable: false,
    }
}

fn error(linter: &str, kind: FailureKind, what: &str) -> LinterFailure {
    LinterFailure {
        linter: linter.to_owned(),
        kind,
        what: what.to_owned(),
        fix: format!("install {linter}"),
        files: vec!["b.py".to_owned(), "c.py".to_owned()],
    }
}

fn report() -> Report {
    let long = "a message that is so long that it cannot stand in one line of a narrow terminal";
    let mut advice = finding("b.py", (110, 0), ("vulture", "V"), long);
    advice.level = Level::Advisory;
    let mut fixable = finding("b.py", (3, 14), ("ruff", "F841"), "`x`\u{1b}[2J is not used");
    fixable.fixable = true;
    let file = FileReport {
        file: ProjectPath::new("b.py").unwrap(),
        format: Formatted::Due,
        findings: vec![fixable, advice],
        old: 1,
        fix: Some(FixReport {
            model: "haiku".to_owned(),
            given: 3,
            end: FixOutcome::Kept(1),
            took: Duration::from_millis(10),
        }),
        linters: vec!["ruff".to_owned()],
        ..FileReport::default()
    };
    let troubles = vec![
        error("hadolint", FailureKind::Missing, "it is not installed"),
        error("ty", FailureKind::Failed, "exited with code 101:\nboom"),
    ];
    with_formatting(Report { files: vec![file], troubles, ..Report::default() }, Rewriting::Wanted)
}

fn shown(report: &Report, columns: usize, arguments: &Arguments) -> String {
    let terminal = Terminal::plain(columns);
    let coverage = Coverage::Chosen;
    Human {
        report,
        coverage,
        took: Duration::from_millis(1_234),
        fixing_linters: vec!["ruff"],
        terminal: &terminal,
    }
    .lines(arguments)
    .join("\n")
}

#[test]
fn findings_are_below_their_file_in_columns() {
    let expected = "\
b.py
  -     warning   format  is not formatted     flyball
  3:14  error     F841    `x`\u{fffd}[2J is not used  ruff
  110   advisory  V       a message that is so long that it cannot stand in one line of a narrow terminal  vulture

b.py: haiku fixed 1 of 3 findings
✗ ty: exited with code 101: boom (b.py and 1 more)
  → install ty
2 findings in 1 file, 1 advisory (up to 2 fixable with --fix) · 1 older finding left out (--scope file shows it) · 1 file, 1 linter, 1.2 s · not checked by ty · not installed: hadolint";
    assert_eq!(shown(&report(), 200, &arguments()), expected);
}

#[test]
fn a_narrow_terminal_wraps_messages_below_themselves() {
    let expected = "\
b.py
  -     warning   format  is not formatted                 flyball
  3:14  error     F841    `x`\u{fffd}[2J is not used              ruff
  110   advisory  V       a message that is so long that   vulture
                          it cannot stand in one line of
                          a narrow terminal
";
    let text = shown(&report(), 66, &arguments());
    assert_eq!(text.lines().take(6).collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
}

#[test]
fn strict_shows_what_is_missing_and_quiet_leaves_the_numbers_out() {
    let strict = shown(&report(), 200, &Arguments { strict: true, ..arguments() });
    assert!(
        strict.contains("\n! hadolint: it is not installed (b.py and 1 more)\n  → install hadolint\n"),
        "{strict}"
    );
    let file = FileReport {
        file: ProjectPath::new("a.py").unwrap(),
        findings: vec![finding("a.py", (1, 1), ("ruff", "E1"), "no")],
        ..FileReport::default()
    };
    let one = Report { files: vec![file], ..Report::default() };
    let quiet = Arguments { quiet: true, ..arguments() };
    assert_eq!(shown(&one, 80, &quiet), "a.py\n  1:1  error  E1  no  ruff");
    assert_eq!(shown(&Report::default(), 80, &quiet), "");
}

#[test]
fn nothing_found_is_one_line() {
    let file = FileReport {
        file: ProjectPath::new("a.py").unwrap(),
        format: Formatted::Rewritten,
        linters: vec!["ruff".to_owned(), "ty".to_owned()],
        ..FileReport::default()
    };
    let report = Report { files: vec![file], ..Report::default() };
    assert_eq!(shown(&report, 80, &arguments()), "no findings · 1 file rewritten · 1 file, 2 linters, 1.2 s");
    assert_eq!(shown(&Report::default(), 80, &arguments()), "no findings · 0 files, 0 linters, 1.2 s");
}
