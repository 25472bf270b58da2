//! The README by real processes: every command line, setting, text and link in it holds.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{ProcessResult, Project, commit, git, linters, search_path, unique};

/// A person reads it in one sitting.
const MOST_LINES: usize = 200;

/// The pinned clients, by the name of their package.
const CLIENTS: &[(&str, &str)] = &[
    ("Claude Code", "@anthropic-ai/claude-code"),
    ("Claude Code", "claude-old"),
    ("Codex", "@openai/codex"),
];

const CODE: &str = "def total(prices):\n    count = 1\n    return sum(prices)\n";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn readme() -> String {
    std::fs::read_to_string(repository().join("README.md")).unwrap()
}

/// The blocks of code of a kind, as they are fenced.
fn blocks(kind: &str) -> Vec<String> {
    let text = readme();
    let mut fences = text.split("\n```");
    fences.next();
    // What begins a block and what ends it take turns.
    let inside: Vec<&str> = fences.step_by(2).collect();
    let of_kind = inside.iter().filter_map(|block| block.split_once('\n')).filter(|(info, _)| *info == kind);
    of_kind.map(|(_, body)| body.to_owned()).collect()
}

/// What is between backticks in the prose, outside of blocks.
fn inline_code() -> Vec<String> {
    let text = readme();
    let prose: Vec<&str> = text.split("\n```").step_by(2).collect();
    let spans = prose.iter().flat_map(|part| part.split('`').skip(1).step_by(2));
    spans.filter(|span| !span.contains('\n')).map(str::to_owned).collect()
}

/// A repository of a Python project with uncommitted work.
fn project() -> Project {
    let project = Project::new().with("PATH", &search_path(&[linters()]));
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    project
        .file("uv.lock", "version = 1\n")
        .file("ruff.toml", "lint.select = ['F']\n")
        .file(".env", "KEY=x\n");
    project.file("src/app.py", "").file("api/x.py", "").file("docs/x.md", "").file(".gitignore", ".env\n");
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project.file("api/x.py", "x = 'the work of an afternoon'\n");
    project
}

/// The decision on a command line and its reason.
fn decision(command: &str) -> (String, String) {
    let answer = project().shell(command);
    assert_eq!((answer.status, answer.stderr.as_str()), (0, ""), "{command}");
    if answer.stdout.is_empty() {
        return ("silent".to_owned(), String::new());
    }
    let answer = answer.json();
    let field = |name: &str| {
        let value = answer.pointer(&format!("/hookSpecificOutput/{name}")).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    (field("permissionDecision"), field("permissionDecisionReason"))
}

fn edited(project: &Project, name: &str, text: &str) -> ProcessResult {
    project.file(name, text);
    let path = project.root().join(name);
    let input = json!({ "file_path": path, "old_string": "a", "new_string": "b" });
    let response = json!({ "filePath": path });
    project.hook(
        "PostToolUse",
        json!({ "tool_name": "Edit", "tool_input": input, "tool_use_id": unique(), "tool_response": response }),
    )
}

#[test]
fn it_is_short_and_its_links_lead_somewhere() {
    let text = readme();
    assert!(text.lines().count() <= MOST_LINES, "{} lines", text.lines().count());
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local: Vec<&str> = targets.filter(|target| !target.starts_with("https://")).collect();
    assert!(local.len() > 10, "{local:?}");
    for target in local {
        assert!(repository().join(target).exists(), "{target}");
    }
}

#[test]
fn what_it_calls_denied_is_denied_with_the_fix_it_shows() {
    let block = blocks("denied").concat();
    assert!(block.lines().count() >= 8, "{block}");
    for line in block.lines() {
        let (command, fix) = line.split_once("  ").unwrap();
        let (decision, reason) = decision(command);
        assert_eq!(decision, "deny", "{command}");
        assert!(reason.contains(fix.trim()), "{command}\nshown: {}\nreal:  {reason}", fix.trim());
    }
}

#[test]
fn what_it_says_passes_does_pass() {
    let block = blocks("silent").concat();
    assert!(block.lines().count() >= 5, "{block}");
    for command in block.lines() {
        assert_eq!(decision(command).0, "silent", "{command}");
    }
}

#[test]
fn each_incident_ends_as_its_table_says() {
    let text = readme();
    let rows = text.lines().filter(|line| line.contains("](https://") && line.starts_with("| an agent"));
    let mut seen = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [_, call, outcome] = cells[..] else { panic!("{row}") };
        let expected = if outcome.starts_with("denies") { "deny" } else { "ask" };
        assert_eq!(decision(call.trim_matches('`')).0, expected, "{call}");
        seen += 1;
    }
    assert_eq!(seen, 3);
}

#[test]
fn a_protected_file_that_a_script_changed_is_reported_and_put_back_only_if_wanted() {
    for (config, expected) in
        [("", "lint.select = []\n"), ("[guard.protected]\nrestore = \"always\"\n", "lint.select = ['F']\n")]
    {
        let project = project();
        project.config(config);
        project.hook("SessionStart", json!({ "source": "startup" }));
        project.shell("python3 gen.py").assert_silent();
        project.file("ruff.toml", "lint.select = []\n");
        let response = json!({ "stdout": "", "stderr": "", "interrupted": false });
        let after = project.hook(
            "PostToolUse",
            json!({ "tool_name": "Bash", "tool_input": { "command": "python3 gen.py" }, "tool_use_id": unique(),
                "tool_response": response }),
        );
        assert!(after.stdout.contains("ruff.toml"), "{}", after.stdout);
        assert_eq!(std::fs::read_to_string(project.root().join("ruff.toml")).unwrap(), expected);
    }
}

#[test]
fn the_finding_after_an_edit_reads_as_shown() {
    let answer = edited(&project(), "src/app.py", CODE).stdout;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let text = answer.to_string().replace("\\n", "\n").replace("\\\"", "\"");
    for line in blocks("finding").concat().lines() {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn the_loop_holds_the_stop_as_shown() {
    let config = blocks("toml").into_iter().find(|block| block.contains("[loop.feedback]")).unwrap();
    let project = project();
    project.config(&format!("{config}\n[quality]\nmode = \"off\"\n")).file("test.sh", "exit 1\n");
    project.hook("SessionStart", json!({ "source": "startup" }));
    edited(&project, "src/app.py", CODE);
    let held =
        project.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "Tests pass." }));
    let answer = held.json();
    assert_eq!(answer.get("decision"), Some(&json!("block")), "{answer}");
    let reason = answer.get("reason").and_then(Value::as_str).unwrap();
    for line in blocks("held").concat().lines() {
        assert!(reason.contains(line), "{line}\n{reason}");
    }
}

#[test]
fn its_settings_are_valid_and_its_rule_passes_its_cases() {
    for block in blocks("toml") {
        let project = project();
        project.config(&block);
        let checked = project.run(&["config", "check"]);
        assert_eq!((checked.status, checked.stderr.as_str()), (0, ""), "{block}\n{}", checked.stdout);
        if block.contains("[[rule.case]]") {
            let tested = project.run(&["test"]);
            assert_eq!(
                (tested.status, tested.stdout.lines().last()),
                (0, Some("2 passed, 0 failed")),
                "{tested:?}"
            );
        }
    }
}

#[test]
fn every_command_and_option_it_names_exists() {
    let lines = blocks("sh").concat();
    let lines = lines.lines().map(|line| line.split(" #").next().unwrap_or_default().to_owned());
    let lines = lines.flat_map(|line| line.split(" && ").map(str::to_owned).collect::<Vec<_>>());
    let named: Vec<String> = lines.chain(inline_code()).filter(|line| line.starts_with("flyball ")).collect();
    assert!(named.len() > 20, "{named:?}");
    let project = Project::new();
    for line in named {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let is_command = |word: &&&str| {
            !word.starts_with('-') && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
        };
        let commands: Vec<&str> = words.iter().take_while(is_command).copied().collect();
        let help = project.run(&[&["help"], &commands[..]].concat());
        assert_eq!(help.status, 0, "`{line}`: {}", help.stderr);
        let options = words.iter().filter_map(|word| word.strip_prefix("--"));
        for option in options.map(|option| option.split('=').next().unwrap_or_default()) {
            assert!(help.stdout.contains(&format!("--{option}")), "`{line}`: --{option}");
        }
    }
}

#[test]
fn the_client_versions_are_those_that_are_tested() {
    let pins = std::fs::read_to_string(repository().join("tests/tools/clients/package.json")).unwrap();
    let pins: Value = serde_json::from_str(&pins).unwrap();
    let text = readme();
    for (client, package) in CLIENTS {
        let pin = pins.get("dependencies").and_then(|all| all.get(package)).and_then(Value::as_str).unwrap();
        let version = pin.rsplit('@').next().unwrap_or(pin);
        let row = text.lines().find(|line| line.starts_with(&format!("| {client} |"))).unwrap();
        assert!(row.contains(version), "{client} {version}: {row}");
    }
}

#[test]
fn what_leaves_the_machine_is_off_by_default() {
    let shown = Project::new().run(&["config", "show"]).stdout;
    assert!(shown.contains("fixer.enabled = false"), "{shown}");
    assert!(!shown.contains("endpoint = \"http"), "{shown}");
}
