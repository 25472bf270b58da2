//! What a file was before the agent's edit decides what is reported and formatted: by real processes with real linters.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use crate::support::{ProcessResult, Project, commit, git, linters, search_path};
use serde_json::json;

/// A project with a repository and these files in its first commit.
fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::new().with("PATH", &search_path(&[linters()]));
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    // What a person wrote is trusted, and so is the project.
    project.config("[quality]\n");
    for (name, text) in files {
        project.file(name, text);
    }
    commit(&project);
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    project
}

fn read(project: &Project, name: &str) -> String {
    std::fs::read_to_string(project.root().join(name)).unwrap()
}

/// An edit by the client's tool, with the event before and the one after it.
fn edit(project: &Project, name: &str, from: &str, to: &str) -> ProcessResult {
    let path = project.root().join(name);
    let input = json!({ "file_path": path, "old_string": from, "new_string": to });
    project.hook("PreToolUse", json!({ "tool_name": "Edit", "tool_input": input })).assert_silent();
    let before = read(project, name);
    assert!(before.contains(from), "{before}");
    std::fs::write(&path, before.replacen(from, to, 1)).unwrap();
    let ids = json!({ "tool_name": "Edit", "tool_input": input, "tool_use_id": crate::support::unique(),
        "tool_response": { "filePath": path } });
    project.hook("PostToolUse", ids)
}

fn stop(project: &Project) -> ProcessResult {
    project.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" }))
}

/// Chooses Ruff for checks and Black for the layout.
const CHOICES: &str = "[tool.ruff.lint]\nselect = ['F', 'E', 'ANN']\nignore = ['ANN201']\n[tool.black]\n";
const RUFF: &str = "[tool.ruff.lint]\nselect = ['F', 'E501', 'ANN001']\n";
const CROOKED: &str = "a = [1,2,\n  3]\nb = 1\n";

#[test]
fn what_a_person_has_not_committed_is_not_the_agents() {
    let project = project(&[("pyproject.toml", CHOICES), ("a.py", "a = 1\nb = 1\n")]);
    // The person's work: an undefined name, and a layout of their own.
    let mine = "a = undefined_name\nx = [1,2,\n  3]\nb = 1\n";
    project.file("a.py", mine);
    edit(&project, "a.py", "b = 1", "b = 2").assert_silent();
    stop(&project).assert_silent();
    assert_eq!(read(&project, "a.py"), mine.replace("b = 1", "b = 2"));
    // What the agent adds is.
    let reason = edit(&project, "a.py", "b = 2", "b = other_name").reason();
    assert!(
        reason.contains("F821  Undefined name `other_name`") && !reason.contains("undefined_name"),
        "{reason}"
    );
}

#[test]
fn what_comes_from_another_branch_is_not_the_agents() {
    let project = project(&[("pyproject.toml", CHOICES), ("a.py", "a = 1\n")]);
    git(&project, &["switch", "--quiet", "--create", "feature"]);
    let theirs = "a = nobody\nx = [1,2,\n  3]\n";
    project.file("a.py", theirs);
    commit(&project);
    git(&project, &["switch", "--quiet", "-"]);
    git(&project, &["switch", "--quiet", "feature"]);
    edit(&project, "a.py", "  3", "  4").assert_silent();
    stop(&project).assert_silent();
    assert_eq!(read(&project, "a.py"), theirs.replace("  3", "  4"));
}

#[test]
fn a_file_that_was_renamed_is_not_new() {
    let old = format!("import os\n{CROOKED}");
    let project = project(&[("pyproject.toml", CHOICES), ("a.py", &old)]);
    for line in ["git mv a.py b.py", "mv b.py c.py"] {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(
            std::process::Command::new(words[0])
                .args(&words[1..])
                .current_dir(project.root())
                .status()
                .unwrap()
                .success()
        );
    }
    // A command, so that nothing is known but what git has.
    let response = json!({ "stdout": "", "stderr": "", "interrupted": false });
    std::fs::write(project.root().join("c.py"), old.replace("b = 1", "b = 2")).unwrap();
    let input = json!({ "command": "sed -i 's/b = 1/b = 2/' c.py" });
    let ids = json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": crate::support::unique(), "tool_response": response });
    project.hook("PostToolUse", ids).assert_silent();
    stop(&project).assert_silent();
    assert_eq!(read(&project, "c.py"), old.replace("b = 1", "b = 2"));
}

#[test]
fn a_file_in_a_submodule_is_compared_with_its_own_history() {
    let project = project(&[("pyproject.toml", CHOICES), ("README", "x\n")]);
    let inner = Project::new();
    std::fs::remove_dir(inner.root().join(".git")).unwrap();
    inner.file("a.py", CROOKED);
    git(&inner, &["init", "--quiet"]);
    commit(&inner);
    let from = inner.root().to_str().unwrap().to_owned();
    git(&project, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "sub"]);
    commit(&project);
    let input = json!({ "command": "sed -i 's/b = 1/b = 2/' sub/a.py" });
    std::fs::write(project.root().join("sub/a.py"), CROOKED.replace("b = 1", "b = 2")).unwrap();
    let response = json!({ "stdout": "", "stderr": "", "interrupted": false });
    let ids = json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": crate::support::unique(), "tool_response": response });
    project.hook("PostToolUse", ids).assert_silent();
    assert_eq!(read(&project, "sub/a.py"), CROOKED.replace("b = 1", "b = 2"));
}

#[test]
fn a_line_that_is_touched_keeps_its_old_findings() {
    let long = "x".repeat(90);
    let text = format!("def f(a, b):\n    return a * 3 + b  # {long}\n");
    let project = project(&[("pyproject.toml", RUFF), ("a.py", &text)]);
    edit(&project, "a.py", "a * 3", "a * 4").assert_silent();
    edit(&project, "a.py", "a, b)", "a, b=1)").assert_silent();
    let reason = edit(&project, "a.py", "b=1)", "b=1, c=2)").reason();
    assert!(reason.contains("1 finding in a.py") && reason.contains("`c`"), "{reason}");
}

#[test]
fn line_ends_that_git_converts_are_no_change() {
    let project = project(&[
        ("package.json", "{}\n"),
        (".prettierrc", "{\"endOfLine\": \"auto\"}\n"),
        ("a.js", "let a = 1;\nlet b = 1;\n"),
    ]);
    git(&project, &["config", "core.autocrlf", "true"]);
    project.file("a.js", "let a = 1;\r\nlet b = 1;\r\n");
    let ran = project.run(&["lint"]);
    assert!(ran.stdout.starts_with("no findings"), "{}", ran.stdout);
    edit(&project, "a.js", "b = 1", "b = 2").assert_silent();
    assert_eq!(read(&project, "a.js"), "let a = 1;\r\nlet b = 2;\r\n");
}

#[test]
fn a_formatter_that_cannot_run_is_reported_for_files_that_are_not_new() {
    let project =
        project(&[("package.json", "{}\n"), (".prettierrc", "{ \"semi\": \n"), ("a.js", "let a = 1;\n")]);
    let ran = edit(&project, "a.js", "a = 1", "a = 2");
    assert!(ran.stdout.contains("cannot use its config .prettierrc:1:11"), "{ran:?}");
    let lint = project.run(&["lint", "a.js"]);
    assert_eq!(lint.status, 4, "{}", lint.stdout);
}

#[test]
fn an_import_that_is_not_used_yet_is_reported_at_the_end() {
    let old = "import sys\n\n\ndef f():\n    return 1\n";
    let project = project(&[("pyproject.toml", RUFF), ("a.py", old)]);
    edit(&project, "a.py", "import sys\n", "import json\nimport sys\n").assert_silent();
    // Used by the next edit.
    edit(&project, "a.py", "return 1", "return json.dumps(1)").assert_silent();
    stop(&project).assert_silent();
    edit(&project, "a.py", "import sys\n", "import re\nimport sys\n").assert_silent();
    let reason = stop(&project).reason();
    assert!(reason.contains("F401  `re` imported but unused") && !reason.contains("`sys`"), "{reason}");
}

#[test]
fn files_that_no_linter_checks_are_named_once() {
    let project = project(&[("pyproject.toml", RUFF), ("vendor/a.py", "a = 1\n"), ("build/b.py", "a = 1\n")]);
    std::fs::write(project.root().join("latin.py"), b"# caf\xe9\nx = 1\n").unwrap();
    let outside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::write(outside.path().join("c.py"), "a = 1\n").unwrap();
    let path = outside.path().canonicalize().unwrap().join("c.py");
    let outside = path.to_str().unwrap();
    let notice = |name: &str| {
        let input = json!({ "file_path": project.root().join(name), "old_string": "1", "new_string": "2" });
        let ids = json!({ "tool_name": "Edit", "tool_input": input, "tool_use_id": crate::support::unique(),
            "tool_response": { "filePath": name } });
        let ran = project.hook("PostToolUse", ids);
        if ran.stdout.is_empty() {
            String::new()
        } else {
            ran.json()["systemMessage"].as_str().unwrap().to_owned()
        }
    };
    assert_eq!(notice("latin.py"), "flyball: latin.py is not checked, because it is not UTF-8");
    assert_eq!(notice("latin.py"), "");
    assert_eq!(
        notice("vendor/a.py"),
        "flyball: vendor/a.py is not checked, because `quality.exclude` names it"
    );
    assert_eq!(notice("build/b.py"), "");
    // Files in temporary folders are not named; the tests may run in one.
    let is_temporary = outside.starts_with("/tmp/");
    let named = format!("flyball: {outside} is not checked, because it is not in the project");
    assert_eq!(notice(outside), if is_temporary { String::new() } else { named });
    assert_eq!(notice(outside), "");
}
