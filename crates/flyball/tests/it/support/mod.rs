//! A scratch project with a home of its own, and the real program run in it.

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

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A project directory, a home and a state directory, all below one temporary folder.
pub(crate) struct Project {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

/// What one run of the program left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Project {
    pub(crate) fn new() -> Project {
        let folder = tempfile::tempdir().unwrap();
        for name in ["project", "home"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::create_dir(folder.path().join("project/.git")).unwrap();
        Project { folder, variables: Vec::new() }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("home")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.home().join(".local/state/flyball")
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Writes a file of the project.
    pub(crate) fn file(&self, name: &str, text: &str) -> &Project {
        let path = self.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// Writes `flyball.toml`.
    pub(crate) fn config(&self, text: &str) -> &Project {
        self.file("flyball.toml", text)
    }

    /// Sets a variable for all later runs.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Project {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The program with a clean environment, in the project.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flyball"));
        command.args(arguments).current_dir(self.root()).env_clear();
        command.env("HOME", self.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        run(self.command(arguments), b"")
    }

    /// Sends raw bytes to `flyball hook`, as registered for an event of Claude Code.
    pub(crate) fn hook_bytes(&self, event: &str, payload: &[u8]) -> Ran {
        run(self.hook_command(event), payload)
    }

    pub(crate) fn hook_command(&self, event: &str) -> Command {
        let mut command = self.command(&["hook", "--client", "claude-code", "--event", event]);
        command.env("CLAUDECODE", "1").env("CLAUDE_PROJECT_DIR", self.root());
        command
    }

    /// Sends an event of Claude Code.
    pub(crate) fn hook(&self, event: &str, fields: Value) -> Ran {
        self.hook_bytes(event, self.payload(event, fields).to_string().as_bytes())
    }

    /// A tool call of Claude Code.
    pub(crate) fn before(&self, tool: &str, input: Value) -> Ran {
        self.hook("PreToolUse", json!({ "tool_name": tool, "tool_input": input, "tool_use_id": unique() }))
    }

    pub(crate) fn shell(&self, command: &str) -> Ran {
        self.before("Bash", json!({ "command": command }))
    }

    pub(crate) fn payload(&self, event: &str, fields: Value) -> Value {
        let mut payload = json!({
            "session_id": "00000000-0000-4000-8000-000000000001",
            "transcript_path": self.home().join("transcript.jsonl"),
            "cwd": self.root(),
            "hook_event_name": event,
            "permission_mode": "default",
        });
        let fields = fields.as_object().unwrap().clone();
        payload.as_object_mut().unwrap().extend(fields);
        payload
    }

    /// The records of the log, oldest first.
    pub(crate) fn log(&self) -> Vec<Value> {
        let ran = self.run(&["log", "--json", "-n", "1000", "--all"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The folder of the pinned linters' programs.
pub(crate) fn linters() -> PathBuf {
    let folder = std::env::var_os("FLYBALL_LINTERS_DIR")
        .expect("FLYBALL_LINTERS_DIR is not set: run `export FLYBALL_LINTERS_DIR=$(scripts/tools linters)`");
    PathBuf::from(folder).join("bin")
}

/// A search path that begins with these folders.
pub(crate) fn search_path(first: &[PathBuf]) -> String {
    let own = std::env::var_os("PATH").unwrap_or_default();
    let all = first.iter().cloned().chain(std::env::split_paths(&own));
    std::env::join_paths(all).unwrap().into_string().unwrap()
}

/// Runs git in the project.
#[track_caller]
pub(crate) fn git(project: &Project, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.hooksPath=/dev/null"]);
    let status = command.args(arguments).current_dir(project.root()).status().unwrap();
    assert!(status.success(), "git {arguments:?}");
}

/// Commits all that is there.
#[track_caller]
pub(crate) fn commit(project: &Project) {
    git(project, &["add", "--all"]);
    git(project, &["commit", "--quiet", "--message", "x"]);
}

/// An id that no other call of this test process has.
pub(crate) fn unique() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("toolu_{:024}", NEXT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn run(mut command: Command, input: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that does not read its input is allowed to be one.
        drop(stdin.write_all(&input));
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ran {
    /// The one JSON object on standard output.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|problem| panic!("{problem}: {self:?}"))
    }

    /// The decision on a tool call; `None` for silence.
    pub(crate) fn decision(&self) -> Option<String> {
        if self.stdout.is_empty() {
            return None;
        }
        Some(self.json()["hookSpecificOutput"]["permissionDecision"].as_str()?.to_owned())
    }

    /// What the agent is told, without the id of the answer.
    pub(crate) fn reason(&self) -> String {
        let json = self.json();
        let specific = &json["hookSpecificOutput"]["permissionDecisionReason"];
        let text = specific.as_str().or_else(|| json["reason"].as_str()).unwrap_or_default();
        text.lines().filter(|line| !line.starts_with("(flyball explain ")).collect::<Vec<_>>().join("\n")
    }

    /// What the user is told.
    pub(crate) fn notice(&self) -> String {
        if self.stdout.is_empty() {
            return String::new();
        }
        self.json()["systemMessage"].as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    pub(crate) fn is_silent(&self) -> &Ran {
        assert_eq!((self.status, self.stdout.as_str(), self.stderr.as_str()), (0, "", ""));
        self
    }

    #[track_caller]
    pub(crate) fn denied_by(&self, policy: &str) -> &Ran {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        assert_eq!(self.decision().as_deref(), Some("deny"), "{self:?}");
        assert!(self.reason().starts_with(&format!("[{policy}] ")), "{}", self.reason());
        self
    }

    #[track_caller]
    pub(crate) fn tells_user(&self, text: &str) -> &Ran {
        assert_eq!(self.notice(), text);
        self
    }
}

/// Text with the folder of the test replaced, so that it can be compared as a whole.
pub(crate) fn placed(text: &str, folder: &Path) -> String {
    text.replace(&*folder.to_string_lossy(), "FOLDER")
}

/// Text in which the list of policies between these words is replaced, after checking that it
/// names every policy that is on by itself but these, in order: a new policy must not break every test that shows one.
#[track_caller]
pub(crate) fn without_policies(text: &str, (start, end): (&str, &str), others: &[&str]) -> String {
    let mut whole = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(start) {
        let from = at + start.len();
        let length = rest[from..].find(end).unwrap_or_else(|| panic!("no {end:?} behind {start:?}: {text}"));
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

/// A transcript of so many calls of all kinds.
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
