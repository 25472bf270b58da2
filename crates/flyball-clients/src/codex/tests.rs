//! Codex against its contract.

use flyball_core::answer::Answer;
use flyball_core::event::{Change, EventData, EventKind, FileEdit, Tool};
use flyball_core::verdict::Stance;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::events::EVENTS;
use super::{CLIENT, heredoc, patch, strict};
use crate::Output;
use crate::dialect::examples::{
    NOWHERE, answer, any_answer, any_damaged, assert_answers_are_as_expected, assert_events_are_as_expected,
    event, recorded,
};
use crate::install::{Places, Scope, Version, is_ours};
use crate::registration::{register, unregister};

#[test]
fn every_recorded_payload_becomes_the_expected_event() {
    assert_events_are_as_expected(&CLIENT);
}

#[test]
fn every_answer_to_every_event_is_as_expected() {
    assert_answers_are_as_expected(&CLIENT, EVENTS);
}

#[test]
fn every_event_has_its_kind() {
    for native in EVENTS {
        assert_eq!(CLIENT.kinds_of(native.name), native.meaning.kinds());
        assert_eq!([event(&CLIENT, native.name).kind()], *native.meaning.kinds(), "{}", native.name);
    }
    assert_eq!(CLIENT.kinds_of("PostToolUseFailure"), [EventKind::Unknown]);
}

#[test]
fn a_patch_becomes_the_edits_it_makes() {
    let text = "*** Begin Patch\n*** Add File: new/a.txt\n+one\n+\n+*** Add File: no\n*** Update File: b.rs\n\
                *** Move to: c.rs\n@@ fn main\n context\n-old 1\n-old 2\n+new\n*** Add File: d\n+x\n\
                *** Update File: e\n-a\n@@\n+b\n\n+c\n*** End of File\n *** Delete File: f\n*** Delete File: g\n\
                *** End Patch\n*** Delete File: h";
    let edits = patch::parse(text);
    let expected = [
        edit("new/a.txt", write("one\n\n*** Add File: no\n")),
        edit("b.rs", replace("old 1\nold 2", "new")),
        edit("b.rs", Change::Move { to: "c.rs".into() }),
        edit("d", write("x\n")),
        edit("e", replace("a", "")),
        edit("e", replace("", "b\n\nc")),
        edit("g", Change::Delete),
    ];
    assert_eq!(edits, expected);
}

#[test]
fn the_lines_between_changed_lines_belong_to_the_passage() {
    let edits = patch::parse(
        "*** Begin Patch\n*** Update File: f\n@@\n one\n-two\n+2\n three\n+3.5\n four\n\n-five\n six\n*** End Patch",
    );
    assert_eq!(edits, [edit("f", replace("two\nthree\nfour\n\nfive", "2\nthree\n3.5\nfour\n"))]);
    let text = "one\ntwo\nthree\nfour\n\nfive\nsix\n";
    let expected = "one\n2\nthree\n3.5\nfour\n\nsix\n";
    assert_eq!(edits[0].change.applied_to(text).as_deref(), Some(expected));
}

#[test]
fn a_text_that_is_not_a_patch_has_no_edits() {
    for text in [
        "",
        "*** Add File: a\n+x",
        "*** Begin Patch",
        "*** Begin Patch\n+x\n-y\n@@\n*** Move to: z\n*** End Patch",
    ] {
        assert_eq!(patch::parse(text), [], "{text}");
    }
}

#[test]
fn a_command_that_only_applies_a_patch_is_an_edit() {
    let body = "*** Begin Patch\n*** Add File: c.txt\n+c\n*** End Patch";
    let commands = [
        (format!("apply_patch <<'EOF'\n{body}\nEOF"), "c.txt"),
        (format!("  apply_patch << \"END\"\n{body}\nEND\n\n"), "c.txt"),
        (format!("applypatch <<EOF\n{body}\nEOF\n"), "c.txt"),
        (format!("cd sub/dir && apply_patch <<'EOF'\n{body}\nEOF"), "sub/dir/c.txt"),
        (format!("cd '/abs' && apply_patch <<'EOF'\n{body}\nEOF"), "/abs/c.txt"),
        (format!("apply_patch '{body}'"), "c.txt"),
        (format!("apply_patch \"{body}\"\n"), "c.txt"),
    ];
    for (command, path) in commands {
        assert_eq!(heredoc::find_patch(&command), Some(vec![edit(path, write("c\n"))]), "{command}");
    }
}

#[test]
fn a_command_that_does_more_than_a_patch_stays_a_command() {
    let body = "*** Begin Patch\n*** Add File: c.txt\n+c\n*** End Patch";
    let commands = [
        format!("rm -rf x; apply_patch <<'EOF'\n{body}\nEOF"),
        format!("apply_patch <<'EOF'; rm x\n{body}\nEOF"),
        format!("apply_patch <<'EOF' && rm x\n{body}\nEOF"),
        format!("apply_patch <<'EOF'\n{body}\nEOF\nrm x"),
        format!("apply_patch <<'EOF'\n{body}\nEOF\nrm x <<'EOF'\nEOF"),
        format!("apply_patch <<EOF\n{}\nEOF", body.replace("+c", "+$(rm x)")),
        format!("apply_patch <<EOF\n{}\nEOF", body.replace("+c", "+`rm x`")),
        format!("apply_patch '{}'", body.replace("+c", "+'; rm x; '")),
        format!("apply_patch \"{}\"", body.replace("+c", "+$(rm x)")),
        format!("cd $(rm x) && apply_patch <<'EOF'\n{body}\nEOF"),
        format!("cd a; rm x && apply_patch <<'EOF'\n{body}\nEOF"),
        format!("cat <<'EOF'\n{body}\nEOF"),
        "apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF".to_owned(),
        "echo '*** Begin Patch'".to_owned(),
        "apply_patch".to_owned(),
    ];
    for command in commands {
        assert_eq!(heredoc::find_patch(&command), None, "{command}");
    }
}

#[test]
fn tools_are_read_by_meaning() {
    let spawn = |role: &str| Tool::SpawnAgent { role: role.into(), prompt: "p".into(), background: None };
    let cases = [
        ("Bash", json!({"command": "ls"}), Tool::Shell { command: "ls".into(), background: false }),
        ("spawn_agent", json!({"message": "p", "agent_type": "r"}), spawn("r")),
        ("multi_agent_v1spawn_agent", json!({"message": "p"}), spawn("")),
        ("multi_agent_v1wait_agent", json!({}), Tool::Other),
        ("mcp__s__spawn_agent", json!({}), Tool::Mcp { server: "s".into(), tool: "spawn_agent".into() }),
        ("view_image", json!({"path": "a.png"}), Tool::Read { path: "a.png".into() }),
        ("apply_patch", json!({"command": 1}), Tool::Unreadable),
        ("request_permissions", json!({"reason": "r"}), Tool::Other),
    ];
    for (name, input, expected) in cases {
        let payload = json!({"hook_event_name": "PreToolUse", "tool_name": name, "tool_input": input});
        let event = CLIENT.decode(&payload.to_string(), &NOWHERE).unwrap();
        assert_eq!(event.call().unwrap().tool, expected, "{name}");
    }
}

#[test]
fn a_rewrite_is_complete_and_in_the_shape_that_hooks_see() {
    let rewritten = |tool: &str, input: Value, text: &str| {
        let payload = json!({"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input});
        let event = CLIENT.decode(&payload.to_string(), &NOWHERE).unwrap();
        let answer = Answer { rewritten: Some(text.to_owned()), ..answer(Stance::Silent) };
        let output = CLIENT.encode(&event, &answer).stdout;
        assert_eq!(strict::read("PreToolUse", &output), Ok(()));
        serde_json::from_str::<Value>(&output).unwrap()["hookSpecificOutput"]["updatedInput"].clone()
    };
    let patch = |body: &str| json!({"command": format!("*** Begin Patch\n{body}\n*** End Patch\n")});
    assert_eq!(rewritten("Bash", json!({"command": "a"}), "b"), json!({"command": "b"}));
    let spawn = json!({"message": "a", "agent_type": "r", "n": 1.0});
    assert_eq!(rewritten("spawn_agent", spawn, "b"), json!({"message": "b", "agent_type": "r", "n": 1.0}));
    assert_eq!(
        rewritten("apply_patch", patch("*** Add File: f\n+a"), "b\nc\n"),
        patch("*** Add File: f\n+b\n+c")
    );
    assert_eq!(rewritten("apply_patch", patch("*** Update File: f\n-a\n+b"), "c"), Value::Null);
    let wrapped =
        json!({"command": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: f\n+a\n*** End Patch\nEOF"});
    assert_eq!(rewritten("Bash", wrapped, "c"), Value::Null);
}

#[test]
fn prompts_for_subagents_are_by_a_machine() {
    let payload = json!({"hook_event_name": "UserPromptSubmit", "prompt": "p", "agent_id": "a"});
    let event = CLIENT.decode(&payload.to_string(), &NOWHERE).unwrap();
    assert_eq!(event.happening, EventData::PromptSubmit { text: "p".into(), by_machine: true });
}

#[test]
fn a_payload_that_cannot_be_read_fails_closed_at_gates_only() {
    let failed = |event, text| CLIENT.encode_failure(event, text);
    let loud = |exit, text: &str| Output { stderr: format!("{text}\n"), exit, ..Output::silent() };
    assert_eq!(failed(Some("PreToolUse"), "broken"), loud(2, "broken"));
    assert_eq!(failed(Some("PreToolUse"), " "), loud(2, "flyball could not read this event"));
    assert_eq!(failed(Some("Stop"), "broken"), loud(1, "broken"));
    let refusal = failed(Some("PermissionRequest"), "broken");
    assert_eq!((strict::read("PermissionRequest", &refusal.stdout), refusal.exit), (Ok(()), 0));
    assert!(refusal.stdout.contains(r#""behavior":"deny""#));
}

#[test]
fn entries_follow_the_version_of_the_client() {
    let names = |version| -> Vec<String> {
        CLIENT.entries("/bin/flyball", version, Scope::User).into_iter().map(|entry| entry.event).collect()
    };
    let newest = names(Some(Version::new(0, 166, 0)));
    assert_eq!(newest.len(), 12);
    assert_eq!(names(None), newest);
    let older = names(Some(Version::new(0, 165, 9)));
    let missing: Vec<&String> = newest.iter().filter(|name| !older.contains(name)).collect();
    assert_eq!(missing, ["Interrupt"]);
}

#[test]
fn a_handler_is_a_line_for_a_shell() {
    let entries = CLIENT.entries("/my tools/flyball", None, Scope::User);
    let end = entries.into_iter().find(|entry| entry.event == "SessionEnd").unwrap();
    let handler: serde_json::Map<_, _> = end.handler.into_iter().collect();
    let line = "'/my tools/flyball' hook --client codex --event SessionEnd";
    assert_eq!(Value::from(handler), json!({"type": "command", "command": line, "timeout": 3}));
}

#[test]
fn registering_twice_changes_nothing_and_unregistering_takes_it_all_out() {
    let entries = CLIENT.entries("/my tools/flyball", None, Scope::User);
    let registered = register("{}\n", &entries, &is_ours).unwrap();
    assert_eq!(registered.added, entries.len());
    assert!(!register(&registered.text, &entries, &is_ours).unwrap().changed);
    assert_eq!(unregister(&registered.text, &is_ours).unwrap().text, "{}\n");
}

#[test]
fn hooks_are_where_the_client_looks_for_them() {
    let (project, home) = (std::path::Path::new("/p"), std::path::Path::new("/h"));
    let moved = |name: &str| (name == "CODEX_HOME").then(|| "/c".to_owned());
    let here = Places { project, home, variable: &|_| None };
    let there = Places { variable: &moved, ..here };
    let file = |scope, places: &Places| CLIENT.facts().settings_file(scope, places);
    assert_eq!(file(Scope::Project, &here), Some(project.join(".codex/hooks.json")));
    assert_eq!(file(Scope::Local, &here), None);
    assert_eq!(file(Scope::User, &here), Some(home.join(".codex/hooks.json")));
    assert_eq!(file(Scope::User, &there), Some("/c/hooks.json".into()));
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
    fn no_answer_is_thrown_away_by_the_client(answer in any_answer(), at in 0..EVENTS.len()) {
        let name = EVENTS[at].name;
        let output = CLIENT.encode(&event(&CLIENT, name), &answer);
        prop_assert_eq!((output.exit, output.stderr.as_str()), (0, ""));
        prop_assert_eq!(strict::read(name, &output.stdout), Ok(()));
        let refused = output.stdout.contains("\"deny\"") || output.stdout.contains("\"block\"");
        let is_refusable = matches!(name, "PreToolUse" | "PermissionRequest" | "UserPromptSubmit" | "Stop" | "SubagentStop");
        prop_assert!(refused || answer.stance != Stance::Deny || !is_refusable);
    }

    #[test]
    fn a_patch_that_adds_a_file_is_read_back(lines in prop::collection::vec("[^\r\n]{0,12}", 1..5)) {
        let content = lines.join("\n") + "\n";
        prop_assert_eq!(patch::parse(&patch::render_addition("f", &content)), vec![edit("f", write(&content))]);
    }

    #[test]
    fn any_text_can_be_looked_at_as_a_patch(text in "(\\*\\*\\* (Add File: |Update File: |Delete File: |Move to: |Begin Patch|End Patch)|[-+@ ]|\\PC|\n){0,60}") {
        drop(patch::parse(&format!("*** Begin Patch\n{text}")));
        heredoc::find_patch(&format!("apply_patch <<E\n*** Begin Patch\n{text}\nE"));
    }
}

fn edit(path: &str, change: Change) -> FileEdit {
    FileEdit { path: path.into(), change }
}

fn write(content: &str) -> Change {
    Change::Write { content: content.into() }
}

fn replace(old: &str, new: &str) -> Change {
    Change::Replace { old: old.into(), new: new.into(), all: false }
}
