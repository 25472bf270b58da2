//! `flyball try`, by real processes: what would be decided, by whom and why, and that nothing is recorded.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::support::{ProcessResult, Project, TerminalUser, commit, git, run};
use serde_json::{Value, json};

fn project() -> Project {
    let project = Project::new();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    project.file("ruff.toml", "line-length = 80\n").file("app.py", "x = 1\n").file("uv.lock", "");
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project.config("[guard.packages]\nmode = \"enforce\"\npython = \"uv\"\n");
    project
}

/// Every file below a folder, with its content and its time.
fn files(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let changed = entry.metadata().unwrap().modified().unwrap();
                found.insert(path.clone(), (std::fs::read(&path).unwrap(), changed));
            }
        }
    }
    found
}

/// Runs it, and checks that neither the state nor the project changes.
#[track_caller]
fn tried(project: &Project, arguments: &[&str], input: &str) -> ProcessResult {
    let before = (files(&project.state()), files(&project.root()));
    let ran = run(project.command(&[&["try"], arguments].concat()), input.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert_eq!((files(&project.state()), files(&project.root())), before, "{arguments:?}");
    ran
}

#[track_caller]
fn assert_shows(ran: &ProcessResult, parts: &[&str]) {
    for part in parts {
        assert!(ran.stdout.contains(part), "no {part:?} in:\n{}", ran.stdout);
    }
}

#[test]
fn a_line_is_explained_with_its_config_line() {
    let project = project();
    assert_shows(
        &tried(&project, &["pip install requests"], ""),
        &[
            "It would be denied.\n",
            "  by       guard.packages\n",
            "  why      Use `uv add requests`",
            "  config   guard.packages.mode = \"enforce\" (flyball.toml:2)\n",
            "  config   guard.packages.python = \"uv\" (flyball.toml:3)\n",
        ],
    );
    project.file("app.py", "x = 2\n");
    assert_shows(
        &tried(&project, &["git reset --hard"], ""),
        &[
            "It would be denied.\n",
            "  by       guard.commands, ",
            "  config   guard.commands.mode = \"enforce\" (the default)\n",
        ],
    );
    assert_eq!(tried(&project, &["ls -la"], "").stdout, "It would pass.\n");
}

#[test]
fn an_edit_is_judged_by_what_it_makes_of_the_file() {
    let project = project();
    assert_shows(
        &tried(&project, &["--edit", "ruff.toml"], ""),
        &["It would be denied.\n", "  by       guard.protected\n"],
    );
    assert_eq!(tried(&project, &["--edit", "app.py"], "").stdout, "It would pass.\n");
    assert_eq!(tried(&project, &["--edit", "app.py", "--content", "x = 2\n"], "").stdout, "It would pass.\n");
    let suppressed = "x = 1  # noqa\n";
    let by_text = tried(&project, &["--edit", "app.py", "--content", suppressed], "");
    assert_shows(&by_text, &["  by       guard.gaming\n"]);
    let by_input = tried(&project, &["--edit", "app.py", "--content-file", "-"], suppressed);
    assert_eq!(by_input.stdout, by_text.stdout);
    project.file("new.txt", suppressed);
    let by_file = tried(&project, &["--edit", "app.py", "--content-file", "new.txt"], "");
    assert_eq!(by_file.stdout, by_text.stdout);
    assert_shows(&tried(&project, &["--edit", "flyball.toml"], ""), &["  by       guard.self\n"]);
}

#[test]
fn an_event_of_a_client_is_judged_as_it_is() {
    let project = project();
    let payload = project.payload(
        "PreToolUse",
        json!({ "tool_name": "Bash", "tool_use_id": "t", "tool_input": { "command": "pip install requests" } }),
    );
    let pretty = serde_json::to_string_pretty(&payload).unwrap();
    let shown = &["It would be denied.\n", "  by       guard.packages\n"];
    assert_shows(&tried(&project, &["--file", "-"], &pretty), shown);
    project.file("payload.json", &payload.to_string());
    assert_shows(&tried(&project, &["--file", "payload.json"], ""), shown);
    let edit = project.payload(
        "PreToolUse",
        json!({ "tool_name": "Write", "tool_use_id": "t", "tool_input": { "file_path": project.root().join("ruff.toml"), "content": "" } }),
    );
    assert_shows(&tried(&project, &["--file", "-"], &edit.to_string()), &["  by       guard.protected\n"]);
    let stop = project.payload("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "x" }));
    assert_eq!(tried(&project, &["--file", "-"], &stop.to_string()).stdout, "It would pass.\n");
}

#[test]
fn a_list_of_lines_is_still_counted() {
    let project = project();
    let ran =
        tried(&project, &["--file", "-"], "ls\npip install requests\n{\"command\":\"pip install x\"}\n");
    assert!(
        ran.stdout.ends_with("\n2 of 3 lines would be stopped (66.67 %): 2 denied, 0 asked about\n"),
        "{}",
        ran.stdout
    );
    let ran = tried(&project, &["--file", "-", "--json"], "ls\npip install requests\n");
    let lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{}", ran.stdout);
    let fields =
        ["line", "command", "decision", "outcome", "policy", "rule"].map(|name| lines[0][name].clone());
    let expected = [
        json!(2),
        json!("pip install requests"),
        json!("deny"),
        json!("blocked"),
        json!("guard.packages"),
        Value::Null,
    ];
    assert_eq!(fields, expected);
    assert_eq!(lines[1], json!({ "lines": 2, "denied": 1, "asked": 0 }));
}

#[test]
fn what_a_person_allowed_is_shown() {
    let project = project();
    let seen = TerminalUser::new(&project).run(&["allow", "ruff.toml"]);
    assert_eq!(seen["status"], 0, "{seen}");
    assert_shows(
        &tried(&project, &["--edit", "ruff.toml"], ""),
        &["It would pass.\n", "  allowed  `ruff.toml` by a person, for a while; otherwise deny: "],
    );
}

#[test]
fn without_anything_to_try_all_ways_are_named() {
    let project = Project::new();
    let ran = project.run(&["try"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("`--edit FILE` or `--file FILE`"), "{}", ran.stderr);
    let ran = project.run(&["allow"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("`--list` shows what is allowed"), "{}", ran.stderr);
}
