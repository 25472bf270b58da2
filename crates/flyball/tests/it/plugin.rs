//! `flyball init`, `doctor` and `uninstall` where the client has our hooks from a plugin, and the status line.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs;

use crate::support::{CLAUDE, Project, machine};
use serde_json::{Value, json};

const ENABLED: &str = "{\n  \"enabledPlugins\": {\n    \"flyball@flyball\": true\n  }\n}\n";

fn enabled(project: &Project) {
    fs::create_dir_all(project.home().join(".claude")).unwrap();
    fs::write(project.home().join(".claude/settings.json"), ENABLED).unwrap();
}

fn settings(project: &Project) -> Value {
    let text = fs::read_to_string(project.root().join(".claude/settings.json")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

#[track_caller]
fn prints(project: &Project, arguments: &[&str], text: &str) {
    let ran = project.run(arguments);
    assert!(ran.stdout.contains(text), "{text:?} is not in\n{}{}", ran.stdout, ran.stderr);
}

#[test]
fn with_the_plugin_enabled_nothing_is_registered_a_second_time() {
    let project = machine(&[CLAUDE]);
    enabled(&project);
    prints(
        &project,
        &["init", "--yes"],
        "the plugin flyball@flyball has the events (~/.claude/settings.json), not registered again",
    );
    assert_eq!(settings(&project)["hooks"], Value::Null);
    assert!(project.root().join("flyball.toml").is_file());
    prints(
        &project,
        &["doctor"],
        "~/.claude/settings.json (Claude Code): hooks come from the plugin flyball@flyball",
    );
    prints(&project, &["doctor"], "Claude Code 2.1.325 (");
    fs::remove_file(project.state().join("bin/flyball")).unwrap();
    prints(
        &project,
        &["doctor"],
        "the plugin runs `flyball`, which is not on the search path: its hooks do nothing",
    );
}

#[test]
fn a_registration_that_was_there_before_the_plugin_is_reported_and_removed() {
    let project = machine(&[CLAUDE]);
    assert_eq!(project.run(&["init", "--yes"]).status, 0);
    assert!(settings(&project)["hooks"]["PreToolUse"].is_array());
    enabled(&project);
    prints(
        &project,
        &["doctor"],
        "Claude Code calls flyball twice: for the plugin and for .claude/settings.json",
    );
    prints(&project, &["init", "--yes"], "the plugin flyball@flyball has the events");
    assert_eq!(settings(&project)["hooks"], Value::Null);
}

#[test]
fn a_plugin_that_is_switched_off_does_not_count() {
    let project = machine(&[CLAUDE]);
    fs::create_dir_all(project.home().join(".claude")).unwrap();
    fs::write(project.home().join(".claude/settings.json"), ENABLED.replace("true", "false")).unwrap();
    assert_eq!(project.run(&["init", "--yes"]).status, 0);
    assert!(settings(&project)["hooks"]["PreToolUse"].is_array());
}

#[test]
fn the_status_line_comes_when_asked_for_and_goes_with_flyball() {
    let project = machine(&[CLAUDE]);
    project.file(".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    let before = fs::read_to_string(project.root().join(".claude/settings.json")).unwrap();
    assert_eq!(project.run(&["init", "--yes"]).status, 0);
    assert_eq!(settings(&project)["statusLine"], Value::Null);
    prints(&project, &["init", "--yes", "--statusline"], ", with the status line");
    let line = settings(&project)["statusLine"]["command"].as_str().unwrap().to_owned();
    assert!(line.ends_with("flyball statusline"), "{line}");
    assert_eq!(project.run(&["init", "--yes", "--statusline"]).status, 0);
    assert_eq!(project.run(&["uninstall", "--yes"]).status, 0);
    assert_eq!(fs::read_to_string(project.root().join(".claude/settings.json")).unwrap(), before);
}

#[test]
fn what_others_wrote_after_the_status_line_stays_without_it() {
    let project = machine(&[CLAUDE]);
    assert_eq!(project.run(&["init", "--yes", "--statusline"]).status, 0);
    let mut edited = settings(&project);
    edited["model"] = json!("opus");
    project.file(".claude/settings.json", &serde_json::to_string_pretty(&edited).unwrap());
    assert_eq!(project.run(&["uninstall", "--yes"]).status, 0);
    assert_eq!(settings(&project), json!({ "model": "opus" }));
}

#[test]
fn a_status_line_of_somebody_else_stays() {
    let project = machine(&[CLAUDE]);
    project.file(".claude/settings.json", "{\"statusLine\": {\"type\": \"command\", \"command\": \"mine\"}}");
    prints(&project, &["init", "--yes", "--statusline"], "its own status line is not changed");
    assert_eq!(settings(&project)["statusLine"]["command"], json!("mine"));
}
