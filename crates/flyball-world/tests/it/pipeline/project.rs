//! Linters that look at the whole project.

use flyball_quality::linter::{Check, Entry, Folder, Output, Reach};
use flyball_quality::report::FailureKind;

use crate::pipeline::site::{LINES, Site, words};

/// A linter that finds `BAD` anywhere below the folder it runs in.
fn site() -> Site {
    let mut site = Site::new(&[("a.txt", "BAD\n"), ("sub/b.txt", "BAD\n"), ("c.md", "BAD\n")]);
    site.program("whole", "grep -rHn BAD --include='*.txt' .\ntest $? -le 1\n");
    let check = Check {
        command: words(&["whole"]),
        code: "WHOLE".to_owned(),
        output: Output::Lines(LINES.to_owned()),
        ..Check::default()
    };
    site.linter("whole", Entry { check: Some(check), reach: Some(Reach::Project), ..Entry::default() });
    site.settings.project.deadline_seconds = 30;
    site.project = true;
    site
}

fn found(site: &Site, files: &[&str]) -> Vec<String> {
    let report = site.run(files);
    assert_eq!(report.troubles, []);
    assert_eq!(report.files, []);
    report.project.into_iter().map(|finding| finding.file).collect()
}

#[test]
fn it_runs_once_and_reports_edited_files() {
    let mut site = site();
    assert_eq!(found(&site, &["a.txt", "c.md"]), ["a.txt"]);
    assert_eq!(site.started(), ["whole"]);
    site.settings.linters[0].entry.only_edited = Some(false);
    assert_eq!(found(&site, &["a.txt"]), ["a.txt", "sub/b.txt"]);
}

#[test]
fn it_does_not_run_if_no_file_is_for_it_or_it_is_off() {
    let mut site = site();
    assert_eq!(found(&site, &["c.md"]), [""; 0]);
    site.project = false;
    assert_eq!(found(&site, &["a.txt"]), [""; 0]);
    assert_eq!(site.started(), [""; 0]);
}

#[test]
fn an_unchanged_project_starts_no_process() {
    let site = site();
    found(&site, &["a.txt"]);
    assert_eq!(found(&site, &["a.txt", "sub/b.txt"]), ["a.txt", "sub/b.txt"]);
    assert_eq!(site.started(), ["whole"]);
    site.put("sub/b.txt", "fine\n");
    assert_eq!(found(&site, &["a.txt", "sub/b.txt"]), ["a.txt"]);
    assert_eq!(site.started(), ["whole"]);
}

#[test]
fn it_runs_where_its_config_is() {
    let mut site = site();
    site.put("sub/whole.toml", "");
    site.settings.linters[0].entry.needs = Some(words(&["whole.toml"]));
    site.settings.linters[0].entry.check.as_mut().unwrap().folder = Folder::Config;
    assert_eq!(found(&site, &["a.txt"]), [""; 0]);
    assert_eq!(found(&site, &["a.txt", "sub/b.txt"]), ["sub/b.txt"]);
    assert_eq!(site.started(), ["whole"]);
}

#[test]
fn a_report_in_a_file_is_read_and_a_missing_one_is_a_failure() {
    let mut site = site();
    site.program("whole", "grep -rHn BAD --include='*.txt' . > \"$1/report\"\ntrue\n");
    let check = site.settings.linters[0].entry.check.as_mut().unwrap();
    check.command = words(&["whole", "{scratch}", "{project_folders}"]);
    check.output_file = "{scratch}/report".to_owned();
    assert_eq!(found(&site, &["a.txt"]), ["a.txt"]);
    site.program("whole", "exit 0\n");
    let report = site.run(&["a.txt"]);
    assert_eq!(report.troubles[0].kind, FailureKind::Failed);
    assert_eq!(report.troubles[0].what, "wrote no report");
}

#[test]
fn one_that_reports_its_failure_has_failed() {
    let mut site = site();
    site.program("whole", "echo 'fatal: no config' >&2\n");
    site.settings.linters[0].entry.check.as_mut().unwrap().failed = "(?m)^fatal:".to_owned();
    let report = site.run(&["a.txt"]);
    assert_eq!(report.troubles[0].what, "reported a failure: fatal: no config");
}

#[test]
fn what_is_excluded_is_never_reported_though_it_was_read() {
    let mut site = site();
    site.put("tests/d.txt", "BAD\n");
    let all = ["a.txt", "sub/b.txt", "tests/d.txt"];
    for only_edited in [true, false] {
        let entry = &mut site.settings.linters[0].entry;
        (entry.only_edited, entry.security, entry.exclude) = (Some(only_edited), None, None);
        assert_eq!(found(&site, &all), all);
        site.settings.linters[0].entry.security = Some(true);
        assert_eq!(found(&site, &all), ["a.txt", "sub/b.txt"]);
        site.settings.linters[0].entry.exclude = Some(words(&["a.txt"]));
        assert_eq!(found(&site, &all), ["sub/b.txt"]);
        let exclude = std::mem::replace(&mut site.settings.exclude, words(&["sub/**"]));
        assert_eq!(found(&site, &all), [""; 0]);
        site.settings.exclude = exclude;
    }
}

#[test]
fn one_that_is_late_is_reported_with_the_deadline_that_it_missed() {
    let mut site = site();
    site.program("whole", "exec sleep 600\n");
    site.settings.project.deadline_seconds = 1;
    let report = site.run(&["a.txt"]);
    assert_eq!(report.troubles[0].kind, FailureKind::Late);
    assert_eq!(report.troubles[0].fix, "raise `quality.project.deadline_seconds` or disable the linter");
}
