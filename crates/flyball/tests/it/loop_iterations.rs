//! A task by real processes: blocked while its command fails, released when it passes, and never blocked for ever.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support::{ProcessResult, Project};
use serde_json::{Value, json};

const CONFIG: &str = "[loop.iterations]\nmode = \"enforce\"\nrun_time = \"20s\"\n\n[[loop.iterations.skill]]\n\
    name = \"make-green\"\nmax = 3\nuntil = \"cat; echo 2 failed >&2; test -f 'is done'\"\n";

fn project() -> Project {
    let project = Project::new();
    project.config(CONFIG);
    project
}

fn typed(project: &Project) {
    let command = json!({
        "expansion_type": "slash_command",
        "command_name": "make-green",
        "command_args": "the \"parser\"",
        "prompt": "/make-green the \"parser\"",
    });
    project.hook("UserPromptExpansion", command).assert_silent();
}

fn stop(project: &Project, again: bool) -> ProcessResult {
    // Two events that are the same to the byte are one.
    let message = format!("{}\n## Task Result\n\nTASK_COMPLETE\n", crate::support::unique());
    project.hook("Stop", json!({ "stop_hook_active": again, "last_assistant_message": message }))
}

/// The whole answer, without the id of it.
#[track_caller]
fn answer(ran: &ProcessResult) -> Value {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let mut json = ran.json();
    if json.get("reason").is_some() {
        json.as_object_mut().unwrap().insert("reason".to_owned(), json!(ran.reason()));
    }
    json
}

fn blocked(iteration: u32) -> Value {
    let reason = format!(
        "Continue with iteration {iteration} of 3 of task `make-green the \"parser\"`: it is not done. It is done when \
         `cat; echo 2 failed >&2; test -f 'is done'` exits with 0; flyball runs it when you stop. If you are stuck, try a \
         different approach and say what you tried. To override (people only): `flyball loop done`.\nexit code 1\n2 \
         failed\n[flyball loop.iterations]"
    );
    json!({ "decision": "block", "reason": reason })
}

#[test]
fn a_task_goes_on_until_its_command_passes() {
    let project = project();
    stop(&project, false).assert_silent();
    typed(&project);
    assert_eq!(answer(&stop(&project, false)), blocked(2));
    project.file("is done", "");
    let notice = "flyball: task `make-green the \"parser\"` is done in iteration 2 of 3: `cat; echo 2 failed >&2; \
                test -f 'is done'` passed";
    assert_eq!(answer(&stop(&project, true)), json!({ "systemMessage": notice }));
    stop(&project, false).assert_silent();
}

#[test]
fn a_task_that_is_never_done_is_released() {
    let project = project();
    typed(&project);
    assert_eq!(answer(&stop(&project, false)), blocked(2));
    assert_eq!(answer(&stop(&project, true)), blocked(3));
    let notice = "flyball: task `make-green the \"parser\"` is released in iteration 3 of 3 without being done: it used \
                all its iterations (the last run of its command: exit code 1). To start it again: `flyball loop start`";
    assert_eq!(answer(&stop(&project, true)), json!({ "systemMessage": notice }));
    stop(&project, true).assert_silent();
}

/// An agent sets the command of a task.
fn set_by_agent(project: &Project, until: &str) {
    let words = ["loop", "start", "--task", "x", "--max", "9", "--until", until];
    let mut command = project.command(&words);
    command.env("CLAUDECODE", "1");
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn what_an_agent_hands_to_flyball_is_asked_about_judged_and_not_run_unseen() {
    let project = project();
    project.hook("UserPromptSubmit", json!({ "prompt": "go on" })).assert_silent();
    let before = |line: &str| {
        let fields = json!({
            "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": crate::support::unique(),
        });
        project.hook("PreToolUse", fields).json()["hookSpecificOutput"]["permissionDecision"].clone()
    };
    let line = "flyball loop start --task x --until 'echo ran >> runs'";
    assert_eq!(before(line), "ask");
    assert_eq!(before("flyball loop start --task x --until 'echo off > flyball.toml'"), "deny");
    let runs = || std::fs::read_to_string(project.root().join("runs")).unwrap_or_default();
    set_by_agent(&project, "echo ran >> runs");
    let quiet = || json!({ "stop_hook_active": false, "last_assistant_message": crate::support::unique() });
    let reason = project.hook("Stop", quiet()).reason();
    assert!(reason.contains("flyball does not run `echo ran >> runs`: an agent set it"), "{reason}");
    assert_eq!(runs(), "");
    // The call that the user confirmed.
    let fields = json!({
        "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": crate::support::unique(),
        "tool_response": { "stdout": "", "stderr": "" },
    });
    project.hook("PostToolUse", fields).assert_silent();
    project.hook("Stop", quiet());
    assert_eq!(runs(), "ran\n");
}
