//! A linter acts where the project chose it, on what is new: what is left out is said.

use super::{FINE, UNUSED, bare_project, project, shown};
use crate::support::{Project, commit, git};

const NOTHING: &str = "no linter is chosen for these files: `flyball lint --why` says why";

fn lint(project: &Project, arguments: &[&str]) -> (i32, String) {
    let ran = project.run(&[&["lint"], arguments].concat());
    let (status, stdout, stderr) = shown(&ran);
    assert_eq!(stderr, "", "{stdout}");
    (status, stdout)
}

#[test]
fn files_that_no_linter_is_chosen_for_are_not_clean() {
    let project = bare_project();
    project.file("a.py", UNUSED).file("b.sh", "#!/bin/sh\necho $1\n");
    assert_eq!(lint(&project, &[]), (4, NOTHING.to_owned()));
    assert_eq!(lint(&project, &["--quiet"]), (4, NOTHING.to_owned()));
    assert_eq!(lint(&project, &["--project", "a.py"]), (4, NOTHING.to_owned()));
    let ran = project.run(&["lint", "--format", "json"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (4, ""));
    // One that is chosen for some of them is enough.
    project.file("a.py", FINE).file("ruff.toml", "");
    assert_eq!(lint(&project, &["--linter", "ruff"]), (0, "no findings · 1 file, 1 linter, TIME".to_owned()));
    assert_eq!(lint(&project, &["b.sh"]), (4, NOTHING.to_owned()));
}

#[test]
fn a_commit_of_files_without_linters_is_not_stopped() {
    let project = bare_project();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    assert_eq!(lint(&project, &["--staged"]), (0, "no findings · 0 files, 0 linters, TIME".to_owned()));
    project.file("notes.txt", "notes\n");
    git(&project, &["add", "."]);
    for option in ["--staged", "--changed"] {
        assert_eq!(lint(&project, &[option]), (0, NOTHING.to_owned()), "{option}");
        assert_eq!(lint(&project, &[option, "--quiet"]), (0, String::new()), "{option}");
    }
}

#[test]
fn what_was_there_at_the_last_commit_is_counted_and_not_shown() {
    let project = project();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    let many: String = (0..12).map(|at| format!("def f{at}() -> None:\n    unused = {at}\n")).collect();
    project.file("a.py", &many);
    commit(&project);
    let expected =
        "no findings · 12 older findings left out (--scope file shows them) · 1 file, 1 linter, TIME";
    assert_eq!(lint(&project, &["--linter", "ruff"]), (0, expected.to_owned()));
    let (status, page) = lint(&project, &["--linter", "ruff", "--scope", "file"]);
    assert!(status == 1 && page.ends_with("\n12 findings in 1 file · 1 file, 1 linter, TIME"), "{page}");
}

#[test]
fn why_says_what_acts_on_each_file_and_what_chose_it() {
    let project = bare_project();
    project.file("a.py", UNUSED).file("notes.txt", "notes\n").file("sub/b.py", FINE);
    project.file("sub/ruff.toml", "").file("run.sh", "#!/bin/sh\necho $1\n");
    project.file(".pre-commit-config.yaml", "repos: [{ hooks: [{ id: shfmt }] }]\n");
    let expected = "\
a.py
  no linter that flyball knows is chosen for this file
notes.txt
  no linter that flyball knows is chosen for this file
run.sh
  shfmt  formats  chosen by .pre-commit-config.yaml: shfmt
sub/b.py
  ruff         checks, fixes at the end of a turn  chosen by sub/ruff.toml
  ruff-format  formats                             chosen by sub/ruff.toml";
    let why = ["--why", "a.py", "notes.txt", "run.sh", "sub/b.py"];
    assert_eq!(lint(&project, &why), (0, expected.to_owned()));
}
