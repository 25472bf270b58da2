//! Linters that crash, hang, print garbage or are missing: reported, and never taken for "clean".

use flyball_quality::linter::{Check, Entry, Floor, Output};
use flyball_quality::report::{FailureKind, LinterFailure};

use crate::pipeline::site::{LINES, Site, places, words};

/// A project with one file and one linter that does this.
fn site(script: &str) -> Site {
    let mut site = Site::new(&[("a.txt", "BAD\n")]);
    site.program("odd", script);
    let check = Check {
        command: words(&["odd", "{file}"]),
        code: "ODD".to_owned(),
        output: Output::Lines(LINES.to_owned()),
        ..Check::default()
    };
    site.linter("odd", Entry { check: Some(check), ..Entry::default() });
    site
}

fn error(kind: FailureKind, what: &str) -> LinterFailure {
    let fix = match kind {
        FailureKind::Late => "raise `quality.deadline_seconds` or disable the linter",
        _ => "run `flyball lint` on the file, or change `quality.linters.odd` in flyball.toml",
    };
    LinterFailure {
        linter: "odd".to_owned(),
        kind,
        what: what.to_owned(),
        fix: fix.to_owned(),
        files: words(&["a.txt"]),
    }
}

#[test]
fn defect_16_a_linter_that_fails_is_not_clean() {
    let cases = [
        ("exit 2\n", "exited with code 2"),
        ("echo 'bad config' >&2\nexit 2\n", "exited with code 2: bad config"),
        (
            "echo 'Traceback' >&2\nexit 1\n",
            "its output cannot be read as findings: it exited with 1 and printed nothing: Traceback",
        ),
        ("kill -9 $$\n", "killed by signal 9"),
    ];
    for (script, what) in cases {
        let site = site(script);
        // Twice: a failure is not cached.
        for _ in 0..2 {
            let report = site.run(&["a.txt"]);
            assert_eq!(report.troubles, [error(FailureKind::Failed, what)], "{script}");
            assert_eq!(report.files[0].findings, [], "{script}");
            assert_eq!(report.files[0].linters, [""; 0], "{script}");
            assert!(!report.files[0].cached, "{script}");
            assert_eq!(site.started(), ["odd"], "{script}");
        }
    }
}

#[test]
fn garbage_is_a_failure() {
    let mut site = site("echo 'all is fine, trust me'\n");
    let report = site.run(&["a.txt"]);
    assert_eq!(report.troubles.len(), 1);
    assert_eq!(report.troubles[0].kind, FailureKind::Failed);
    site.settings.linters[0].entry.check.as_mut().unwrap().output = Output::Sarif;
    assert_eq!(site.run(&["a.txt"]).troubles[0].kind, FailureKind::Failed);
}

#[test]
fn what_a_linter_found_before_it_crashed_is_reported() {
    let site = site("echo \"$1:1:bad\"\necho oops >&2\nexit 70\n");
    let report = site.run(&["a.txt"]);
    assert_eq!(report.troubles, [error(FailureKind::Failed, "exited with code 70: oops")]);
    assert_eq!(places(&report.files[0].findings), [(1, "ODD")]);
}

#[test]
fn a_linter_that_hangs_is_stopped_and_the_others_are_reported() {
    let mut site = site("exec sleep 600\n");
    site.finds_bad();
    site.settings.deadline_seconds = 5;
    // Beside the one that hangs there is room for the other, however few cores there are.
    site.settings.processes = 2;
    let report = site.run(&["a.txt"]);
    assert_eq!(report.troubles.len(), 1);
    assert_eq!(report.troubles[0].kind, FailureKind::Late);
    assert_eq!(report.troubles[0].files, ["a.txt"]);
    assert_eq!(places(&report.files[0].findings), [(1, "BAD")]);
    assert_eq!(report.files[0].linters, ["finds-bad"]);
}

#[test]
fn a_missing_linter_is_reported_once_with_its_install_hint() {
    let mut site = Site::new(&[("a.txt", "x\n"), ("b.txt", "x\n")]);
    let check = Check { command: words(&["is-not-there", "{files}"]), ..Check::default() };
    let install = Some("uv tool install it".to_owned());
    site.linter("gone", Entry { check: Some(check), install, ..Entry::default() });
    let expected = LinterFailure {
        linter: "gone".to_owned(),
        kind: FailureKind::Missing,
        what: "`is-not-there` is not installed".to_owned(),
        fix: "uv tool install it".to_owned(),
        files: words(&["a.txt", "b.txt"]),
    };
    let expected = [expected];
    assert_eq!(site.run(&["a.txt", "b.txt"]).troubles, expected);
    // As with `runtime = "npm"` of Biome: what npx prints about a package that is not there is not the linter's output.
    site.settings.linters[0].entry.via = Some(words(&["npx", "--no-install"]));
    assert_eq!(site.run(&["a.txt", "b.txt"]).troubles, expected);
    site.settings.linters[0].entry.optional = Some(true);
    assert_eq!(site.run(&["a.txt", "b.txt"]).troubles, []);
}

#[test]
fn a_missing_linter_that_the_project_declares_comes_with_its_packages() {
    type Files = &'static [(&'static str, &'static str)];
    const DECLARES: &str = "{\"devDependencies\": {\"it\": \"1\"}}\n";
    let npm = "npm install --save-dev it";
    let cases: [(&str, Files, &str); 7] = [
        (npm, &[("package.json", DECLARES)], "npm install"),
        (npm, &[("package.json", DECLARES), ("package-lock.json", "{}")], "npm ci"),
        (npm, &[("package.json", DECLARES), ("pnpm-lock.yaml", "")], "pnpm install"),
        (npm, &[("package.json", "{}"), ("uv.lock", "[[package]]\nname = \"it\"\n")], "uv sync"),
        (npm, &[("pyproject.toml", "[dependency-groups]\ntype = [\"it>=1\"]\n"), ("uv.lock", "")], "uv sync"),
        (npm, &[("pyproject.toml", "[dependency-groups]\ntype = [\"item\"]\n"), ("uv.lock", "")], npm),
        ("uv tool install it", &[("uv.lock", "[[package]]\nname = \"other\"\n")], "uv tool install it"),
    ];
    for (install, files, fix) in cases {
        let mut site = Site::new(&[&[("a.txt", "x\n")], files].concat());
        let check = Check { command: words(&["is-not-there", "{files}"]), ..Check::default() };
        let install = Some(install.to_owned());
        site.linter("gone", Entry { check: Some(check), install, ..Entry::default() });
        let fixes: Vec<String> = site.run(&["a.txt"]).troubles.into_iter().map(|it| it.fix).collect();
        assert_eq!(fixes, [fix], "{files:?}");
    }
}

#[test]
fn a_starter_without_a_toolchain_is_a_missing_linter_and_no_broken_config() {
    let script = "echo \"error: rustup could not choose a version of rustfmt to run, because one wasn't specified explicitly, \
                  and no default is configured (odd.toml)\" >&2\nexit 1\n";
    let mut site = site(script);
    site.settings.linters[0].entry.configs = Some(words(&["odd.toml"]));
    let expected = LinterFailure {
        linter: "odd".to_owned(),
        kind: FailureKind::Missing,
        what: "its toolchain is not installed".to_owned(),
        fix: "rustup default stable".to_owned(),
        files: words(&["a.txt"]),
    };
    assert_eq!(site.run(&["a.txt"]).troubles, [expected]);
}

#[test]
fn a_linter_that_is_too_old_is_reported_and_runs_all_the_same() {
    let mut site = site("case $1 in --version) echo 'odd 2.9.1';; *) echo \"$1:1:bad\";; esac\n");
    let at_least = "2.12.0".to_owned();
    site.settings.linters[0].entry.version = Some(Floor { at_least, ..Floor::default() });
    site.settings.linters[0].entry.install = Some("get a new one".to_owned());
    for starts in [2, 0] {
        let report = site.run(&["a.txt"]);
        assert_eq!(report.troubles.len(), 1);
        assert_eq!(report.troubles[0].kind, FailureKind::TooOld);
        assert_eq!(report.troubles[0].what, "version 2.9.1 is older than 2.12.0");
        assert_eq!(report.troubles[0].fix, "get a new one");
        assert_eq!(places(&report.files[0].findings), [(1, "ODD")]);
        assert_eq!(site.started().len(), starts);
    }
}

#[test]
fn one_poisonous_file_does_not_prevent_the_others_from_being_checked() {
    for count in [5, 40] {
        let names: Vec<String> = (0..count).map(|at| format!("{at:02}.txt")).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x\nBAD\n")).collect();
        let mut site = Site::new(&files);
        site.finds_bad();
        site.put("03.txt", "POISON\n");
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let report = site.run(&names);
        assert_eq!(report.troubles.len(), 1);
        assert_eq!(report.troubles[0].what, "exited with code 3: cannot read 03.txt");
        assert_eq!(report.troubles[0].files, ["03.txt"]);
        for file in &report.files {
            let expected: &[(u32, &str)] = if file.file == "03.txt" { &[] } else { &[(2, "BAD")] };
            assert_eq!(places(&file.findings), expected, "{}", file.file);
        }
        // The others are cached now: only the poisonous one is checked.
        site.started();
        site.run(&names);
        assert_eq!(site.started(), ["finds-bad"]);
    }
}

#[test]
fn a_linter_that_always_fails_is_not_tried_for_each_of_many_files() {
    let names: Vec<String> = (0..100).map(|at| format!("{at}.txt")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x\n")).collect();
    let mut site = Site::new(&files);
    site.finds_bad();
    site.program("finds-bad", "echo 'no config' >&2\nexit 2\n");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = site.run(&names);
    assert_eq!(report.troubles[0].what, "exited with code 2: no config");
    assert!(site.started().len() < 40);
}

#[test]
fn a_linter_that_names_no_file_runs_on_each_by_itself() {
    let mut site = Site::new(&[("a.txt", "x\n"), ("b.txt", "x\n")]);
    site.finds_bad();
    site.program("finds-bad", "echo \"2:bad\"\n");
    let lines = Output::Lines(r"^(?<line>\d+):(?<message>.*)$".to_owned());
    site.settings.linters[0].entry.check.as_mut().unwrap().output = lines;
    let report = site.run(&["a.txt", "b.txt"]);
    assert_eq!(report.troubles, []);
    for file in report.files {
        assert_eq!(places(&file.findings), [(2, "BAD")]);
    }
}

#[test]
fn a_formatter_that_hangs_leaves_time_for_the_checks() {
    let mut site = Site::new(&[("a.txt", "BAD\n")]);
    site.program("hangs", "exec sleep 600\n");
    site.formatter("hangs", &["hangs"]);
    site.finds_bad();
    site.settings.deadline_seconds = 8;
    let report = site.run(&["a.txt"]);
    assert_eq!(places(&report.files[0].findings), [(1, "BAD")]);
    let late: Vec<&str> = report.troubles.iter().map(|error| error.linter.as_str()).collect();
    assert_eq!(late, ["hangs"]);
}
