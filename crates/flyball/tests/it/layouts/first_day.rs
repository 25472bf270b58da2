//! The first day in five kinds of projects: what `flyball init` asks and writes, and what an innocent session hears.
//! `docs/first-day.md` has the results.

use std::process::Command;

use serde_json::json;

use super::checkout::rustup;
use super::kinds::{KINDS, Layout};
use crate::support::{self, CLAUDE, Project, commit, git, linters, machine, search_path, unique};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/first-day.md");
const HEAD: &str = "| layout |";

/// What people and agents run in any project.
const EVERYWHERE: &[&str] = &[
    "git status --short",
    "git log --oneline -5",
    "git diff --stat",
    "ls -la",
    "git checkout -b fix/typo",
    "git add -A && git commit -m 'fix a typo: rm -rf, drop table'",
    "git stash list && git branch -a",
    "find . -name '*.md' -not -path './node_modules/*' | head",
    "grep -rn TODO . | wc -l",
    "mkdir -p build && rm -rf build",
    "cat > notes.tmp <<'EOF'\ncurl x | sh is bad\nEOF\nrm notes.tmp",
];

/// A layout, the client's words for its tests, and what is run in it besides.
const DAYS: &[(&str, &[&str])] = &[
    (
        "flask",
        &[
            "uv run pytest -q 2>&1 | tail -20",
            "python -m flask --version",
            "pip list",
            "uv run pip list",
            "uv add --dev pytest-cov",
            "python -c 'import sys; print(sys.version)'",
            "ruff check src --fix",
        ],
    ),
    (
        "express",
        &[
            "npm test",
            "npm ls --depth=0",
            "npx eslint lib",
            "node -e 'console.log(process.version)'",
            "npm install --save-dev supertest",
            "rm -rf node_modules && npm ci",
        ],
    ),
    (
        "go",
        &["go test ./...", "go build ./...", "go mod tidy", "gofmt -l .", "go vet ./...", "go run . --help"],
    ),
    (
        "rust",
        &[
            "cargo test",
            "cargo build --release",
            "cargo clippy",
            "cargo fmt",
            "cargo add anyhow",
            "cargo tree | head",
            "rm -rf target",
        ],
    ),
    (
        "monorepo",
        &[
            "pnpm -r test",
            "pnpm --filter web build",
            "pnpm ls -r --depth 0",
            "pnpm exec tsc --noEmit",
            "rm -rf apps/*/dist .turbo",
        ],
    ),
];

/// What the first day was like.
struct Day {
    questions: usize,
    lines: usize,
    tests: String,
    calls: usize,
    heard: Vec<String>,
}

impl Day {
    fn spend(layout: &Layout, commands: &[&str]) -> Day {
        let project = machine(&[CLAUDE]);
        std::fs::remove_dir(project.root().join(".git")).unwrap();
        for (name, text) in layout.files() {
            project.file(name, &text);
        }
        git(&project, &["init", "--quiet"]);
        commit(&project);
        let seen = support::typed(&project, &[], &[""]);
        let config = std::fs::read_to_string(project.root().join("flyball.toml")).unwrap();
        let tests =
            config.lines().find_map(|line| line.strip_prefix("test_command = ")).unwrap_or("none \"\"");
        let bin = project.folder().join("bin");
        let project = project.with("PATH", &search_path(&[bin, linters()])).with("RUSTUP_HOME", &rustup());
        let project = project.with("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go-build"));
        if layout.name == "go" {
            // Go builds its own library at the first use, which takes longer than a linter may.
            let mut by_hand = Command::new("go");
            by_hand.args(["vet", "./..."]).current_dir(project.root());
            by_hand
                .env("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go-build"))
                .env("PATH", search_path(&[linters()]));
            drop(by_hand.output().unwrap());
        }
        let mut day = Day {
            questions: seen.matches("? [").count(),
            lines: config.lines().count(),
            tests: tests.split('"').nth(1).unwrap_or_default().to_owned(),
            calls: 0,
            heard: Vec::new(),
        };
        day.hear("start", &project.hook("SessionStart", json!({ "source": "startup" })).stdout);
        for command in EVERYWHERE.iter().chain(commands) {
            day.run(&project, command);
        }
        for edit in layout.innocent {
            day.edit(&project, (edit.file, edit.old, edit.new));
        }
        day.hear("stop", &project.hook("Stop", json!({ "stop_hook_active": false })).stdout);
        day
    }

    fn hear(&mut self, what: &str, said: &str) {
        self.calls += 1;
        if !said.is_empty() {
            self.heard.push(format!("{what}: {said}"));
        }
    }

    fn run(&mut self, project: &Project, command: &str) {
        let call =
            json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": unique() });
        self.hear(command, &project.hook("PreToolUse", call.clone()).stdout);
        let mut call = call;
        call["tool_response"] = json!({ "stdout": "", "stderr": "" });
        project.hook("PostToolUse", call).assert_silent();
    }

    fn edit(&mut self, project: &Project, (file, old, new): (&str, &str, &str)) {
        let path = project.root().join(file);
        let input = json!({ "file_path": path, "old_string": old, "new_string": new });
        let call = json!({ "tool_name": "Edit", "tool_input": input, "tool_use_id": unique() });
        self.hear(file, &project.hook("PreToolUse", call.clone()).stdout);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace(old, new)).unwrap();
        let mut call = call;
        call["tool_response"] = json!({ "filePath": path });
        self.hear(file, &project.hook("PostToolUse", call).stdout);
    }
}

#[test]
fn nobody_hears_of_flyball_on_an_innocent_day() {
    let mut rows = Vec::new();
    for (name, commands) in DAYS {
        let layout = KINDS.iter().find(|layout| layout.name == *name).unwrap();
        let day = Day::spend(layout, commands);
        assert_eq!(day.heard, Vec::<String>::new(), "{name}");
        assert!((15..=25).contains(&day.lines) && day.questions == 1, "{name}");
        let Day { questions, lines, tests, calls, .. } = day;
        let tests = if tests.is_empty() { "none found".to_owned() } else { format!("`{tests}`") };
        rows.push(format!("| `{name}` | {questions} | {lines} | {tests} | {calls} | 0 |\n"));
    }
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, table) = page.split_at(page.find(HEAD).unwrap());
    let after = table.find("\n\n").map_or("", |end| &table[end + 1..]);
    let head: String = table.lines().take(2).map(|line| format!("{line}\n")).collect();
    let expected = format!("{before}{head}{}{after}", rows.concat());
    if std::env::var_os("FLYBALL_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, expected).unwrap();
    } else {
        assert_eq!(page, expected, "FLYBALL_WRITE_DOCS=1 and this test write it");
    }
}
