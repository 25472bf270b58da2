//! The temporary project of the demo, and the processes that run in it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use flyball_clients::showcase::{DemoEvent, Session};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_world::config::{Consent, Trust};
use flyball_world::scratch;

use crate::environment;
use crate::outcome::Failed;
use crate::temporary::TemporaryFolder;

/// The notes of the demo project.
const RULES: &str = "\
# src

## Pitfalls

### Calls to the forecast

Each has a timeout: the service hangs when it is busy, and so did we.
";

/// A git project with a home of its own, removed when the demo ends, also by Ctrl-C.
pub(in crate::commands) struct Sandbox {
    folder: TemporaryFolder,
    program: PathBuf,
}

pub(in crate::commands) struct PlayedEvent {
    pub(super) record: Record,
    pub(super) took: Duration,
    /// The context for the model in the answer.
    pub(super) context: String,
}

/// The context in an answer, where the client reads it.
fn context(answer: &[u8]) -> String {
    let answer: serde_json::Value = serde_json::from_slice(answer).unwrap_or_default();
    let text = answer.pointer("/hookSpecificOutput/additionalContext").and_then(serde_json::Value::as_str);
    text.unwrap_or_default().to_owned()
}

impl Sandbox {
    /// Makes the project and registers flyball in it.
    pub(in crate::commands) fn create(config: &str) -> Result<Sandbox, Failed> {
        let program = environment::program()
            .ok_or_else(|| Failed::new("the path of this program is unknown", "run it by its full path"))?;
        let sandbox = Sandbox { folder: TemporaryFolder::new()?, program };
        let project = sandbox.project();
        for (name, text) in [
            ("flyball.toml", config),
            ("pyproject.toml", "[project]\nname = \"demo\"\nversion = \"0.1.0\"\n"),
            ("uv.lock", "version = 1\n"),
            ("ruff.toml", "line-length = 80\n"),
            ("migrations/0001_init.sql", "create table city (name text);\n"),
            ("src/__init__.py", ""),
            ("src/AGENTS.md", RULES),
            (".intent-layer/mistakes/pending/.gitkeep", ""),
        ] {
            write(&project.join(name), text)?;
        }
        sandbox.git(&["init", "--quiet"])?;
        let consent = Consent { at: Time::now(), how: "written by flyball" };
        Trust::below(&sandbox.state()).accept(&project.join("flyball.toml"), Some(config), &consent)?;
        Ok(sandbox)
    }

    /// Sends one event through `flyball hook` and reads its record.
    pub(in crate::commands) fn play(
        &self,
        session: &Session,
        event: &DemoEvent,
    ) -> Result<PlayedEvent, Failed> {
        let (output, took) = self.send(session, event)?;
        let last = self.run(&["log", "--json", "-n", "1"])?;
        let record = serde_json::from_str(&last).map_err(|cause| {
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            Failed::new(
                format!("no record of `{}`: {cause} {stderr}", event.about),
                "`flyball doctor` checks the installation",
            )
        })?;
        Ok(PlayedEvent { record, took, context: context(&output.stdout) })
    }

    /// Sends one event through `flyball hook`.
    pub(super) fn send(&self, session: &Session, event: &DemoEvent) -> Result<(Output, Duration), Failed> {
        let project = self.project();
        for (name, text) in &event.files {
            write(&project.join(name), text)?;
        }
        let mut hook = self.command(&["hook", "--client", session.client, "--event", &event.event]);
        hook.envs(session.variables.iter().copied()).env(session.project_variable, &project);
        hook.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let _hold = scratch::hold_signals();
        let started = Instant::now();
        let mut child = hook.spawn().map_err(|cause| start_failure(&self.program, &cause))?;
        if let Some(mut stdin) = child.stdin.take() {
            let payload = event.payload(&project.to_string_lossy());
            stdin.write_all(payload.as_bytes()).map_err(|cause| start_failure(&self.program, &cause))?;
        }
        let output = child.wait_with_output().map_err(|cause| start_failure(&self.program, &cause))?;
        Ok((output, started.elapsed()))
    }

    /// Writes a file of the project.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Failed> {
        write(&self.project().join(name), text)
    }

    /// The folder of the record.
    pub(super) fn state(&self) -> PathBuf {
        self.folder().join("state")
    }

    /// Runs a command of flyball in the project, and returns what it printed.
    pub(super) fn run(&self, arguments: &[&str]) -> Result<String, Failed> {
        self.output(&mut self.command(arguments))
    }

    /// The same for a terminal with this many columns.
    pub(super) fn run_with(&self, arguments: &[&str], columns: &str) -> Result<String, Failed> {
        self.output(self.command(arguments).env("COLUMNS", columns))
    }

    fn output(&self, command: &mut Command) -> Result<String, Failed> {
        let _hold = scratch::hold_signals();
        let output = command.output().map_err(|cause| start_failure(&self.program, &cause))?;
        Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    }

    /// Does not remove the folder.
    pub(super) fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn project(&self) -> PathBuf {
        self.folder().join("project")
    }

    /// A command of flyball in the project, with the project's own record.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(self.project());
        // The demo must not touch the record or be changed by the config of the person who runs it.
        command.env("FLYBALL_STATE_DIR", self.state());
        command.env("FLYBALL_CONFIG_DIR", self.folder().join("config"));
        command
    }

    fn git(&self, arguments: &[&str]) -> Result<(), Failed> {
        let _hold = scratch::hold_signals();
        let done = Command::new("git").args(arguments).current_dir(self.project()).output();
        match done {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(Failed::new(
                format!("git failed: {}", String::from_utf8_lossy(&output.stderr).trim()),
                "the demo needs a temporary git project",
            )),
            Err(cause) => Err(Failed::new(format!("git cannot be started: {cause}"), "install git")),
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failed> {
    let made =
        path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    made.map_err(|cause| {
        Failed::new(
            format!("{} cannot be written: {cause}", path.display()),
            "set TMPDIR to a folder you can write to",
        )
    })
}

fn start_failure(program: &Path, cause: &std::io::Error) -> Failed {
    Failed::new(format!("{} cannot be run: {cause}", program.display()), "build or install flyball again")
}
