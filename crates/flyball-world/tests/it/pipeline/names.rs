//! Strange files and strange names.

use flyball_quality::linter::{Check, Entry, Filter, Output};
use flyball_quality::report::Formatted;

use crate::pipeline::site::{LINES, Site, places, words};

const STRANGE: [&str; 9] = [
    "with blank.txt",
    "colon:3:1:x.txt",
    "quote\"'`.txt",
    "line\nbreak.txt",
    "-dash.txt",
    "--fix.txt",
    "a[1]*?.txt",
    "{root}.txt",
    "ünï/cödé.txt",
];

#[test]
fn defect_22_a_strange_name_does_not_make_findings_vanish() {
    for name in STRANGE {
        let mut site = Site::new(&[(name, "fine\nBAD  \n")]);
        site.formatter("trim", &["sed", "s/ *$//"]);
        site.finds_bad();
        let report = site.run_one(name);
        assert_eq!(report.file, name);
        assert_eq!(report.format, Formatted::Rewritten, "{name}");
        assert_eq!(places(&report.findings), [(2, "BAD")], "{name}");
        assert_eq!(report.findings[0].file, name);
    }
}

#[test]
fn strange_names_go_through_one_command_together() {
    let files: Vec<(&str, &str)> = STRANGE.iter().map(|name| (*name, "BAD\n")).collect();
    let mut site = Site::new(&files);
    site.finds_bad();
    let report = site.run(&STRANGE);
    assert_eq!(report.troubles, []);
    for file in &report.files {
        assert_eq!(places(&file.findings), [(1, "BAD")], "{}", file.file);
    }
    assert_eq!(site.started(), ["finds-bad"]);
}

#[test]
fn what_is_not_text_or_outside_is_skipped() {
    let mut site = Site::new(&[("a.md", "BAD\n"), (".venv/x.txt", "BAD\n"), ("empty.txt", "")]);
    site.finds_bad();
    site.formatter("trim", &["sed", "s/ *$//"]);
    std::fs::write(site.root().join("binary.txt"), b"BAD\0BAD\n").unwrap();
    std::fs::write(site.root().join("latin.txt"), b"BAD \xe4\n").unwrap();
    std::fs::write(site.root().join("long.txt"), "BAD\n".repeat(300_000)).unwrap();
    std::fs::write(site.beside("outside.txt"), "BAD\n").unwrap();
    let files = [
        "a.md",
        ".venv/x.txt",
        "binary.txt",
        "latin.txt",
        "long.txt",
        "gone.txt",
        "../outside.txt",
        "empty.txt",
    ];
    let report = site.run(&files);
    assert_eq!(report.troubles, []);
    let seen: Vec<&str> = report.files.iter().map(|file| file.file.as_str()).collect();
    assert_eq!(seen, ["empty.txt"]);
    assert_eq!(site.run(&["../outside.txt"]).files, []);
}

#[test]
fn windows_line_endings_stay_and_count_as_lines() {
    let mut site = Site::new(&[("a.txt", "fine\r\nBAD\r\n")]);
    site.formatter("same", &["cat"]);
    site.finds_bad();
    let report = site.run_one("a.txt");
    assert_eq!(report.format, Formatted::Already);
    assert_eq!(places(&report.findings), [(2, "BAD")]);
    assert_eq!(site.read("a.txt"), "fine\r\nBAD\r\n");
}

#[test]
fn findings_about_other_files_and_duplicates_are_left_out() {
    let mut site = Site::new(&[("sub/a.txt", "x\n"), ("b.txt", "x\n")]);
    site.finds_bad();
    let script = "echo \"$1:1:one\"\necho \"$1:1:one\"\necho \"./$1:1:one\"\necho \"$PWD/$1:2:two\"\necho b.txt:1:other\n";
    site.program("finds-bad", script);
    let report = site.run_one("sub/a.txt");
    assert_eq!(places(&report.findings), [(1, "BAD"), (2, "BAD")]);
}

#[test]
fn linters_are_chosen_by_globs_needs_and_kind() {
    let mut site = Site::new(&[("sub/a.txt", "BAD\n"), ("tests/b.txt", "BAD\n")]);
    site.finds_bad();
    let names = |site: &Site, file: &str| {
        let mut report = site.run(&[file]);
        report.files.pop().map(|file| file.linters).unwrap_or_default()
    };
    assert_eq!(names(&site, "tests/b.txt"), ["finds-bad"]);
    site.settings.linters[0].entry.security = Some(true);
    assert_eq!(names(&site, "tests/b.txt"), [""; 0]);
    assert_eq!(names(&site, "sub/a.txt"), ["finds-bad"]);
    site.settings.linters[0].entry.needs = Some(words(&["needed.toml"]));
    assert_eq!(names(&site, "sub/a.txt"), [""; 0]);
    site.put("needed.toml", "");
    assert_eq!(names(&site, "sub/a.txt"), ["finds-bad"]);
    site.settings.linters[0].entry.unless = Some(words(&["stop.toml"]));
    assert_eq!(names(&site, "sub/a.txt"), ["finds-bad"]);
    site.put("sub/stop.toml", "");
    assert_eq!(names(&site, "sub/a.txt"), [""; 0]);
    site.settings.linters[0].entry.unless = None;
    site.settings.linters[0].entry.exclude = Some(words(&["sub/**"]));
    assert_eq!(names(&site, "sub/a.txt"), [""; 0]);
}

#[test]
fn a_linter_started_by_another_program_gets_its_words() {
    let mut site = Site::new(&[("a.txt", "BAD\n")]);
    site.finds_bad().via = Some(words(&["env", "X=1"]));
    let path = format!("{}/.venv/bin/finds-bad", site.root().display());
    site.settings.linters[0].entry.check.as_mut().unwrap().command = vec![path, "{files}".to_owned()];
    assert_eq!(places(&site.run_one("a.txt").findings), [(1, "BAD")]);
}

#[test]
fn an_empty_file_may_be_formatted_and_checked() {
    let mut site = Site::new(&[("a.txt", "")]);
    site.formatter("same", &["cat"]);
    site.program("odd", "test -s \"$1\" || echo \"$1:1:empty\"\n");
    let check = Check {
        command: words(&["odd", "{file}"]),
        code: "EMPTY".to_owned(),
        output: Output::Lines(LINES.to_owned()),
        ..Check::default()
    };
    let filter = Filter { command: words(&["cat"]), ..Filter::default() };
    site.linter("odd", Entry { check: Some(check), format: Some(vec![filter]), ..Entry::default() });
    assert_eq!(places(&site.run_one("a.txt").findings), [(1, "EMPTY")]);
}
