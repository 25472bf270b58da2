//! Commands that take long show their progress, and leave nothing behind when they are interrupted.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed, and what is not there is null"
)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::support::{Project, long_transcript, run, search_path};
use flyball_core::event::SessionId;
use flyball_core::record::Record;
use flyball_store::Store;
use serde_json::{Value, json};

/// Enough that folding them takes a second or more.
const EVENTS: usize = 12_000;
const CTRL_C: &str = "\u{3}";

/// A project with this many events that are not in the index yet.
fn recorded(events: usize) -> Project {
    let project = Project::new();
    let store = Store::at(&project.state());
    let journal = store.session("claude-code", &SessionId::new("5f0c"), Duration::from_secs(60));
    let now = jiff::Timestamp::now().as_microsecond();
    for number in 0..events {
        let fields = json!({
            "id": format!("{number:08}"), "at": now, "client": "claude-code", "session": "5f0c",
            "project": project.root(), "kind": "before_tool", "native": "PreToolUse", "tool": "shell",
            "subject": format!("echo {number}"), "call": number, "stance": "silent", "micros": 1,
        });
        let mut record: Record = serde_json::from_value(fields).unwrap();
        journal.commit(&mut record).unwrap();
    }
    project
}

/// Runs it at a terminal, and does each step when its text was seen.
fn at_terminal(project: &Project, arguments: &[&str], (steps, path): (&Value, Option<&str>)) -> Value {
    let driver = project.folder().join("at_terminal.py");
    std::fs::write(&driver, include_str!("interrupt/at_terminal.py")).unwrap();
    let arguments: Vec<&str> = [env!("CARGO_BIN_EXE_flyball")].iter().chain(arguments).copied().collect();
    let request = json!({ "command": arguments, "steps": steps, "out": project.folder().join("out"),
        "there": path.map(|_| project.folder().join("there")) });
    let mut command = Command::new("python3");
    command.arg(&driver).arg(request.to_string()).current_dir(project.root()).env_clear();
    let own = std::env::var("PATH").unwrap_or_default();
    command.env("HOME", project.home()).env("PATH", path.unwrap_or(&own)).env("TMPDIR", tmp(project));
    let ran = run(command, b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// Where scratch folders are made.
fn tmp(project: &Project) -> PathBuf {
    let tmp = project.folder().join("tmp");
    std::fs::create_dir_all(&tmp).unwrap();
    tmp
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// It came to all steps, died by the signal, took its line away, and left no folder behind.
#[track_caller]
fn ended_by(number: i32, seen: &Value, project: &Project) {
    assert_eq!((&seen["status"], &seen["left"]), (&json!(number), &json!([])), "{seen}");
    assert!(seen["text"].as_str().unwrap().ends_with("\r\u{1b}[K"), "{seen}");
    assert_eq!(seen["restored"], json!(true), "{seen}");
    assert_eq!(names(&tmp(project)), Vec::<String>::new());
}

/// How many events the log has.
fn logged(project: &Project) -> usize {
    let ran = project.run(&["log", "--json", "-n", "1000000"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran.stdout.lines().count()
}

/// A program that reports its start and then never ends.
fn endless(project: &Project, name: &str) -> String {
    let folder = project.folder().join("bin");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let there = project.folder().join("there");
    std::fs::write(&path, format!("#!/bin/sh\necho $$ > '{}'\nsleep 600\n", there.display())).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    search_path(&[folder])
}

/// The endless program was started, and is gone.
#[track_caller]
fn is_gone(project: &Project) {
    let id = std::fs::read_to_string(project.folder().join("there")).unwrap();
    assert!(!Path::new("/proc").join(id.trim()).exists());
}

#[test]
fn a_long_fold_shows_a_bar_at_a_terminal_and_nothing_else_does() {
    let project = recorded(EVENTS);
    let seen = at_terminal(&project, &["log", "--json", "-n", "1000000"], (&json!([]), None));
    assert_eq!(seen["status"], json!(0), "{seen}");
    let text = seen["text"].as_str().unwrap();
    assert!(text.contains("━") && text.contains("B of journals read"), "{text}");
    assert!(text.ends_with("\r\u{1b}[K"), "{text}");
    let printed = std::fs::read_to_string(project.folder().join("out")).unwrap();
    assert_eq!(printed.lines().count(), EVENTS);
    assert_eq!(logged(&recorded(EVENTS)), EVENTS, "and nothing on standard error");
}

#[test]
fn a_fold_that_is_ended_goes_on_the_next_time() {
    for (how, number) in [(CTRL_C, -2), ("SIGTERM", -15)] {
        let project = recorded(EVENTS);
        let steps = json!([["B of journals read", how]]);
        ended_by(number, &at_terminal(&project, &["log"], (&steps, None)), &project);
        assert_eq!(logged(&project), EVENTS);
        assert_eq!(project.run(&["audit", "verify"]).status, 0);
    }
}

#[test]
fn replay_is_ended_while_it_still_folds() {
    let project = recorded(EVENTS);
    let steps = json!([["B of journals read", CTRL_C]]);
    ended_by(-2, &at_terminal(&project, &["replay", "--all"], (&steps, None)), &project);
    assert_eq!(logged(&project), EVENTS);
}

#[test]
fn replay_that_is_interrupted_prints_what_it_has() {
    let project = Project::new();
    let transcript = project.folder().join("transcript.jsonl");
    std::fs::write(&transcript, long_transcript(&project, EVENTS)).unwrap();
    let steps = json!([["reading the record", CTRL_C]]);
    let arguments = ["replay", transcript.to_str().unwrap(), "--json"];
    let seen = at_terminal(&project, &arguments, (&steps, None));
    assert_eq!((&seen["status"], &seen["left"]), (&json!(130), &json!([])), "{seen}");
    assert_eq!(names(&tmp(&project)), Vec::<String>::new());
    let printed = std::fs::read_to_string(project.folder().join("out")).unwrap();
    assert!(printed.lines().count() < EVENTS);
    serde_json::from_str::<Value>(printed.lines().last().unwrap()).unwrap();
}

#[test]
fn an_export_that_is_ended_leaves_no_file() {
    let project = recorded(EVENTS);
    assert_eq!(logged(&project), EVENTS);
    let steps = json!([[" events", CTRL_C]]);
    let seen = at_terminal(&project, &["audit", "export", "-o", "all.jsonl"], (&steps, None));
    ended_by(-2, &seen, &project);
    assert_eq!(names(&project.root()), [".git"]);
    let ran = project.run(&["audit", "export", "-o", "all.jsonl"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(project.root().join("all.jsonl")).unwrap().lines().count(), EVENTS);
}

#[test]
fn doctor_ends_a_client_that_hangs() {
    for (how, number) in [(CTRL_C, -2), ("SIGTERM", -15)] {
        let project = Project::new();
        let path = endless(&project, "claude");
        let steps = json!([["asking Claude Code for its version", how]]);
        ended_by(number, &at_terminal(&project, &["doctor"], (&steps, Some(&path))), &project);
        is_gone(&project);
    }
}

#[test]
fn self_test_ends_a_linter_that_hangs() {
    let project = Project::new();
    let path = endless(&project, "shellcheck");
    let steps = json!([["shellcheck", CTRL_C]]);
    let arguments = ["self-test", "--language", "shell"];
    ended_by(-2, &at_terminal(&project, &arguments, (&steps, Some(&path))), &project);
    is_gone(&project);
}

#[test]
fn lint_ends_a_linter_that_hangs() {
    let project = Project::new();
    let path = endless(&project, "endless");
    project.config("[quality.linters.endless]\nfiles = ['*.txt']\ncheck = { command = ['endless'] }\n");
    project.file("a.txt", "one\n");
    let steps = json!([["endless", CTRL_C]]);
    let arguments = ["lint", "--no-cache", "--linter", "endless", "a.txt"];
    ended_by(-2, &at_terminal(&project, &arguments, (&steps, Some(&path))), &project);
    is_gone(&project);
}

#[test]
fn a_demo_that_is_ended_leaves_no_project() {
    let project = Project::new();
    let steps = json!([[" events", CTRL_C]]);
    ended_by(-2, &at_terminal(&project, &["demo"], (&steps, None)), &project);
}
