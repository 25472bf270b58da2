//! The loop pack when things around it are broken: it sends a notice or is silent. It never denies, and it never fails.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs;
use std::time::Duration;

use crate::support::{ProcessResult, Project, git};
use flyball_core::event::SessionId;
use flyball_core::policy::Memory;
use flyball_store::Store;
use serde_json::{Value, json};

const SESSION: &str = "00000000-0000-4000-8000-000000000001";
const PACK: [&str; 9] = [
    "loop.workflow",
    "loop.feedback",
    "loop.gate",
    "loop.iterations",
    "loop.completion",
    "loop.output",
    "loop.compaction",
    "loop.session",
    "notify",
];

/// A project with the whole pack on.
fn project() -> Project {
    let project = Project::new();
    switch_on(&project);
    project
}

fn switch_on(project: &Project) {
    let on: String = PACK.iter().map(|policy| format!("[{policy}]\nmode = \"enforce\"\n")).collect();
    project.config(&format!("[quality]\nmode = \"off\"\n{on}"));
    project.file("docs/a.md", "# A\n").file("MANIFEST.yaml", "current_phase: building\n");
}

/// The events of a session in which nothing is wrong.
fn events(project: &Project) -> Vec<(&'static str, Value)> {
    let expanded = json!({
        "expansion_type": "slash_command", "command_name": "feature", "command_args": "", "prompt": "/feature",
    });
    let shell = json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } });
    let manifest = json!({ "file_path": project.root().join("MANIFEST.yaml"), "content": "x" });
    let document = json!({ "file_path": project.root().join("docs/a.md"), "content": "# A\n" });
    let spawn = json!({ "description": "d", "prompt": "p", "subagent_type": "writer" });
    let agent = json!({ "agent_id": "a1", "agent_type": "writer" });
    let done =
        json!({ "status": "completed", "agentId": "a1", "content": [{ "type": "text", "text": "Done." }] });
    let tool = |name: &str, input: &Value, response: Value| json!({ "tool_name": name, "tool_input": input, "tool_response": response, "tool_use_id": crate::support::unique() });
    let by_agent = |mut fields: Value| {
        fields.as_object_mut().unwrap().extend(agent.as_object().unwrap().clone());
        fields
    };
    vec![
        ("SessionStart", json!({ "source": "resume" })),
        ("UserPromptSubmit", json!({ "prompt": "hello" })),
        ("UserPromptExpansion", expanded),
        ("PreToolUse", shell),
        ("PostToolUse", tool("Bash", &json!({ "command": "ls" }), json!({ "stdout": "", "stderr": "" }))),
        ("PostToolUse", tool("Write", &manifest, json!({}))),
        ("PreToolUse", json!({ "tool_name": "Agent", "tool_input": spawn.clone() })),
        ("SubagentStart", agent.clone()),
        ("PreToolUse", by_agent(json!({ "tool_name": "Write", "tool_input": document.clone() }))),
        ("PostToolUse", by_agent(tool("Write", &document, json!({})))),
        (
            "SubagentStop",
            by_agent(json!({ "stop_hook_active": false, "last_assistant_message": "I wrote the document." })),
        ),
        ("PostToolUse", tool("Agent", &spawn, done)),
        ("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" })),
        ("PreCompact", json!({ "trigger": "manual", "custom_instructions": null })),
        ("SessionStart", json!({ "source": "compact" })),
        ("Notification", json!({ "notification_type": "idle_prompt", "message": "waiting" })),
    ]
}

/// The notices of a session in which nothing may be denied.
fn notices(project: &Project, change: impl Fn(&mut Value)) -> Vec<String> {
    let mut notices = Vec::new();
    for (event, mut fields) in events(project) {
        change(&mut fields);
        let ran: ProcessResult = project.hook(event, fields);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{event}: {ran:?}");
        // What joins the prompt for a summary is plain text.
        if ran.stdout.is_empty() || event == "PreCompact" {
            continue;
        }
        assert_eq!(ran.decision(), None, "{event}: {ran:?}");
        assert_ne!(ran.json().get("decision"), Some(&json!("block")), "{event}: {ran:?}");
        notices.extend(Some(ran.notice()).filter(|notice| !notice.is_empty()));
    }
    let bugs: Vec<&String> = notices.iter().filter(|notice| notice.contains("bug")).collect();
    assert_eq!(bugs, Vec::<&String>::new());
    notices
}

const NOTHING: Vec<String> = Vec::new();

#[test]
fn without_errors_there_are_no_notices() {
    assert_eq!(notices(&project(), |_| {}), NOTHING);
}

#[test]
fn a_manifest_that_cannot_be_read_stops_nobody() {
    for text in ["{", "current_phase: [", "\0\0", "- a\n- b\n", "current_phase: {a: 1}\n", "&a [*a, *b]"] {
        let project = project();
        project.file("MANIFEST.yaml", text);
        assert_eq!(notices(&project, |_| {}), NOTHING, "{text:?}");
    }
    let project = project();
    fs::remove_file(project.root().join("MANIFEST.yaml")).unwrap();
    fs::create_dir(project.root().join("MANIFEST.yaml")).unwrap();
    assert_eq!(notices(&project, |_| {}), NOTHING, "a folder");
}

#[test]
fn a_transcript_that_cannot_be_read_stops_nobody() {
    let project = project();
    fs::write(project.home().join("garbage.jsonl"), [0xff; 4_000]).unwrap();
    for path in
        [json!(project.root()), json!("/nowhere/t.jsonl"), json!(project.home().join("garbage.jsonl"))]
    {
        let shown = notices(&project, |fields| fields["transcript_path"] = path.clone());
        assert!(shown.iter().all(|notice| notice.contains("loop.compaction")), "{path}: {shown:?}");
        assert!(shown.len() <= 1, "{shown:?}");
    }
    assert_eq!(notices(&project, |fields| fields["transcript_path"] = json!("")), NOTHING);
}

#[test]
fn repositories_of_any_kind_stop_nobody() {
    let fresh = |arguments: &[&str]| {
        let project = project();
        fs::remove_dir(project.root().join(".git")).unwrap();
        git(&project, arguments);
        project
    };
    assert_eq!(notices(&fresh(&["init", "--quiet"]), |_| {}), NOTHING, "without commits");
    assert_eq!(notices(&fresh(&["init", "--quiet", "--bare", "."]), |_| {}), NOTHING, "bare");
    assert_eq!(notices(&fresh(&["--version"]), |_| {}), NOTHING, "none");
    let broken = project();
    fs::write(broken.root().join(".git/HEAD"), "nonsense").unwrap();
    let shown = notices(&broken, |_| {});
    assert!(shown.iter().all(|notice| notice.contains("git could not be asked")), "broken: {shown:?}");
}

#[test]
fn without_git_nobody_is_stopped() {
    let project = project().with("PATH", "/nowhere");
    assert_eq!(notices(&project, |_| {}), NOTHING);
}

#[test]
fn a_folder_that_is_gone_stops_nobody() {
    let project = project();
    let gone = project.root().join("gone");
    assert_eq!(notices(&project, |fields| fields["cwd"] = json!(gone)), NOTHING);
}

#[test]
fn what_another_version_remembered_stops_nobody() {
    for shape in [
        json!([1, 2]),
        json!("text"),
        json!({ "agents": 7, "files": [], "course": 3, "level": "x", "at": {} }),
    ] {
        let project = project();
        project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
        let journal = Store::at(&project.state()).session(
            "claude-code",
            &SessionId::new(SESSION),
            Duration::from_secs(5),
        );
        for policy in PACK {
            journal.write(policy, shape.to_string()).unwrap();
        }
        journal.write("loop.output.before", shape.to_string()).unwrap();
        journal.keep_memory().unwrap();
        drop(journal);
        let shown = notices(&project, |_| {});
        assert!(shown.iter().all(|notice| notice.contains("cannot be read")), "{shown:?}");
        // A session that begins anew begins with what this version understands; only tasks go on.
        project.hook("SessionStart", json!({ "source": "clear" }));
        let mut shown = notices(&project, |_| {});
        shown.retain(|notice| !notice.contains("loop.iterations failed"));
        assert_eq!(shown, NOTHING, "{shape}");
    }
}
