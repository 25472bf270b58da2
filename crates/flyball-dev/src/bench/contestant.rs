//! One program with one kind of input, ready to be run again and again.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use flyball_core::event::SessionId;
use flyball_store::Store;

use flyball::outcome::Failed;

pub(super) struct Contestant {
    pub(super) id: &'static str,
    pub(super) about: String,
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<OsString>,
    pub(super) variables: Vec<(&'static str, OsString)>,
    pub(super) input: Input,
    /// Where it must have recorded each of its events; none for programs that record nothing.
    pub(super) record: Option<Record>,
}

/// The events that a contestant is given: each is a call of its own, or the second would count as
/// a duplicate of the first.
#[derive(Clone)]
pub(super) struct Input {
    pub(super) template: &'static str,
    pub(super) command: &'static str,
    pub(super) project: PathBuf,
    pub(super) transcript: PathBuf,
    /// Distinguishes the sessions of contestants.
    pub(super) number: usize,
    /// The number of sessions that the events take turns in. In one session hundreds of them would arrive
    /// within seconds, which no client does.
    pub(super) sessions: usize,
    pub(super) answer: Answer,
}

/// The expected answer: it is checked, because a program that fails is fast.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Nothing: the events are harmless, so any output is an error.
    Silence,
    /// The agent is blocked from stopping.
    Block,
    /// Context for the model, or nothing, but no denial.
    Knowledge,
    /// A prompt with something in front of it.
    Rewrite,
}

impl Answer {
    /// Whether this is the expected answer.
    pub(super) fn matches(self, stdout: &[u8]) -> bool {
        match self {
            Answer::Silence => stdout.is_empty(),
            Answer::Block => String::from_utf8_lossy(stdout).contains("\"block\""),
            Answer::Rewrite => String::from_utf8_lossy(stdout).contains("\"updatedInput\""),
            Answer::Knowledge => !String::from_utf8_lossy(stdout).contains("\"deny\""),
        }
    }
}

/// Where events are recorded.
pub(super) struct Record {
    pub(super) store: Store,
    pub(super) client: &'static str,
    /// What was there before the race, in lines.
    pub(super) before: usize,
}

impl Contestant {
    /// The command for one run, with its event waiting in a pipe.
    pub(super) fn command(&self, run: usize) -> Result<Command, Failed> {
        self.prepare(Command::new(&self.program), run)
    }

    /// The same, run by another program.
    pub(super) fn command_under(&self, mut outer: Command, run: usize) -> Result<Command, Failed> {
        outer.arg(&self.program);
        self.prepare(outer, run)
    }

    fn prepare(&self, mut command: Command, run: usize) -> Result<Command, Failed> {
        command.args(&self.arguments).env_clear();
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
            .stdin(filled_pipe(&self.input.payload(run)).map_err(|cause| self.failed(&cause.to_string()))?);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(command)
    }

    /// How many events of this contestant are in its journals.
    pub(super) fn recorded(&self, record: &Record) -> usize {
        let lines = |session: usize| {
            let id = SessionId::new(&self.input.session(session));
            let journal = record.store.session(record.client, &id, Duration::ZERO);
            lines_of(journal.path())
        };
        (0..self.input.sessions).map(lines).sum()
    }

    pub(super) fn failed(&self, why: &str) -> Failed {
        Failed::new(
            format!("`{}` cannot be measured: {why}", self.about),
            "run it by hand to see why; nothing was measured",
        )
    }
}

impl Input {
    /// What the client sends.
    pub(super) fn payload(&self, run: usize) -> String {
        let call = format!("toolu_{:04}{run:020}", self.number);
        let values = [
            ("{COMMAND}", self.command),
            ("{PROJECT}", &self.project.to_string_lossy()),
            ("{TRANSCRIPT}", &self.transcript.to_string_lossy()),
            ("{SESSION}", &self.session(run)),
            ("{CALL}", &call),
        ];
        values
            .iter()
            .fold(self.template.to_owned(), |text, (name, value)| text.replace(name, &inside_json(value)))
    }

    /// The session of a run.
    pub(super) fn session(&self, run: usize) -> String {
        format!("{:08x}-0000-4000-8000-{:012x}", self.number, run.checked_rem(self.sessions).unwrap_or(0))
    }
}

/// The text as it is written between the quotes of a JSON string.
fn inside_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}

/// A pipe with the text in it and nobody left to write: the reader never has to wait.
fn filled_pipe(text: &str) -> std::io::Result<std::io::PipeReader> {
    let (reader, mut writer) = std::io::pipe()?;
    writer.write_all(text.as_bytes())?;
    Ok(reader)
}

fn lines_of(journal: &Path) -> usize {
    let text = std::fs::read(journal).unwrap_or_default();
    // The first line is the header.
    text.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_is_json_whatever_is_filled_in() {
        let input = Input {
            template: include_str!("../../../../bench/before-shell.json"),
            command: include_str!("../../../../bench/script.sh"),
            project: PathBuf::from("/tmp/a \"b\""),
            transcript: PathBuf::from("/tmp/t.jsonl"),
            number: 3,
            sessions: 2,
            answer: Answer::Silence,
        };
        let read = |run| serde_json::from_str::<serde_json::Value>(&input.payload(run)).unwrap();
        assert_eq!(read(0)["tool_input"]["command"], input.command);
        assert_eq!(read(0)["cwd"], "/tmp/a \"b\"");
        assert_eq!(read(0)["session_id"], read(2)["session_id"]);
        assert_ne!(read(0)["session_id"], read(1)["session_id"]);
        assert_ne!(read(0)["tool_use_id"], read(2)["tool_use_id"]);
    }
}
