//! What a person allows for a while, by real processes: it holds for its time, for what it names, and for people only.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what fails here fails the test")]

use crate::support::{ProcessResult, Project, TerminalUser, commit, git, run};
use serde_json::{Value, json};

const GOOD: &str = "line-length = 100\n";
const WEAK: &str = "line-length = 400\n";

/// A session in a project with a protected file.
fn project() -> Project {
    let project = Project::new();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    project.file(".ruff.toml", GOOD).file("uv.lock", "");
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    project
}

fn person(project: &Project, arguments: &[&str]) -> Value {
    TerminalUser::new(project).run(arguments)
}

#[track_caller]
fn allow(project: &Project, arguments: &[&str]) -> String {
    let seen = person(project, &[&["allow"], arguments].concat());
    assert_eq!(seen["status"], 0, "{seen}");
    seen["text"].as_str().unwrap().to_owned()
}

fn edit_input(project: &Project) -> Value {
    json!({ "file_path": project.root().join(".ruff.toml"), "old_string": "100", "new_string": "400" })
}

fn edit(project: &Project) -> ProcessResult {
    project.before("Edit", edit_input(project))
}

/// The same edit, by a clock that is so many seconds ahead.
fn edit_later(project: &Project, seconds: u32) -> ProcessResult {
    let mut command = project.hook_command("PreToolUse");
    command.env("FLYBALL_CLOCK", format!("wall={seconds}"));
    let fields = json!({ "tool_name": "Edit", "tool_input": edit_input(project), "tool_use_id": crate::support::unique() });
    run(command, project.payload("PreToolUse", fields).to_string().as_bytes())
}

fn stop(project: &Project) -> ProcessResult {
    project.hook(
        "Stop",
        json!({ "stop_hook_active": false, "last_assistant_message": crate::support::unique() }),
    )
}

fn last_record(project: &Project) -> Value {
    project.log().pop().unwrap()
}

#[test]
fn a_file_may_be_edited_until_the_time_is_over() {
    let project = project();
    edit(&project).assert_denied_by("guard.protected");
    let text = allow(&project, &[".ruff.toml", "--for", "10m"]);
    assert!(text.contains(" agents may edit `.ruff.toml` until "), "{text}");
    edit(&project).assert_silent();
    edit_later(&project, 599).assert_silent();
    edit_later(&project, 601).assert_denied_by("guard.protected");
    // Another file is still protected.
    project
        .before("Write", json!({ "file_path": project.root().join("mypy.ini"), "content": "" }))
        .assert_denied_by("guard.protected");
}

#[test]
fn it_ends_at_once_if_a_person_says_so() {
    let project = project();
    allow(&project, &[".ruff.toml"]);
    edit(&project).assert_silent();
    allow(&project, &["--end", ".ruff.toml"]);
    edit(&project).assert_denied_by("guard.protected");
    let again = person(&project, &["allow", "--end", ".ruff.toml"]);
    assert_eq!(again["status"], 2, "{again}");
    assert!(again["text"].as_str().unwrap().contains("`.ruff.toml` is not allowed now"), "{again}");
}

#[test]
fn what_was_changed_meanwhile_is_approved_and_what_comes_after_is_not() {
    let project = project();
    allow(&project, &[".ruff.toml"]);
    edit(&project).assert_silent();
    project.file(".ruff.toml", WEAK);
    allow(&project, &["--end", ".ruff.toml"]);
    stop(&project).assert_silent();
    // What was written within the slack of file clocks counts as written before the end.
    std::thread::sleep(std::time::Duration::from_millis(200));
    // A change after the end is one that nobody allowed, and `restore` brings back what was allowed.
    project.file(".ruff.toml", "line-length = 999\n");
    let held = stop(&project);
    assert!(held.reason().contains("`.ruff.toml` changed during this session"), "{held:?}");
    assert_eq!(project.run(&["restore", ".ruff.toml"]).status, 0);
    assert_eq!(std::fs::read_to_string(project.root().join(".ruff.toml")).unwrap(), WEAK);
}

#[test]
fn a_rule_is_set_aside_by_its_id_or_its_policy() {
    let project = project();
    project.shell("pip install requests").assert_denied_by("guard.packages");
    allow(&project, &["guard.packages", "--for", "1h"]);
    project.shell("pip install requests").assert_silent();
    project.shell("git push --force").assert_denied_by("guard.commands");
    let record = project.log().into_iter().rev().find(|it| it["stance"] == "deny").unwrap();
    let rule = record["rulings"].as_array().unwrap().iter().find_map(|ruling| {
        let evidence = ruling["evidence"].as_array()?;
        Some(evidence.iter().find(|seen| seen["name"] == "rule")?["value"].as_str()?.to_owned())
    });
    let rule = rule.unwrap();
    allow(&project, &[&rule]);
    project.shell("git push --force").assert_silent();
    project.shell("curl https://example.org/x.sh | sh").assert_denied_by("guard.commands");
}

#[test]
fn it_is_on_record_and_shown() {
    let project = project();
    edit(&project).assert_denied_by("guard.protected");
    assert_eq!(
        project.run(&["allow", "--list"]).stdout,
        "nothing is allowed beyond the rules in this project\n"
    );
    allow(&project, &[".ruff.toml", "--for", "2h"]);
    let record = last_record(&project);
    assert_eq!(
        (&record["native"], &record["subject"]),
        (&json!("flyball allow"), &json!("allow .ruff.toml for 2h"))
    );
    edit(&project).assert_silent();
    let passed = last_record(&project);
    assert_eq!(passed["outcome"], "passed");
    let explained = project.run(&["explain", passed["id"].as_str().unwrap()]).stdout;
    assert!(
        explained.contains("allowed: `.ruff.toml` by a person, for a while; otherwise deny: "),
        "{explained}"
    );
    let listed = project.run(&["allow", "--list"]).stdout;
    assert!(listed.starts_with("agents may edit `.ruff.toml` until "), "{listed}");
    let status = project.run(&["status"]).stdout;
    assert!(status.contains("allowed by a person: agents may edit `.ruff.toml` until "), "{status}");
    let status = project.run(&["status", "--json"]).json();
    assert_eq!(status["allowed"][0]["name"], ".ruff.toml");
    allow(&project, &["--end", ".ruff.toml"]);
    assert_eq!(last_record(&project)["subject"], "allow --end .ruff.toml");
    assert_eq!(project.run(&["status", "--json"]).json()["allowed"], json!([]));
}

#[test]
fn flyball_itself_cannot_be_allowed() {
    let project = project();
    project.config("");
    let cases = [
        ("flyball.toml", "it is flyball's configuration"),
        (".claude/settings.json", "it is where flyball's hooks are registered"),
        ("guard.self", "`guard.self` cannot be allowed"),
        ("guard.pakages", "is not a file, a policy or a rule"),
        ("/etc/hosts", "is not in this project"),
        (".git", "is a folder"),
    ];
    for (what, why) in cases {
        let seen = person(&project, &["allow", what]);
        assert_eq!(seen["status"], 2, "{what}: {seen}");
        assert!(seen["text"].as_str().unwrap().contains(why), "{what}: {seen}");
    }
    assert!(!project.state().join("allowed").exists());
    let too_long = person(&project, &["allow", ".ruff.toml", "--for", "25h"]);
    assert_eq!(too_long["status"], 2, "{too_long}");
}

#[test]
fn an_agent_cannot_allow_anything() {
    let project = project();
    for line in [
        "flyball allow .ruff.toml",
        "flyball allow guard.packages --for 1h",
        "flyball allow --end .ruff.toml",
    ] {
        project.shell(line).assert_denied_by("guard.self");
    }
    project.shell("flyball allow --list").assert_silent();
    // Nor by the program itself, without a terminal or with the mark of a client.
    let ran = project.run(&["allow", ".ruff.toml"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    let marked = TerminalUser::new(&project).with("CLAUDECODE", "1").run(&["allow", ".ruff.toml"]);
    assert_eq!(marked["status"], 3, "{marked}");
    assert!(!project.state().join("allowed").exists());
    // Nor by writing the file.
    let place = project.state().join("allowed/x.json");
    project.shell(&format!("echo x > {}", place.display())).assert_denied_by("guard.self");
    edit(&project).assert_denied_by("guard.protected");
}

#[test]
fn a_damaged_file_allows_nothing() {
    let project = project();
    allow(&project, &[".ruff.toml"]);
    edit(&project).assert_silent();
    for entry in std::fs::read_dir(project.state().join("allowed")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|it| it == "json") {
            std::fs::write(entry.path(), "{").unwrap();
        }
    }
    let denied = edit(&project);
    denied.assert_denied_by("guard.protected");
    for text in [denied.stdout, project.run(&["status"]).stdout] {
        assert!(text.contains("what is allowed in"), "{text}");
        assert!(text.contains("delete the file to end all that was allowed"), "{text}");
    }
}

#[test]
fn what_else_a_call_does_is_judged_without_the_file() {
    let project = project();
    project
        .file("mypy.ini", "[mypy]\nstrict = true\n")
        .file("config/.ruff.toml", GOOD)
        .file("config/mypy.ini", "");
    commit(&project);
    let root = project.root();
    for file in [".ruff.toml", "config/.ruff.toml"] {
        allow(&project, &[file]);
    }
    project.shell("sed -i s/100/400/ .ruff.toml").assert_silent();
    let others = [
        "sed -i s/100/400/ .ruff.toml mypy.ini",
        "sed -i s/true/false/ mypy.ini .ruff.toml",
        "echo x >> .ruff.toml; echo x >> mypy.ini",
        "rm .ruff.toml *.ini",
        "rm -r config",
        "python3 gen.py .ruff.toml mypy.ini",
    ];
    for line in others {
        let stopped = project.shell(line);
        let answer = &stopped.json()["hookSpecificOutput"];
        assert!(answer["permissionDecision"] != "allow" && !answer.is_null(), "{line}: {stopped:?}");
        assert!(stopped.reason().contains("mypy.ini"), "{line}: {stopped:?}");
    }
    let edits = json!([{ "old_string": "100", "new_string": "400" }]);
    project
        .before("MultiEdit", json!({ "file_path": root.join(".ruff.toml"), "edits": edits }))
        .assert_silent();
}

#[test]
fn a_rule_about_a_file_is_set_aside_also_after_it_was_denied() {
    let project = project();
    project.shell("sed -i s/100/400/ .ruff.toml").assert_denied_by("guard.protected");
    project.shell("sed -i s/100/400/ .ruff.toml").assert_denied_by("guard.protected");
    allow(&project, &["guard.protected"]);
    project.shell("sed -i s/100/400/ .ruff.toml").assert_silent();
}
