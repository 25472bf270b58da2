//! Linters that exceed a limit of their own: stopped, reported with the file, and never taken for "clean".

use flyball_quality::linter::{Check, Entry, Filter, Output};
use flyball_quality::report::{FailureKind, Formatted, LinterFailure};

use crate::pipeline::site::{LINES, Site, places, words};

/// What a linter does with a file that contains `HUGE` or `SLOW`: 300 MB from then on, or nothing at all.
const ODD: &str = "if grep -q HUGE \"$f\"; then x=$(head -c 314572800 /dev/zero | tr '\\0' x); sleep 600; fi\n\
    if grep -q SLOW \"$f\"; then sleep 600; fi\n";

/// A project with many files, of which one is odd, and a linter that checks them all at once.
fn site(odd: &str) -> Site {
    let names = names();
    let mut site = Site::new(&[]);
    for name in &names {
        site.put(name, "BAD\n");
    }
    site.put("f07.txt", &format!("BAD {odd}\n"));
    site.program("odd", &format!("for f in \"$@\"; do\n{ODD}echo \"$f:1:bad\"\ndone\nexit 1\n"));
    let check = Check {
        command: words(&["odd", "{files}"]),
        code: "ODD".to_owned(),
        output: Output::Lines(LINES.to_owned()),
        ..Check::default()
    };
    site.linter("odd", Entry { check: Some(check), ..Entry::default() });
    // One command for all.
    site.settings.processes = 1;
    site
}

fn names() -> Vec<String> {
    (0..16).map(|number| format!("f{number:02}.txt")).collect()
}

/// Only the odd file is not checked, and the linter was not started once for each of the others.
fn only_the_odd_file_is_unchecked(site: &Site, expected: &LinterFailure) {
    let names = names();
    let report = site.run(&names.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(report.troubles, std::slice::from_ref(expected));
    for file in &report.files {
        let is_odd = file.file == "f07.txt";
        assert_eq!(file.linters.is_empty(), is_odd, "{}", file.file);
        assert_eq!(places(&file.findings), if is_odd { vec![] } else { vec![(1, "ODD")] }, "{}", file.file);
    }
    // All at once, eight parts, the two files of one of them.
    assert_eq!(site.started().len(), 1 + 8 + 2);
}

fn failure(kind: FailureKind, what: &str, key: &str) -> LinterFailure {
    let fix =
        format!("raise `quality.linters.odd.{key}`, or name such files in `quality.linters.odd.exclude`");
    LinterFailure { linter: "odd".to_owned(), kind, what: what.to_owned(), fix, files: words(&["f07.txt"]) }
}

#[test]
fn a_linter_that_uses_too_much_memory_is_stopped_and_its_file_named() {
    let mut site = site("HUGE");
    site.settings.memory_mb = 100;
    let expected = failure(FailureKind::Memory, "stopped at more than 100 MB, its memory limit", "memory_mb");
    only_the_odd_file_is_unchecked(&site, &expected);
}

#[test]
fn a_linter_that_takes_too_long_is_stopped_and_its_file_named() {
    let mut site = site("SLOW");
    site.settings.timeout_seconds = 600;
    site.settings.linters[0].entry.timeout_seconds = Some(2);
    let expected = failure(FailureKind::Late, "stopped after 2 s, its time limit", "timeout_seconds");
    only_the_odd_file_is_unchecked(&site, &expected);
}

#[test]
fn children_of_a_linter_count_with_it() {
    let mut site = site("HUGE");
    // `tail` keeps what it was given until there is no more.
    let child = "(head -c 62914560 /dev/zero; sleep 600) | tail -c 62914560";
    site.program("odd", &format!("sh -c \"{child}\" & sh -c \"{child}\" & wait\n"));
    site.settings.linters[0].entry.memory_mb = Some(100);
    let report = site.run(&["f00.txt"]);
    let expected = failure(FailureKind::Memory, "stopped at more than 100 MB, its memory limit", "memory_mb");
    assert_eq!(report.troubles, [LinterFailure { files: words(&["f00.txt"]), ..expected }]);
}

#[test]
fn a_formatter_has_limits_too() {
    let mut site = Site::new(&[("a.txt", "HUGE\n")]);
    site.program("odd", &format!("f=$1\n{ODD}cat\n"));
    let filter = Filter { command: words(&["odd", "{file}"]), ..Filter::default() };
    let entry = Entry { format: Some(vec![filter]), memory_mb: Some(100), ..Entry::default() };
    site.linter("odd", entry);
    let report = site.run(&["a.txt"]);
    assert_eq!(report.files[0].format, Formatted::Already);
    assert_eq!(report.troubles[0].kind, FailureKind::Memory);
    assert_eq!(report.troubles[0].files, ["a.txt"]);
    assert_eq!(site.read("a.txt"), "HUGE\n");
}
