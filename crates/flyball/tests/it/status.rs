//! `flyball status`, by real processes over a real record.

use crate::support::Project;
use crate::support::masks::masked;
use serde_json::json;

fn project() -> Project {
    Project::new().with("COLUMNS", "400")
}

#[test]
fn sessions_are_shown_with_what_each_waits_for() {
    let project = project();
    project.hook("SessionStart", json!({ "session_id": "eeee-1", "source": "startup" }));
    project.hook("SessionEnd", json!({ "session_id": "eeee-1", "reason": "logout" }));
    let call = json!({ "tool_name": "Bash", "tool_input": { "command": "make" } });
    let with_session = |fields: &serde_json::Value, id: &str| {
        let mut fields = fields.clone();
        fields["session_id"] = json!(id);
        fields
    };
    project.hook("PreToolUse", with_session(&call, "aaaa-1"));
    project.before("Write", json!({ "session_id": "ignored", "file_path": "x", "content": "" }));
    let config = project.root().join("flyball.toml");
    let denied = json!({ "tool_name": "Write", "tool_input": { "file_path": config, "content": "" } });
    project.hook("PreToolUse", with_session(&denied, "bbbb-1"));
    project.hook("PermissionRequest", with_session(&call, "cccc-1"));
    project.hook("CwdChanged", json!({ "session_id": "cccc-1", "old_cwd": "/", "new_cwd": "/tmp" }));
    let ran = project.run(&["status"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let expected = "\
Active
cccc-1    claude-code  2 events            started N unit ago  PROJECT
  waiting for a person's permission: make (N unit ago)
bbbb-1    claude-code  1 event, 1 blocked  started N unit ago  PROJECT
  the model is at work, after a denial (N unit ago)
  denied  flyball.toml  guard.self  1 attempt  since N unit ago  for another N unit
00000000  claude-code  1 event             started N unit ago  PROJECT
  running edit: x (N unit ago)
aaaa-1    claude-code  1 event             started N unit ago  PROJECT
  running shell: make (N unit ago)

Ended
eeee-1    claude-code  2 events            started N unit ago  PROJECT
  ended: logout (N unit ago)
";
    assert_eq!(masked(&ran.stdout, &project), expected);
}

#[test]
fn json_shows_who_has_to_do_something() {
    let project = project();
    project.hook("Stop", json!({}));
    let json = project.run(&["status", "--json"]).json();
    let at = project.log()[0]["at"].clone();
    let expected = json!({
        "problems": [],
        "reports": 0,
        "allowed": [],
        "sessions": [{
            "session": "00000000-0000-4000-8000-000000000001",
            "client": "claude-code",
            "project": project.root(),
            "state": "active",
            "waits_on": "person",
            "waits_for": "turn ended, waiting for a prompt",
            "first_at": at,
            "last_at": at,
            "last_kind": "stop",
            "events": 1,
            "denials": 0,
            "denied": { "blocked": 0, "held": 0, "findings": 0 },
            "held": [],
        }],
    });
    assert_eq!(json, expected);
}

#[test]
fn a_broken_config_is_shown_first() {
    let project = project();
    project.config("[guard.self]\nmod = \"off\"\n");
    let ran = project.run(&["status"]);
    let expected = "\
config: flyball.toml:2:1: unknown key `mod`; did you mean `mode`? The defaults are used instead

No sessions are recorded yet. `flyball init` registers flyball with your client; `flyball demo` shows it at work.
";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
}

#[test]
fn pending_reports_are_counted_with_the_command_to_review_them() {
    let project = project();
    let none = "No sessions are recorded yet. `flyball init` registers flyball with your client; `flyball demo` \
                shows it at work.\n";
    assert_eq!(project.run(&["status"]).stdout, none);
    project.file(".intent-layer/mistakes/pending/PITFALL-1.md", "## Learning Report\n");
    let one = format!("{none}\n1 report waits for a person: `flyball learn`\n");
    assert_eq!(project.run(&["status"]).stdout, one);
    project.file(".intent-layer/mistakes/pending/PITFALL-2.md", "## Learning Report\n");
    let two = format!("{none}\n2 reports wait for a person: `flyball learn`\n");
    assert_eq!(project.run(&["status"]).stdout, two);
    assert_eq!(
        project.run(&["status", "--json"]).json(),
        json!({ "problems": [], "reports": 2, "allowed": [], "sessions": [] })
    );
}
