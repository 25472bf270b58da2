//! The memory pack's core as a client sees it: real processes, one for each event.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "all of it is test code"
)]

use crate::support::{ProcessResult, Project, unique};
use serde_json::{Value, json};

const ON: &str = "[memory.context]\nmode = \"enforce\"\n[memory.failures]\nmode = \"enforce\"\n";
const RULES: &str = "## Checks\n\n- Run `make` when you change `src/a.py`.\n";

fn payload(project: &Project, event: &str, tool: &str, input: Value) -> Value {
    json!({
        "session_id": "s1", "transcript_path": "", "cwd": project.root(), "hook_event_name": event,
        "tool_name": tool, "tool_input": input, "tool_use_id": unique(),
    })
}

fn hook(project: &Project, payload: &Value) -> ProcessResult {
    let mut payload = payload.clone();
    payload["tool_use_id"] = json!(unique());
    let event = payload["hook_event_name"].as_str().unwrap();
    project.hook_bytes(event, payload.to_string().as_bytes())
}

fn failure(project: &Project, session: &str) -> Value {
    let mut payload = payload(project, "PostToolUseFailure", "Bash", json!({ "command": "uv run app" }));
    payload["session_id"] = json!(session);
    payload["error"] = json!("Exit code 127\nbash: line 1: uv: command not found");
    payload
}

/// The context for the model.
fn injected_context(answer: &str) -> String {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

fn pending(project: &Project) -> Vec<String> {
    let folder = project.root().join(".intent-layer/mistakes/pending");
    let files = std::fs::read_dir(folder).into_iter().flatten();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

#[test]
fn the_rules_come_with_the_text_that_is_read_and_count_as_injected() {
    let project = Project::new();
    project.config(ON).file("AGENTS.md", RULES).file("src/a.py", "x = 1\n");
    let path = project.root().join("src/a.py");
    let mut read = payload(&project, "PostToolUse", "Read", json!({ "file_path": path }));
    read["tool_response"] = json!({ "type": "text", "file": { "filePath": path, "content": "x = 1" } });
    let edit = json!({ "file_path": path, "old_string": "1", "new_string": "2" });
    let edit = payload(&project, "PreToolUse", "Edit", edit);
    let first = hook(&project, &read);
    assert!(injected_context(&first.stdout).contains("- Run `make` when you change"), "{first:?}");
    assert_eq!(injected_context(&hook(&project, &edit).stdout), "");
    let mut edited = edit.clone();
    edited["hook_event_name"] = json!("PostToolUse");
    edited["tool_response"] = json!({ "filePath": path });
    hook(&project, &edited);
    let stats = project.run(&["memory", "stats", "--json"]);
    assert_eq!(stats.status, 0, "{stats:?}");
    assert!(stats.stdout.contains("AGENTS.md"), "{stats:?}");
}

#[test]
fn an_edit_that_insists_is_denied_once_by_real_processes() {
    let project = Project::new();
    project.config("[memory.context]\nmode = \"enforce\"\ninsist = \"always\"\n").file("AGENTS.md", RULES);
    let path = project.root().join("src/a.py");
    let edit = payload(&project, "PreToolUse", "Write", json!({ "file_path": path, "content": "x" }));
    let decision = |answer: &str| -> String {
        let answer: Value = serde_json::from_str(answer).unwrap_or_default();
        answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default().to_owned()
    };
    let first = hook(&project, &edit);
    assert_eq!(decision(&first.stdout), "deny", "{first:?}");
    assert!(first.stdout.contains("- Run `make` when you change"), "{first:?}");
    for _ in 0..2 {
        assert_eq!(decision(&hook(&project, &edit).stdout), "");
    }
}

#[test]
fn sixteen_processes_with_the_same_failure_write_one_report_and_count_it() {
    let project = Project::new();
    project.config(ON).file(".intent-layer/.gitkeep", "");
    std::thread::scope(|scope| {
        for number in 0..16 {
            let project = &project;
            let session = if number % 2 == 0 { "s1" } else { "s2" };
            scope.spawn(move || assert_eq!(hook(project, &failure(project, session)).status, 0));
        }
    });
    let reports = pending(&project);
    assert_eq!(reports.len(), 1, "{reports:#?}");
    // From the tenth on only every tenth is written down.
    assert!(reports[0].contains("**Times**: 10\n"), "{}", reports[0]);
    for _ in 16..20 {
        hook(&project, &failure(&project, "s3"));
    }
    let reports = pending(&project);
    assert!(reports.len() == 1 && reports[0].contains("**Times**: 20\n"), "{reports:#?}");
}

#[test]
fn nothing_is_written_without_the_folder_or_in_observe_mode() {
    let names = |project: &Project| {
        let files = std::fs::read_dir(project.root()).unwrap();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let bare = Project::new();
    bare.config(ON);
    hook(&bare, &failure(&bare, "s1"));
    assert_eq!(names(&bare), [".git", "flyball.toml"]);
    let observing = Project::new();
    observing.config(&ON.replace("enforce", "observe")).file(".intent-layer/.gitkeep", "");
    hook(&observing, &failure(&observing, "s1"));
    assert_eq!(names(&observing), [".git", ".intent-layer", "flyball.toml"]);
    assert_eq!(std::fs::read_dir(observing.root().join(".intent-layer")).unwrap().count(), 1);
}
