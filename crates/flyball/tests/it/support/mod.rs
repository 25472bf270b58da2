//! What only the tests of the program need; the rest is in the testkit.

#![allow(
    clippy::allow_attributes,
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "each test file uses its own part of this, and all of it is test code"
)]

pub(crate) mod masks;

use std::fs;
use std::os::unix::fs::PermissionsExt;

pub(crate) use flyball_testkit::{
    ProcessResult, Project, PromptKind, TerminalUser, commit, git, linters, mask_folder, program, run,
    search_path, unique,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// Clients that print their version, for [`machine`].
pub(crate) const CLAUDE: (&str, &str) = ("claude", "echo '2.1.325 (Claude Code)'");
pub(crate) const CODEX: (&str, &str) = ("codex", "echo 'codex-cli 0.166.0'");

/// A project on a machine that has these programs, each with its script, and nothing else.
pub(crate) fn machine(programs: &[(&str, &str)]) -> Project {
    let project = Project::new();
    let bin = project.folder().join("bin");
    fs::create_dir(&bin).unwrap();
    for (name, script) in programs {
        let path = bin.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    project.with("PATH", &bin.to_string_lossy())
}

/// What the driver of the terminal reports.
#[derive(Deserialize)]
struct Seen {
    status: i32,
    text: String,
    /// Lines for which there was no question.
    left: Vec<String>,
}

/// What a person at a terminal sees who types these lines at `flyball init` with options, and then nothing more.
#[track_caller]
pub(crate) fn typed(project: &Project, options: &[&str], lines: &[&str]) -> String {
    let driver = project.folder().join("terminal.py");
    fs::write(&driver, include_str!("../init/terminal.py")).unwrap();
    let arguments: Vec<&str> =
        [env!("CARGO_BIN_EXE_flyball"), "init"].iter().chain(options).copied().collect();
    let request = json!({ "command": arguments, "lines": lines, "path": project.folder().join("bin") });
    let mut command = std::process::Command::new("python3");
    command.arg(&driver).arg(request.to_string()).current_dir(project.root()).env_clear();
    command.env("HOME", project.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
        .env("NO_COLOR", "1")
        .env("COLUMNS", "200")
        .env("FLYBALL_NO_NAMESPACES", "1")
        .env("FLYBALL_NO_LANDLOCK", "1");
    let ran = run(command, b"");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let Seen { status, text, left } = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((status, left.len()), (0, 0), "{text}");
    text
}

/// Text in which the list of policies between these words is replaced, after checking that it
/// names every policy that is on by itself but these, in order: a new policy must not break every test that shows one.
#[track_caller]
pub(crate) fn without_policies(text: &str, (start, end): (&str, &str), others: &[&str]) -> String {
    let mut whole = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(start) {
        let from = at + start.len();
        let length = rest[from..].find(end).unwrap_or_else(|| panic!("no {end:?} after {start:?}: {text}"));
        let named: Vec<&str> =
            rest[from..from + length].split([',', ' ', '\n']).filter(|id| !id.is_empty()).collect();
        let is_on = |policy: &&&flyball_core::policy::Policy| policy.mode != flyball_core::config::Mode::Off;
        let on = flyball_policies::REGISTRY.iter().filter(is_on);
        let all: Vec<&str> = on.map(|policy| policy.id.as_str()).collect();
        let expected: Vec<&str> = all.into_iter().filter(|id| !others.contains(id)).collect();
        assert_eq!(named, expected);
        whole.push_str(&rest[..from]);
        whole.push_str("POLICIES");
        rest = &rest[from + length..];
    }
    whole + rest
}

/// A transcript with this many calls of all kinds.
pub(crate) fn long_transcript(project: &Project, calls: usize) -> String {
    let root = project.root().to_string_lossy().into_owned();
    let mut text = String::new();
    for number in 0..calls {
        let (name, input) = match number % 5 {
            0 => (
                "Bash",
                json!({ "command": format!("cargo test --package app -- case_{number} 2>&1 | tail -20") }),
            ),
            1 => ("Read", json!({ "file_path": format!("{root}/src/app.py") })),
            2 => (
                "Edit",
                json!({ "file_path": format!("{root}/src/app.py"), "old_string": "x = 1", "new_string": format!("x = {number}") }),
            ),
            3 => ("Bash", json!({ "command": "pip install requests" })),
            _ => ("Grep", json!({ "pattern": "def main", "path": root })),
        };
        let at = format!("2026-01-01T{:02}:{:02}:{:02}.000Z", number / 3600, number / 60 % 60, number % 60);
        let line = |kind: &str, content: Value| {
            json!({
                "type": kind, "timestamp": at, "cwd": root, "sessionId": "s", "isSidechain": false,
                "message": { "role": kind, "content": [content] }, "toolUseResult": { "stdout": "ok", "stderr": "", "interrupted": false },
            })
        };
        let id = format!("toolu_{number}");
        let made = json!({ "type": "tool_use", "id": id, "name": name, "input": input });
        text.push_str(&format!("{}\n", line("assistant", made)));
        let result = json!({ "type": "tool_result", "tool_use_id": id, "content": "ok" });
        text.push_str(&format!("{}\n", line("user", result)));
    }
    text
}
