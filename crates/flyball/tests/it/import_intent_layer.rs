//! `flyball import intent-layer`, by real processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use crate::support::Project;

const SETTINGS: &str = r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Edit", "hooks": [{ "type": "command", "command": "/opt/il/scripts/pre-edit-check.sh" }] },
      { "hooks": [{ "type": "command", "command": "flyball hook --client claude-code" }] }
    ]
  },
  "enabledPlugins": { "intent-layer@market": true, "other@market": true }
}"#;

fn project() -> Project {
    let project = Project::new();
    std::fs::create_dir_all(project.root().join("src/api")).unwrap();
    let directory = project.root().join("src/api");
    let report = |id: &str, directory: &str| {
        format!(
            "## Learning Report\n\n**ID**: {id}\n**Type**: pitfall\n**Timestamp**: 2026-02-09T12:00:00Z\n\
             **Directory**: {directory}\n**Operation**: Edit on a.ts\n\n### What Went Wrong\n\nx\n"
        )
    };
    project.file(
        ".intent-layer/mistakes/pending/PITFALL-1.md",
        &report("PITFALL-1", &directory.to_string_lossy()),
    );
    project
        .file(".intent-layer/mistakes/accepted/PITFALL-2.md", &report("PITFALL-2", "/gone/checkout/src/api"));
    project.file(".intent-layer/mistakes/accepted/integrated/PITFALL-3.md", &report("PITFALL-3", "src/api"));
    project.file(".intent-layer/hooks/injections.log", "x\n");
    project.file(".claude/settings.json", SETTINGS);
    project
}

const REPORT: &str = "\
.intent-layer: its hooks → memory.context.mode = \"enforce\"
.intent-layer: its hooks → memory.agents.mode = \"enforce\"
.intent-layer: its hooks → memory.failures.mode = \"enforce\"
.intent-layer: its hooks → memory.instructions.mode = \"enforce\"
.intent-layer: its hooks → memory.session.mode = \"enforce\"
.intent-layer: memory.stop not imported: flyball.toml has mode = \"off\"
.intent-layer/mistakes/accepted/integrated: PITFALL-3 → .intent-layer/mistakes/integrated/PITFALL-3.md
.intent-layer/mistakes/pending: PITFALL-1 → Directory: src/api
.intent-layer/mistakes/accepted: PITFALL-2 → Directory: src/api
.intent-layer: hooks/injections.log not imported: left as it is; flyball keeps its own record
.claude/settings.json: hook for PreToolUse: /opt/il/scripts/pre-edit-check.sh not imported: delete this entry from the file: flyball does the same, and both would run
.claude/settings.json: plugin intent-layer@market not imported: disable it: flyball does the same, and both would run
";

const TOML: &str = "\
[memory.context]
mode = \"enforce\"

[memory.agents]
mode = \"enforce\"

[memory.failures]
mode = \"enforce\"

[memory.instructions]
mode = \"enforce\"

[memory.session]
mode = \"enforce\"
";

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn without_write_it_only_shows_what_it_would_do() {
    let project = project();
    project.config("[memory.stop]\nmode = \"off\"\n");
    let ran = project.run(&["import", "intent-layer"]);
    let expected = format!(
        "{REPORT}\nto add to flyball.toml (run again with --write):\n\n{TOML}\n\
         --write also moves and fixes the reports listed above\n"
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(sorted(&ran.stdout), sorted(&expected), "{}", ran.stdout);
    assert!(project.root().join(".intent-layer/mistakes/accepted/integrated/PITFALL-3.md").exists());
}

#[test]
fn with_write_reports_are_fixed_and_hooks_are_left_to_the_user() {
    let project = project();
    project.config("[memory.stop]\nmode = \"off\"\n");
    let ran = project.run(&["import", "intent-layer", "--write"]);
    let expected =
        format!("{REPORT}\nadded to flyball.toml:\n\n{TOML}\n1 report waits for a person: `flyball learn`\n");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(sorted(&ran.stdout), sorted(&expected), "{}", ran.stdout);
    let read = |name: &str| std::fs::read_to_string(project.root().join(name)).unwrap();
    assert_eq!(read(".claude/settings.json"), SETTINGS);
    assert_eq!(read(".intent-layer/hooks/injections.log"), "x\n");
    assert!(!project.root().join(".intent-layer/mistakes/accepted/integrated/PITFALL-3.md").exists());
    for name in ["pending/PITFALL-1", "accepted/PITFALL-2", "integrated/PITFALL-3"] {
        let text = read(&format!(".intent-layer/mistakes/{name}.md"));
        assert!(text.contains("\n**Directory**: src/api\n**Operation**: Edit on a.ts\n"), "{text}");
    }
    let again = project.run(&["import", "intent-layer", "--write"]);
    assert_eq!((again.status, again.stderr.as_str()), (0, ""));
    assert!(again.stdout.contains("nothing to add to flyball.toml"), "{}", again.stdout);
}

#[test]
fn a_project_without_the_folder_is_an_error() {
    let project = Project::new();
    let ran = project.run(&["import", "intent-layer"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            2,
            "",
            "error: no folder `.intent-layer` in this project\n help: run the command in the project that has it, or \
             start fresh: `flyball init --packs memory`\n"
        )
    );
}
