//! Which files are looked at: staged, changed, ignored ones, and a real commit.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::{CROOKED, FINE, UNUSED, project, shown};
use crate::support::{ProcessResult, Project, PromptKind, TerminalUser, run};

/// A repository with a commit of one file that is fine.
fn repository() -> Project {
    let project = project();
    git(&project, &["init", "--quiet", "--initial-branch=main"]);
    project.file("old.py", FINE).file("ruff.toml", "line-length = 88\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "--quiet", "--message=first"]);
    project
}

fn git_command(project: &Project, arguments: &[&str]) -> Command {
    // The program's command carries the clean environment; only the program is another.
    let own = project.command(&[]);
    let mut command = Command::new("git");
    command.current_dir(project.root()).env_clear();
    command.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]);
    command.args(arguments);
    command
}

#[track_caller]
fn git(project: &Project, arguments: &[&str]) {
    let ran = run(git_command(project, arguments), b"");
    assert_eq!(ran.status, 0, "git {arguments:?}: {}{}", ran.stdout, ran.stderr);
}

/// The files with findings, and the status.
fn found(ran: &ProcessResult) -> (i32, Vec<String>) {
    assert_eq!(ran.stderr, "", "{}", ran.stdout);
    let json = ran.json();
    let files = json["findings"].as_array().unwrap().iter();
    (
        ran.status,
        files
            .map(|finding| {
                format!("{} {}", finding["file"].as_str().unwrap(), finding["code"].as_str().unwrap())
            })
            .collect(),
    )
}

fn findings(project: &Project, arguments: &[&str]) -> (i32, Vec<String>) {
    found(&project.run(&[&["lint", "--linter", "ruff", "--format", "json"], arguments].concat()))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn ignored_files_are_looked_at_only_if_they_are_named() {
    let project = repository();
    project.file(".gitignore", "made/\n").file("made/code.py", UNUSED).file("new.py", UNUSED);
    assert_eq!(findings(&project, &[]), (1, names(&["new.py F841"])));
    assert_eq!(findings(&project, &["made/code.py"]), (1, names(&["made/code.py F841"])));
}

#[test]
fn without_a_repository_hidden_and_installed_folders_are_skipped() {
    let project = project();
    project.file("src/a.py", UNUSED).file(".hidden/b.py", UNUSED).file("node_modules/x/c.py", UNUSED);
    project.file("src/deep/d.py", UNUSED);
    assert_eq!(findings(&project, &[]), (1, names(&["src/a.py F841", "src/deep/d.py F841"])));
    assert_eq!(findings(&project, &["src/deep"]), (1, names(&["src/deep/d.py F841"])));
}

#[test]
fn a_result_depends_on_the_users_own_config_too() {
    let project = project();
    // Chosen without a config of its own, which would count instead.
    std::fs::remove_file(project.root().join("ruff.toml")).unwrap();
    project.file("Makefile", "lint:\n\truff check .\n").file("a.py", UNUSED);
    assert_eq!(findings(&project, &["a.py"]), (1, names(&["a.py F841"])));
    let folder = project.home().join(".config/ruff");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("ruff.toml"), "lint.ignore = ['F841']\n").unwrap();
    assert_eq!(findings(&project, &["a.py"]), (0, Vec::new()));
}

#[test]
fn staged_looks_at_what_is_staged_even_if_the_working_copy_is_another() {
    let project = repository();
    project.file("staged.py", UNUSED).file("not.py", UNUSED);
    git(&project, &["add", "staged.py"]);
    assert_eq!(findings(&project, &["--staged"]), (1, names(&["staged.py F841"])));
    project.file("staged.py", FINE);
    assert_eq!(findings(&project, &["--staged"]), (1, names(&["staged.py F841"])));
    git(&project, &["add", "staged.py"]);
    project.file("staged.py", UNUSED);
    assert_eq!(findings(&project, &["--staged"]), (0, Vec::new()));
    git(&project, &["rm", "--quiet", "--cached", "old.py"]);
    assert_eq!(findings(&project, &["--staged"]), (0, Vec::new()));
}

/// As in a project whose ruff fixes by its config.
#[test]
fn no_command_that_looks_writes_where_a_config_switches_fixes_on() {
    let project = repository();
    let fixable = "import os\nx = { 'a':1 }\n";
    project.file("ruff.toml", "fix = true\nunsafe-fixes = true\nshow-fixes = true\n").file("a.py", fixable);
    git(&project, &["add", "."]);
    project.file("b.py", fixable);
    let state = || {
        let files = ["a.py", "b.py", "old.py", "ruff.toml"];
        let texts = files.map(|name| std::fs::read_to_string(project.root().join(name)).unwrap());
        let ran = run(git_command(&project, &["status", "--porcelain"]), b"");
        (texts, ran.stdout, run(git_command(&project, &["write-tree"]), b"").stdout)
    };
    let before = state();
    for options in
        [&[][..], &["--staged"], &["--changed"], &["--project"], &["--scope", "file"], &["--strict"]]
    {
        let (status, found) = findings(&project, options);
        assert_eq!(status, 1, "{options:?}");
        assert!(found.contains(&"a.py F401".to_owned()), "{options:?}: {found:?}");
        assert_eq!(state(), before, "{options:?}");
    }
}

#[test]
fn a_fix_never_mixes_staged_and_unstaged_changes() {
    let project = repository();
    project.file("half.py", CROOKED);
    git(&project, &["add", "half.py"]);
    project.file("half.py", &format!("{CROOKED}\n\nMORE = 1\n"));
    let ran = project.run(&["lint", "--staged", "--fix"]);
    let expected = "error: `half.py` has changes that are not staged, which `--fix` would mix with those that are\n help: stage or stash them, or leave `--fix` out\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
    assert_eq!(
        std::fs::read_to_string(project.root().join("half.py")).unwrap(),
        format!("{CROOKED}\n\nMORE = 1\n")
    );
}

#[test]
fn a_staged_file_that_was_rewritten_is_to_be_staged_again() {
    let project = repository();
    project.file("crooked.py", CROOKED);
    git(&project, &["add", "."]);
    let lint = || project.run(&["lint", "--staged", "--fix", "--linter", "ruff-format"]);
    let expected = "\
crooked.py
  -  warning  format  was reformatted: stage it again  flyball

1 finding in 1 file · 1 file rewritten · 1 file, 1 linter, TIME";
    assert_eq!(shown(&lint()), (1, expected.to_owned(), ""));
    assert_eq!(std::fs::read_to_string(project.root().join("crooked.py")).unwrap(), FINE);
    git(&project, &["add", "."]);
    assert_eq!(shown(&lint()), (0, "no findings · 1 file, 1 linter, TIME".to_owned(), ""));
}

#[test]
fn a_staged_change_of_a_protected_file_is_a_finding_until_a_person_approves_it() {
    let project = repository();
    project.file("ruff.toml", "line-length = 100\n").file("pyproject.toml", "[project]\nname = 'a'\n");
    git(&project, &["add", "."]);
    git(&project, &["commit", "--quiet", "--message=configs"]);
    project.file("ruff.toml", "line-length = 400\n").file("src/.flake8", "[flake8]\n");
    // Only the tables of checkers count in a manifest.
    project.file("pyproject.toml", "[project]\nname = 'b'\n");
    assert_eq!(findings(&project, &["--staged"]), (0, Vec::new()));
    git(&project, &["add", "."]);
    let protected = names(&["ruff.toml guard.protected", "src/.flake8 guard.protected"]);
    assert_eq!(findings(&project, &["--staged"]), (1, protected));
    git(&project, &["restore", "--staged", "src/.flake8"]);
    let person = TerminalUser::new(&project).with_answers(PromptKind::Decisions, &["y"]);
    assert_eq!(person.run(&["approve", "ruff.toml"])["status"], 0);
    assert_eq!(findings(&project, &["--staged"]), (0, Vec::new()));
    project.config("[guard.protected]\nmode = 'off'\n");
    git(&project, &["add", "src/.flake8"]);
    assert_eq!(findings(&project, &["--staged"]), (0, Vec::new()));
}

#[test]
fn changed_compares_with_the_last_commit_or_where_the_branch_began() {
    let project = repository();
    git(&project, &["switch", "--quiet", "--create", "feature"]);
    project.file("committed.py", UNUSED);
    git(&project, &["add", "."]);
    git(&project, &["commit", "--quiet", "--message=second"]);
    git(&project, &["switch", "--quiet", "main"]);
    project.file("theirs.py", UNUSED);
    git(&project, &["add", "."]);
    git(&project, &["commit", "--quiet", "--message=third"]);
    git(&project, &["switch", "--quiet", "feature"]);
    project.file("old.py", UNUSED).file("untracked.py", UNUSED);
    assert_eq!(findings(&project, &["--changed"]), (1, names(&["old.py F841", "untracked.py F841"])));
    let since_main = names(&["committed.py F841", "old.py F841", "untracked.py F841"]);
    assert_eq!(findings(&project, &["--changed=main"]), (1, since_main));
    assert_eq!(findings(&project, &["--changed", "old.py"]), (1, names(&["old.py F841"])));
    let ran = project.run(&["lint", "--changed=nowhere"]);
    let expected = "error: git does not know the commit `nowhere`\n help: name a branch, a tag or a commit; a shallow clone may have to fetch it\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}

#[test]
fn before_the_first_commit_everything_has_changed() {
    let project = project();
    git(&project, &["init", "--quiet"]);
    project.file("a.py", UNUSED).file("b.py", UNUSED);
    git(&project, &["add", "a.py"]);
    assert_eq!(findings(&project, &["--changed"]), (1, names(&["a.py F841", "b.py F841"])));
    assert_eq!(findings(&project, &["--staged"]), (1, names(&["a.py F841"])));
}

#[test]
fn a_commit_is_stopped_by_findings_in_what_it_would_commit() {
    let project = repository();
    let hook = project.root().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let program = env!("CARGO_BIN_EXE_flyball");
    std::fs::write(&hook, format!("#!/bin/sh\nexec '{program}' lint --staged --quiet --linter ruff\n"))
        .unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let commit = |arguments: &[&str]| {
        let all = [&["commit", "--quiet", "--message=more"], arguments].concat();
        let ran = run(git_command(&project, &all), b"");
        (ran.status, ran.stdout + &ran.stderr)
    };
    let rejected = |file: &str| {
        (
            1,
            format!(
                "{file}\n  2:5  warning  F841  Local variable `unused` is assigned to but never used  ruff\n"
            ),
        )
    };
    project.file("new.py", UNUSED);
    git(&project, &["add", "new.py"]);
    assert_eq!(commit(&[]), rejected("new.py"));
    project.file("new.py", FINE);
    git(&project, &["add", "new.py"]);
    // What is not part of the commit does not keep it from being made.
    project.file("other.py", UNUSED).file("new.py", UNUSED);
    assert_eq!(commit(&[]), (0, String::new()));
    // With `--all` git has an index of its own for the commit.
    project.file("new.py", FINE).file("old.py", UNUSED);
    assert_eq!(commit(&["--all"]), rejected("old.py"));
}

#[test]
fn a_hook_of_a_linked_worktree_looks_at_the_project_it_was_started_in() {
    let project = repository();
    project.file("app/flyball.toml", "").file("app/ruff.toml", "").file("app/fine.py", FINE);
    git(&project, &["add", "."]);
    git(&project, &["commit", "--quiet", "--message=app"]);
    let worktree = project.folder().join("worktree");
    git(&project, &["worktree", "add", "--quiet", worktree.to_str().unwrap()]);
    std::fs::write(worktree.join("app/new.py"), UNUSED).unwrap();
    std::fs::write(worktree.join("outside.py"), UNUSED).unwrap();
    git(&project, &["-C", worktree.to_str().unwrap(), "add", "."]);
    // This is how git starts hooks there.
    let own = project.root().join(".git/worktrees/worktree");
    for staged in [UNUSED, FINE] {
        let mut command = project.command(&["lint", "--staged", "--linter", "ruff", "--format", "json"]);
        command.current_dir(worktree.join("app"));
        command.env("GIT_DIR", &own).env("GIT_INDEX_FILE", own.join("index"));
        assert_eq!(found(&run(command, b"")), (1, names(&["new.py F841"])));
        // The second time the working copy is another, so what is staged is written out.
        std::fs::write(worktree.join("app/new.py"), staged.replace("42", "43")).unwrap();
    }
}

#[test]
fn a_submodule_is_looked_at_from_inside_with_what_is_staged_there() {
    let other = repository();
    let project = repository();
    let from = other.root().display().to_string();
    git(&project, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "sub"]);
    project.file("sub/new.py", UNUSED);
    git(&project, &["-C", "sub", "add", "."]);
    project.file("sub/new.py", FINE);
    assert_eq!(findings(&project, &["--staged"]), (0, Vec::new()));
    for scope in ["file", "changed-lines", "new"] {
        let mut command =
            project.command(&["lint", "--staged", "--linter", "ruff", "--format", "json", "--scope", scope]);
        command.current_dir(project.root().join("sub"));
        assert_eq!(found(&run(command, b"")), (1, names(&["new.py F841"])), "{scope}");
    }
}

#[test]
fn what_was_renamed_or_is_gone_from_the_working_copy_is_looked_at_as_staged() {
    let project = repository();
    git(&project, &["mv", "old.py", "renamed.py"]);
    project.file("renamed.py", UNUSED).file("gone.py", UNUSED);
    git(&project, &["add", "."]);
    std::fs::remove_file(project.root().join("gone.py")).unwrap();
    let expected = (1, names(&["gone.py F841", "renamed.py F841"]));
    assert_eq!(findings(&project, &["--staged"]), expected);
}

#[test]
fn a_repository_that_git_does_not_trust_is_not_reported_as_missing() {
    let project = repository().with("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let ran = project.run(&["lint", "--staged"]);
    let expected = "error: `--staged` needs a git repository, and git found none: fatal: detected dubious ownership in repository at ";
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
}

#[test]
fn a_project_inside_a_repository_reports_paths_from_the_repositorys_root() {
    let project = repository();
    project.file("app/flyball.toml", "").file("app/ruff.toml", "");
    project.file("app/new.py", UNUSED).file("outside.py", UNUSED);
    let mut command = project.command(&["lint", "--changed", "--linter", "ruff", "--format", "github"]);
    command.current_dir(project.root().join("app"));
    let ran = run(command, b"");
    let expected = "::warning file=app/new.py,line=2,col=5,title=ruff F841::Local variable `unused` is assigned to but never used\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (1, expected, ""));
}

/// A repository that needs no linter of the machine: flyball's own finds what is wrong with this file.
fn with_bad_json() -> Project {
    let project = Project::new();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet", "--initial-branch=main"]);
    project.file("a.json", "{").file(".gitattributes", "*.json filter=x\n");
    git(&project, &["add", "."]);
    project
}

#[test]
fn a_git_of_the_project_is_not_asked() {
    let project = with_bad_json();
    project.file("bin/git", "#!/bin/sh\ntouch ran\n");
    let bin = project.root().join("bin");
    std::fs::set_permissions(bin.join("git"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let project = project.with("PATH", &crate::support::search_path(&[bin]));
    let ran = project.run(&["lint", "--changed", "--linter", "json"]);
    assert!(ran.status == 1 && ran.stdout.contains("a.json"), "{}{}", ran.stdout, ran.stderr);
    assert!(!project.root().join("ran").exists());
}

#[test]
fn filters_of_the_repository_are_not_run() {
    let project = with_bad_json();
    let mark = project.root().join("ran");
    git(&project, &["config", "filter.x.smudge", &format!("touch '{}'; cat", mark.display())]);
    let ran = project.run(&["lint", "--staged", "--linter", "json"]);
    assert!(ran.status == 1 && ran.stdout.contains("a.json"), "{}{}", ran.stdout, ran.stderr);
    assert!(!mark.exists());
}
