//! No secret reaches the record, nor anything that is made of it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot be set up has failed")]

use std::fs;
use std::path::Path;

use crate::support::{ProcessResult, Project};
use serde_json::{Value, json};

/// A value that nothing but the file gives away.
const PLAIN: &str = "violet-horse-battery";

/// Put together here, so that no scanner takes this file for a leak.
fn token() -> String {
    format!("{}_{}", "ghp", "16C7e42F292c6912E7710c838347Ae178B4a")
}

fn after(project: &Project, tool: &str, input: &Value, response: &Value) -> ProcessResult {
    let fields =
        json!({ "tool_name": tool, "tool_input": input, "tool_response": response, "tool_use_id": "t" });
    project.hook("PostToolUse", fields)
}

fn output(text: &str) -> Value {
    json!({ "stdout": text, "stderr": "", "interrupted": false, "isImage": false })
}

/// Everything in the state directory and everything that commands make of it.
fn everything(project: &Project) -> Vec<(String, Vec<u8>)> {
    let commands: &[&[&str]] = &[
        &["log", "--json"],
        &["log"],
        &["explain", "--json"],
        &["explain", "--html"],
        &["report", "--json"],
        &["report", "--html"],
        &["audit", "export"],
    ];
    let ran = commands.iter().map(|words| (words.join(" "), project.run(words).stdout.into_bytes()));
    let mut all: Vec<(String, Vec<u8>)> = ran.collect();
    add_files(&project.state(), &mut all);
    assert!(all.iter().any(|(name, _)| name.ends_with(".journal")) && all[0].1.len() > 100);
    all
}

fn add_files(folder: &Path, all: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Copies of files for `flyball undo` are what the files were, and as private; nothing shows them but `undo` itself.
        if path.ends_with("snapshots/contents") {
            continue;
        }
        if path.is_dir() {
            add_files(&path, all);
        } else {
            all.push((path.display().to_string(), fs::read(&path).unwrap_or_default()));
        }
    }
}

#[track_caller]
fn assert_nowhere(project: &Project, secret: &str) {
    for (name, bytes) in everything(project) {
        let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!found, "{secret} is in {name}");
    }
}

#[test]
fn a_token_is_recorded_nowhere() {
    let project = Project::new();
    project.config(
        "[[rule]]\nid = 'r'\nevents = ['before_tool']\naction = 'deny'\nmessage = 'not `{{tool.command}}`'\n\
         when = 'shell.commands.exists(c, c.program == \"gh\")'\n[memory.failures]\nmode = 'enforce'\n",
    );
    let token = token();
    project.hook("UserPromptSubmit", json!({ "prompt": format!("use {token}") }));
    project.shell(&format!("gh auth login {token}")).assert_denied_by("rules");
    after(&project, "Bash", &json!({ "command": "env" }), &output(&format!("A=1\nB={token}\n")));
    let edit = json!({ "file_path": project.root().join("a.txt"), "content": format!("x {token} y\n") });
    project.before("Write", edit.clone());
    let patch = json!([{ "lines": [format!("+x {token} y")] }]);
    after(&project, "Write", &edit, &json!({ "type": "create", "content": token, "structuredPatch": patch }));
    let failure = json!({ "tool_name": "Bash", "tool_input": { "command": "make" }, "error": format!("exit 1: {token}"), "tool_use_id": "t" });
    project.hook("PostToolUseFailure", failure);
    project.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": token }));
    assert_nowhere(&project, &token);
}

#[test]
fn values_of_secret_files_and_variables_are_recorded_nowhere() {
    let project = Project::new().with("ACME_TOKEN", "marigold-marigold");
    project.file(
        ".env.local",
        &format!("# settings\nAPP_ENV=production\nSIGNUP_CODE={PLAIN}\nQUOTED='a \"b\" c d'\n"),
    );
    fs::create_dir_all(project.home().join(".aws")).unwrap();
    fs::write(project.home().join(".netrc"), "machine h login ada password lavender1\n").unwrap();
    for secret in [PLAIN, "marigold-marigold", "lavender1", "a \"b\" c d"] {
        project.shell(&format!("run it with {secret} in production"));
        after(
            &project,
            "Bash",
            &json!({ "command": "run" }),
            &output(&format!("it printed {secret}\nand more")),
        );
        project.hook(
            "Stop",
            json!({ "stop_hook_active": false, "last_assistant_message": format!("I used {secret}.") }),
        );
    }
    for secret in [PLAIN, "marigold-marigold", "lavender1", "a \\\"b\\\" c d", "a \"b\" c d"] {
        assert_nowhere(&project, secret);
    }
    assert!(project.log()[0].to_string().contains("in production"), "harmless values stay");
}

#[test]
fn what_a_session_read_from_a_secret_file_stays_known() {
    let project = Project::new();
    project.file("deploy/prod.env", &format!("SIGNUP_CODE={PLAIN}\n"));
    let read = json!({ "file_path": project.root().join("deploy/prod.env") });
    project.before("Read", read.clone());
    let content = json!({ "file": { "content": format!("SIGNUP_CODE={PLAIN}\n"), "filePath": "x" } });
    after(&project, "Read", &read, &content);
    project.shell(&format!("signup --code {PLAIN}"));
    assert_nowhere(&project, PLAIN);
    let written =
        json!({ "file_path": project.root().join(".env"), "content": "SIGNUP_CODE=tiger-lily-77\n" });
    project.before("Write", written);
    assert_nowhere(&project, "tiger-lily-77");
}

const ON: &str = "[guard.secrets]\nmode = 'enforce'\n";

#[test]
fn the_model_gets_the_output_without_secrets() {
    let project = Project::new();
    project.config(ON);
    project.file(".env", &format!("SIGNUP_CODE={PLAIN}\n"));
    let ran =
        after(&project, "Bash", &json!({ "command": "run" }), &output(&format!("a {PLAIN} b {}", token())));
    let replaced = &ran.json()["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(*replaced, output("a [redacted] b [redacted]"));
    ran.assert_notice("flyball: Bash returned secrets; they were struck out before the model saw them");
    after(&project, "Bash", &json!({ "command": "run" }), &output("nothing of that kind")).assert_silent();
}

#[test]
fn a_client_that_takes_a_reason_in_place_of_the_result_gets_that() {
    let project = Project::new();
    project.config(ON);
    let payload = json!({
        "session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": project.root(), "hook_event_name": "PostToolUse",
        "model": "m", "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": "run" },
        "tool_response": format!("it is {}", token()), "tool_use_id": "x",
    });
    let command = project.command(&["hook", "--client", "codex", "--event", "PostToolUse"]);
    let ran = crate::support::run(command, payload.to_string().as_bytes());
    assert_eq!(ran.json()["decision"], "block");
    assert_eq!(ran.json()["reason"], "it is [redacted]");
}

const TOLD: &str = "flyball: Bash returned secrets and the model has seen them: replace them if they matter";

#[test]
fn where_nothing_can_be_replaced_the_user_is_told() {
    let project = Project::new();
    project.config(ON);
    let failure = json!({ "tool_name": "Bash", "tool_input": { "command": "make" }, "error": token(), "tool_use_id": "t" });
    project.hook("PostToolUseFailure", failure).assert_notice(TOLD);
}

#[test]
fn reading_a_secret_file_asks() {
    let project = Project::new();
    project.config(ON);
    assert_eq!(project.shell("cat .env").decision().as_deref(), Some("ask"));
    let read = json!({ "file_path": project.home().join(".ssh/id_ed25519") });
    assert_eq!(project.before("Read", read).decision().as_deref(), Some("ask"));
}
