//! The start of a session with tasks and an index, by real processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{Project, search_path};
use serde_json::{Value, json};

/// A pipe by which a program that nobody waits for can be waited for.
fn pipe(project: &Project) -> std::path::PathBuf {
    let path = project.folder().join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

fn started(project: &Project, source: &str) -> Value {
    let ran = project.hook("SessionStart", json!({ "source": source }));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    if ran.stdout.trim().is_empty() { json!({}) } else { ran.json() }
}

#[test]
fn what_keeps_the_index_fresh_is_started_in_the_project_once_the_answer_is_out() {
    let project = Project::new();
    let pipe = pipe(&project);
    let bin = project.folder().join("bin");
    fs::create_dir(&bin).unwrap();
    let program = bin.join("finder");
    fs::write(&program, format!("#!/bin/sh\necho \"$PWD: $*\" > '{}'\n", pipe.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    project.config(
        "[task.search]\nmode = \"enforce\"\n[[task.search.tool]]\nname = \"finder\"\nmarker = \".finder\"\n\
         index = \".finder/index\"\nwatch = [\"finder\", \"watch\", \"a b\", \"$HOME\"]\nauto_start = true\n",
    );
    project.file(".finder/index", "x");
    let project = project.with("PATH", &search_path(&[bin]));
    let answer = started(&project, "startup");
    let shown = answer.get("systemMessage").and_then(Value::as_str).unwrap_or_default();
    assert!(shown.contains("finder: watch: starting | index: 0 KB, nearly empty"), "{answer}");
    // Reading waits until the program writes.
    let printed = fs::read_to_string(&pipe).unwrap();
    assert_eq!(printed, format!("{}: watch a b $HOME\n", project.root().display()));
}

#[test]
fn an_open_task_is_reported_to_the_model_and_the_user_at_the_start() {
    let project = Project::new();
    let plan = ".claude/tasks/1_search_task/PLAN.md";
    let text = "status: in progress\n# Plan: Search\n\n## Phase 1: All of it\n- [ ] one\n";
    project.config("[task.session]\nmode = \"enforce\"\n").file(plan, text);
    project.file(".claude/TASK.md", &format!("{plan}\n"));
    let answer = started(&project, "startup");
    let line = format!(
        "`{plan}` is an open task (phase 1 of 1) that no session works on; to start it, run `flyball task start`"
    );
    let shown = answer.pointer("/hookSpecificOutput/additionalContext").and_then(Value::as_str);
    assert!(shown.is_some_and(|shown| shown.contains(&line)), "{answer}");
    let notice = answer.get("systemMessage").and_then(Value::as_str);
    assert!(notice.is_some_and(|notice| notice.contains(&line)), "{answer}");
    assert_eq!(fs::read_to_string(project.root().join(plan)).unwrap(), text);
}

#[test]
fn after_a_clear_the_task_is_reported_to_the_new_session_and_stays_with_the_old_one() {
    let project = Project::new().with("COLUMNS", "120");
    let plan = ".claude/tasks/1_search_task/PLAN.md";
    project.config("[task.session]\nmode = \"enforce\"\n");
    project.file(plan, "status: pending\n\n## Phase 1: Index\n\n- [ ] write\n");
    project.hook("SessionStart", json!({ "session_id": "aaaa-1", "source": "startup" }));
    let mut command = project.command(&["task", "start"]);
    command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", "aaaa-1");
    assert_eq!(crate::support::run(command, b"").status, 0);
    project.hook("SessionStart", json!({ "session_id": "cccc-3", "source": "startup" })).assert_silent();
    project.hook("SessionEnd", json!({ "session_id": "aaaa-1", "reason": "clear" })).assert_silent();
    let shown = project.hook("SessionStart", json!({ "session_id": "bbbb-2", "source": "clear" })).stdout;
    assert!(shown.contains("that no session works on; to start it, run `flyball task start`"), "{shown}");
    let page = project.run(&["task"]).stdout;
    assert!(page.contains("\n  by     ended: claude-code aaaa-1, last event "), "{page}");
    assert!(
        page.contains("\n         aaaa-1 has ended; `flyball task start` in another session takes over\n"),
        "{page}"
    );
}

fn spawned(project: &Project, role: &str) -> Option<String> {
    let input = json!({ "subagent_type": role, "description": "find", "prompt": "Find it." });
    let ran = project
        .hook("PreToolUse", json!({ "session_id": "aaaa-1", "tool_name": "Agent", "tool_input": input }));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    if ran.stdout.trim().is_empty() {
        return None;
    }
    let answer = ran.json();
    answer.pointer("/hookSpecificOutput/updatedInput/prompt").and_then(Value::as_str).map(str::to_owned)
}

#[test]
fn the_index_is_named_in_the_prompt_of_a_subagent_with_how_to_ask_it() {
    let project = Project::new();
    let bin = project.folder().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("finder"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(bin.join("finder"), fs::Permissions::from_mode(0o755)).unwrap();
    project.config(
        "[task.search]\nmode = \"enforce\"\n[[task.search.tool]]\nname = \"finder\"\nmarker = \".finder\"\n\
         index = \".finder/index\"\ncommand = [\"finder\", \"search\"]\nserver_tool = \"find\"\n",
    );
    let project = project.with("PATH", &search_path(&[bin]));
    assert_eq!(spawned(&project, "Explore"), None, "there is no index");
    project.file(".finder/index", "x");
    let told = spawned(&project, "Explore").unwrap();
    assert!(told.contains("run `finder search \"QUESTION\"`") && told.ends_with("\n\nFind it."), "{told}");
    project.file(".mcp.json", r#"{"mcpServers": {"code": {"command": "finder", "args": ["serve"]}}}"#);
    let told = spawned(&project, "general-purpose").unwrap();
    assert!(told.contains("call `mcp__code__find` or run"), "{told}");
}

#[test]
fn the_plan_that_was_accepted_is_linked_where_the_clients_settings_say() {
    let project = Project::new();
    project.config("[task.session]\nmode = \"enforce\"\n");
    project.file(".claude/settings.json", r#"{"plansDirectory": "docs/plans"}"#);
    project.file("docs/plans/brave-fox.md", "# Build it\n");
    let answer = started(&project, "clear");
    let shown = answer.get("systemMessage").and_then(Value::as_str).unwrap_or_default();
    assert!(shown.contains("`.claude/plans/LATEST.md` links to the accepted plan brave-fox.md"), "{answer}");
    let target = fs::read_link(project.root().join(".claude/plans/LATEST.md")).unwrap();
    assert_eq!(target, project.root().join("docs/plans/brave-fox.md"));
}
