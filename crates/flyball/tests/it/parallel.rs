//! Many agents in one session at once, in a repository whose git is slow: nothing is lost, and nobody waits for another
//! one's git.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};

use crate::support::{Project, commit, git, search_path};
use serde_json::{Value, json};

const AGENTS: usize = 16;

/// A git that takes its time, and then is git.
fn with_slow_git(project: Project, seconds: &str) -> Project {
    let folder = project.folder().join("slow");
    fs::create_dir(&folder).unwrap();
    // The real one is the next on the path.
    let script = format!("#!/bin/sh\nsleep {seconds}\nPATH=${{PATH#*:}} exec git \"$@\"\n");
    fs::write(folder.join("git"), script).unwrap();
    fs::set_permissions(folder.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = search_path(&[folder]);
    project.with("PATH", &path)
}

fn start(project: &Project, event: &str, fields: Value) -> Child {
    let payload = project.payload(event, fields).to_string();
    let mut command = project.hook_command(event);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
    child
}

#[test]
fn no_event_is_lost_while_git_sleeps() {
    let project = Project::new();
    git(&project, &["init", "-q"]);
    fs::write(project.root().join("a.py"), "a = 1\n").unwrap();
    commit(&project);
    let project = with_slow_git(project, "0.5");
    for round in 0..3 {
        let mut running = Vec::new();
        for agent in 0..AGENTS {
            let name = format!("f{round}-{agent}.py");
            fs::write(project.root().join(&name), "x = 1\n").unwrap();
            let id = format!("t{round}-{agent}");
            // What cannot be read from the line, so git is asked what changed; and what writes into the memory.
            let input = json!({ "command": format!("python3 make.py {name}; echo {agent} > out{agent}.sh") });
            let response = json!({ "stdout": "", "stderr": "", "interrupted": false });
            running.push(start(
                &project,
                "PostToolUse",
                json!({ "tool_name": "Bash", "tool_input": input, "tool_response": response, "tool_use_id": id }),
            ));
            running.push(start(
                &project,
                "PreToolUse",
                json!({ "tool_name": "Bash", "tool_input": { "command": "git reset --hard" }, "tool_use_id": id }),
            ));
        }
        for child in running {
            let output = child.wait_with_output().unwrap();
            let (stdout, stderr) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(output.status.success(), "{stdout}{stderr}");
            assert!(!stdout.contains("recorded"), "{stdout}");
            assert!(!stdout.contains("could not"), "{stdout}");
        }
    }
    let journals = fs::read_dir(project.state().join("sessions")).unwrap();
    let texts: Vec<String> =
        journals.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    let records: usize = texts.iter().map(|text| text.matches("\"record\":").count()).sum();
    assert_eq!((texts.len(), records), (1, 3 * 2 * AGENTS));
    // Every event of the audit is there, and in its place.
    let ran = project.run(&["audit", "verify"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn what_cannot_be_recorded_now_is_recorded_with_the_next_event() {
    let project = Project::new();
    project.shell("ls").assert_silent();
    let journal = fs::read_dir(project.state().join("sessions")).unwrap().next().unwrap().unwrap().path();
    let locked = fs::File::open(&journal).unwrap();
    locked.lock().unwrap();
    let ran = project.shell("ls -la");
    assert!(ran.notice().starts_with("flyball: this event waits to be recorded: "), "{}", ran.notice());
    project.shell("rm flyball.toml").assert_denied_by("guard.self");
    locked.unlock().unwrap();
    project.shell("pwd").assert_silent();
    let ran = project.run(&["log", "--json", "-n", "10"]);
    let log: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let subjects: Vec<&str> = log.iter().filter_map(|event| event["subject"].as_str()).collect();
    for subject in ["ls", "ls -la", "rm flyball.toml", "pwd"] {
        assert!(subjects.contains(&subject), "{subjects:?}");
    }
}
