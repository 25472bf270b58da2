//! Denials that stick and files that have an owner, by real processes.

use crate::support::Project;
use crate::support::masks::masked;
use serde_json::json;

const REPEATED: &str = "Do not try another way; tell the user what you would change and why: changing `flyball.toml` was \
                        denied before (a moment ago, with Edit). [flyball guard.denials]";

fn edit(project: &Project) -> crate::support::ProcessResult {
    let config = project.root().join("flyball.toml");
    project.before("Edit", json!({ "file_path": config, "old_string": "enforce", "new_string": "off" }))
}

#[test]
fn what_an_edit_may_not_do_no_other_tool_may() {
    let project = Project::new().with("COLUMNS", "400");
    let code = "python3 -c \"import fix; fix.now('flyball.toml')\"";
    let asked = project.shell(code);
    assert_eq!(asked.decision().as_deref(), Some("ask"), "by itself it is only asked about");

    let first = edit(&project);
    assert!(!first.assert_denied_by("guard.self").reason().contains("guard.denials"), "{first:?}");

    let second = project.shell("cat > flyball.toml");
    let reason = second.assert_denied_by("guard.self").reason();
    assert_eq!(reason.lines().nth(1), Some(REPEATED));
    assert_eq!((reason.lines().count(), second.notice().as_str()), (2, ""));

    let third = project.shell(code);
    let reason = third.assert_denied_by("guard.self").reason();
    assert_eq!(reason.lines().nth(1), Some(REPEATED));
    assert_eq!(reason.lines().count(), 2);
    third.assert_notice("flyball: the agent tried 3 times to change `flyball.toml`, which guard.self denies");

    project.shell("cat flyball.toml").assert_silent();
    project.shell("git diff flyball.toml").assert_silent();

    let status = project.run(&["status"]);
    assert_eq!((status.status, status.stderr.as_str()), (0, ""));
    let expected = "\
Active
00000000  claude-code  6 events, 3 blocked  started N unit ago  PROJECT
  running shell: git diff flyball.toml (N unit ago)
  denied  flyball.toml  guard.self  3 attempts  since N unit ago  for another N unit
";
    assert_eq!(masked(&status.stdout, &project), expected);

    let json = project.run(&["status", "--json"]).json();
    let denial = &json["sessions"][0]["held"][0];
    assert_eq!(denial["subject"], json!({ "file": project.root().join("flyball.toml") }));
    assert_eq!((&denial["policy"], &denial["attempts"]), (&json!("guard.self"), &json!(3)));
    let lasts = denial["until"].as_i64().unwrap() - denial["since"].as_i64().unwrap();
    assert!((1_800_000_000..1_900_000_000).contains(&lasts), "half an hour from the last attempt: {denial}");
}

#[test]
fn another_session_starts_afresh() {
    let project = Project::new();
    edit(&project).assert_denied_by("guard.self");
    let code = json!({ "command": "python3 -c \"import fix; fix.now('flyball.toml')\"" });
    let fields = json!({ "session_id": "another", "tool_name": "Bash", "tool_input": code });
    assert_eq!(project.hook("PreToolUse", fields).decision().as_deref(), Some("ask"));
}

#[test]
fn a_call_that_arrives_twice_is_one_attempt() {
    let project = Project::new();
    let input = json!({ "command": "cat > flyball.toml" });
    let fields = json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": "t1" });
    let payload = project.payload("PreToolUse", fields).to_string();
    for _ in 0..2 {
        let ran = project.hook_bytes("PreToolUse", payload.as_bytes());
        assert!(!ran.assert_denied_by("guard.self").reason().contains("guard.denials"), "{ran:?}");
    }
    let denial = &project.run(&["status", "--json"]).json()["sessions"][0]["held"];
    assert_eq!(denial[0]["attempts"], json!(1));
}

// Defect 31 of the enforcement hooks.
#[test]
fn defect_31_a_quote_in_a_name_does_not_break_the_answer() {
    let project = Project::new();
    project.config(
        "[[guard.agents-first.owner]]\npaths = ['a\"b/**']\nagents = ['the \"backend\" developer']\nwhat = 'code of \"b\"'\n",
    );
    let ran = project.before("Write", json!({ "file_path": "a\"b/x.go", "content": "" }));
    assert_eq!(
        ran.assert_denied_by("guard.agents-first").reason(),
        "Spawn `the \"backend\" developer` to make this change: `a\"b/x.go` (code of \"b\") belongs to `the \"backend\" \
         developer`. You coordinate, agents implement. [flyball guard.agents-first]"
    );
}

// Defect 14 of the enforcement hooks.
#[test]
fn defect_14_the_owner_edits_and_the_main_thread_does_not() {
    let project = Project::new();
    project.config("[[guard.agents-first.owner]]\npaths = ['pkg/**']\nagents = ['backend-developer']\n");
    let write = |agent: Option<&str>| {
        let mut fields =
            json!({ "tool_name": "Write", "tool_input": { "file_path": "pkg/x.go", "content": "" } });
        if let Some(agent) = agent {
            fields["agent_id"] = json!("a1");
            fields["agent_type"] = json!(agent);
        }
        project.hook("PreToolUse", fields)
    };
    let spawn =
        json!({ "subagent_type": "backend-developer", "prompt": "change pkg/x.go", "description": "d" });
    project.before("Task", spawn).assert_silent();
    write(None).assert_denied_by("guard.agents-first");
    write(Some("backend-developer")).assert_silent();
    write(Some("frontend-developer")).assert_denied_by("guard.agents-first");
    write(None).assert_denied_by("guard.agents-first");
    write(Some("backend-developer")).assert_silent();
}
