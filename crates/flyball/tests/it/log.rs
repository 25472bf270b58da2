//! `flyball log`, by real processes over a real record.

#![allow(clippy::allow_attributes, clippy::unwrap_used, reason = "all of it is test code")]

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

use crate::support::masks::masked;
use crate::support::{ProcessResult, Project};
use serde_json::{Value, json};

/// A short session: a prompt, a command, a denied edit, a subagent that reads, the end of the turn.
fn session() -> Project {
    let project = Project::new().with("COLUMNS", "90").with("TZ", "UTC");
    project.hook("SessionStart", json!({ "source": "startup" }));
    project.hook("UserPromptSubmit", json!({ "prompt": "make it\nfaster" }));
    project.shell("cargo test");
    let config = project.root().join("flyball.toml");
    project.before("Write", json!({ "file_path": config, "content": "" }));
    let source = project.root().join("src/main.rs");
    let read = json!({ "tool_name": "Read", "tool_input": { "file_path": source }, "agent_id": "a1", "agent_type": "reviewer" });
    project.hook("PreToolUse", read);
    project.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "Done." }));
    project
}

#[track_caller]
fn prints(ran: &ProcessResult, expected: &str) {
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
}

#[track_caller]
fn fails(ran: &ProcessResult, expected: &str) {
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}

#[test]
fn one_line_per_event_newest_last() {
    let project = session();
    let ran = project.run(&["log"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let expected = "\
hh:mm:ss  00000000  session_start  passed   id-00001  startup
hh:mm:ss  00000000  prompt_submit  passed   id-00002  make it
hh:mm:ss  00000000  before_tool    passed   id-00003  shell: cargo test
hh:mm:ss  00000000  before_tool    blocked  id-00004  [guard.self] edit: flyball.toml
hh:mm:ss  00000000  before_tool    passed   id-00005  @reviewer read: src/main.rs
hh:mm:ss  00000000  stop           passed   id-00006  Done.
";
    assert_eq!(masked(&ran.stdout, &project), expected);
}

#[test]
fn each_filter_leaves_what_it_names() {
    let project = session();
    let cases: &[(&[&str], &[usize])] = &[
        (&["--kind", "stop"], &[6]),
        (&["--kind", "stop", "--kind", "prompt_submit"], &[2, 6]),
        (&["--stance", "deny"], &[4]),
        (&["--stance", "deny", "--stance", "silent", "-n", "4"], &[3, 4, 5, 6]),
        (&["--tool", "read"], &[5]),
        (&["--policy", "guard.self"], &[4]),
        (&["--grep", "CARGO"], &[3]),
        (&["--session", "0000", "-n", "1"], &[6]),
        (&["--here", "--since", "1h", "--kind", "stop"], &[6]),
        (&["--project", "src/..", "--until", "2020-01-01"], &[]),
        (&["--project", ".", "-n", "2"], &[5, 6]),
    ];
    let all = project.log();
    for (arguments, expected) in cases {
        let ran = project.run(&[&["log", "--json"], *arguments].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{arguments:?}");
        let found: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected: Vec<Value> = expected.iter().map(|number| all[number - 1].clone()).collect();
        assert_eq!(found, expected, "{arguments:?}");
    }
}

#[test]
fn json_is_the_whole_record() {
    let project = Project::new();
    project.shell("ls");
    let record = project.log().remove(0);
    let mut keys: Vec<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = [
        "at", "call", "client", "id", "kind", "micros", "native", "outcome", "payload", "project", "rulings",
        "session", "stance", "subject", "tool",
    ];
    assert_eq!(keys, expected);
    let payload: Value = serde_json::from_str(record["payload"].as_str().unwrap()).unwrap();
    assert_eq!(payload["tool_input"], json!({ "command": "ls" }));
}

#[test]
fn the_same_call_twice_is_one_line_without_the_option_all() {
    let project = Project::new().with("COLUMNS", "90");
    let payload = project
        .payload("PreToolUse", json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } }))
        .to_string();
    project.hook_bytes("PreToolUse", payload.as_bytes());
    project.hook_bytes("PreToolUse", payload.as_bytes());
    let once = "hh:mm:ss  00000000  before_tool  passed  id-00001  shell: ls\n";
    let twice = "hh:mm:ss  00000000  before_tool  passed  id-00002  (duplicate) shell: ls\n";
    assert_eq!(masked(&project.run(&["log"]).stdout, &project), once);
    assert_eq!(masked(&project.run(&["log", "--all"]).stdout, &project), format!("{once}{twice}"));
}

#[test]
fn an_agent_cannot_draw_on_the_terminal() {
    let project = Project::new().with("COLUMNS", "90");
    project.shell("printf '\u{1b}[2J'");
    let expected = "hh:mm:ss  00000000  before_tool  passed  id-00001  shell: printf '\u{fffd}[2J'\n";
    assert_eq!(masked(&project.run(&["log"]).stdout, &project), expected);
}

#[test]
fn an_empty_log_prints_a_sentence() {
    let project = Project::new();
    let empty = "Nothing is recorded yet. `flyball init` registers flyball with your client; `flyball demo` shows it at work.\n";
    prints(&project.run(&["log"]), empty);
    prints(&project.run(&["log", "--json"]), "");
    project.shell("ls");
    let none = "No event matches. `flyball log` without filters shows the latest of all projects.\n";
    prints(&project.run(&["log", "--grep", "nowhere"]), none);
}

#[test]
fn wrong_filters_are_errors_with_a_fix() {
    let project = session();
    let cases: &[(&[&str], &str)] = &[
        (
            &["--session", "9"],
            "error: no session begins with `9`\n help: `flyball status --all` lists the sessions\n",
        ),
        (
            &["--policy", "guard.slef"],
            "error: no policy is called `guard.slef`\n help: did you mean `guard.self`? `flyball policies` lists them all\n",
        ),
        (
            &["--since", "yesterdayish"],
            "error: invalid time `yesterdayish`\n help: write how long ago (`90s`, `30m`, `2h`, `3d`, `1w`), a day (`2026-11-14`), a time\n   (`14:30`) or both (`2026-11-14T14:30`)\n",
        ),
    ];
    for (arguments, expected) in cases {
        fails(&project.run(&[&["log"], *arguments].concat()), expected);
    }
}

#[test]
fn an_ambiguous_session_is_an_error_that_lists_both() {
    let project = Project::new();
    for session in ["abc-1", "abd-2"] {
        project.hook("Stop", json!({ "session_id": session }));
    }
    let ran = project.run(&["log", "--session", "ab"]);
    let expected = "error: several sessions begin with `ab`\n help: name one:\n  \
                    --session abd-2  last event N unit ago in PROJECT\n  \
                    --session abc-1  last event N unit ago in PROJECT\n";
    assert_eq!((ran.status, ran.stdout.as_str(), masked(&ran.stderr, &project).as_str()), (2, "", expected));
}

fn spawned(project: &Project, arguments: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let mut child = project.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let reader = BufReader::new(child.stdout.take().unwrap());
    (child, reader)
}

fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let project = Project::new();
    // More than a pipe holds, so that writing it finds nobody at the other end.
    for number in 0..3 {
        project
            .before("Write", json!({ "file_path": format!("{number}.txt"), "content": "x".repeat(100_000) }));
    }
    let (child, reader) = spawned(&project, &["log", "--json"]);
    drop(reader);
    assert_eq!(ended(child), (Some(0), String::new()));
}

#[test]
fn following_shows_events_as_they_come_until_nobody_reads() {
    let project = Project::new().with("COLUMNS", "90");
    project.shell("first");
    let (child, mut reader) = spawned(&project, &["log", "--follow"]);
    let mut line = String::new();
    let mut next = || {
        line.clear();
        reader.read_line(&mut line).unwrap();
        line.trim_end().rsplit("  ").next().unwrap().to_owned()
    };
    assert_eq!(next(), "shell: first");
    project.shell("second");
    project.shell("third");
    assert_eq!([next(), next()], ["shell: second", "shell: third"]);
    drop(reader);
    project.shell("fourth");
    assert_eq!(ended(child), (Some(0), String::new()));
}
