//! A place in which a line can be run whatever it does: a file system in memory, namespaces of its own, no rights.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use flyball_testkit::program;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The home in it, and the project.
pub(super) const HOME: &str = "/home/dev";
pub(super) const PROJECT: &str = "/home/dev/code/project";

/// Nobody, for the kernel: where a test runs as root, what it runs here must not.
const NOBODY: u32 = 65_534;
/// Not the first in the path, which may be in a home that is not in the sandbox.
const PYTHON: &str = "/usr/bin/python3";

/// The sandbox; with it end all processes in it.
pub(super) struct Sandbox {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What a program in it did.
#[derive(Debug, Deserialize)]
pub(super) struct Ran {
    /// -9 if it was killed because it took too long.
    pub(super) status: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// The files of a folder: mode and content, in one text each.
pub(super) type Tree = BTreeMap<String, String>;

impl Sandbox {
    /// Enters a new one.
    ///
    /// # Errors
    /// With the reason, where this machine allows none.
    pub(super) fn enter() -> Result<Sandbox, String> {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "--propagation", "private", "--pid", "--fork"]);
        command.args(["--kill-child", "--net", "--ipc", "--uts", "--cgroup"]);
        command.args([PYTHON, "-I", "-c", include_str!("sandbox.py")]).arg(folder().path());
        command.env_clear().env("PATH", "/usr/bin:/bin").current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
            command.uid(NOBODY).gid(NOBODY);
        }
        let mut child = command.spawn().map_err(|cause| format!("`unshare` cannot be run: {cause}"))?;
        let requests = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut sandbox = Sandbox { child, requests, answers };
        match sandbox.answer() {
            Some(ready) if ready["ready"] == true => Ok(sandbox),
            _ => Err(sandbox.complaint()),
        }
    }

    /// Runs a program and waits for all that it starts.
    #[track_caller]
    pub(super) fn run(&mut self, folder: &str, arguments: &[&str]) -> Ran {
        self.request(&json!({ "do": "run", "folder": folder, "arguments": arguments }))
    }

    /// Runs a line as an agent's client does.
    #[track_caller]
    pub(super) fn shell(&mut self, folder: &str, line: &str, seconds: u32) -> Ran {
        let arguments = ["bash", "-c", line];
        self.request(&json!({ "do": "run", "folder": folder, "arguments": arguments, "seconds": seconds }))
    }

    /// Runs flyball as a client does, with this on its standard input.
    #[track_caller]
    pub(super) fn hook(&mut self, folder: &str, event: &str, input: &Value) -> Ran {
        self.request(&json!({
            "do": "run", "folder": folder, "input": input.to_string(),
            "arguments": ["flyball", "hook", "--client", "claude-code", "--event", event],
            "environment": { "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": folder },
        }))
    }

    /// Runs a line as a person does who types it at a terminal.
    #[track_caller]
    pub(super) fn typed(&mut self, folder: &str, line: &str) -> Ran {
        self.run(folder, &["script", "--quiet", "--return", "--command", line, "/dev/null"])
    }

    /// All files of a folder but those in folders of these names.
    #[track_caller]
    pub(super) fn tree(&mut self, path: &str, without: &[&str]) -> Tree {
        #[derive(Deserialize)]
        struct Found {
            files: Tree,
        }
        let found: Found = self.request(&json!({ "do": "tree", "path": path, "without": without }));
        found.files
    }

    #[track_caller]
    fn request<T: for<'de> Deserialize<'de>>(&mut self, request: &Value) -> T {
        writeln!(self.requests, "{request}").unwrap();
        let answer = self.answer();
        let Some(answer) = answer else { panic!("the sandbox has ended: {}", self.complaint()) };
        let shown = answer.to_string();
        serde_json::from_value(answer).unwrap_or_else(|cause| panic!("{cause}: {shown}"))
    }

    fn answer(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.answers.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }

    fn complaint(&mut self) -> String {
        _ = self.child.kill();
        let text = self.child.stderr.take().map(|it| std::io::read_to_string(it).unwrap_or_default());
        let text = text.unwrap_or_default();
        text.trim().lines().last().unwrap_or("it ended without a word").to_owned()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// A folder that nobody else's rights keep out of: the program, and where the sandbox's root is made.
fn folder() -> &'static TempDir {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        copy_program(&folder.path().join("flyball"));
        folder
    })
}

fn copy_program(to: &Path) {
    let from = program();
    if fs::hard_link(&from, to).is_err() {
        fs::copy(from, to).unwrap();
    }
}
