//! What is printed, in every format, and what a fix leaves behind.

use serde_json::{Value, json};

use super::{CROOKED, FINE, UNUSED, project, shown};
use crate::support::Project;

/// One linter of each language, so that a new one in the catalogue does not change the page.
const LINTERS: &[&str] = &[
    "lint",
    "--linter",
    "ruff",
    "--linter",
    "ruff-format",
    "--linter",
    "shellcheck",
    "--linter",
    "yamllint",
];

/// Three files with findings, two that are fine, and one that no linter is for.
fn mixed() -> Project {
    let project = project();
    project.file("app.py", "import os\n\n\ndef answer() -> int:\n    unused = 1\n    return 42\n");
    project.file("crooked.py", CROOKED).file("fine.py", FINE).file("notes.txt", "notes\n");
    project.file("bin/run it: now.sh", "#!/bin/sh\necho $1\n").file("fine.yaml", "---\nname: fine\n");
    project
}

fn lint(project: &Project, arguments: &[&str]) -> (i32, String, String) {
    let ran = project.run(&[LINTERS, arguments].concat());
    let (status, stdout, stderr) = shown(&ran);
    (status, stdout, stderr.to_owned())
}

const PAGE: &str = "\
app.py
  1:8  warning  F401  `os` imported but unused                               ruff
  5:5  warning  F841  Local variable `unused` is assigned to but never used  ruff

bin/run it: now.sh
  2:6  warning  SC2086  Double quote to prevent globbing and word splitting.  shellcheck

crooked.py
  -  warning  format  is not formatted  flyball

4 findings in 3 files (up to 2 fixable with --fix) · 5 files, 4 linters, TIME";

#[test]
fn a_page_for_people_groups_findings_by_file() {
    assert_eq!(lint(&mixed(), &[]), (1, PAGE.to_owned(), String::new()));
}

#[test]
fn an_unchanged_project_has_the_same_page_with_and_without_the_cache() {
    let project = mixed();
    for arguments in [&[][..], &[], &["--no-cache"]] {
        assert_eq!(lint(&project, arguments), (1, PAGE.to_owned(), String::new()), "{arguments:?}");
    }
}

#[test]
fn annotations_for_github_escape_what_separates() {
    let expected = "\
::warning file=app.py,line=1,col=8,title=ruff F401::`os` imported but unused
::warning file=app.py,line=5,col=5,title=ruff F841::Local variable `unused` is assigned to but never used
::warning file=bin/run it%3A now.sh,line=2,col=6,title=shellcheck SC2086::Double quote to prevent globbing and word splitting.
::warning file=crooked.py,line=1,title=flyball format::is not formatted";
    assert_eq!(lint(&mixed(), &["--format", "github"]), (1, expected.to_owned(), String::new()));
}

/// A finding of which the linter says what to do.
fn with_fix(mut finding: Value, fix: &str) -> Value {
    finding["fix"] = json!(fix);
    finding
}

#[test]
fn json_is_whole_and_of_version_1() {
    let (status, stdout, stderr) = lint(&mixed(), &["--format", "json"]);
    assert_eq!((status, stderr.as_str()), (1, ""));
    let finding = |file: &str,
                   (line, column): (u32, u32),
                   (linter, code, message): (&str, &str, &str),
                   fixable: bool| {
        json!({"file": file, "line": line, "column": column, "code": code, "message": message,
               "linter": linter, "level": "warning", "fixable": fixable})
    };
    let file = |file: &str, format: &str, linters: &[&str]| json!({"file": file, "format": format, "old": 0, "linters": linters, "cached": false});
    let unused = "Local variable `unused` is assigned to but never used";
    let quote = "Double quote to prevent globbing and word splitting.";
    let expected = json!({
        "version": 1,
        "summary": {
            "findings": 4, "errors": 0, "advisories": 0, "fixable": 3, "files_with_findings": 3, "old": 0,
            "files": 5, "rewritten": 0, "linters": 4, "failed": 0, "missing": 0,
        },
        "findings": [
            with_fix(
                finding("app.py", (1, 8), ("ruff", "F401", "`os` imported but unused"), true),
                "Remove unused import: `os`",
            ),
            with_fix(
                finding("app.py", (5, 5), ("ruff", "F841", unused), false),
                "Remove assignment to unused variable `unused`",
            ),
            finding("bin/run it: now.sh", (2, 6), ("shellcheck", "SC2086", quote), true),
            finding("crooked.py", (0, 0), ("flyball", "format", "is not formatted"), true),
        ],
        "files": [
            file("app.py", "already", &["ruff", "ruff-format"]),
            file("bin/run it: now.sh", "already", &["shellcheck"]),
            file("crooked.py", "due", &["ruff", "ruff-format"]),
            file("fine.py", "already", &["ruff", "ruff-format"]),
            file("fine.yaml", "already", &["yamllint"]),
        ],
        "troubles": [],
        "skipped": [],
    });
    let mut printed: Value = serde_json::from_str(&stdout).unwrap();
    let phases = printed.as_object_mut().unwrap().remove("phases").unwrap();
    let names: Vec<&str> =
        phases.as_array().unwrap().iter().map(|it| it["phase"].as_str().unwrap()).collect();
    assert_eq!(names, ["find", "base", "format", "check", "fix", "model", "project"]);
    assert_eq!(printed, expected);
}

#[test]
fn sarif_names_rules_places_and_levels() {
    let (status, stdout, stderr) = lint(&mixed(), &["--format", "sarif"]);
    assert_eq!((status, stderr.as_str()), (1, ""));
    let sarif: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let ids = ["flyball/format", "ruff/F401", "ruff/F841", "shellcheck/SC2086"];
    assert_eq!(run["tool"]["driver"]["rules"], json!(ids.map(|id| json!({"id": id}))));
    assert_eq!(run["invocations"], json!([{"executionSuccessful": true, "toolExecutionNotifications": []}]));
    let result = &run["results"][2];
    let place = json!({
        "artifactLocation": {"uri": "bin/run%20it%3A%20now.sh", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 6},
    });
    assert_eq!(result["locations"], json!([{"physicalLocation": place}]));
    assert_eq!((&result["ruleIndex"], &result["level"]), (&json!(3), &json!("warning")));
    assert_eq!(run["results"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_fix_fixes_what_it_can_and_a_second_one_changes_nothing() {
    let project = mixed();
    let left = |rewritten: &str| {
        format!(
            "\
app.py
  2:5  warning  F841  Local variable `unused` is assigned to but never used  ruff

bin/run it: now.sh
  2:6  warning  SC2086  Double quote to prevent globbing and word splitting.  shellcheck

2 findings in 2 files · {rewritten}5 files, 4 linters, TIME"
        )
    };
    assert_eq!(lint(&project, &["--fix"]), (1, left("2 files rewritten · "), String::new()));
    let read = |name: &str| std::fs::read_to_string(project.root().join(name)).unwrap();
    assert_eq!((read("app.py").as_str(), read("crooked.py").as_str()), (UNUSED, FINE));
    assert_eq!(lint(&project, &["--fix"]), (1, left(""), String::new()));
    assert_eq!((read("app.py").as_str(), read("crooked.py").as_str()), (UNUSED, FINE));
}

#[test]
fn without_a_fix_nothing_is_written() {
    let project = mixed();
    let stamp = || std::fs::metadata(project.root().join("crooked.py")).unwrap().modified().unwrap();
    let before = stamp();
    lint(&project, &[]);
    assert_eq!(stamp(), before);
    assert_eq!(std::fs::read_to_string(project.root().join("crooked.py")).unwrap(), CROOKED);
}

#[test]
fn what_is_clean_takes_one_line_or_none() {
    let project = project();
    project.file("fine.py", FINE);
    assert_eq!(lint(&project, &[]), (0, "no findings · 1 file, 2 linters, TIME".to_owned(), String::new()));
    assert_eq!(lint(&project, &["--quiet"]), (0, String::new(), String::new()));
    assert_eq!(lint(&project, &["--format", "github"]), (0, String::new(), String::new()));
}

#[test]
fn defect_22_names_with_colons_blanks_and_patterns_keep_their_findings() {
    let project = project();
    let names = ["a b.py", "a: b, c.py", "a:1:2: E1 x.py", "-a.py", "[x]*.py", "é\u{1f600}.py", "100%.py"];
    for name in names {
        project.file(name, UNUSED);
    }
    let ran = project.run(&["lint", "--linter", "ruff", "--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let json = ran.json();
    let found = json["findings"].as_array().unwrap().iter();
    let mut found: Vec<&str> = found.map(|finding| finding["file"].as_str().unwrap()).collect();
    found.sort_unstable();
    let mut expected = names.to_vec();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn of_three_hundred_files_each_has_its_own_finding() {
    let project = project();
    for number in 0..300 {
        let text = if number % 3 == 0 { UNUSED } else { FINE };
        project.file(&format!("pack{}/file{number}.py", number % 7), text);
    }
    let ran = project.run(&["lint", "--linter", "ruff", "--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let json = ran.json();
    let found = json["findings"].as_array().unwrap().iter();
    let mut found: Vec<String> = found.map(|finding| finding["file"].as_str().unwrap().to_owned()).collect();
    found.sort_unstable();
    let bad = (0..300).filter(|number| number % 3 == 0);
    let mut expected: Vec<String> = bad.map(|number| format!("pack{}/file{number}.py", number % 7)).collect();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!((&json["summary"]["files"], &json["troubles"]), (&json!(300), &json!([])));
}
