//! A scratch project with a home of its own, and the real program run in it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::process::{ProcessResult, run};
use crate::program;

/// A project directory, a home and a state directory, all below one temporary folder.
pub struct Project {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Project {
    /// An empty project below a `.git` folder, and an empty home.
    pub fn new() -> Project {
        Project::in_folder(tempfile::tempdir().unwrap())
    }

    /// The same below a folder that is not temporary, where what is temporary is treated otherwise.
    pub fn below(folder: &Path) -> Project {
        Project::in_folder(tempfile::tempdir_in(folder).unwrap())
    }

    fn in_folder(folder: TempDir) -> Project {
        for name in ["project", "home"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::create_dir(folder.path().join("project/.git")).unwrap();
        Project { folder, variables: Vec::new() }
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("home")
    }

    pub fn state(&self) -> PathBuf {
        self.home().join(".local/state/flyball")
    }

    /// The folder that all of it is in.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Writes a file of the project.
    pub fn file(&self, name: &str, text: &str) -> &Project {
        let path = self.root().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// Writes `flyball.toml` and accepts it, as a person does with `flyball trust`.
    pub fn config(&self, text: &str) -> &Project {
        self.file("flyball.toml", text);
        self.accept(&self.root().join("flyball.toml"))
    }

    /// Accepts the present text of a config file, as a person does with `flyball trust`.
    pub fn accept(&self, file: &Path) -> &Project {
        accept(&self.state(), file);
        self
    }

    /// Writes a `flyball.toml` that nobody has accepted, as it comes with a repository.
    pub fn untrusted_config(&self, text: &str) -> &Project {
        self.file("flyball.toml", text)
    }

    /// Sets a variable for all later runs.
    pub fn with(mut self, name: &str, value: &str) -> Project {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The program with a clean environment, in the project.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(arguments).current_dir(self.root()).env_clear();
        command.env("HOME", self.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        // What depends on the kernel of this machine is tested where it is the subject.
        command.env("FLYBALL_NO_NAMESPACES", "1").env("FLYBALL_NO_LANDLOCK", "1");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs flyball in the project.
    pub fn run(&self, arguments: &[&str]) -> ProcessResult {
        run(self.command(arguments), b"")
    }

    /// Runs flyball in another folder.
    pub fn run_in(&self, folder: &Path, arguments: &[&str]) -> ProcessResult {
        let mut command = self.command(arguments);
        command.current_dir(folder);
        run(command, b"")
    }

    /// Sends raw bytes to `flyball hook`, as registered for an event of Claude Code.
    pub fn hook_bytes(&self, event: &str, payload: &[u8]) -> ProcessResult {
        run(self.hook_command(event), payload)
    }

    /// `flyball hook` as Claude Code would start it.
    pub fn hook_command(&self, event: &str) -> Command {
        let mut command = self.command(&["hook", "--client", "claude-code", "--event", event]);
        command.env("CLAUDECODE", "1").env("CLAUDE_PROJECT_DIR", self.root());
        command
    }

    /// Sends an event of Claude Code.
    pub fn hook(&self, event: &str, fields: Value) -> ProcessResult {
        self.hook_bytes(event, self.payload(event, fields).to_string().as_bytes())
    }

    /// A tool call of Claude Code.
    pub fn before(&self, tool: &str, input: Value) -> ProcessResult {
        self.hook("PreToolUse", json!({ "tool_name": tool, "tool_input": input, "tool_use_id": unique() }))
    }

    /// A shell command of Claude Code.
    pub fn shell(&self, command: &str) -> ProcessResult {
        self.before("Bash", json!({ "command": command }))
    }

    /// What Claude Code sends with an event, with these fields besides.
    pub fn payload(&self, event: &str, fields: Value) -> Value {
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
    pub fn log(&self) -> Vec<Value> {
        let ran = self.run(&["log", "--json", "-n", "1000", "--all"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Default for Project {
    fn default() -> Project {
        Project::new()
    }
}

/// Records that a person accepted the present text of a config file, in the form that `flyball trust` records it.
fn accept(state: &Path, file: &Path) {
    let text = std::fs::read(file).unwrap();
    let hash: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    std::fs::create_dir_all(state.join("kept")).unwrap();
    std::fs::write(state.join("kept").join(&hash), &text).unwrap();
    let ledger = state.join("trust.json");
    let mut known: Value = std::fs::read(&ledger)
        .map_or_else(|_| json!({ "version": 1, "files": {} }), |text| serde_json::from_slice(&text).unwrap());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let at = u64::try_from(now.as_millis()).unwrap();
    let file = file.canonicalize().unwrap();
    let texts = &mut known["files"][&*file.to_string_lossy()];
    if texts.is_null() {
        *texts = json!([]);
    }
    texts.as_array_mut().unwrap().push(json!({ "content": hash, "at": at, "how": "a test" }));
    std::fs::write(&ledger, known.to_string()).unwrap();
}

/// Runs git in the project.
#[track_caller]
pub fn git(project: &Project, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.hooksPath=/dev/null"]);
    let status = command.args(arguments).current_dir(project.root()).status().unwrap();
    assert!(status.success(), "git {arguments:?}");
}

/// Commits all that is there.
#[track_caller]
pub fn commit(project: &Project) {
    git(project, &["add", "--all"]);
    git(project, &["commit", "--quiet", "--message", "x"]);
}

/// An id that no other call of this test process has.
pub fn unique() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("toolu_{:024}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Text with the folder of the test replaced, so that it can be compared as a whole.
pub fn mask_folder(text: &str, folder: &Path) -> String {
    text.replace(&*folder.to_string_lossy(), "FOLDER")
}
