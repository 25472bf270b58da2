//! Copies before a call, and `flyball undo`, by real processes and a real git.

#![expect(clippy::unwrap_used, clippy::string_slice, reason = "what fails here fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{ProcessResult, Project, TerminalUser, commit, git};
use serde_json::{Value, json};

/// A repository with committed, changed and untracked files.
fn project() -> Project {
    let project = Project::new();
    fs::remove_dir(project.root().join(".git")).unwrap();
    project.config("").file("src/a.py", "a = 1\n").file("src/b.py", "b = 1\n").file(".gitignore", "*.log\n");
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project.file("src/b.py", "b = 2\n").file("notes.txt", "mine\n");
    project
}

/// An agent's command: the hook before it, and what the command does.
fn command(project: &Project, line: &str, does: impl FnOnce()) -> ProcessResult {
    let answer = project.shell(line);
    does();
    answer
}

fn text(project: &Project, name: &str) -> Option<String> {
    fs::read_to_string(project.root().join(name)).ok()
}

fn listed(project: &Project) -> Vec<Value> {
    let lines = project.run(&["undo", "--list", "--json"]);
    lines.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn git_says(project: &Project, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    let output = command.current_dir(project.root()).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn remove(project: &Project, name: &str) {
    fs::remove_file(project.root().join(name)).unwrap();
}

#[test]
fn what_a_script_deleted_comes_back() {
    let project = project();
    command(&project, "python3 cleanup.py", || {
        remove(&project, "src/b.py");
        remove(&project, "notes.txt");
        project.file("made.txt", "new\n");
    })
    .assert_silent();
    let shown = project.run(&["undo", "--diff"]);
    assert!(shown.stdout.contains("+b = 2") && shown.stdout.contains("-new"), "{}", shown.stdout);
    assert_eq!(text(&project, "notes.txt"), None, "a look changes nothing");
    let undone = project.run(&["undo"]);
    assert_eq!(undone.status, 0, "{}{}", undone.stdout, undone.stderr);
    assert!(undone.stdout.contains("3 files are as before `python3 cleanup.py`"), "{}", undone.stdout);
    assert_eq!(text(&project, "src/b.py").unwrap(), "b = 2\n");
    assert_eq!(text(&project, "notes.txt").unwrap(), "mine\n");
    assert_eq!(text(&project, "made.txt"), None);
    // And back again, by what it said.
    let back = undone.stdout.lines().last().unwrap().split('`').nth(1).unwrap().to_owned();
    let words: Vec<&str> = back.split(' ').skip(1).collect();
    assert_eq!(project.run(&words).status, 0);
    assert_eq!(text(&project, "made.txt").unwrap(), "new\n");
    assert_eq!(text(&project, "notes.txt"), None);
}

#[test]
fn one_file_comes_back_as_it_was_before_it_last_changed() {
    let project = project();
    command(&project, "python3 one.py", || _ = project.file("src/a.py", "a = 2\n"));
    command(&project, "python3 two.py", || _ = project.file("src/b.py", "b = 3\n"));
    let undone = project.run(&["undo", "--file", "src/a.py"]);
    assert_eq!(undone.status, 0, "{}", undone.stdout);
    assert!(undone.stdout.contains("`python3 one.py`"), "{}", undone.stdout);
    assert_eq!(text(&project, "src/a.py").unwrap(), "a = 1\n");
    assert_eq!(text(&project, "src/b.py").unwrap(), "b = 3\n");
    let unknown = project.run(&["undo", "--file", "nowhere.py"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("no snapshot has `nowhere.py`"), "{}", unknown.stderr);
}

#[test]
fn what_was_only_staged_comes_back_by_the_command_that_is_said() {
    let project = project();
    project.file("src/a.py", "a = 'staged'\n");
    git(&project, &["add", "src/a.py"]);
    project.file("src/a.py", "a = 'later'\n");
    command(&project, "python3 one.py", || {
        git(&project, &["reset", "--quiet", "--hard"]);
        git(&project, &["gc", "--quiet", "--prune=now"]);
    });
    let undone = project.run(&["undo"]);
    assert_eq!(text(&project, "src/a.py").unwrap(), "a = 'later'\n");
    let line = undone.stdout.lines().find(|line| line.starts_with("what was staged of `src/a.py`")).unwrap();
    let words = line.split('`').nth(3).unwrap();
    assert!(words.starts_with("git update-index --add --cacheinfo 100644,"), "{line}");
    let done = Command::new("sh").arg("-c").arg(words).current_dir(project.root()).status().unwrap();
    assert!(done.success(), "{words}");
    assert_eq!(git_says(&project, &["show", ":src/a.py"]), "a = 'staged'");
    assert!(!project.run(&["undo"]).stdout.contains("staged of"), "it is there again");
    // Where no file is another one, it is said as well.
    git(&project, &["restore", "--staged", "src/a.py"]);
    let nothing = project.run(&["undo", "1"]).stdout;
    assert!(nothing.contains("staged of `src/a.py`"), "{nothing}");
}

#[test]
fn what_only_looks_costs_no_snapshot_and_an_edit_only_its_file() {
    let project = project();
    for line in
        ["ls", "git status", "cat src/a.py", "grep -r a src", "echo x > /tmp/never-made", "git log -1"]
    {
        command(&project, line, || {}).assert_silent();
    }
    assert_eq!(listed(&project), Vec::<Value>::new());
    let file = project.root().join("src/a.py");
    project
        .before("Edit", json!({ "file_path": file, "old_string": "1", "new_string": "2" }))
        .assert_silent();
    project.file("src/a.py", "a = 2\n");
    let all = listed(&project);
    let [only] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!((only["extent"].as_str(), only["files"].as_u64()), (Some("files"), Some(1)));
    assert_eq!(project.run(&["undo"]).status, 0);
    assert_eq!(text(&project, "src/a.py").unwrap(), "a = 1\n");
}

#[test]
fn the_list_says_what_each_command_changed() {
    let project = project();
    command(&project, "python3 one.py", || remove(&project, "notes.txt"));
    command(&project, "python3 nothing.py", || {});
    command(&project, "python3 two.py", || _ = project.file("src/a.py", "a = 2\n"));
    let all = listed(&project);
    let changed = |at: usize| all.get(at).map(|it| it["changed"].clone());
    assert_eq!(changed(1), Some(json!(["notes.txt"])), "{all:?}");
    let shown = project.run(&["undo", "--list"]).stdout;
    assert!(shown.contains("notes.txt") && shown.contains("python3 one.py"), "{shown}");
    let none = Project::new();
    assert!(none.run(&["undo", "--list"]).stdout.contains("no snapshots yet"));
    assert!(none.run(&["undo"]).stdout.contains("nothing to undo"));
    let unknown = project.run(&["undo", "99"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("there is no snapshot 99"), "{}", unknown.stderr);
}

#[test]
fn what_comes_back_completely_is_told_and_not_asked() {
    let project = project();
    let told = command(&project, "rm src/b.py", || remove(&project, "src/b.py"));
    assert_eq!(told.decision(), None, "{}", told.stdout);
    assert!(told.stdout.contains("`flyball undo 1` brings it back"), "{}", told.stdout);
    assert_eq!(project.run(&["undo", "1"]).status, 0);
    assert_eq!(text(&project, "src/b.py").unwrap(), "b = 2\n");
    // What only the index has is in no file.
    git(&project, &["add", "src/b.py"]);
    project.file("src/b.py", "b = 3\n");
    assert_eq!(project.shell("git checkout HEAD -- src/b.py").decision().as_deref(), Some("ask"));
    // What cannot be copied is asked about.
    git(&project, &["reset", "--quiet"]);
    project.config("[undo]\nmax_file_mb = 1\n").file("big.txt", &"x".repeat(2_000_000));
    assert_eq!(project.shell("rm src/b.py").decision().as_deref(), Some("ask"));
    // And so is everything where the user wants it.
    remove(&project, "big.txt");
    project.config("[guard.commands]\nundoable = \"ask\"\n");
    assert_eq!(project.shell("rm src/b.py").decision().as_deref(), Some("ask"));
    // A denial stays one.
    assert_eq!(project.shell("git reset --hard").decision().as_deref(), Some("deny"));
}

#[test]
fn an_agent_cannot_set_protected_files_back() {
    let project = project();
    project.file(".ruff.toml", "line-length = 400\n");
    commit(&project);
    command(&project, "python3 one.py", || {
        project.file(".ruff.toml", "line-length = 100\n").file("src/a.py", "a = 2\n");
    });
    let undone = project.run(&["undo"]);
    assert_eq!(undone.status, 1, "{}", undone.stdout);
    assert!(undone.stdout.contains(".ruff.toml stays as it is: it is protected"), "{}", undone.stdout);
    assert_eq!(text(&project, ".ruff.toml").unwrap(), "line-length = 100\n");
    assert_eq!(text(&project, "src/a.py").unwrap(), "a = 1\n");
    let person = TerminalUser::new(&project).run(&["undo"]);
    assert_eq!(person["status"], 0, "{person}");
    assert_eq!(text(&project, ".ruff.toml").unwrap(), "line-length = 400\n");
}

#[test]
fn deleted_branches_are_said() {
    let project = project();
    git(&project, &["branch", "topic"]);
    command(&project, "sh clean.sh", || {
        git(&project, &["branch", "--quiet", "-D", "topic"]);
        remove(&project, "notes.txt");
    });
    let undone = project.run(&["undo"]);
    assert!(undone.stdout.contains("branch `topic` was deleted: `git branch topic "), "{}", undone.stdout);
}

#[test]
fn lost_commits_are_said_where_no_file_differs() {
    let project = project();
    git(&project, &["stash", "--quiet"]);
    let stash = git_says(&project, &["rev-parse", "refs/stash"]);
    command(&project, "git stash drop", || git(&project, &["stash", "drop", "--quiet"]));
    let undone = project.run(&["undo"]);
    assert_eq!(undone.status, 0, "{}", undone.stderr);
    let fix = format!("`git stash store {}` brings it back", &stash[..10]);
    assert!(undone.stdout.contains("nothing to undo") && undone.stdout.contains(&fix), "{}", undone.stdout);
    // A commit of later work loses nothing.
    git(&project, &["stash", "store", &stash]);
    commit(&project);
    assert!(!project.run(&["undo"]).stdout.contains("branch"));
    fs::remove_dir_all(project.root().join(".git/objects")).unwrap();
    let gone = project.run(&["undo"]);
    assert!(gone.stdout.contains("commits are in no snapshot"), "{}{}", gone.stdout, gone.stderr);
}

#[test]
fn a_diff_shows_no_secrets() {
    let project = project();
    project.file(".env", "KEY=violet-horse\n");
    command(&project, "python3 one.py", || remove(&project, ".env"));
    let shown = project.run(&["undo", "--diff"]).stdout;
    assert!(shown.contains(".env: not shown") && !shown.contains("violet"), "{shown}");
    assert_eq!(project.run(&["undo"]).status, 0);
    assert_eq!(text(&project, ".env").unwrap(), "KEY=violet-horse\n");
}

#[test]
fn an_agent_may_undo_and_look() {
    let project = project();
    command(&project, "rm -rf build", || {}).assert_silent();
    for line in ["flyball undo --list", "flyball undo --diff", "flyball undo --file src/a.py", "flyball undo"]
    {
        command(&project, line, || {}).assert_silent();
    }
}

#[test]
fn what_only_shows_decisions_says_that_the_hook_copies_first() {
    let project = project();
    let shown = project.run(&["try", "rm src/b.py"]);
    assert!(shown.stdout.contains("not asked about if all files were copied before"), "{}", shown.stdout);
    assert_eq!(listed(&project), Vec::<Value>::new());
}

#[test]
fn doctor_and_forget_know_the_copies() {
    let project = project();
    assert!(project.run(&["doctor"]).stdout.contains("`flyball undo`: nothing is copied yet"));
    command(&project, "python3 one.py", || {});
    let shown = project.run(&["doctor"]).stdout;
    assert!(shown.contains("`flyball undo`: 1 snapshot of 1 project"), "{shown}");
    project.config("[undo]\nmode = \"off\"\n");
    assert!(project.run(&["doctor"]).stdout.contains("`flyball undo`: off"));
    let forgotten = TerminalUser::new(&project).run(&["forget", "--yes"]);
    assert_eq!(forgotten["status"], 0, "{forgotten}");
    assert_eq!(listed(&project).len(), 1, "it is not old");
}

#[test]
fn what_brings_nothing_back_leaves_no_snapshot() {
    let project = project();
    assert!(project.run(&["undo"]).stdout.contains("nothing to undo"));
    assert_eq!(listed(&project), Vec::<Value>::new());
    command(&project, "python3 one.py", || remove(&project, "notes.txt"));
    assert_eq!(project.run(&["undo", "--diff"]).status, 0);
    assert_eq!(listed(&project).len(), 1);
    assert_eq!(project.run(&["undo"]).status, 0);
    assert_eq!(listed(&project).len(), 2);
}

#[test]
fn a_snapshot_that_cannot_be_taken_stops_nothing_and_is_said_once() {
    let project = project();
    let folder = project.state().join("snapshots");
    fs::create_dir_all(project.state()).unwrap();
    fs::write(&folder, "in the way").unwrap();
    command(&project, "python3 one.py", || {}).assert_silent();
    let second = command(&project, "python3 one.py", || {});
    assert_eq!(second.decision(), None);
    assert!(second.notice().contains("what this call changes cannot be undone"), "{}", second.notice());
    command(&project, "python3 two.py", || {}).assert_silent();
    // Then it is asked about.
    assert_eq!(project.shell("rm src/b.py").decision().as_deref(), Some("ask"));
    assert!(project.run(&["undo"]).status == 2);
}

#[test]
fn copies_are_only_for_their_owner() {
    let project = project();
    command(&project, "python3 one.py", || {});
    let mut folders = vec![project.state().join("snapshots")];
    while let Some(folder) = folders.pop() {
        let mode = fs::metadata(&folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", folder.display());
        folders.extend(fs::read_dir(&folder).unwrap().flatten().map(|it| it.path()).filter(|it| it.is_dir()));
    }
}
