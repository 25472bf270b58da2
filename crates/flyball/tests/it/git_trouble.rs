//! Git that cannot be asked: what git's answer decides is asked or denied, and says so; everything else is as usual.
//! Each case is a real process. The command lines are only data.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{ProcessResult, Project, commit, git, run, unique};
use serde_json::json;
use tempfile::TempDir;

/// Lines that lose uncommitted work, or commits.
const DISCARDING: &[&str] = &[
    "git reset --hard",
    "git clean -fd",
    "git checkout -f",
    "git checkout -- .",
    "git restore .",
    "git switch --discard-changes main",
    "git stash drop",
    "git checkout -- src/main.rs",
    "git branch -D wip",
    "git commit --amend -m x",
    "rm src/main.rs",
    "rm -r src",
    "git -C . reset --hard",
    "cd src && git reset --hard",
];

/// Lines and edits that git has no say in.
const INNOCENT: &[&str] = &["ls", "rm build/x.o", "git status", "cat src/main.rs", "echo x > src/new.rs"];

/// A `git` that is found first, as a script; what it prints and how it ends.
const SCRIPTS: &[(&str, &str)] = &[
    ("exits with 1", "#!/bin/sh\nexit 1\n"),
    ("exits with 3", "#!/bin/sh\necho 'fatal: no luck' >&2\nexit 3\n"),
    ("exits with 128", "#!/bin/sh\necho 'fatal: no luck' >&2\nexit 128\n"),
    ("is killed", "#!/bin/sh\nkill -9 $$\n"),
    ("prints nothing", "#!/bin/sh\nexit 0\n"),
    ("prints nonsense", "#!/bin/sh\necho nothing to commit, working tree clean\n"),
    ("cannot be started", "#!/nowhere/interpreter\n"),
];

/// A repository with a commit, a second branch, a stash, a changed file and a new one.
fn dirty() -> Project {
    let project = clean();
    project.file("src/main.rs", "fn main() { stashed }\n");
    git(&project, &["stash", "push", "--quiet"]);
    project.file("src/main.rs", "fn main() { changed }\n").file("notes.txt", "mine\n");
    project
}

fn clean() -> Project {
    let project = Project::new();
    fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet", "--initial-branch=main"]);
    project.file("src/main.rs", "fn main() {}\n").file(".gitignore", "build\n").file("build/x.o", "");
    commit(&project);
    git(&project, &["checkout", "--quiet", "-b", "wip"]);
    project.file("src/wip.rs", "fn wip() {}\n");
    commit(&project);
    git(&project, &["checkout", "--quiet", "main"]);
    project
}

/// A folder with a program of this name in it. Not below the folder for temporary files: a git that anyone could put
/// there is not started.
fn bin(script: &str) -> TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::write(folder.path().join("git"), script).unwrap();
    fs::set_permissions(folder.path().join("git"), PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

fn with_git(project: Project, bin: &TempDir) -> Project {
    project.with("PATH", &format!("{}:/usr/bin:/bin", bin.path().display()))
}

#[track_caller]
fn assert_names_git(ran: &ProcessResult, line: &str, fault: &str) {
    let decision = ran.decision();
    assert!(matches!(decision.as_deref(), Some("ask" | "deny")), "{line}, git {fault}: {ran:?}");
    assert!(ran.reason().contains("git could not be asked"), "{line}, git {fault}: {}", ran.reason());
}

#[track_caller]
fn assert_passes(ran: &ProcessResult, line: &str, fault: &str) {
    assert_eq!((ran.status, ran.decision()), (0, None), "{line}, git {fault}: {ran:?}");
}

/// What has nothing to do with git passes, and so does an edit.
fn assert_innocent_pass(project: &Project, fault: &str) {
    for line in INNOCENT {
        assert_passes(&project.shell(line), line, fault);
    }
    let edit = json!({ "file_path": project.root().join("src/main.rs"), "old_string": "changed", "new_string": "x" });
    assert_passes(&project.before("Edit", edit), "an edit", fault);
}

#[test]
fn a_git_that_fails_says_nothing_about_the_work() {
    for (fault, script) in SCRIPTS {
        let bin = bin(script);
        let project = with_git(dirty(), &bin);
        for line in DISCARDING {
            assert_names_git(&project.shell(line), line, fault);
        }
        assert_innocent_pass(&project, fault);
    }
}

#[test]
fn the_message_names_the_question_the_end_and_what_git_said() {
    let cases = [
        (SCRIPTS[1].1, "failed with exit code 3: fatal: no luck"),
        (SCRIPTS[3].1, "was killed by signal 9"),
        (SCRIPTS[4].1, "did not answer as git does"),
        (SCRIPTS[6].1, "could not be started: "),
    ];
    for (script, expected) in cases {
        let bin = bin(script);
        let ran = with_git(dirty(), &bin).shell("git reset --hard");
        let reason = ran.assert_denied_by("guard.commands").reason();
        let first = "Tell the user: flyball could not judge this: guard.commands failed (git could not be asked: \
                     `git status ";
        assert!(reason.starts_with(first), "{reason}");
        assert!(reason.contains(expected), "{reason}");
        assert!(reason.contains("No rule was broken"), "{reason}");
    }
}

#[test]
fn what_could_not_be_asked_is_recorded() {
    let bin = bin(SCRIPTS[1].1);
    let project = with_git(dirty(), &bin);
    project.shell("git reset --hard").assert_denied_by("guard.commands");
    let log = project.log();
    let record = log.iter().find(|record| record.to_string().contains("guard.commands failed")).unwrap();
    assert!(record.to_string().contains("git could not be asked"), "{record}");
}

#[test]
fn a_damaged_index_is_not_a_clean_one() {
    let project = dirty();
    // In health first, so that the session has begun.
    project.shell("ls").assert_silent();
    fs::write(project.root().join(".git/index"), "garbage that is no index at all").unwrap();
    // Branches, commits and stashes are not in the index.
    let by_index = |line: &&&str| !["branch", "amend", "stash"].iter().any(|word| line.contains(word));
    for line in DISCARDING.iter().filter(by_index) {
        assert_names_git(&project.shell(line), line, "has a damaged index");
    }
    for line in INNOCENT {
        project.shell(line).assert_silent();
    }
}

#[test]
fn a_git_that_is_not_on_the_path_is_found_where_it_usually_is() {
    let project = dirty().with("PATH", "/nowhere");
    project.shell("git reset --hard").assert_denied_by("guard.commands");
    let reason = project.shell("git clean -fd").assert_denied_by("guard.commands").reason();
    assert!(reason.contains("would delete untracked files: no…"), "{reason}");
}

#[test]
fn too_few_open_files_do_not_hide_the_work() {
    let limited = |project: &Project, limit: u32, line: &str| {
        let hook = project.hook_command("PreToolUse");
        let mut command = Command::new("/bin/sh");
        let words: Vec<String> = [hook.get_program()]
            .into_iter()
            .chain(hook.get_args())
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        command.arg("-c").arg(format!("ulimit -n {limit}; exec \"$@\"")).arg("sh").args(words);
        command.current_dir(project.root()).env_clear();
        command.envs(hook.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let fields =
            json!({ "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": unique() });
        run(command, project.payload("PreToolUse", fields).to_string().as_bytes())
    };
    let project = dirty();
    project.shell("ls").assert_silent();
    for limit in 4..=14 {
        for line in ["git reset --hard", "git clean -fd", "rm src/main.rs"] {
            let ran = limited(&project, limit, line);
            // Below a certain limit the program itself cannot start, or reports that it could not judge.
            let is_blocked = ran.status != 0 || matches!(ran.decision().as_deref(), Some("ask" | "deny"));
            let is_copied = ran.notice().contains("`flyball undo");
            assert!(is_blocked || is_copied, "{line} with {limit} files: {ran:?}");
        }
    }
    assert_passes(&limited(&project, 14, "ls"), "ls", "with 14 files");
}

#[test]
fn a_healthy_git_answers_as_before() {
    let project = clean();
    for line in DISCARDING {
        // These lose something in a clean tree, too.
        if ["stash", "branch", "-r src"].iter().any(|word| line.contains(word)) {
            continue;
        }
        assert_passes(&project.shell(line), line, "is healthy");
    }
    assert_innocent_pass(&project, "is healthy");
    let project = dirty();
    let folder = project.home().join(".config/flyball");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("config.toml"), "[guard.commands]\nundoable = \"ask\"\n").unwrap();
    for line in DISCARDING.iter().filter(|line| !line.contains("amend")) {
        let ran = project.shell(line);
        assert!(matches!(ran.decision().as_deref(), Some("ask" | "deny")), "{line}: {ran:?}");
        assert!(!ran.reason().contains("could not"), "{line}: {}", ran.reason());
    }
}

#[test]
fn a_repository_of_another_user_is_read_all_the_same() {
    // A variable of git's own tests: the repository counts as somebody else's.
    let other = |project: Project| project.with("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    let project = other(clean());
    for line in ["git reset --hard", "git clean -fd", "git checkout -- .", "rm src/main.rs"] {
        assert_passes(&project.shell(line), line, "belongs to somebody else");
    }
    let ran = other(dirty()).shell("git reset --hard");
    assert!(ran.decision().is_some() && !ran.reason().contains("could not"), "{}", ran.reason());
}

#[test]
fn a_new_repository_is_no_trouble() {
    let project = Project::new();
    fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    let others =
        ["git rebase nowhere", "git push", "git reset --hard HEAD~1", "git checkout -- ../elsewhere"];
    for line in DISCARDING.iter().chain(&others) {
        if ["stash", "branch"].iter().any(|word| line.contains(word)) {
            continue;
        }
        assert_passes(&project.shell(line), line, "knows no commit");
    }
    let start = project.hook("SessionStart", json!({ "source": "startup" }));
    assert!(!start.notice().contains("git"), "{}", start.notice());
}

#[test]
fn without_a_repository_a_broken_git_is_not_needed() {
    for (fault, script) in SCRIPTS {
        let bin = bin(script);
        let project = with_git(Project::new(), &bin);
        fs::remove_dir(project.root().join(".git")).unwrap();
        for line in ["git reset --hard", "git clean -fd", "git commit --amend -m x", "rm src/main.rs"] {
            assert_passes(&project.shell(line), line, fault);
        }
        assert_innocent_pass(&project, fault);
    }
}

#[test]
fn a_session_that_begins_with_a_broken_git_watches_what_it_finds() {
    let bin = bin(SCRIPTS[1].1);
    let project = with_git(dirty(), &bin);
    project.file("ruff.toml", "line-length = 80\n");
    let notice = project.hook("SessionStart", json!({ "source": "startup" })).notice();
    let missed =
        "some changes of protected files will not be detected in this session: git could not be asked";
    assert!(notice.contains(missed), "{notice}");
    project.file("ruff.toml", "line-length = 800\n");
    let reported = after_build(&project);
    assert!(reported.stdout.contains("ruff.toml"), "{reported:?}");
}

const LOOP: &str = r#"
[quality]
mode = "off"

[loop.feedback]
mode = "enforce"

[[loop.feedback.phase]]
name = "review"
heading = "Review Result"
pass = "REVIEW_APPROVED"
fail = "REVIEW_REJECTED"
agents = ["reviewer"]

[[loop.feedback.domain]]
name = "code"
paths = ["src/**"]
"#;

/// Sends the event after a command that wrote a file which its text does not name.
fn after_build(project: &Project) -> ProcessResult {
    let response = json!({ "stdout": "", "stderr": "", "interrupted": false, "isImage": false });
    let fields = json!({
        "tool_name": "Bash", "tool_input": { "command": "./build.sh" }, "tool_response": response,
        "tool_use_id": "t", "duration_ms": 5_000,
    });
    project.hook("PostToolUse", fields)
}

fn stop(project: &Project, again: bool) -> ProcessResult {
    let stopping =
        json!({ "stop_hook_active": again, "last_assistant_message": "done", "background_tasks": [] });
    project.hook("Stop", stopping)
}

#[test]
fn an_agent_does_not_stop_while_nobody_knows_what_it_edited() {
    let bin = bin("#!/bin/sh\n[ -e \"$0.broken\" ] && exit 3\nexec /usr/bin/git \"$@\"\n");
    let broken = bin.path().join("git.broken");
    let project = with_git(clean(), &bin);
    project.config(LOOP);
    commit(&project);
    project.hook("UserPromptSubmit", json!({ "prompt": "go on" })).assert_silent();
    stop(&project, false).assert_silent();
    project.file("src/main.rs", "fn main() { edited }\n");
    fs::write(&broken, "").unwrap();
    let notice = after_build(&project).notice();
    assert!(notice.contains("git could not be asked"), "{notice}");
    let held = stop(&project, false);
    assert_eq!(held.json()["decision"], "block", "{held:?}");
    assert!(held.reason().contains("does not know which files were edited"), "{}", held.reason());
    // It is not held for ever, and the user knows.
    let released = stop(&project, true);
    assert!(released.notice().contains("it is not known what it edited"), "{released:?}");
    fs::remove_file(&broken).unwrap();
    let held = stop(&project, false);
    assert_eq!(held.json()["decision"], "block", "{held:?}");
    assert!(held.reason().contains("review"), "{}", held.reason());
}
