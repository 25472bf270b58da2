//! `flyball uninstall` where other registrations remain: what is committed, what is in the home directory.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{CLAUDE, Project, machine};

#[track_caller]
fn succeeded(project: &Project, folder: &Path, arguments: &[&str]) -> String {
    let ran = project.run_in(folder, arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.stdout
}

/// The line of the committed settings for this event.
fn line(project: &Project, event: &str) -> String {
    let text = fs::read_to_string(project.root().join(".claude/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    settings.pointer(&format!("/hooks/{event}/0/hooks/0/command")).unwrap().as_str().unwrap().to_owned()
}

/// Runs such a line where flyball is not on the search path.
fn run(project: &Project, event: &str) -> Output {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &line(project, event)]).current_dir(project.root());
    command.env_clear().env("HOME", project.home()).env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::null()).output().unwrap()
}

/// What a colleague gets who never had flyball.
#[track_caller]
fn assert_nothing_is_missed(project: &Project) {
    for event in ["PreToolUse", "UserPromptSubmit", "Stop"] {
        let done = run(project, event);
        assert_eq!(
            (done.status.code(), done.stdout.len(), done.stderr.len()),
            (Some(0), 0, 0),
            "{event} {done:?}"
        );
    }
    let told = run(project, "SessionStart");
    assert!(String::from_utf8_lossy(&told.stdout).contains("not installed here"), "{told:?}");
}

/// A project that somebody else has set up, on a machine where it is cloned.
fn shared() -> Project {
    let project = machine(&[CLAUDE]);
    project.file(".claude/settings.json", "{}\n");
    succeeded(&project, &project.root(), &["init", "--yes"]);
    fs::remove_dir_all(project.home().join(".local/state/flyball")).unwrap();
    project
}

#[test]
fn a_shared_project_misses_nothing_after_a_person_removed_their_registration() {
    let project = shared();
    succeeded(&project, &project.home(), &["init", "--user", "--yes"]);
    fs::remove_file(project.home().join(".local/state/flyball/bin/flyball")).unwrap();
    assert_eq!(run(&project, "PreToolUse").status.code(), Some(2), "gone without a word: refused");
    succeeded(&project, &project.home(), &["init", "--user", "--yes"]);
    succeeded(&project, &project.home(), &["uninstall", "--user", "--yes"]);
    assert_nothing_is_missed(&project);
    // Who sets it up again is guarded again.
    succeeded(&project, &project.home(), &["init", "--user", "--yes"]);
    fs::remove_file(project.home().join(".local/state/flyball/bin/flyball")).unwrap();
    assert_eq!(run(&project, "PreToolUse").status.code(), Some(2));
    succeeded(&project, &project.home(), &["uninstall", "--all", "--yes"]);
    assert_nothing_is_missed(&project);
}

#[test]
fn what_a_person_registered_in_another_project_stays_guarded_and_is_named() {
    let project = machine(&[CLAUDE]);
    succeeded(&project, &project.root(), &["init", "--yes"]);
    succeeded(&project, &project.home(), &["init", "--user", "--yes"]);
    let text = succeeded(&project, &project.home(), &["uninstall", "--user", "--yes"]);
    let named = format!(
        "still registered in {} (run `flyball uninstall` there)\n",
        project.root().join(".claude/settings.json").display()
    );
    assert!(text.ends_with(&named), "{text} {named}");
    assert!(project.home().join(".local/state/flyball/bin/flyball").exists());
}

#[test]
fn in_the_home_directory_the_users_registration_is_removed_from_the_file_that_is_the_projects_too() {
    for options in [&["--user"] as &[&str], &[], &["--all"]] {
        let project = machine(&[CLAUDE]);
        let settings = project.home().join(".claude/settings.json");
        fs::create_dir_all(settings.parent().unwrap()).unwrap();
        fs::write(&settings, "{\"model\": \"x\"}\n").unwrap();
        succeeded(&project, &project.home(), &["init", "--user", "--yes"]);
        let arguments = [&["uninstall", "--yes"], options].concat();
        let text = succeeded(&project, &project.home(), &arguments);
        assert!(text.contains("✓ flyball is removed"), "{options:?} {text}");
        assert_eq!(fs::read_to_string(&settings).unwrap(), "{\"model\": \"x\"}\n", "{options:?}");
    }
}
