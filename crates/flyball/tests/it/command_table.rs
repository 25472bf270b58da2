//! The table of command lines in `commands/`: what all policies together decide about each, with
//! their default settings, in real repositories.
//!
//! No line of the table is ever run here; `undo_table` runs some, in a sandbox.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "test code"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use flyball_core::config::{Config, compile};
use flyball_core::engine::{Case, Faults, Judgement, Watch, judge};
use flyball_core::event::{Change, Event, EventData, EventKind, FileEdit, SessionId, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{InMemory, OwnFile};
use flyball_core::verdict::Stance;
use flyball_policies::REGISTRY;
use flyball_testkit::denial_problems;
use flyball_world::machine::Machine;
use tempfile::TempDir;

const TABLES: [(&str, &str); 9] = [
    ("everyday", include_str!("commands/everyday.txt")),
    ("harmful", include_str!("commands/harmful.txt")),
    ("packages", include_str!("commands/packages.txt")),
    ("protected", include_str!("commands/protected.txt")),
    ("tamper", include_str!("commands/tamper.txt")),
    ("near_misses", include_str!("commands/near_misses.txt")),
    ("workday", include_str!("commands/workday.txt")),
    ("evasions", include_str!("commands/evasions.txt")),
    ("programs", include_str!("commands/programs.txt")),
];

/// Edits, as an edit tool makes them.
const EDITS: &str = include_str!("commands/workday_edits.txt");

/// One line of a table.
pub(crate) struct Row {
    pub(crate) world: &'static str,
    pub(crate) expected: &'static str,
    by: Option<&'static str>,
    pub(crate) command: String,
}

pub(crate) fn rows(table: &'static str) -> Vec<Row> {
    let mut world = "";
    let mut rows = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            world = name;
        } else if let Some((expected, command)) = line.split_once(" :: ") {
            let mut words = expected.split(' ');
            rows.push(Row {
                world,
                expected: words.next().unwrap_or_default(),
                by: words.next(),
                command: unescaped(command),
            });
        } else {
            panic!("neither a row nor a comment: {line}");
        }
    }
    rows
}

pub(crate) fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            (other, false) => plain.push(other),
        }
    }
    plain
}

/// The files of a table that gives them one after the other, each after a line `=== path`.
fn files(table: &str) -> Vec<(String, String)> {
    let parts = table.split("=== ").skip(1).filter_map(|part| part.split_once('\n'));
    parts.map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

/// The edit that a row describes: `write path | content`, `replace path | old ==> new`,
/// `delete path` or `move path ==> path`.
fn edited(row: &str) -> FileEdit {
    let bad = || -> ! { panic!("not an edit: {row}") };
    let (how, rest) = row.split_once(' ').unwrap_or_else(|| bad());
    let (path, text) = rest.split_once(" | ").unwrap_or((rest, ""));
    let arrow = |text: &str| {
        let (old, new) = text.split_once(" ==> ").unwrap_or_else(|| bad());
        (old.to_owned(), new.to_owned())
    };
    let (path, change) = match how {
        "write" => (path.to_owned(), Change::Write { content: text.to_owned() }),
        "delete" => (path.to_owned(), Change::Delete),
        "replace" => {
            let (old, new) = arrow(text);
            (path.to_owned(), Change::Replace { old, new, all: false })
        }
        "move" => {
            let (path, to) = arrow(rest);
            (path, Change::Move { to })
        }
        _ => bad(),
    };
    FileEdit { path, change }
}

/// A real repository in a known state.
struct Repository {
    folder: TempDir,
}

impl Repository {
    fn new(world: &str) -> Repository {
        // Files in a temporary folder may be deleted, so no row may depend on where this is.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let repository = Repository { folder };
        for name in ["project/src", "project/packages/web", "project/.claude", "home", "origin.git"] {
            std::fs::create_dir_all(repository.folder.path().join(name)).unwrap();
        }
        repository.git(&["init", "-q", "--bare", "-b", "main", "../origin.git"]);
        repository.git(&["init", "-q", "-b", "main"]);
        repository.git(&["remote", "add", "origin", "../origin.git"]);
        for name in [
            "ruff.toml",
            ".eslintrc.json",
            "biome.json",
            ".pre-commit-config.yaml",
            "src/app.py",
            "packages/web/index.js",
        ] {
            repository.file(name, "a\n");
        }
        repository.file("pyproject.toml", "[project]\nname = \"x\"\n\n[tool.ruff]\nline-length = 80\n");
        repository.file("flyball.toml", "");
        repository.file(".claude/settings.json", "{}");
        repository.file("ruff.patch", "--- a/ruff.toml\n+++ b/ruff.toml\n@@ -1 +1 @@\n-a\n+b\n");
        repository.file("fix.patch", "--- a/src/app.py\n+++ b/src/app.py\n@@ -1 +1 @@\n-a\n+b\n");
        for change in ["one", "two"] {
            repository.file("src/app.py", change);
            repository.commit(change);
        }
        repository.git(&["push", "-q", "-u", "origin", "main"]);
        repository.set(world);
        repository
    }

    fn set(&self, world: &str) {
        match world {
            "dirty" => {
                self.file("src/app.py", "not committed");
                self.file("src/new.py", "not known to git");
            }
            "clean" | "pushed" => {}
            "stashed" => {
                self.file("src/app.py", "stashed");
                self.git(&["stash", "-q"]);
            }
            "unpushed" => {
                for change in ["three", "four"] {
                    self.file("src/app.py", change);
                    self.commit(change);
                }
            }
            "uv-bun" => {
                self.file("uv.lock", "");
                self.file("bun.lock", "");
            }
            "npm" => self.file("package-lock.json", "{}"),
            "pnpm" => self.file("pnpm-lock.yaml", ""),
            "poetry" => self.file("poetry.lock", ""),
            "uv" => self.file("uv.lock", ""),
            "workday" => self.workday(),
            other => panic!("no such world: {other}"),
        }
    }

    /// A project of many languages, with a commit that is not pushed and one changed file.
    fn workday(&self) {
        for (name, text) in files(include_str!("commands/workday_files.txt")) {
            std::fs::create_dir_all(self.root().join(&name).parent().unwrap()).unwrap();
            self.file(&name, &text);
        }
        self.commit("three");
        self.file("src/app.py", "not committed");
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("home")
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.root().join(name), text).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", message]);
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.current_dir(self.folder.path().join("project")).args(arguments);
        command.env("HOME", self.home()).env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR");
        command.env("GIT_AUTHOR_NAME", "t").env("GIT_AUTHOR_EMAIL", "t@example.org");
        command.env("GIT_COMMITTER_NAME", "t").env("GIT_COMMITTER_EMAIL", "t@example.org");
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
    }

    fn judged(&self, command: &str, config: &Arc<Config>) -> Judgement {
        let command = command.replace("{project}", &self.root().to_string_lossy());
        self.judged_tool("Bash", Tool::Shell { command, background: false }, config)
    }

    fn judged_edit(&self, edit: &str, config: &Arc<Config>) -> Judgement {
        self.judged_tool("Edit", Tool::Edit(vec![edited(edit)]), config)
    }

    fn judged_tool(&self, name: &str, tool: Tool, config: &Arc<Config>) -> Judgement {
        let call = ToolCall { id: None, name: name.to_owned(), tool, input: "{}".to_owned() };
        let root = AbsolutePath::from_path(&self.root());
        let happening = EventData::BeforeTool(call);
        let event = Event {
            project: Some(root.clone()),
            ..Event::new("test", SessionId::new("s1"), root, happening)
        };
        let case = Case {
            event: Arc::new(event),
            config: Arc::clone(config),
            world: Arc::new(Machine::new(
                Instant::now(),
                Some(self.home()),
                &self.root(),
                self.own(),
                flyball_clients::FACTS,
            )),
            memory: Arc::new(InMemory::default()),
            skipped: Arc::new([]),
            watch: Watch::Trust,
            faults: Faults::default(),
            facts: Arc::default(),
            workshop: None,
        };
        judge(REGISTRY, &case)
    }

    fn own(&self) -> Vec<OwnFile> {
        let own = |folder: &Path, name: &str, what| OwnFile {
            path: AbsolutePath::from_path(&folder.join(name)),
            what,
        };
        vec![
            own(&self.root(), "flyball.toml", "flyball's configuration"),
            own(&self.root(), ".claude/settings.json", "where flyball's hooks are registered"),
            own(&self.root(), ".claude/settings.local.json", "where flyball's hooks are registered"),
            own(&self.home(), ".config/flyball", "flyball's configuration"),
            own(&self.home(), ".local/state/flyball", "flyball's recorded state"),
        ]
    }
}

/// What is wrong with the answer to a row, if anything.
fn wrong(row: &Row, judgement: &Judgement) -> Option<String> {
    let stance = judgement.merged.stance;
    let is_right = match row.expected {
        "stop" => stance >= Stance::Ask,
        name => stance == Stance::from_name(name).unwrap_or_else(|| panic!("no such stance: {name}")),
    };
    let decided = |id: &str| {
        judgement.rulings.iter().any(|ruling| {
            ruling.policy.as_str() == id && ruling.verdict.stance == stance && stance >= Stance::Ask
        })
    };
    if is_right && row.by.is_none_or(decided) {
        return None;
    }
    let reasons: Vec<String> = judgement
        .merged
        .reasons
        .iter()
        .map(|it| format!("{} {}: {}", it.policy, it.stance.name(), it.reason.what))
        .collect();
    let expected = row.expected;
    let by = row.by.unwrap_or_default();
    Some(format!(
        "[{}] {expected} {by} :: {:?}\n      but {}: {reasons:?}",
        row.world,
        row.command,
        stance.name()
    ))
}

#[test]
fn every_line_gets_the_expected_decision() {
    let compiled = compile(&[], REGISTRY).unwrap_or_else(|_| panic!("the defaults do not compile"));
    let config = Arc::new(compiled.config);
    let mut repositories: BTreeMap<&str, Repository> = BTreeMap::new();
    let (mut all, mut harmless, mut failed, mut texts) = (0, 0, Vec::new(), Vec::new());
    for (_, table) in TABLES {
        for row in rows(table) {
            let repository = repositories.entry(row.world).or_insert_with(|| Repository::new(row.world));
            all += 1;
            harmless += usize::from(row.expected == "silent");
            let judgement = repository.judged(&row.command, &config);
            failed.extend(wrong(&row, &judgement));
            texts.extend(denial_problems(&judgement.merged, EventKind::BeforeTool));
        }
    }
    texts.sort();
    texts.dedup();
    assert!(texts.is_empty(), "{} denials:\n  {}", texts.len(), texts.join("\n  "));
    assert!(failed.is_empty(), "{} of {all} are wrong:\n  {}", failed.len(), failed.join("\n  "));
    assert!(all >= 600 && harmless * 2 >= all, "{all} lines, {harmless} of them harmless");
}

/// Entries of the table of programs that are not called by that name: a prefix of zsh, and jobs of other programs.
const NOT_CALLED: [&str; 9] = [
    "-",
    "biome-format",
    "biome-json",
    "buf-format",
    "cargo-check",
    "clippy-driver",
    "go-vet",
    "ruff-format",
    "terraform-fmt",
];

#[test]
fn every_program_has_three_harmless_lines() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in TABLES.iter().flat_map(|(_, table)| rows(table)).filter(|row| row.expected == "silent") {
        let words = row.command.split(|letter: char| letter.is_whitespace() || "|&;()$\"'".contains(letter));
        let names: std::collections::BTreeSet<&str> =
            words.map(|word| word.rsplit('/').next().unwrap_or(word)).collect();
        for name in names {
            *counts.entry(name.to_owned()).or_default() += 1;
        }
    }
    let few = |name: &&str| counts.get(*name).copied().unwrap_or_default() < 3;
    let names = flyball_programs::PROGRAMS.iter().map(|program| program.name);
    let missing: Vec<&str> = names.filter(few).filter(|name| !NOT_CALLED.contains(name)).collect();
    assert!(missing.is_empty(), "fewer than three lines: {missing:?}");
}

#[test]
fn no_line_is_in_the_table_twice() {
    let mut seen = BTreeMap::new();
    for (table, text) in TABLES {
        for row in rows(text) {
            let before = seen.insert((row.world, row.command.clone()), table);
            assert_eq!(before, None, "{} in {table}", row.command);
        }
    }
}

#[test]
fn edits_of_a_working_day_pass_silently() {
    let compiled = compile(&[], REGISTRY).unwrap_or_else(|_| panic!("the defaults do not compile"));
    let config = Arc::new(compiled.config);
    let repository = Repository::new("workday");
    let mut failed = Vec::new();
    for row in rows(EDITS) {
        if let FileEdit { path, change: Change::Replace { old, .. } } = edited(&row.command) {
            let text = std::fs::read_to_string(repository.root().join(&path)).unwrap();
            assert!(text.contains(&old), "{path} has no such passage: {old}");
        }
        let judgement = repository.judged_edit(&row.command, &config);
        let notices = &judgement.merged.notices;
        failed.extend(wrong(&row, &judgement));
        failed.extend((!notices.is_empty()).then(|| format!("{}: {notices:?}", row.command)));
    }
    assert!(failed.is_empty(), "{} are wrong:\n  {}", failed.len(), failed.join("\n  "));
}
