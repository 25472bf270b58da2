//! `flyball statusline`, as a client runs it: by real processes over the journals of real hooks.

use crate::support::{ProcessResult, Project, commit, git, run, unique};
use serde_json::{Value, json};

const SESSION: &str = "00000000-0000-4000-8000-000000000001";

const LOOP: &str = r#"
[quality]
mode = "off"

[loop.feedback]
mode = "enforce"

[[loop.feedback.phase]]
name = "review"
heading = "Review Result"
pass = "REVIEW_APPROVED"
fail = "REVIEW_REJECTED"
agents = ["reviewer"]

[[loop.feedback.domain]]
name = "code"
paths = ["src/**"]

[[rule]]
id = "slow"
events = ["before_tool"]
tool = ["shell"]
when = "tool.command.contains('sleep')"
action = "deny"
message = "do not wait"

[[rule]]
id = "far"
events = ["before_tool"]
tool = ["shell"]
when = "tool.command.contains('ssh')"
action = "ask"
message = "is that meant?"
"#;

fn given(project: &Project, context: Value) -> String {
    json!({
        "session_id": SESSION, "cwd": project.root(), "workspace": { "project_dir": project.root() },
        "context_window": { "used_percentage": context, "context_window_size": 200_000 },
    })
    .to_string()
}

fn line(project: &Project, arguments: &[&str], input: &[u8]) -> ProcessResult {
    let all: Vec<&str> = std::iter::once("statusline").chain(arguments.iter().copied()).collect();
    run(project.command(&all), input)
}

#[track_caller]
fn prints(ran: &ProcessResult, expected: &str) {
    let expected = format!("{expected}\n");
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected.as_str(), ""));
}

fn project() -> Project {
    Project::new().with("NO_COLOR", "1")
}

#[test]
fn a_session_without_news_has_a_short_line() {
    let project = project();
    prints(&line(&project, &[], given(&project, json!(41.2)).as_bytes()), "flyball  context 41%");
    project.shell("ls");
    prints(&line(&project, &[], given(&project, json!(null)).as_bytes()), "flyball");
}

#[test]
fn denials_and_the_loop_are_shown() {
    let project = project();
    git(&project, &["init", "--quiet", "--initial-branch=main"]);
    project.config(LOOP).file("src/a.py", "one\n");
    commit(&project);
    project.hook("UserPromptSubmit", json!({ "prompt": "go on" }));
    project.file("src/a.py", "two\n");
    let input = json!({ "file_path": project.root().join("src/a.py"), "content": "two\n" });
    project.hook(
        "PostToolUse",
        json!({ "tool_name": "Write", "tool_input": input, "tool_response": { "type": "update" }, "tool_use_id": unique() }),
    );
    project.shell("sleep 1");
    project.shell("sleep 2");
    project.shell("ssh far");
    let input = given(&project, json!(91));
    let expected = "flyball  loop 1/5: review open · 2 blocked · context 91%";
    prints(&line(&project, &[], input.as_bytes()), expected);
    // Folded into the index, it is the same.
    assert_eq!(project.run(&["log", "--json"]).status, 0);
    prints(&line(&project, &[], input.as_bytes()), expected);
    project.shell("sleep 3");
    let format = "--format=<{loop}> {findings} {denials} {asks} <{task}> {context} <{policy_trouble}> {x}";
    prints(&line(&project, &[format], input.as_bytes()), "<1/5: review open> 0 3 1 <> 91% <> {x}");
    prints(&line(&project, &["--format", "{denials}"], input.as_bytes()), "3");
}

#[test]
fn findings_and_the_task_are_shown_until_they_are_done() {
    let project = project();
    let plan = ".claude/tasks/20261115_retry_task/PLAN.md";
    project.config("[task.stop]\nmode = \"enforce\"\n");
    project.file(
        plan,
        "status: pending\n\n# Plan: Retry\n\n### Phase 1: a\n\n- [x] b\n\n### Phase 2: c\n\n- [ ] d\n",
    );
    project.hook("SessionStart", json!({ "source": "startup" }));
    let mut start = project.command(&["task", "start", plan]);
    start.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", SESSION);
    assert_eq!(run(start, b"").status, 0);
    let write = |text: &str| {
        project.file("a.json", text);
        let input = json!({ "file_path": project.root().join("a.json"), "content": text });
        project.hook(
            "PostToolUse",
            json!({ "tool_name": "Write", "tool_input": input, "tool_response": { "type": "create" }, "tool_use_id": unique() }),
        );
    };
    write("{\n  \"x\": 1,\n  \"x\": 2,\n}\n");
    let shown =
        || line(&project, &["--format", "{findings}, task {task}"], given(&project, json!(1)).as_bytes());
    prints(&shown(), "2, task 2/2");
    write("{\n  \"x\": 2\n}\n");
    prints(&shown(), "0, task 2/2");
}

#[test]
fn colours_come_with_words_and_can_be_switched_off() {
    let project = Project::new();
    let coloured = "\u{1b}[2mflyball\u{1b}[0m  \u{1b}[31mcontext 95%\u{1b}[0m";
    prints(&line(&project, &[], given(&project, json!(95)).as_bytes()), coloured);
}

#[test]
fn a_broken_config_is_named_with_its_line() {
    let project = project();
    project.config("[guard.self]\nmode = \"observe\"\n\n[guard.nothing]\n");
    prints(
        &line(&project, &[], given(&project, json!(41)).as_bytes()),
        "flyball: flyball.toml:4 broken  context 41%",
    );
}

#[test]
fn no_input_makes_it_fail_or_controls_the_terminal() {
    let project = project();
    let hostile = json!({
        "session_id": "../../../etc/passwd\u{1b}[2J", "cwd": "/nowhere/\u{1b}]0;x\u{7}",
        "workspace": { "project_dir": "/nowhere/\u{1b}[31m" },
        "context_window": { "used_percentage": 7 },
    });
    prints(&line(&project, &[], hostile.to_string().as_bytes()), "flyball  context 7%");
    for input in ["", "{", "[1,2]", "null", "\u{1b}[2J", "{\"session_id\":{}}"] {
        prints(&line(&project, &[], input.as_bytes()), "flyball");
    }
    prints(&line(&project, &[], &[0xff, 0xfe, 0x00]), "flyball");
    assert!(!project.state().join("sessions").exists(), "reading creates no journal");
}

#[test]
fn a_store_that_cannot_be_read_is_ignored() {
    let project = project();
    project.shell("ls");
    let sessions = project.state().join("sessions");
    let journal = std::fs::read_dir(&sessions).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&journal, "no journal\n").unwrap();
    std::fs::write(project.state().join("flyball.db"), "no database").unwrap();
    prints(&line(&project, &[], given(&project, json!(41)).as_bytes()), "flyball  context 41%");
    let mut homeless = project.command(&["statusline"]);
    homeless.env_remove("HOME").env("FLYBALL_STATE_DIR", project.folder().join("none"));
    prints(&run(homeless, given(&project, json!(41)).as_bytes()), "flyball  context 41%");
}

#[test]
fn a_locked_journal_is_not_waited_for() {
    let project = project();
    project.shell("ls");
    let sessions = project.state().join("sessions");
    let journal = std::fs::read_dir(&sessions).unwrap().next().unwrap().unwrap().path();
    let locked = std::fs::File::open(&journal).unwrap();
    locked.lock().unwrap();
    prints(&line(&project, &[], given(&project, json!(41)).as_bytes()), "flyball  context 41%");
    drop(locked);
    let deep = format!("{{\"session_id\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    prints(&line(&project, &[], deep.as_bytes()), "flyball");
    let huge = format!("{{\"model\":\"{}\"}}", "x".repeat(3 << 20));
    prints(&line(&project, &[], huge.as_bytes()), "flyball");
}
