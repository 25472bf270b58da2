//! Protected files, by real processes: what no command line shows is noticed on disk, and only a
//! person can approve it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what fails here fails the test")]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{ProcessResult, Project, PromptKind, TerminalUser, commit, git, run};
use serde_json::{Value, json};

const GOOD: &str = "line-length = 100\n";
const WEAK: &str = "line-length = 400\n";

/// A project with a repository and a config in it.
fn project() -> Project {
    let project = Project::new();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    project.file(".ruff.toml", GOOD).file("web/.eslintrc.json", "{}\n").file("src/main.py", "x = 1\n");
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project
}

fn begin(project: &Project) {
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
}

/// The event after a shell command that was run by the test itself.
fn after(project: &Project, command: &str) -> ProcessResult {
    let input = json!({ "command": command });
    let response = json!({ "stdout": "", "stderr": "", "interrupted": false });
    project.hook(
        "PostToolUse",
        json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": crate::support::unique(), "tool_response": response }),
    )
}

fn stop(project: &Project, message: &str) -> ProcessResult {
    project.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": message }))
}

/// The path of the stored copy of a text.
fn stored_copy(project: &Project, text: &str) -> String {
    project.state().join("kept").join(sha256(text)).to_string_lossy().into_owned()
}

fn content(project: &Project, name: &str) -> Option<String> {
    std::fs::read_to_string(project.root().join(name)).ok()
}

/// Runs a program in the project, as an agent's command would.
fn really(project: &Project, program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).current_dir(project.root()).status().unwrap();
    assert!(status.success(), "{program} {arguments:?}");
}

#[track_caller]
fn noticed(ran: &ProcessResult, what: &str) {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_eq!(ran.json()["decision"], json!("block"), "{ran:?}");
    let reason = ran.reason();
    assert!(
        reason.contains(&format!(": {what}")) && reason.ends_with("[flyball guard.protected]"),
        "{reason}"
    );
}

#[test]
fn every_way_round_is_closed() {
    let project = project();
    project.file(
        "weak.diff",
        "--- a/.ruff.toml\n+++ b/.ruff.toml\n@@ -1 +1 @@\n-line-length = 100\n+line-length = 400\n",
    );
    begin(&project);
    let path = project.root().join(".ruff.toml");
    let edit = json!({ "file_path": path, "old_string": "100", "new_string": "400" });
    project.before("Edit", edit).assert_denied_by("guard.protected");
    project
        .before("Write", json!({ "file_path": path, "content": WEAK }))
        .assert_denied_by("guard.protected");
    for line in [
        "cat > .ruff.toml <<'END'\nline-length = 400\nEND",
        "python3 -c \"open('.ruff.toml', 'w').write('x')\"",
        "git apply weak.diff",
        "sed -i s/100/400/ ./.ruff.toml",
    ] {
        project.shell(line).assert_denied_by("guard.protected");
    }
    stop(&project, "1").assert_silent();
}

/// The ways that only detection can see, each run for real.
#[test]
fn what_no_command_line_shows_is_noticed_on_disk() {
    let script = format!("printf '{}' > .ruff.toml\n", WEAK.trim_end());
    let python = format!("open('.ruff.toml', 'w').write({WEAK:?})\n");
    let cases: [(&str, &str, &str, &[&str]); 4] = [
        ("tidy.sh", &script, "sh", &["tidy.sh"]),
        ("tidy.py", &python, "python3", &["tidy.py"]),
        ("tidy.mk", &format!("tidy:\n\t{script}"), "make", &["--silent", "-f", "tidy.mk", "tidy"]),
        ("nested.sh", "sh ./inner.sh\n", "sh", &["nested.sh"]),
    ];
    for (name, text, program, arguments) in cases {
        let project = project();
        project.file(name, text).file("inner.sh", &script);
        begin(&project);
        let line = format!("{program} {}", arguments.join(" "));
        really(&project, program, arguments);
        noticed(&after(&project, &line), "`.ruff.toml` changed during this session, noticed after `");
    }
}

#[test]
fn another_branch_is_noticed_and_reported() {
    let project = project();
    git(&project, &["switch", "--quiet", "--create", "other"]);
    project.file(".ruff.toml", WEAK);
    commit(&project);
    git(&project, &["switch", "--quiet", "-"]);
    begin(&project);
    really(&project, "git", &["switch", "--quiet", "other"]);
    noticed(&after(&project, "git switch other"), "`.ruff.toml` changed during this session");
}

// Defect 13 of the quality hooks.
#[test]
fn defect_13_committed_deleted_new_and_nested_changes_are_noticed_from_any_folder() {
    let project = project();
    begin(&project);
    project.file(".ruff.toml", WEAK).file("web/.prettierrc", "x\n");
    std::fs::remove_file(project.root().join("web/.eslintrc.json")).unwrap();
    commit(&project);
    let payload = project.payload(
        "Stop",
        json!({ "cwd": project.root().join("src"), "stop_hook_active": false, "last_assistant_message": "done" }),
    );
    let ran = project.hook_bytes("Stop", payload.to_string().as_bytes());
    noticed(
        &ran,
        "`.ruff.toml` changed, `web/.eslintrc.json` was deleted and `web/.prettierrc` appeared during this session",
    );
}

#[test]
fn a_new_config_in_a_nested_folder_is_noticed_after_the_command_and_at_the_stop() {
    let nested = |prepare: &dyn Fn(&Project)| {
        let project = project();
        project.file("deep/er/still/a.py", "x = 1\n");
        prepare(&project);
        begin(&project);
        project
    };
    // A tracked folder, a folder in a repository without a commit, and one that git does not know.
    let committed = nested(&|project| commit(project));
    let unborn = nested(&|project| {
        std::fs::remove_dir_all(project.root().join(".git")).unwrap();
        git(project, &["init", "--quiet"]);
    });
    let untracked = nested(&|_| {});
    for (name, project) in [("committed", &committed), ("unborn", &unborn), ("untracked", &untracked)] {
        project.file("make.sh", "echo 'line-length = 400' > src/ruff.toml\n");
        really(project, "sh", &["make.sh"]);
        noticed(&after(project, "sh make.sh"), "`src/ruff.toml` appeared during this session");
        noticed(&stop(project, name), "`src/ruff.toml` appeared during this session without approval");
    }
    // In a folder that did not exist, staged before the command ended.
    really(&committed, "sh", &["-c", "mkdir -p .tools/x && cp src/ruff.toml .tools/x/ && git add -f .tools"]);
    noticed(
        &stop(&committed, "staged"),
        "`.tools/x/ruff.toml` appeared and `src/ruff.toml` appeared during this session",
    );
    let ran = committed.run(&["restore", "src/ruff.toml"]);
    assert_eq!((ran.status, content(&committed, "src/ruff.toml")), (0, None), "{}", ran.stderr);
}

#[test]
fn what_flyball_runs_and_obeys_is_protected_and_watched() {
    let project = project();
    project.file("ci/fixer.json", r#"{"disableAllHooks": true}"#).file("ci/check.sh", "exit 0\n");
    project.config(
        "[quality.fixer]\nsettings_file = 'ci/fixer.json'\n[quality.linters.own]\nfiles = ['*.x']\n\
         check = { command = ['sh', 'ci/check.sh'], output = 'eslint' }\n",
    );
    begin(&project);
    for file in ["ci/fixer.json", "ci/check.sh"] {
        let input = json!({ "file_path": project.root().join(file), "content": "x\n" });
        project
            .hook("PreToolUse", json!({ "tool_name": "Write", "tool_input": input }))
            .assert_denied_by("guard.self");
    }
    project.file("ci/fixer.json", "{}");
    noticed(&after(&project, "sh tidy.sh"), "`ci/fixer.json` changed during this session");
    project.file("ci/check.sh", "exit 1\n");
    noticed(&stop(&project, "1"), "`ci/check.sh` changed");
}

#[test]
fn a_stop_is_blocked_once_and_a_restore_ends_it() {
    let project = project();
    begin(&project);
    project.file(".ruff.toml", WEAK);
    noticed(&stop(&project, "1"), "`.ruff.toml` changed during this session without approval");
    stop(&project, "2").assert_silent();
    let ran = project.run(&["restore"]);
    let stored_copy = stored_copy(&project, WEAK);
    let expected = format!(
        "✓ .ruff.toml is as the session found it again; the replaced content is saved in `{stored_copy}`\n"
    );
    assert_eq!((ran.status, ran.stdout, ran.stderr.as_str()), (0, expected, ""));
    assert_eq!(content(&project, ".ruff.toml").as_deref(), Some(GOOD));
    assert_eq!(std::fs::read_to_string(stored_copy).unwrap(), WEAK);
    stop(&project, "3").assert_silent();
    let ran = project.run(&["restore"]);
    let nothing = "nothing to restore: every protected file is as last approved or found\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, nothing, ""));
}

#[test]
fn always_restores_it_before_the_agent_reads_the_answer() {
    let project = project();
    project.config("[guard.protected]\nrestore = 'always'\n");
    begin(&project);
    project.file(".ruff.toml", WEAK).file("web/.prettierrc", "x\n");
    std::fs::remove_file(project.root().join("web/.eslintrc.json")).unwrap();
    let ran = after(&project, "sh tidy.sh");
    noticed(&ran, "`.ruff.toml` changed, `web/.eslintrc.json` was deleted and `web/.prettierrc` appeared");
    let now = [".ruff.toml", "web/.eslintrc.json", "web/.prettierrc"].map(|name| content(&project, name));
    assert_eq!(now, [Some(GOOD.to_owned()), Some("{}\n".to_owned()), None]);
    let stored_copy = stored_copy(&project, WEAK);
    assert!(ran.notice().contains(&format!("was restored; the changed content is kept in `{stored_copy}`")));
    after(&project, "ls").assert_silent();
    stop(&project, "1").assert_silent();
}

#[test]
fn a_folder_that_became_a_link_is_not_written_through() {
    let project = project();
    project.config("[guard.protected]\nrestore = 'always'\n");
    begin(&project);
    let elsewhere = project.folder().join("elsewhere");
    std::fs::rename(project.root().join("web"), &elsewhere).unwrap();
    std::fs::write(elsewhere.join(".eslintrc.json"), "{\"a\":1}\n").unwrap();
    std::os::unix::fs::symlink(&elsewhere, project.root().join("web")).unwrap();
    let ran = after(&project, "sh tidy.sh");
    assert!(
        ran.notice().contains("could not be restored: its folder has become a link to elsewhere"),
        "{ran:?}"
    );
    assert_eq!(std::fs::read_to_string(elsewhere.join(".eslintrc.json")).unwrap(), "{\"a\":1}\n");
}

#[test]
fn restore_leaves_alone_what_is_not_protected() {
    let project = project();
    project.file("src/main.py", "x = 2\n");
    let ran = project.run(&["restore", "src/main.py"]);
    let expected =
        "error: `src/main.py` is not protected\n help: `flyball approve --list` shows the files that are\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
    assert_eq!(content(&project, "src/main.py").as_deref(), Some("x = 2\n"));
}

#[test]
fn restore_by_name_falls_back_to_the_last_commit() {
    let project = project();
    project.file(".ruff.toml", WEAK);
    assert_eq!(project.run(&["restore"]).status, 0);
    assert_eq!(content(&project, ".ruff.toml").as_deref(), Some(WEAK), "a person's own work is left alone");
    assert_eq!(project.run(&["restore", ".ruff.toml"]).status, 0);
    assert_eq!(content(&project, ".ruff.toml").as_deref(), Some(GOOD));
}

#[test]
fn approve_refuses_without_a_terminal() {
    let project = project();
    project.file(".ruff.toml", WEAK);
    let ran = project.run(&["approve"]);
    let expected = "error: only a person may do this: this is not a terminal\n help: open a terminal of your own and \
                run `flyball approve` there\n";
    // Where these tests are run by an agent, it is refused for that.
    if !ran.stderr.contains("an agent started this") {
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", expected));
    }
    assert_eq!(ran.status, 3);
}

#[test]
fn anyone_may_look_at_the_list() {
    let project = project();
    project.file(".ruff.toml", WEAK).file(".flake8", "x\n");
    let ran = project.run(&["approve", "--list"]);
    let expected = "? .flake8             not seen before; name it to approve it\n\
                ? .git/config         not seen before; name it to approve it\n\
                ✗ .ruff.toml          differs from the last commit\n\
                ✓ web/.eslintrc.json  as in the last commit\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
}

#[test]
fn uncommitted_work_is_only_restored_by_name() {
    let project = project();
    project.file(".ruff.toml", WEAK);
    let ran = project.run(&["restore"]);
    let expected = "nothing to restore: every protected file is as last approved or found\n\
                .ruff.toml differs from the last commit; name it to restore it\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
    assert_eq!(content(&project, ".ruff.toml").as_deref(), Some(WEAK));
    let ran = project.run(&["restore", ".ruff.toml"]);
    let stored_copy = stored_copy(&project, WEAK);
    let expected = format!(
        "✓ .ruff.toml is as in the last commit again; the replaced content is saved in `{stored_copy}`\n"
    );
    assert_eq!((ran.status, ran.stdout, ran.stderr.as_str()), (0, expected, ""));
    assert_eq!(content(&project, ".ruff.toml").as_deref(), Some(GOOD));
}

#[test]
fn a_person_at_a_terminal_sees_the_difference_and_approves() {
    let project = project();
    begin(&project);
    project.file(".ruff.toml", WEAK);
    noticed(&after(&project, "sh tidy.sh"), "`.ruff.toml` changed");
    let seen = at_terminal(&project, &["approve"], &["n"], &[]);
    assert_eq!(seen["status"], json!(0), "{seen}");
    noticed(&stop(&project, "1"), "`.ruff.toml` changed");
    let seen = at_terminal(&project, &["approve"], &["y"], &[("NO_COLOR", "1")]);
    assert_eq!(
        seen["text"].as_str().unwrap().replace('\r', ""),
        ".ruff.toml differs from what the session found\n--- .ruff.toml\n+++ .ruff.toml\n@@ -1 +1 @@\n\
         -line-length = 100\n+line-length = 400\nApprove `.ruff.toml` as it is now? [y/N] y\n\
         ✓ .ruff.toml is approved\n"
    );
    stop(&project, "2").assert_silent();
    // Changed again, it goes back to what was approved.
    project.file(".ruff.toml", "line-length = 900\n");
    assert_eq!(project.run(&["restore", ".ruff.toml"]).status, 0);
    assert_eq!(content(&project, ".ruff.toml").as_deref(), Some(WEAK));
}

#[test]
fn approve_takes_several_files() {
    let project = project();
    begin(&project);
    project.file(".ruff.toml", WEAK).file("src/ruff.toml", WEAK).file(".flake8", "[flake8]\nignore = E\n");
    at_terminal(&project, &["approve", ".ruff.toml", "src/ruff.toml"], &["y", "y"], &[]);
    let left = stop(&project, "1").reason();
    assert!(left.contains("`.flake8`") && !left.contains("ruff.toml"), "{left}");
}

#[test]
fn the_present_content_is_approved_and_no_other() {
    let project = project();
    begin(&project);
    project.file(".ruff.toml", WEAK);
    at_terminal(&project, &["approve", ".ruff.toml"], &["y"], &[]);
    project.file(".ruff.toml", "line-length = 900\n");
    noticed(&after(&project, "sh tidy.sh"), "`.ruff.toml` changed");
    project.file(".ruff.toml", WEAK);
    stop(&project, "1").assert_silent();
}

#[test]
fn an_approval_does_not_survive_its_session() {
    let project = project();
    begin(&project);
    project.file(".ruff.toml", WEAK);
    at_terminal(&project, &["approve", ".ruff.toml"], &["y"], &[]);
    stop(&project, "1").assert_silent();
    project.file(".ruff.toml", GOOD);
    let next = |event: &str, mut fields: Value| {
        fields["session_id"] = json!("00000000-0000-4000-8000-000000000002");
        project.hook(event, fields)
    };
    next("SessionStart", json!({ "source": "startup" })).assert_silent();
    project.file(".ruff.toml", WEAK);
    let stopping = |again: bool| json!({ "stop_hook_active": again, "last_assistant_message": "x" });
    noticed(&next("Stop", stopping(false)), "`.ruff.toml` changed during this session without approval");
    next("Stop", stopping(true)).assert_silent();
    // What was approved in the first session is still fine there.
    stop(&project, "2").assert_silent();
}

#[test]
fn anyone_may_look_at_the_difference() {
    let project = project();
    begin(&project);
    project.file(".ruff.toml", WEAK);
    let ran = project.run(&["approve", "--diff", ".ruff.toml"]);
    let expected = ".ruff.toml differs from what the session found\n--- .ruff.toml\n+++ .ruff.toml\n@@ -1 +1 @@\n\
                -line-length = 100\n+line-length = 400\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
    noticed(&stop(&project, "1"), "`.ruff.toml` changed during this session without approval");
}

#[test]
fn approve_refuses_an_agent_even_at_a_terminal() {
    let project = project();
    project.file(".ruff.toml", WEAK);
    let seen = at_terminal(&project, &["approve"], &["y"], &[("CLAUDECODE", "1")]);
    assert_eq!(seen["status"], json!(3));
    assert!(seen["text"].as_str().unwrap().contains("an agent started this (CLAUDECODE is set)"), "{seen}");

    let claude = project.folder().join("claude");
    let program = env!("CARGO_BIN_EXE_flyball");
    executable(&claude, &format!("#!/bin/sh\n'{program}' \"$@\"\n"));
    let seen = TerminalUser::new(&project)
        .with_program(&claude)
        .with_answers(PromptKind::Decisions, &["y"])
        .run(&["approve"]);
    assert_eq!(seen["status"], json!(3), "{seen}");
    let text = seen["text"].as_str().unwrap();
    assert!(text.contains("only a person may do this: an agent started this (process "), "{text}");
    assert!(text.contains(", `claude`)"), "{text}");
}

// Defect 14 of the quality hooks.
/// Approvals are in the user's own state directory under the project's name, whoever the parent
/// process is.
#[test]
fn defect_14_approvals_do_not_depend_on_process_ids_or_a_shared_folder() {
    let project = project();
    begin(&project);
    project.file(".ruff.toml", WEAK);
    at_terminal(&project, &["approve"], &["y"], &[]);
    let folder = project.state().join("approvals");
    let names: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let files: Vec<&PathBuf> =
        names.iter().filter(|path| path.extension().is_some_and(|it| it == "json")).collect();
    assert_eq!(files.len(), 1, "{names:?}");
    let ledger: Value = serde_json::from_str(&std::fs::read_to_string(files[0]).unwrap()).unwrap();
    assert_eq!((&ledger["version"], &ledger["root"]), (&json!(1), &json!(project.root())));
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&folder).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o700);
    stop(&project, "1").assert_silent();
}

#[test]
fn an_agents_own_approval_is_stopped_before_it_runs() {
    let project = project();
    for line in ["flyball approve .ruff.toml", "script -qc 'flyball approve' /dev/null"] {
        project.shell(line).assert_denied_by("guard.self");
    }
    for line in ["flyball approve --list", "flyball restore .ruff.toml"] {
        project.shell(line).assert_silent();
    }
}

fn sha256(text: &str) -> String {
    let project = Project::new();
    project.file("x", text);
    let mut command = Command::new("sha256sum");
    command.arg("x").current_dir(project.root());
    run(command, b"").stdout.split_whitespace().next().unwrap().to_owned()
}

fn executable(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path, mode).unwrap();
}

/// Runs flyball at a terminal of its own, detached from the process that runs the tests.
fn at_terminal(project: &Project, arguments: &[&str], answers: &[&str], variables: &[(&str, &str)]) -> Value {
    let person = TerminalUser::new(project).with_answers(PromptKind::Decisions, answers);
    variables.iter().fold(person, |person, (name, value)| person.with(name, value)).run(arguments)
}
