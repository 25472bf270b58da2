//! `flyball test`: the cases that live beside rules.

use crate::support::Project;
use serde_json::{Value, json};

const RULES: &str = r#"
[[rule]]
id = "no-pip"
events = ["before_tool"]
tool = ["shell"]
when = 'shell.commands.exists(c, c.program == "pip")'
action = "deny"
message = "use uv"

[[rule.case]]
event = { shell = "cd api && pip install x" }
expect = "deny"
message = "use uv"

[[rule.case]]
event = { shell = "echo pip" }
expect = "silent"

[[rule]]
id = "migrations"
events = ["before_tool", "after_tool"]
path = ["migrations/**"]
action = "inject"
message = "{{tool.path}}"

[[rule.case]]
event = { write = "migrations/1.sql", content = "x", kind = "after_tool" }
expect = "inject"
message = "migrations/1.sql"

[[rule]]
id = "finish"
events = ["stop"]
when = '!stop.last_message.contains("tests pass")'
action = "deny"
message = "run the tests"
mode = "observe"

[[rule.case]]
event = { kind = "stop", text = "done" }
expect = "deny"
"#;

#[test]
fn cases_that_hold_pass() {
    let project = Project::new();
    project.config(RULES);
    let ran = project.run(&["test"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
        "✓ no-pip: shell \"cd api && pip install x\" → deny\n\
         ✓ no-pip: shell \"echo pip\" → silent\n\
         ✓ migrations: write \"migrations/1.sql\" → inject\n\
         ✓ finish: text \"done\" → deny\n\
         4 passed, 0 failed\n"
    );
}

#[test]
fn a_case_that_does_not_hold_is_shown_with_its_difference() {
    let project = Project::new();
    project.config(&RULES.replace("shell = \"echo pip\"", "shell = \"pip --version\"").replace(
        "message = \"use uv\"\n\n[[rule.case]]\nevent = { shell = \"pip",
        "message = \"use poetry\"\n\n[[rule.case]]\nevent = { shell = \"pip",
    ));
    let ran = project.run(&["test"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let failed: Vec<&str> = ran.stdout.lines().filter(|line| !line.starts_with('✓')).collect();
    assert_eq!(
        failed,
        [
            "✗ no-pip: shell \"cd api && pip install x\" → deny",
            "    at flyball.toml:11",
            "    - expected the message to contain: use poetry",
            "    + got the message:                 no-pip: use uv",
            "✗ no-pip: shell \"pip --version\" → silent",
            "    at flyball.toml:16",
            "    - expected: silent",
            "    + got:      deny",
            "    + with the message: no-pip: use uv",
            "2 passed, 2 failed",
        ]
    );
}

#[test]
fn results_come_as_json_too() {
    let project = Project::new();
    project.config(RULES);
    let ran = project.run(&["test", "--json"]);
    let results: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        results[0],
        json!({
            "rule": "no-pip", "event": "shell \"cd api && pip install x\"", "line": 11, "expected": "deny", "got": "deny",
            "said": "no-pip: use uv", "passed": true,
        })
    );
}

#[test]
fn what_cannot_be_run_is_an_error_with_a_reason() {
    let unclear = "[[rule]]\nid = 'r'\nevents = ['stop']\naction = 'deny'\nmessage = 'x'\n[[rule.case]]\nevent = { }\nexpect = 'deny'\n";
    let project = Project::new();
    project.config(unclear);
    let ran = project.run(&["test"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: flyball.toml:7: rule `r`: say what happens: shell, write, edit, read, spawn_agent, skill, mcp, fetch or text\n \
         help: `flyball config check` shows what is wrong with the file\n"
    );
    let missing = Project::new().run(&["test"]);
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.starts_with("error: flyball.toml cannot be read: "), "{}", missing.stderr);
}

#[test]
fn a_rule_that_means_nothing_is_a_config_error_with_its_column() {
    let project = Project::new();
    project.config("[[rule]]\nid = 'r'\nevents = ['before_tool']\naction = 'deny'\nmessage = 'x'\nwhen = 'tool.comand == 5'\n");
    let ran = project.run(&["config", "check"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("flyball.toml:6:14") || ran.stderr.contains("flyball.toml:6:14"), "{ran:?}");
    // The rule is not in force, and nobody is left in the dark about it.
    let hook = project.shell("ls");
    hook.assert_notice("flyball: flyball.toml:6:14: unknown field `comand`; did you mean `command`? The defaults are used instead");
}
