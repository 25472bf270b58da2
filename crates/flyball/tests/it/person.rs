//! Agents that pretend: at a terminal of their own, without their variables, away from their parents.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails here fails the test")]

use std::process::Command;

use crate::support::{Project, PromptKind, TerminalUser, commit, git, program, run};
use serde_json::{Value, json};

const WEAK: &str = "line-length = 400\n";

/// A project with a protected file that was changed in a session.
fn project() -> Project {
    let project = Project::new();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    project.file(".ruff.toml", "line-length = 100\n");
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    project.file(".ruff.toml", WEAK);
    project
}

/// What is seen if an agent does this in a client.
fn agent(project: &Project, how: &str, arguments: &[&str], input: &str) -> Value {
    let variables = json!({ "HOME": project.home(), "PATH": std::env::var("PATH").unwrap() });
    in_client(project, how, arguments, &json!({ "input": input, "variables": variables, "hook": {} }))
}

/// What is seen if a client reports an event of its session, started by a command of this session or by nobody's.
pub(crate) fn client_reports(project: &Project, event: &Value, outer: Option<&str>) -> Value {
    const SESSION: &str = "CLAUDE_CODE_SESSION_ID";
    let mut variables = json!({ "HOME": project.home(), "PATH": std::env::var("PATH").unwrap() });
    if let Some(outer) = outer {
        variables.as_object_mut().unwrap().insert(SESSION.to_owned(), json!(outer));
    }
    let own = json!({ SESSION: event["session_id"] });
    let rest = json!({ "input": event.to_string(), "variables": variables, "hook": own });
    in_client(project, "hook", &["hook", "--client", "claude-code"], &rest)
}

/// What is seen in a process that is a client, with the rest of the request.
fn in_client(project: &Project, how: &str, arguments: &[&str], rest: &Value) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let driver = folder.path().join("agent.py");
    std::fs::write(&driver, include_str!("agent.py")).unwrap();
    let mut command_line = vec![program().to_string_lossy().into_owned()];
    command_line.extend(arguments.iter().map(|&argument| argument.to_owned()));
    let request = json!({
        "command": command_line, "how": how, "folder": folder.path(), "input": rest["input"],
        "variables": rest["variables"], "hook": rest["hook"],
    });
    let mut command = Command::new("python3");
    command.arg(&driver).arg(request.to_string()).current_dir(project.root());
    let ran = run(command, b"");
    serde_json::from_str(&ran.stdout).unwrap_or_else(|problem| panic!("{problem}: {ran:?}"))
}

#[track_caller]
fn assert_refused(seen: &Value, why: &str) {
    let text = seen["text"].as_str().unwrap();
    assert_eq!(seen["status"], 3, "{seen}");
    assert!(text.contains("only a person may do this") && text.contains(why), "{text}");
}

#[test]
fn an_agent_that_leaves_its_parents_cannot_approve() {
    let project = project();
    project.shell("python3 tools/build.py").assert_silent();
    let seen = agent(&project, "detached", &["approve", ".ruff.toml"], "");
    assert_refused(&seen, "made while an agent's command ran");
    // Nor anything else that is for people.
    for arguments in [&["loop", "accept"][..], &["task", "release"], &["uninstall", "--yes"]] {
        assert_refused(&agent(&project, "detached", arguments, ""), "made while an agent's command ran");
    }
}

#[test]
fn a_terminal_that_a_client_holds_is_not_a_persons() {
    let project = project();
    let seen = agent(&project, "held", &["approve", ".ruff.toml"], "");
    assert_refused(&seen, "an agent holds this terminal");
}

#[test]
fn a_person_can_approve_while_an_agent_works() {
    let project = project();
    // The client that ran it is gone, so it does not run any more.
    project.shell("python3 tools/build.py").assert_silent();
    let person = TerminalUser::new(&project).with_answers(PromptKind::Decisions, &["y"]);
    let seen = person.run(&["approve", ".ruff.toml"]);
    assert_eq!(seen["status"], 0, "{seen}");
    let ledgers = std::fs::read_dir(project.state().join("approvals")).unwrap();
    let ledger = ledgers.flatten().find(|entry| entry.path().extension().is_some_and(|it| it == "json"));
    let ledger = std::fs::read_to_string(ledger.unwrap().path()).unwrap();
    assert!(ledger.contains(r#""confirmed_by":"#), "{ledger}");
}

#[test]
fn an_event_from_a_command_of_an_agent_is_refused_and_recorded() {
    let project = project();
    let event =
        project.payload("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" }));
    let before = project.log().len();
    let forged = agent(&project, "command", &["hook", "--client", "claude-code"], &event.to_string());
    assert_eq!(forged["status"], 3, "{forged}");
    assert!(forged["text"].as_str().unwrap().starts_with("Only the client reports events"), "{forged}");
    let log = project.log();
    assert_eq!(log.len(), before + 1);
    assert_eq!(log.last().unwrap()["client"], "forged");
}

#[test]
fn an_event_from_a_process_that_left_its_parents_is_refused_while_the_client_runs() {
    let project = project();
    let begin = project.payload("UserPromptSubmit", json!({ "prompt": "go on" }));
    let stop =
        project.payload("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" }));
    let arguments = ["hook", "--client", "claude-code"];
    let forged = agent(&project, "left", &arguments, &format!("{begin}\n{stop}"));
    assert_eq!(forged["status"], 3, "{forged}");
    assert_eq!(project.log().last().unwrap()["client"], "forged");
    // The client is gone, so the session may have gone on in another one.
    assert_eq!(agent(&project, "hook", &arguments, &stop.to_string())["status"], 0);
    project.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "x" })).assert_silent();
}

#[test]
fn an_event_from_the_client_itself_is_answered() {
    let project = project();
    let event = project.payload(
        "PreToolUse",
        json!({ "tool_name": "Edit", "tool_use_id": "t", "tool_input": { "file_path": "flyball.toml", "old_string": "", "new_string": "x" } }),
    );
    let answered = agent(&project, "hook", &["hook", "--client", "claude-code"], &event.to_string());
    assert_eq!(answered["status"], 0, "{answered}");
    assert!(answered["text"].as_str().unwrap().contains(r#""permissionDecision":"deny""#), "{answered}");
}

#[test]
fn a_registration_that_was_emptied_is_held_and_told_until_a_person_decides() {
    const REGISTERED: &str =
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "flyball hook"}]}]}}"#;
    let project = Project::new();
    project.file(".claude/settings.json", REGISTERED);
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    project.file(".claude/settings.json", "{\"hooks\": {}}\n");
    let response = json!({ "stdout": "", "stderr": "", "interrupted": false });
    let after = json!({
        "tool_name": "Bash", "tool_input": { "command": "python3 x.py" }, "tool_use_id": "t", "tool_response": response,
    });
    let noticed = project.hook("PostToolUse", after);
    assert!(noticed.stdout.contains(".claude/settings.json"), "{noticed:?}");
    let stop = |message: &str| {
        let stopping = json!({ "stop_hook_active": false, "last_assistant_message": message });
        project.hook("Stop", stopping).stdout
    };
    // One turn after the other.
    for message in ["one", "two", "three", "four", "five"] {
        let stopped = stop(message);
        assert!(stopped.contains(r#""decision":"block""#) && stopped.contains("settings.json"), "{stopped}");
    }
    let told = || TerminalUser::new(&project).run(&["policies"])["text"].as_str().unwrap().to_owned();
    const TOLD: &str = "where flyball's hooks are registered, was changed in a session";
    assert!(told().contains(TOLD), "{}", told());

    project.file(".claude/settings.json", REGISTERED);
    assert_eq!(stop("six"), "");
    assert!(!told().contains(TOLD), "{}", told());
}
