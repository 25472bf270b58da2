//! `flyball import brewcode`, by real processes.

use crate::support::Project;

const FILE: &str = ".claude/tasks/cfg/brewcode.config.json";

/// Every key that there is, none of them at its default.
const ALL: &str = r#"{
  "knowledge": { "maxEntries": 60, "maxTokens": 900, "priorities": ["x"], "validation": { "enabled": true } },
  "logging": { "level": "debug" },
  "agents": { "system": ["our-helper", "Explore"] },
  "constraints": { "enabled": false },
  "autoSync": { "intervalDays": 7, "retention": { "maxEntries": 200 } },
  "extra": 1
}"#;

#[track_caller]
fn output(project: &Project, arguments: &[&str]) -> String {
    let ran = project.run(arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.stdout
}

#[test]
fn every_value_is_imported_or_listed_with_a_reason() {
    let project = Project::new();
    project.file(FILE, ALL);
    let shown = output(&project, &["import", "brewcode"]);
    let (lines, toml) = shown.split_once("\nto add to flyball.toml (run again with --write):\n\n").unwrap();
    let (lines, _) = lines.split_once("\nleft to do:\n").unwrap();
    let mut lines: Vec<&str> =
        lines.lines().map(|line| line.strip_prefix(&format!("{FILE}: ")).unwrap_or(line)).collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "agents.system = [\"our-helper\",\"Explore\"] → task.agents.system_agents, 17 entries",
            "autoSync.intervalDays = 7 not imported: flyball does not synchronise documents",
            "autoSync.retention.maxEntries = 200 not imported: flyball does not synchronise documents",
            "constraints.enabled = false → task.agents.constraints = false",
            "extra = 1 not imported: unknown key",
            "knowledge.maxEntries = 60 → task.session.max_lessons = 60",
            "knowledge.maxTokens = 900 → task.agents.tokens = 900",
            "knowledge.priorities = [\"x\"] not imported: nothing read it; flyball lists what to avoid first",
            "knowledge.validation.enabled = true not imported: nothing read it; `flyball knowledge add` checks each entry",
            "logging.level = \"debug\" not imported: flyball has no log file and no log level: `flyball log` shows every event",
            "task pack: task.agents → task.agents.mode = \"enforce\"",
            "task pack: task.search → task.search.mode = \"enforce\"",
            "task pack: task.session → task.session.mode = \"enforce\"",
            "task pack: task.stop → task.stop.mode = \"enforce\"",
        ]
    );
    let table: toml::Table = toml.parse().unwrap();
    assert_eq!(table["task"]["session"]["max_lessons"].as_integer(), Some(60));
    let agents = table["task"]["agents"]["system_agents"].as_array().unwrap();
    assert_eq!(agents.last().and_then(toml::Value::as_str), Some("our-helper"));
    assert!(!project.root().join("flyball.toml").exists(), "nothing is written unless it is asked for");

    output(&project, &["import", "brewcode", "--write"]);
    assert_eq!(project.run(&["config", "check"]).status, 0);
    let again = output(&project, &["import", "brewcode", "--write"]);
    assert!(again.ends_with("\nflyball.toml already has all of it; nothing changed\n"), "{again}");
}

#[test]
fn defaults_and_invalid_values_are_not_imported() {
    let project = Project::new();
    project.file(
        FILE,
        r#"{"knowledge": {"maxEntries": 100, "maxTokens": 0}, "agents": {"system": "all"}, "constraints": {"enabled": "no"}}"#,
    );
    let shown = output(&project, &["import", "brewcode"]);
    let mut lines: Vec<String> =
        shown.lines().filter(|line| line.starts_with(FILE)).map(str::to_owned).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            format!("{FILE}: agents.system = \"all\" not imported: not a list of texts"),
            format!("{FILE}: constraints.enabled = \"no\" not imported: already the default"),
            format!("{FILE}: knowledge.maxEntries = 100 not imported: already the default"),
            format!("{FILE}: knowledge.maxTokens = 0 not imported: not a whole number of 1 or more"),
        ]
    );
}

#[test]
fn locks_and_hooks_are_named_and_left_where_they_are() {
    let project = Project::new();
    let locks = [
        (
            "1_a_task",
            r#"{"task_path":".claude/tasks/1_a_task/PLAN.md","started_at":"2026-02-09T12:00:00Z","session_id":"0123456789"}"#,
        ),
        ("2_b_task", r#"{"task_path":".claude/tasks/2_b_task/PLAN.md","started_at":"2026-02-09T12:00:00Z"}"#),
        ("3_c_task", "{ half"),
    ];
    for (task, lock) in locks {
        project.file(&format!(".claude/tasks/{task}/.lock"), lock);
    }
    let settings = r#"{
  "enabledPlugins": { "brewcode@market": true, "other@market": true },
  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "node .claude/plugins/brewcode/hooks/stop.mjs" }] }] }
}
"#;
    project.file(".claude/settings.json", settings);
    let on = |name: &str| format!("[task.{name}]\nmode = \"enforce\"\n");
    project.file("flyball.toml", &["stop", "agents", "session", "search"].map(on).concat());
    let expected = "\
.claude/tasks/1_a_task/.lock: bound to session 01234567 not imported: left as it is; that session continues the task
.claude/tasks/2_b_task/.lock: bound to no session not imported: left as it is; `flyball task start` continues the task
.claude/tasks/3_c_task/.lock: not a valid lock not imported: left as it is
.claude/settings.json: hook for Stop: node .claude/plugins/brewcode/hooks/stop.mjs not imported: delete this entry from the file: flyball does the same, and both would run
.claude/settings.json: plugin brewcode@market not imported: disable it: flyball does the same, and both would run

left to do:
- remove the hooks and the plugin of brewcode that are listed above: otherwise both run
- no coordinator is defined here: the main agent records reports and ticks the boxes itself; to go on with the agents of brewcode, copy them into `.claude/agents` or `.codex/agents`
- `flyball init` registers flyball with the client
- `flyball task list` shows the tasks; `flyball task start` goes on with one

nothing to add to flyball.toml
";
    assert_eq!(output(&project, &["import", "brewcode", "--write"]), expected);
    for (task, lock) in locks {
        let path = project.root().join(format!(".claude/tasks/{task}/.lock"));
        assert_eq!(std::fs::read_to_string(path).unwrap(), lock);
    }
    assert_eq!(std::fs::read_to_string(project.root().join(".claude/settings.json")).unwrap(), settings);
}

#[test]
fn nothing_to_import_is_an_error() {
    let project = Project::new();
    let ran = project.run(&["import", "brewcode"]);
    assert_ne!(ran.status, 0);
    assert!(ran.stderr.contains("brewcode.config.json"), "{}", ran.stderr);
}

#[test]
fn what_was_imported_is_switched_on_and_what_is_left_is_said() {
    let project = Project::new();
    project.file(".claude/tasks/1_a_task/PLAN.md", "status: pending\n\n## Phase 1: x\n\n- [ ] y\n");
    project.file(".claude/settings.json", r#"{"enabledPlugins": {"brewcode@market": true}}"#);
    let before = "# Ours.\n[task.stop]\nmax_holds = 5   # more than usual\n\n[task.search]\nmode = \"off\"\n";
    project.file("flyball.toml", before);
    let shown = output(&project, &["import", "brewcode", "--write"]);
    assert!(
        shown.contains("task pack: task.search not imported: flyball.toml says mode = \"off\"\n"),
        "{shown}"
    );
    let left = shown.split_once("\nleft to do:\n").unwrap().1.split_once("\n\n").unwrap().0;
    assert_eq!(
        left,
        "\
- remove the hooks and the plugin of brewcode that are listed above: otherwise both run
- no coordinator is defined here: the main agent records reports and ticks the boxes itself; to go on with the agents of brewcode, copy them into `.claude/agents` or `.codex/agents`
- `flyball init` registers flyball with the client
- `flyball task list` shows the tasks; `flyball task start` goes on with one"
    );
    let after = std::fs::read_to_string(project.root().join("flyball.toml")).unwrap();
    assert!(after.starts_with("# Ours.\n[task.stop]\nmax_holds = 5   # more than usual\n"), "{after}");
    let table: toml::Table = after.parse().unwrap();
    let mode = |name: &str| table["task"][name]["mode"].as_str().unwrap().to_owned();
    assert_eq!(["stop", "agents", "session", "search"].map(mode), ["enforce", "enforce", "enforce", "off"]);
    assert_eq!(project.run(&["config", "check"]).status, 0);
    // A coordinator of the project's own goes on.
    project.file(".claude/agents/bc-coordinator.md", "---\nname: bc-coordinator\n---\n");
    let again = output(&project, &["import", "brewcode", "--write"]);
    assert!(again.contains("- the coordinator `bc-coordinator` is defined here and goes on:"), "{again}");
    assert_eq!(std::fs::read_to_string(project.root().join("flyball.toml")).unwrap(), after);
}
