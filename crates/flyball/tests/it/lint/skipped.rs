//! Files that are not checked are named, and nothing looks clean because of them.

use super::{FINE, project, shown};
use crate::support::Project;
use serde_json::{Value, json};

/// A project with files that no linter can check.
fn odd() -> Project {
    let project = project();
    let large = "x = 1\n".repeat(200_000);
    project.file("large.py", &large).file("fine.py", FINE).file("vendor/a.py", FINE);
    std::fs::write(project.root().join("latin.py"), b"# caf\xe9\nx = 1\n").unwrap();
    let wide: Vec<u8> = "\u{feff}x = 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(project.root().join("wide.py"), wide).unwrap();
    std::fs::write(project.root().join("video.ts"), b"G\0\x01\xff\0").unwrap();
    project
}

#[test]
fn files_that_cannot_be_checked_are_named_and_end_with_4() {
    let project = odd();
    let expected = "\
! large.py is not checked, because it is larger than 1 MiB
! latin.py is not checked, because it is not UTF-8
! wide.py is not checked, because it is not UTF-8
  → name such files in `quality.exclude` to leave them out
no findings · 1 file, 1 linter, TIME";
    for strict in [&[][..], &["--strict"]] {
        let arguments = [&["lint", "--linter", "ruff"], strict].concat();
        let ran = project.run(&arguments);
        let (status, stdout, stderr) = shown(&ran);
        assert_eq!((status, stdout.as_str(), stderr), (4, expected, ""), "{strict:?}");
    }
    let ran = project.run(&["lint", "--linter", "ruff", "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let skipped = json!([
        { "file": "large.py", "why": "too_large" },
        { "file": "latin.py", "why": "not_utf8" },
        { "file": "wide.py", "why": "not_utf8" },
    ]);
    assert_eq!((ran.status, &report["skipped"]), (4, &skipped));
    let ran = project.run(&["lint", "--linter", "ruff", "--format", "github"]);
    assert!(ran.stdout.contains("::warning file=large.py,line=1,title=not checked::"), "{}", ran.stdout);
}

#[test]
fn an_excluded_file_that_is_named_is_not_clean() {
    let project = odd();
    let ran = project.run(&["lint", "--linter", "ruff", "vendor/a.py"]);
    let (status, stdout, _) = shown(&ran);
    assert_eq!(status, 4, "{stdout}");
    assert!(
        stdout.starts_with("! vendor/a.py is not checked, because `quality.exclude` names it\n"),
        "{stdout}"
    );
    // A folder has such files on purpose.
    assert_eq!(project.run(&["lint", "--linter", "ruff", "fine.py"]).status, 0);
}
