//! Claude Code against its contract.

use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::answer::Answer;
use flyball_core::event::{
    Change, EventData, EventKind, FileEdit, PermissionMode, SearchFor, SpawnedAgent, Tool,
};
use flyball_core::path::AbsolutePath;
use flyball_core::verdict::Stance;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::CLIENT;
use super::events::EVENTS;
use crate::dialect::examples::{
    NOWHERE, answer, any_answer, any_damaged, assert_answers_are_as_expected, assert_events_are_as_expected,
    event, recorded,
};
use crate::install::{Places, Scope, Version, is_ours};
use crate::registration::{list, register, unregister};
use crate::{CallerContext, Output};

#[test]
fn every_recorded_payload_becomes_the_expected_event() {
    assert_events_are_as_expected(&CLIENT);
}

#[test]
fn every_answer_to_every_event_is_as_expected() {
    assert_answers_are_as_expected(&CLIENT, EVENTS);
}

#[test]
fn all_33_events_have_a_kind_of_their_own() {
    let kinds: BTreeSet<EventKind> = EVENTS.iter().flat_map(|native| native.meaning.kinds()).collect();
    assert_eq!((EVENTS.len(), kinds.len()), (33, 33));
    for native in EVENTS {
        assert_eq!(CLIENT.kinds_of(native.name), native.meaning.kinds());
        assert_eq!([event(&CLIENT, native.name).kind()], *native.meaning.kinds(), "{}", native.name);
        assert_eq!(event(&CLIENT, native.name).native, native.name);
    }
    assert_eq!(CLIENT.kinds_of("SomethingNew"), [EventKind::Unknown]);
}

#[test]
fn an_event_that_is_newer_than_us_is_no_error() {
    for payload in
        [json!({"hook_event_name": "SomethingNew", "delta": "fin"}), json!({"delta": "fin"}), json!({})]
    {
        assert_eq!(happening(&payload), EventData::Unknown, "{payload}");
    }
}

#[test]
fn tools_are_read_by_meaning() {
    let shell = |command: &str, background| Tool::Shell { command: command.into(), background };
    let mcp = |server: &str, tool: &str| Tool::Mcp { server: server.into(), tool: tool.into() };
    let search = |target, path: Option<&str>| Tool::Search {
        target,
        pattern: "p".into(),
        path: path.map(str::to_owned),
    };
    let spawn =
        |role: &str, background| Tool::SpawnAgent { role: role.into(), prompt: "p".into(), background };
    let skill = |arguments: &str| Tool::Skill { name: "s".into(), arguments: arguments.into() };
    let cases = [
        ("Bash", json!({"command": "ls", "run_in_background": true}), shell("ls", true)),
        ("PowerShell", json!({"command": "dir"}), shell("dir", false)),
        ("Bash", json!({"command": 7}), Tool::Unreadable),
        ("Bash", Value::Null, Tool::Unreadable),
        ("Monitor", json!({"command": "tail -f x"}), shell("tail -f x", true)),
        ("Monitor", json!({"ws": "wss://x"}), Tool::Other),
        ("Read", json!({"file_path": "/a"}), Tool::Read { path: "/a".into() }),
        ("Grep", json!({"pattern": "p", "path": "src"}), search(SearchFor::Content, Some("src"))),
        ("Glob", json!({"pattern": "p"}), search(SearchFor::Names, None)),
        ("Agent", json!({"subagent_type": "r", "prompt": "p"}), spawn("r", None)),
        ("Task", json!({"prompt": "p", "run_in_background": true}), spawn("", Some(true))),
        ("Skill", json!({"skill": "s", "args": "a b"}), skill("a b")),
        ("Skill", json!({"command": "s"}), skill("")),
        ("WebFetch", json!({"url": "http://x"}), Tool::Fetch { url: "http://x".into() }),
        ("mcp__srv__do__it", json!({}), mcp("srv", "do__it")),
        ("mcp__plugin_p_srv__t", json!({}), mcp("plugin_p_srv", "t")),
        ("mcp__srv", json!({}), Tool::Other),
        ("TodoWrite", json!({"todos": []}), Tool::Other),
        ("", json!({}), Tool::Other),
    ];
    for (name, input, expected) in cases {
        assert_tool_is(name, &input, &expected);
    }
}

#[test]
fn edits_are_read_by_what_they_change() {
    let edit = |path: &str, change| FileEdit { path: path.into(), change };
    let replace = |all| Change::Replace { old: "a".into(), new: "b".into(), all };
    let nothing = Change::Replace { old: String::new(), new: String::new(), all: false };
    let cell = |how: &str| Change::Cell { source: "x".into(), how: how.into() };
    let (old, new) = ("a", "b");
    let cases = [
        (
            "Write",
            json!({"file_path": "/a", "content": "c"}),
            vec![edit("/a", Change::Write { content: "c".into() })],
        ),
        (
            "Edit",
            json!({"file_path": "/a", "old_string": old, "new_string": new}),
            vec![edit("/a", replace(false))],
        ),
        (
            "Edit",
            json!({"file_path": "/a", "old_string": old, "new_string": new, "replace_all": true}),
            vec![edit("/a", replace(true))],
        ),
        (
            "MultiEdit",
            json!({"file_path": "/a", "edits": [{"old_string": old, "new_string": new}, 3]}),
            vec![edit("/a", replace(false)), edit("/a", nothing)],
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "/n", "new_source": "x"}),
            vec![edit("/n", cell("replace"))],
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "/n", "new_source": "x", "edit_mode": "insert"}),
            vec![edit("/n", cell("insert"))],
        ),
    ];
    for (name, input, expected) in cases {
        assert_tool_is(name, &input, &Tool::Edit(expected));
    }
}

#[test]
fn a_tools_output_is_found_in_every_shape() {
    let cases = [
        ("Bash", json!({"stdout": "out", "stderr": "err"}), "out\nerr"),
        ("Bash", json!({"stdout": "", "stderr": "err"}), "err"),
        ("Bash", json!({"stdout": "", "stderr": ""}), ""),
        ("Bash", json!("plain"), "plain"),
        ("Write", json!({"type": "create", "content": "the file"}), ""),
        ("NotebookEdit", json!({"error": "no such cell", "new_source": "x"}), "no such cell"),
        (
            "Agent",
            json!({"status": "completed", "prompt": "p", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
            "a\nb",
        ),
        (
            "Agent",
            json!({"status": "async_launched", "agentId": "a1"}),
            r#"{"agentId":"a1","status":"async_launched"}"#,
        ),
        ("Grep", json!({"mode": "content", "filenames": [], "content": "a:1"}), "a:1"),
        ("Glob", json!({"filenames": ["a", "b"], "numFiles": 2}), "a\nb"),
        ("WebFetch", json!({"code": 200, "result": "page"}), "page"),
        ("mcp__s__t", json!([{"type": "text", "text": "hi"}, {"type": "image"}]), "hi"),
        ("mcp__s__t", json!([1, 2]), "[1,2]"),
        ("mcp__s__t", Value::Null, ""),
        ("Odd", json!(true), ""),
    ];
    for (name, response, text) in cases {
        let payload = json!({"hook_event_name": "PostToolUse", "tool_name": name, "tool_response": response, "duration_ms": 12.7});
        let EventData::AfterTool { outcome, .. } = happening(&payload) else { panic!("{name}") };
        assert_eq!(
            (outcome.text.as_str(), outcome.took),
            (text, Some(Duration::from_millis(12))),
            "{name} {response}"
        );
    }
}

#[test]
fn a_call_that_starts_an_agent_names_it() {
    let spawned = |id: &str, is_running| Some(SpawnedAgent { id: id.to_owned(), is_running });
    let cases = [
        ("Agent", json!({"status": "completed", "agentId": "a1", "content": []}), spawned("a1", false)),
        ("Agent", json!({"status": "async_launched", "agentId": "a2"}), spawned("a2", true)),
        ("Agent", json!({"status": "remote_launched", "taskId": "t"}), None),
        ("Bash", json!({"stdout": "", "agentId": "a3"}), None),
    ];
    for (name, response, expected) in cases {
        let payload = json!({"hook_event_name": "PostToolUse", "tool_name": name, "tool_response": response});
        let EventData::AfterTool { outcome, .. } = happening(&payload) else { panic!("{name}") };
        assert_eq!(outcome.spawned, expected, "{name} {response}");
    }
}

#[test]
fn a_call_of_a_known_tool_in_an_unknown_shape_is_read_by_meaning() {
    let shell = |line: &str| Tool::Shell { command: line.to_owned(), background: false };
    let write = |path: &str, content: &str| {
        let change = Change::Write { content: content.to_owned() };
        Tool::Edit(vec![FileEdit { path: path.to_owned(), change }])
    };
    let cases = [
        (json!({"tool_name": "Bash", "tool_input": {"cmd": "make x"}}), shell("make x")),
        (json!({"tool_name": "Bash", "tool_input": {"command": ["make", "x"]}}), shell("make x")),
        (
            json!({"tool_name": "Bash", "tool_input": {"command": ["bash", "-lc", "make x"]}}),
            shell("bash -lc 'make x'"),
        ),
        (json!({"tool_name": "Bash", "tool_input": "make x"}), shell("make x")),
        (json!({"tool_name": "Bash", "tool_input": "{\"command\": \"make x\"}"}), shell("make x")),
        (json!({"tool_name": "Bash", "command": "make x"}), shell("make x")),
        (json!({"tool_name": "Bash", "input": {"command": "make x"}}), shell("make x")),
        (json!({"tool_input": {"command": "make x"}}), shell("make x")),
        (json!({"toolName": "Bash", "toolInput": {"command": "make x"}}), shell("make x")),
        (json!({"tool_name": "Write", "tool_input": {"path": "a.py", "content": "x"}}), write("a.py", "x")),
        (json!({"tool_name": "Write", "tool_input": {"file_path": "a.py", "text": "x"}}), write("a.py", "x")),
        // Nothing says what it does.
        (json!({"tool_name": "Bash"}), Tool::Unreadable),
        (json!({"tool_name": "Bash", "tool_input": {}}), Tool::Unreadable),
        (json!({"tool_name": "Bash", "tool_input": {"command": null}}), Tool::Unreadable),
        (json!({"tool_name": "Bash", "tool_input": {"command": 5}}), Tool::Unreadable),
        (json!({"tool_name": "Write", "tool_input": []}), Tool::Unreadable),
        (json!({"tool_name": "NotebookEdit"}), Tool::Unreadable),
        (json!({"tool_input": {}}), Tool::Unreadable),
        // What is readable stays what it is: a line without a command runs nothing.
        (json!({"tool_name": "Bash", "tool_input": {"command": ""}}), shell("")),
        (json!({"tool_name": "Read"}), Tool::Read { path: String::new() }),
        (json!({"tool_name": "Newer", "tool_input": {"command": "make x"}}), Tool::Other),
        (json!({"toolName": "Newer", "tool_input": {"query": "x"}}), Tool::Other),
    ];
    for (mut payload, expected) in cases {
        for event in ["PreToolUse", "PermissionRequest"] {
            payload["hook_event_name"] = event.into();
            let tool = match happening(&payload) {
                EventData::BeforeTool(call) | EventData::PermissionAsked(call) => call.tool,
                other => panic!("{other:?}"),
            };
            assert_eq!(tool, expected, "{payload}");
        }
    }
}

#[test]
fn prompts_of_machines_are_distinguished_from_those_of_people() {
    let cases = [
        (json!({"prompt": "hello"}), false),
        (json!({"prompt": "see <task-notification> in the log"}), false),
        (json!({"prompt": "\n<task-notification>\n<task-id>1</task-id>"}), true),
        (json!({"prompt": "hello", "source": "user"}), false),
        (json!({"prompt": "hello", "source": "sdk"}), false),
        (json!({"prompt": "hello", "source": "schedule_wakeup"}), true),
        (json!({"prompt": "hello", "agent_id": "a1"}), true),
    ];
    for (mut payload, expected) in cases {
        payload["hook_event_name"] = "UserPromptSubmit".into();
        let EventData::PromptSubmit { by_machine, .. } = happening(&payload) else { panic!("{payload}") };
        assert_eq!(by_machine, expected, "{payload}");
    }
}

#[test]
fn what_surrounds_an_event_is_read() {
    let variable = |name: &str| (name == "CLAUDE_PROJECT_DIR").then(|| "/p".to_owned());
    let surroundings = CallerContext { variable: &variable, ..NOWHERE };
    let payload = json!({
        "hook_event_name": "Stop", "session_id": " s ", "cwd": "/p/sub", "transcript_path": "",
        "permission_mode": "dontAsk", "agent_type": "reviewer",
    });
    let event = CLIENT.decode(&payload.to_string(), &surroundings).unwrap();
    assert_eq!(event.project.as_deref(), Some("/p"));
    assert_eq!((event.session.as_str(), event.cwd.as_str()), ("s", "/p/sub"));
    assert_eq!((event.transcript, event.agent), (None, None));
    assert_eq!(event.permission_mode, Some(PermissionMode::DontAsk));
}

#[test]
fn a_payload_without_an_absolute_folder_is_about_the_one_that_the_hook_runs_in() {
    let surroundings = CallerContext { folder: &|| AbsolutePath::new("/p"), ..NOWHERE };
    for payload in [json!({}), json!({"cwd": ""}), json!({"cwd": "sub", "transcript_path": "t.jsonl"})] {
        let event = CLIENT.decode(&payload.to_string(), &surroundings).unwrap();
        assert_eq!((event.cwd.as_str(), event.transcript), ("/p", None), "{payload}");
    }
}

#[test]
fn finished_background_work_does_not_still_run() {
    let task =
        |id: &str, status: &str| json!({"id": id, "type": "shell", "status": status, "description": "d"});
    let tasks =
        json!([task("1", "running"), task("2", "completed"), task("3", "killed"), task("4", "pending")]);
    let payload = json!({"hook_event_name": "Stop", "background_tasks": tasks});
    let EventData::Stop(stopping) = happening(&payload) else { panic!() };
    let ids: Vec<&str> = stopping.background.iter().map(|work| work.id.as_str()).collect();
    assert_eq!(ids, ["1", "4"]);
}

#[test]
fn the_registration_names_the_event_of_a_payload_that_does_not() {
    let surroundings = CallerContext { declared_event: Some("PreToolUse"), ..NOWHERE };
    let event = CLIENT.decode(r#"{"tool_name":"Bash"}"#, &surroundings).unwrap();
    assert_eq!((event.kind(), event.native.as_str()), (EventKind::BeforeTool, "PreToolUse"));
    let event = CLIENT.decode(r#"{"hook_event_name":"Stop"}"#, &surroundings).unwrap();
    assert_eq!(event.kind(), EventKind::Stop);
}

#[test]
fn a_payload_that_is_not_a_json_object_is_an_error_with_a_place() {
    let cases = [
        ("", "the client's payload is not readable: EOF while parsing a value (line 1, column 0)"),
        (
            "[1]",
            "the client's payload is not readable: invalid type: sequence, expected a JSON object (line 1, column 0)",
        ),
        (
            "{\"a\":1,\n \"b\":",
            "the client's payload is not readable: EOF while parsing a value (line 2, column 5)",
        ),
        ("{\"a\":1}{", "the client's payload is not readable: trailing characters (line 1, column 8)"),
        (
            "{\"a\":\"\n\"}",
            "the client's payload is not readable: control character (\\u0000-\\u001F) found while parsing a string (line 1, column 6)",
        ),
    ];
    for (payload, expected) in cases {
        let error = CLIENT.decode(payload, &NOWHERE).unwrap_err();
        assert_eq!(error.to_string(), expected, "{payload}");
    }
}

#[test]
fn half_an_emoji_does_not_hide_a_command() {
    let payload = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"pip \ud83d install","\ud83d":1}}"#;
    let event = CLIENT.decode(payload, &NOWHERE).unwrap();
    let command = event.call().unwrap().tool.main_text().unwrap();
    assert!(command.starts_with("pip \u{fffd}") && command.ends_with(" install"), "{command}");
}

#[test]
fn depth_does_not_overflow() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    for nested in [deep, objects] {
        let payload = format!(
            r#"{{"hook_event_name":"PostToolUse","x":{nested},"tool_name":"T","tool_input":{nested},"tool_response":{nested}}}"#
        );
        let event = CLIENT.decode(&payload, &NOWHERE).unwrap();
        assert_eq!(event.call().unwrap().input, nested);
        assert!(CLIENT.decode(&"[".repeat(100_000), &NOWHERE).is_err());
    }
}

#[test]
fn a_rewrite_keeps_the_rest_of_the_input() {
    let input = r#"{"description":"d",  "command":"a","timeout":1.50,"x":[1, 2]}"#;
    let updated = updated_input("Bash", input, "b \"c\"\n");
    assert_eq!(updated, json!({"description": "d", "command": "b \"c\"\n", "timeout": 1.5, "x": [1, 2]}));
    assert_eq!(
        updated_input("Write", r#"{"file_path":"/a","content":"x"}"#, "y"),
        json!({"file_path": "/a", "content": "y"})
    );
    assert_eq!(
        updated_input("Agent", r#"{"prompt":"x","model":"m"}"#, "y"),
        json!({"prompt": "y", "model": "m"})
    );
}

#[test]
fn a_payload_that_cannot_be_read_fails_closed_at_gates_only() {
    let failed = |event| CLIENT.encode_failure(event, "broken");
    let loud = |exit| Output { stderr: "broken\n".to_owned(), exit, ..Output::silent() };
    assert_eq!(failed(Some("PreToolUse")), loud(2));
    let refusal = r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"broken"}}}"#;
    assert_eq!(failed(Some("PermissionRequest")), Output { stdout: refusal.to_owned(), ..Output::silent() });
    for event in [Some("Stop"), Some("PostToolUse"), Some("SomethingNew"), None] {
        assert_eq!(failed(event), loud(1));
    }
}

#[test]
fn an_event_that_is_newer_than_us_gets_no_answer() {
    let mut event = event(&CLIENT, "PreToolUse");
    event.native = "SomethingNew".to_owned();
    assert_eq!(CLIENT.encode(&event, &answer(Stance::Deny)), Output::silent());
}

#[test]
fn entries_follow_the_version_of_the_client() {
    let names = |version| -> Vec<String> {
        CLIENT.entries("/bin/flyball", version, Scope::User).into_iter().map(|entry| entry.event).collect()
    };
    let newest = names(Some(Version::new(2, 1, 325)));
    assert_eq!(newest.len(), 29);
    for never in ["MessageDisplay", "WorktreeCreate", "WorktreeRemove", "FileChanged"] {
        assert!(!newest.contains(&never.to_owned()));
    }
    let old = names(Some(Version::new(2, 1, 197)));
    let missing: Vec<&String> = newest.iter().filter(|name| !old.contains(name)).collect();
    assert_eq!(missing, ["PreModelSwitch", "PostModelSwitch", "DirectoryAdded"]);
    assert_eq!(
        names(Some(Version::new(1, 0, 41))),
        ["PreToolUse", "PostToolUse", "Stop", "SubagentStop", "Notification"]
    );
    // An unknown version ignores what it does not know.
    assert_eq!(names(None), newest);
    assert!(names(Some(Version::new(2, 1, 119))).contains(&"PostToolBatch".to_owned()));
    assert_eq!(CLIENT.newer_events(None), ["PreModelSwitch", "PostModelSwitch", "DirectoryAdded"]);
    assert!(CLIENT.newer_events(Some(Version::new(2, 1, 325))).is_empty());
    assert!(
        CLIENT.ignores_events(Version::new(2, 1, 119)) && !CLIENT.ignores_events(Version::new(2, 1, 100))
    );
    assert!(CLIENT.has_event("DirectoryAdded", Version::new(2, 1, 219)));
    assert!(!CLIENT.has_event("DirectoryAdded", Version::new(2, 1, 218)));
    assert!(!CLIENT.has_event("SomethingNew", Version::new(9, 0, 0)));
}

#[test]
fn handlers_start_no_shell_where_the_client_can_do_without() {
    let handler = |version| {
        let entries = CLIENT.entries("/my tools/flyball", Some(version), Scope::User);
        let entry = entries.into_iter().find(|entry| entry.event == "PreToolUse").unwrap();
        entry.handler.into_iter().collect::<serde_json::Map<_, _>>()
    };
    let args = ["hook", "--client", "claude-code", "--event", "PreToolUse"];
    let exec = json!({
        "type": "command", "command": "/my tools/flyball", "args": args, "timeout": 60, "onFailure": "block",
    });
    assert_eq!(Value::from(handler(Version::new(2, 1, 325))), exec);
    // An older one does not refuse by itself: a shell has to see to it.
    let older = handler(Version::new(2, 1, 138));
    let line = older["command"].as_str().unwrap();
    assert!(
        line.contains("; if [ -x \"$f\" ]; then \"$f\" hook --client claude-code")
            && line.starts_with("f='/my tools/flyball'; "),
        "{line}"
    );
    assert!(line.ends_with("exit 2"), "{line}");
}

#[test]
fn registering_twice_changes_nothing_and_unregistering_takes_it_all_out() {
    for version in [Version::new(2, 1, 138), Version::new(2, 1, 325)] {
        let entries = CLIENT.entries("/my tools/flyball", Some(version), Scope::User);
        let registered = register("{\"model\": \"x\"}", &entries, &is_ours).unwrap();
        assert_eq!(registered.added, entries.len());
        assert!(list(&registered.text).unwrap().iter().all(|found| is_ours(&found.handler)));
        assert!(!register(&registered.text, &entries, &is_ours).unwrap().changed);
        assert_eq!(unregister(&registered.text, &is_ours).unwrap().text, "{\"model\": \"x\"}");
    }
}

#[test]
fn settings_are_where_the_client_looks_for_them() {
    let (project, home) = (std::path::Path::new("/p"), std::path::Path::new("/h"));
    let moved = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| "/c".to_owned());
    let here = Places { project, home, variable: &|_| None };
    let there = Places { variable: &moved, ..here };
    let file = |scope, places: &Places| CLIENT.facts().settings_file(scope, places).unwrap();
    assert_eq!(file(Scope::Project, &here), project.join(".claude/settings.json"));
    assert_eq!(file(Scope::Local, &here), project.join(".claude/settings.local.json"));
    assert_eq!(file(Scope::User, &here), home.join(".claude/settings.json"));
    assert_eq!(file(Scope::User, &there), std::path::Path::new("/c/settings.json"));
    assert_eq!(file(Scope::Managed, &there), file(Scope::Managed, &here));
}

proptest! {
    #[test]
    fn damage_to_a_payload_is_never_more_than_a_missing_field(payload in any_damaged(recorded(&CLIENT))) {
        let event = CLIENT.decode(&payload, &NOWHERE).unwrap();
        let sent: Value = serde_json::from_str(&payload).unwrap();
        let name = sent["hook_event_name"].as_str().unwrap_or_default();
        prop_assert_eq!(vec![event.kind()], CLIENT.kinds_of(name));
    }

    #[test]
    fn a_payload_cut_anywhere_is_an_error(at in any::<prop::sample::Index>(), payload in any_damaged(recorded(&CLIENT))) {
        let cut: String = payload.chars().take(at.index(payload.chars().count())).collect();
        prop_assert!(CLIENT.decode(&cut, &NOWHERE).is_err());
    }

    #[test]
    fn every_answer_is_silence_or_one_valid_document(answer in any_answer(), at in 0..EVENTS.len()) {
        let native = &EVENTS[at];
        let output = CLIENT.encode(&event(&CLIENT, native.name), &answer);
        let is_refused_by_exit = output.exit == 2;
        prop_assert!(output.exit == 0 || (is_refused_by_exit && !output.stderr.trim().is_empty()));
        match native.name {
            "PreCompact" | "PostCompact" => prop_assert!(output.stdout.encode_utf16().count() <= 9_900),
            "WorktreeCreate" => prop_assert_eq!(output.stdout, ""),
            _ => prop_assert_eq!(problem_with(&output.stdout, native.name, &answer), None),
        }
    }
}

#[test]
fn the_user_is_told_why_an_edit_is_asked_about() {
    let told = |tool: &str, input: Value, stance: Stance| {
        let payload = json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input});
        let event = CLIENT.decode(&payload.to_string(), &NOWHERE).unwrap();
        let output: Value = serde_json::from_str(&CLIENT.encode(&event, &answer(stance)).stdout).unwrap();
        output.get("systemMessage").and_then(Value::as_str).map(str::to_owned)
    };
    let edit = || json!({"file_path": "/p/a", "old_string": "a", "new_string": "b"});
    let expected = "flyball asks: the ask reason. [flyball guard.test 4k7q2m8x]";
    assert_eq!(told("Edit", edit(), Stance::Ask).as_deref(), Some(expected));
    let write = json!({"file_path": "/p/a", "content": "b"});
    assert_eq!(told("Write", write, Stance::Ask).as_deref(), Some(expected));
    // A denial and a command are shown with their reasons.
    assert_eq!(told("Edit", edit(), Stance::Deny), None);
    assert_eq!(told("Bash", json!({"command": "ls"}), Stance::Ask), None);
}

fn happening(payload: &Value) -> EventData {
    CLIENT.decode(&payload.to_string(), &NOWHERE).unwrap().happening
}

fn assert_tool_is(name: &str, input: &Value, expected: &Tool) {
    let payload = json!({"hook_event_name": "PreToolUse", "tool_name": name, "tool_input": input});
    let EventData::BeforeTool(call) = happening(&payload) else { panic!("{name}") };
    assert_eq!((call.name.as_str(), &call.tool), (name, expected));
    assert_eq!(call.input, input.to_string());
}

fn updated_input(tool: &str, input: &str, text: &str) -> Value {
    let payload = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input}}}"#);
    let event = CLIENT.decode(&payload, &NOWHERE).unwrap();
    let answer = Answer { rewritten: Some(text.to_owned()), ..answer(Stance::Silent) };
    let output: Value = serde_json::from_str(&CLIENT.encode(&event, &answer).stdout).unwrap();
    output["hookSpecificOutput"]["updatedInput"].clone()
}

/// What the client would dislike about a document.
fn problem_with(stdout: &str, event: &str, answer: &Answer) -> Option<String> {
    if stdout.is_empty() {
        return None;
    }
    let document: Value = match serde_json::from_str(stdout) {
        Ok(document @ Value::Object(_)) => document,
        other => return Some(format!("no object: {other:?}")),
    };
    let specific = document.get("hookSpecificOutput");
    let name = specific.map(|specific| specific["hookEventName"].clone());
    if name.is_some_and(|name| name != event) {
        return Some("wrong event".to_owned());
    }
    let grant = document
        .pointer("/hookSpecificOutput/permissionDecision")
        .is_some_and(|decision| decision == "allow");
    if grant && answer.stance != Stance::Allow {
        return Some("a permission that no policy gave".to_owned());
    }
    text_problem(&document)
}

fn text_problem(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("null".to_owned()),
        Value::String(text) => (text.encode_utf16().count() > 9_900).then(|| "too long".to_owned()),
        Value::Array(items) => items.iter().find_map(text_problem),
        Value::Object(members) => members.values().find_map(text_problem),
        Value::Bool(_) | Value::Number(_) => None,
    }
}

#[test]
fn only_a_command_that_came_to_its_own_end_exited_well() {
    let response = |more: Value| {
        let mut response = json!({"stdout": "", "stderr": "", "interrupted": false});
        response.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        response
    };
    let cases = [
        ("Bash", response(json!({})), true),
        ("Bash", response(json!({"interrupted": true})), false),
        ("Bash", response(json!({"backgroundTaskId": "b1"})), false),
        ("Bash", response(json!({"returnCodeInterpretation": "No matches found"})), false),
        ("Bash", json!({"stdout": "", "stderr": ""}), false),
        ("Bash", json!("text"), false),
        ("Read", response(json!({})), false),
    ];
    for (name, response, expected) in cases {
        let payload = json!({"hook_event_name": "PostToolUse", "tool_name": name, "tool_response": response});
        let EventData::AfterTool { outcome, .. } = happening(&payload) else { panic!("{name}") };
        assert_eq!(outcome.exited_well, expected, "{name} {response}");
    }
}
