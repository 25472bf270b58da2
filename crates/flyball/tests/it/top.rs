//! `flyball top` as a real process, at a terminal and without one.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed, and what is not there is null"
)]

use crate::support::{Project, run};
use serde_json::{Value, json};

fn busy() -> Project {
    let project = Project::new();
    project.config("");
    for command in ["ls -la", "rm -rf /", "echo \u{1b}[31mred\u{7}"] {
        let ran = project.shell(command);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    project
}

/// The screen, without what differs from run to run.
fn once(project: &Project) -> String {
    let mut command = project.command(&["top", "--once"]);
    command.env("COLUMNS", "110");
    let ran = run(command, b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran.stdout
}

#[test]
fn one_screen_has_numbers_sessions_and_events() {
    let shown = once(&busy());
    for part in [
        "flyball top  all projects, last hour",
        "3 events  1 blocked",
        "running shell: echo",
        "guard.self",
        "shell: rm -rf /",
    ] {
        assert!(shown.contains(part), "{part:?} is not in\n{shown}");
    }
    assert!(!shown.contains(['\u{1b}', '\u{7}']), "{shown:?}");
    assert!(shown.contains("hook p50 ") && !shown.contains("p50 –"), "{shown}");
}

#[test]
fn an_empty_store_explains_what_would_be_here() {
    let project = Project::new();
    assert!(
        once(&project)
            .contains("Nothing is recorded yet. `flyball init` registers flyball with your clients.")
    );
}

#[test]
fn keys_lead_to_a_session_and_to_an_explanation_and_to_the_end() {
    let project = busy();
    // Tab and Enter open the session, j and Enter the second event, ? the list of keys, q ends.
    let steps =
        json!([["Events", "\t"], ["Sessions", "\r"], ["session", "j"], ["rm -rf /", "\r"], ["olic", "?q"],]);
    let seen = at_terminal(&project, steps);
    assert_eq!((&seen["status"], &seen["left"], is_restored(&seen)), (&json!(0), &json!([]), true), "{seen}");
}

#[test]
fn a_signal_restores_the_terminal() {
    for (signal, number) in [("SIGTERM", -15), ("SIGINT", -2)] {
        let project = busy();
        let seen = at_terminal(&project, json!([["Events", signal]]));
        let expected = (&json!(number), &json!([]), true);
        assert_eq!((&seen["status"], &seen["left"], is_restored(&seen)), expected, "{seen}");
    }
}

/// Whether the screen from before is shown, in the modes from before.
fn is_restored(seen: &Value) -> bool {
    seen.get("restored") == Some(&json!(true))
        && seen.get("text").and_then(Value::as_str).unwrap().contains("\u{1b}[?1049l")
}

fn at_terminal(project: &Project, steps: Value) -> Value {
    let driver = project.folder().join("at_terminal.py");
    std::fs::write(&driver, include_str!("interrupt/at_terminal.py")).unwrap();
    let request = json!({ "command": [env!("CARGO_BIN_EXE_flyball"), "top"], "steps": steps });
    let mut command = std::process::Command::new("python3");
    command.arg(&driver).arg(request.to_string()).current_dir(project.root()).env_clear();
    command.env("HOME", project.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("TERM", "xterm-256color");
    let ran = run(command, b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    serde_json::from_str(&ran.stdout).unwrap()
}
