//! Clocks that are wrong, by real processes: ahead by years, set back, and beyond what calendars have.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use crate::support::{ProcessResult, Project, run};
use serde_json::{Value, json};

const YEAR: i64 = 365 * 24 * 3_600;

/// Runs a command by a clock that is off, as [`flyball_core::wrong_clock`] reads it.
fn at(project: &Project, clock: &str, arguments: &[&str]) -> ProcessResult {
    let mut command = project.command(arguments);
    command.env("FLYBALL_CLOCK", clock);
    run(command, b"")
}

/// A shell call that the hook sees by such a clock.
fn shell_at(project: &Project, clock: &str, line: &str) -> ProcessResult {
    let mut command = project.hook_command("PreToolUse");
    command.env("FLYBALL_CLOCK", clock);
    let fields = json!({ "tool_name": "Bash", "tool_input": { "command": line } });
    run(command, project.payload("PreToolUse", fields).to_string().as_bytes())
}

fn subjects(log: &[Value]) -> Vec<&str> {
    log.iter().filter_map(|record| record["subject"].as_str()).collect()
}

fn log(project: &Project, clock: &str, more: &[&str]) -> Vec<Value> {
    let ran = at(project, clock, &[&["log", "--json"], more].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn journals(project: &Project) -> usize {
    std::fs::read_dir(project.state().join("sessions")).unwrap().count()
}

#[test]
fn a_command_under_a_clock_ten_years_ahead_deletes_nothing() {
    let project = Project::new();
    for number in 0..5 {
        project.shell(&format!("echo {number}"));
    }
    assert_eq!(project.log().len(), 5);
    let ahead = format!("wall={}", 10 * YEAR);
    for _ in 0..3 {
        assert_eq!(log(&project, &ahead, &[]).len(), 5);
    }
    assert_eq!((project.log().len(), journals(&project)), (5, 1));
    let doctor = at(&project, &format!("wall={}", 10 * YEAR + 7_200), &["log"]);
    assert_eq!(doctor.status, 0, "{}", doctor.stderr);
    let doctor = at(&project, &ahead, &["doctor"]);
    assert!(doctor.stdout.contains("the clock is ahead of what it can be"), "{}", doctor.stdout);
    // Also after the machine was started by such a clock, and hooks have recorded by it.
    let started = format!("wall={} boot=7 since_boot=-100", 10 * YEAR);
    shell_at(&project, &started, "echo 5");
    assert_eq!(log(&project, &started, &[]).len(), 6);
    assert_eq!((project.log().len(), journals(&project)), (6, 1));
}

#[test]
fn a_clock_that_is_set_back_disturbs_nothing() {
    let project = Project::new();
    shell_at(&project, "wall=3600", "echo one");
    shell_at(&project, "wall=3601", "echo two");
    shell_at(&project, "wall=0", "echo three");
    shell_at(&project, "wall=-7200", "echo four");
    let session = project.log()[0]["session"].as_str().unwrap().to_owned();
    let all = log(&project, "", &["--session", &session]);
    assert_eq!(subjects(&all), subjects(&project.log()), "with and without other sessions");
    assert_eq!(subjects(&all), ["echo one", "echo two", "echo three", "echo four"]);
    assert_eq!(at(&project, "", &["audit", "verify"]).status, 0);
}

#[test]
fn the_same_call_is_one_call_although_the_clock_jumps() {
    let project = Project::new();
    shell_at(&project, "awake=0", "echo same");
    shell_at(&project, &format!("wall={YEAR} awake=0"), "echo same");
    let calls = || project.log().iter().filter(|record| record["duplicate"] != json!(true)).count();
    assert_eq!(calls(), 1, "registered twice, while the clock was set");
    // A minute later by the time that the machine was awake, and in the same second by its clock.
    shell_at(&project, "wall=0 awake=60", "echo same");
    assert_eq!(calls(), 2, "another call");
}

#[test]
fn years_beyond_9999_are_shown_as_they_are() {
    let project = Project::new().with("COLUMNS", "200").with("TZ", "UTC");
    let far = format!("wall={}", 9_974 * YEAR);
    shell_at(&project, &far, "echo far");
    let shown = at(&project, "", &["log"]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("119"), "{}", shown.stdout);
    assert!(!shown.stdout.contains("1970"), "{}", shown.stdout);
    assert_eq!(log(&project, &far, &[]).len(), 1);
}

#[test]
fn a_person_may_delete_what_is_old_and_an_agent_may_not() {
    let project = Project::new();
    project.shell("echo 1");
    let shown = project.run(&["forget"]);
    assert_eq!(shown.status, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("0 of 1 events"), "{}", shown.stdout);
    project.shell("flyball forget --yes").assert_denied_by("guard.self");
}
