//! Every write is an edit: what a command writes is seen as one, by its text before it runs and by
//! the disk after it.

use std::process::Command;

use crate::support::{ProcessResult, Project};
use serde_json::json;

// Whether there are linters on this machine must not matter.
const RULES: &str = r#"
[quality]
mode = "off"

[[rule]]
id = "migrations"
events = ["before_tool"]
path = ["migrations/**"]
action = "deny"
message = "{{tool.path}} is a migration"

[[rule]]
id = "written"
events = ["after_tool"]
path = ["src/**"]
action = "deny"
message = "{{tool.path}} was written"
"#;

fn project() -> Project {
    let project = Project::new();
    project.config(RULES).file("src/old.py", "a\n").file("make.sh", "echo new > src/made.py\n");
    git(&project, &["init", "-q"]);
    git(&project, &["add", "-A"]);
    git(&project, &["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "start"]);
    project
}

fn git(project: &Project, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(project.root()).args(arguments).env("HOME", project.home()).env_remove("GIT_DIR");
    assert!(command.status().is_ok_and(|status| status.success()), "git {arguments:?}");
}

/// Runs a command for real, and sends the event after it.
fn ran(project: &Project, command: &str) -> ProcessResult {
    let status = Command::new("sh").current_dir(project.root()).args(["-c", command]).status();
    assert!(status.is_ok_and(|status| status.success()), "{command}");
    project.hook(
        "PostToolUse",
        json!({
            "tool_name": "Bash",
            "tool_input": { "command": command },
            "tool_response": { "stdout": "", "stderr": "" },
            "tool_use_id": crate::support::unique(),
            "duration_ms": 100,
        }),
    )
}

#[test]
fn before_a_command_its_text_shows_what_it_would_write() {
    let project = project();
    for command in [
        "echo x > migrations/1.sql",
        "cd migrations && sed -i s/a/b/ 1.sql",
        "python3 -c \"open('migrations/1.sql', 'w').write('x')\"",
        "mv /tmp/1.sql migrations/1.sql",
        "tee migrations/1.sql < /dev/null",
    ] {
        let ran = project.shell(command);
        assert_eq!(ran.reason(), "migrations: migrations/1.sql is a migration. [flyball rules]", "{command}");
    }
    project.shell("cat migrations/1.sql").assert_silent();
    project.shell("echo migrations/1.sql").assert_silent();
}

#[test]
fn after_a_command_what_it_did_write_is_known() {
    let project = project();
    assert_eq!(
        ran(&project, "echo x > src/new.py").reason(),
        "written: src/new.py was written. [flyball rules]"
    );
    ran(&project, "cat src/old.py").assert_silent();
}

#[test]
fn what_the_text_does_not_show_is_noticed_on_disk() {
    let project = project();
    assert_eq!(ran(&project, "sh make.sh").reason(), "written: src/made.py was written. [flyball rules]");
}

#[test]
fn what_changed_before_the_command_is_not_taken_for_its_work() {
    let project = project();
    project.file("src/old.py", "changed by a person\n");
    let written = std::fs::metadata(project.root().join("src/old.py")).unwrap().modified().unwrap();
    while written.elapsed().unwrap_or_default().as_millis() < 300 {
        std::thread::yield_now();
    }
    ran(&project, "sh -n make.sh").assert_silent();
}

#[test]
fn a_wrapper_that_the_user_declares_is_looked_through() {
    let project = project();
    // What an unknown program may start is asked about.
    assert!(project.shell("in-box git push --force").stdout.contains("\"ask\""));
    project.config("[engine]\nwrappers = [\"in-box\"]\n");
    project.shell("in-box git push --force").assert_denied_by("guard.commands");
}
