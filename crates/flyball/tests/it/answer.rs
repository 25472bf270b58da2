//! The answer gets out: whatever becomes of standard output, of the limits of the process, and of standard input.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::support::Project;
use serde_json::json;

fn payload(project: &Project, command: &str) -> String {
    let fields = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t" });
    project.payload("PreToolUse", fields).to_string()
}

/// The exit code and what came on stderr, with that stdout.
fn with_stdout(project: &Project, event: &str, payload: &str, stdout: Stdio) -> (Option<i32>, String) {
    let mut command = project.hook_command(event);
    ended(command.stdout(stdout), payload)
}

fn ended(command: &mut Command, payload: &str) -> (Option<i32>, String) {
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

/// A pipe that nobody reads.
fn broken() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn a_refusal_that_cannot_be_printed_is_made_by_exit_code() {
    let project = Project::new();
    let denied = payload(&project, "rm flyball.toml");
    for (name, stdout) in [("full", full()), ("broken", broken()), ("null", Stdio::null())] {
        let (code, reason) = with_stdout(&project, "PreToolUse", &denied, stdout);
        assert_eq!(code, Some(2), "{name}");
        assert!(reason.contains("[flyball guard.self"), "{name}: {reason}");
    }
    // A process without any stdout: the shell closes it.
    let mut closed = Command::new("sh");
    closed
        .args(["-c", "exec \"$0\" hook --client claude-code --event PreToolUse >&-"])
        .arg(env!("CARGO_BIN_EXE_flyball"));
    for (key, value) in project.hook_command("PreToolUse").get_envs() {
        closed.env(key, value.unwrap());
    }
    assert_eq!(ended(&mut closed, &denied).0, Some(2));
    // What is not refused passes all the same.
    let harmless = payload(&project, "ls");
    for stdout in [full(), broken(), Stdio::null()] {
        assert_eq!(with_stdout(&project, "PreToolUse", &harmless, stdout), (Some(0), String::new()));
    }
}

#[test]
fn a_file_that_may_not_grow_is_an_error_and_no_death() {
    let project = Project::new();
    let run = |command: &str| {
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -f 0; exec \"$0\" hook --client claude-code --event PreToolUse"]);
        limited.arg(env!("CARGO_BIN_EXE_flyball")).stdout(Stdio::piped());
        for (key, value) in project.hook_command("PreToolUse").get_envs() {
            limited.env(key, value.unwrap());
        }
        let mut child = limited.stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(payload(&project, command).as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status, String::from_utf8(output.stdout).unwrap())
    };
    let (status, answer) = run("ls");
    assert!(status.success(), "{status}");
    assert!(answer.contains("the disk is full"), "{answer}");
    let (status, answer) = run("rm flyball.toml");
    assert!(status.success() && answer.contains("\"deny\""), "{status}: {answer}");
}

/// Starts a hook, writes this to it, and keeps its input open until it ends.
fn without_end(project: &Project, text: &str) -> (ExitStatus, Duration, String) {
    let mut command = project.hook_command("PreToolUse");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let started = Instant::now();
    stdin.write_all(text.as_bytes()).unwrap();
    let status = child.wait().unwrap();
    let mut reason = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut reason).unwrap();
    drop(stdin);
    (status, started.elapsed(), reason)
}

#[test]
fn the_end_of_the_object_is_the_end_of_the_payload() {
    let project = Project::new();
    let (status, _, reason) = without_end(&project, &payload(&project, "rm flyball.toml"));
    assert_eq!(status.code(), Some(2), "{reason}");
    let (status, _, _) = without_end(&project, &payload(&project, "ls"));
    assert_eq!(status.code(), Some(0));
    // Recorded as one event each.
    let journal = fs::read_dir(project.state().join("sessions")).unwrap().next().unwrap().unwrap().path();
    assert_eq!(fs::read_to_string(journal).unwrap().matches("\"record\":").count(), 2);
}

#[test]
fn a_client_that_stops_in_the_middle_is_not_waited_for() {
    let project = Project::new();
    let whole = payload(&project, "ls");
    let (status, took, reason) = without_end(&project, &whole[..whole.len() - 1]);
    assert_eq!(status.code(), Some(2), "{reason}");
    assert!(reason.contains("did not arrive within"), "{reason}");
    assert!(took > Duration::from_secs(5), "{took:?}");
}

#[test]
fn the_reason_that_says_what_is_lost_comes_first_and_alone() {
    for (line, place) in [
        ("d=/; rm -rf \"$d\"", "a folder that contains the project: /. [flyball guard.commands]"),
        ("rm -rf \"$HOME\"", "would delete the home folder or one of its main folders: "),
        ("rm -rf /etc /", "(also guard.self, guard.protected) [flyball guard.commands]"),
    ] {
        let project = Project::new();
        project.file(".editorconfig", "root = true\n").config("");
        let ran = project.shell(line);
        let reason = ran.reason();
        assert_eq!(ran.decision().as_deref(), Some("deny"), "{line}");
        let first = "Delete only paths inside the project; temporary and build folders are allowed: ";
        assert!(reason.starts_with(first) && reason.lines().count() == 1, "{line}: {reason}");
        assert!(reason.contains(place), "{line}: {reason}");
        assert!(reason.chars().count() <= 200, "{line}: {reason}");
        let shown = project.run(&["try", line]).stdout;
        assert!(shown.contains("guard.commands, delete-system (also guard.self"), "{shown}");
    }
    let project = Project::new();
    // What is named itself is told by the policy that protects it, and a folder that only holds it by what it holds.
    let ran = project.shell("rm -rf flyball.toml");
    assert!(ran.reason().starts_with("Work within the rules"), "{}", ran.reason());
    let ran = project.shell("rm -rf .");
    assert!(ran.reason().starts_with("Name the files or folders to delete"), "{}", ran.reason());
}
