//! In a project that nobody trusts, no code of it is run.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use flyball_quality::linter::{Check, Entry, Output};
use flyball_quality::pipeline::ProjectCode;
use flyball_quality::report::{FailureKind, Report};

use super::site::{LINES, Site, words};

fn left_out(report: &Report) -> Vec<&str> {
    let untrusted = report.troubles.iter().filter(|it| it.kind == FailureKind::Untrusted);
    untrusted.map(|it| it.linter.as_str()).collect()
}

/// A linter whose program is outside of the project.
fn outside(site: &mut Site, entry: Entry) {
    let path = site.beside("lints");
    fs::write(&path, "#!/bin/sh\ngrep -Hn BAD \"$@\"\ntrue\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let command = words(&[path.to_str().unwrap(), "{files}"]);
    let check = Check { command, output: Output::Lines(LINES.to_owned()), ..Check::default() };
    site.linter("lints", Entry { check: Some(check), ..entry });
}

#[test]
fn programs_of_the_project_are_not_run() {
    let mut site = Site::new(&[("a.txt", "BAD\n")]);
    site.finds_bad().version = Some(flyball_quality::linter::Floor::default());
    assert_eq!(site.run(&["a.txt"]).files[0].findings.len(), 1);
    assert!(!site.started().is_empty());
    site.project_code = ProjectCode::LeaveOut;
    site.put("a.txt", "BAD again\n");
    let report = site.run(&["a.txt"]);
    assert_eq!(site.started(), [] as [&str; 0], "neither for the check nor for its version");
    assert_eq!(left_out(&report), ["finds-bad"]);
    assert_eq!(report.troubles[0].fix, "run `flyball trust` in the project if you trust it");
}

#[test]
fn linters_whose_config_is_code_are_left_out() {
    let configs = |names: &[&str]| Entry { configs: Some(words(names)), ..Entry::default() };
    let listed = |names: &[&str]| Entry { project_code: Some(words(names)), ..configs(&["house.json"]) };
    let cases: [(Entry, &str, &str, bool); 9] = [
        (configs(&["house.json"]), "house.json", "{}", false),
        (configs(&["house.json", "house.config.mjs"]), "house.json", "{}", false),
        (configs(&["house.json", "house.config.mjs"]), "house.config.mjs", "", true),
        (listed(&["house.json"]), "house.json", "{}", true),
        (listed(&["house.json"]), "sub/house.json", "{}", false),
        (listed(&["package.json"]), "package.json", "{\"name\": \"x\"}", false),
        (listed(&["package.json"]), "package.json", "{\"lints\": {}}", true),
        (listed(&["package.json"]), "package.json", "{\"\\u006cints\": {}}", true),
        (listed(&["*"]), "other", "", true),
    ];
    for (entry, file, text, expected) in cases {
        let what = format!("{entry:?} with {file} {text}");
        let mut site = Site::new(&[("a.txt", "BAD\n"), (file, text)]);
        outside(&mut site, entry);
        assert_eq!(site.run(&["a.txt"]).files[0].findings.len(), 1, "trusted: {what}");
        site.project_code = ProjectCode::LeaveOut;
        let report = site.run(&["a.txt"]);
        assert_eq!(left_out(&report), if expected { vec!["lints"] } else { vec![] }, "{what}");
        assert_eq!(report.files[0].findings.is_empty(), expected, "{what}");
    }
}

#[test]
fn programs_that_start_those_of_the_project_are_left_out() {
    for (via, command) in [(&["uv", "run"] as &[&str], &["lints"] as &[&str]), (&[], &["npx", "lints"])] {
        let mut site = Site::new(&[("a.txt", "x\n")]);
        site.project_code = ProjectCode::LeaveOut;
        let check = Check { command: words(command), ..Check::default() };
        site.linter("lints", Entry { via: Some(words(via)), check: Some(check), ..Entry::default() });
        assert_eq!(left_out(&site.run(&["a.txt"])), ["lints"], "{via:?} {command:?}");
    }
}

#[test]
fn the_built_in_linters_that_run_code_are_known() {
    let cases = [
        ("clippy", "src/a.rs", "Cargo.toml"),
        ("rustfmt", "src/a.rs", "rust-toolchain.toml"),
        ("flake8", "a.py", ".flake8"),
        ("golangci-lint", "a.go", ".golangci.yml"),
        ("knip", "a.ts", "package.json"),
        ("oxlint", "a.ts", ".oxlintrc.json"),
        ("markdownlint-cli2", "a.md", ".markdownlint-cli2.jsonc"),
        ("jscpd", "a.ts", ".jscpd.json"),
    ];
    for (linter, file, config) in cases {
        let mut site = Site::new(&[(file, "async def x(): BaseModel\n"), (config, ""), ("go.mod", "")]);
        site.builtin(&[linter]);
        site.project = true;
        site.project_code = ProjectCode::LeaveOut;
        assert_eq!(left_out(&site.run(&[file])), [linter], "{config}");
    }
}
