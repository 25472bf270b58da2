//! Runs a program and returns its exit code and output.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The exit code and output of one run.
#[derive(Debug)]
pub struct ProcessResult {
    /// Its exit code; -1 if a signal ended it.
    pub status: i32,
    /// All of its standard output.
    pub stdout: String,
    /// All of its standard error.
    pub stderr: String,
}

/// Runs it with this on its standard input.
pub fn run(mut command: Command, input: &[u8]) -> ProcessResult {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may end without reading its input.
        drop(stdin.write_all(&input));
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    ProcessResult {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl ProcessResult {
    /// The one JSON object on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|problem| panic!("{problem}: {self:?}"))
    }

    /// The decision on a tool call; `None` for silence.
    pub fn decision(&self) -> Option<String> {
        if self.stdout.is_empty() {
            return None;
        }
        Some(self.json()["hookSpecificOutput"]["permissionDecision"].as_str()?.to_owned())
    }

    /// The reason that the agent reads, without the id of the answer.
    pub fn reason(&self) -> String {
        let json = self.json();
        let specific = &json["hookSpecificOutput"]["permissionDecisionReason"];
        let text = specific.as_str().or_else(|| json["reason"].as_str()).unwrap_or_default();
        text.lines().map(without_id).collect::<Vec<_>>().join("\n")
    }

    /// The message to the user.
    pub fn notice(&self) -> String {
        if self.stdout.is_empty() {
            return String::new();
        }
        self.json()["systemMessage"].as_str().unwrap_or_default().to_owned()
    }

    /// It let the call pass and printed nothing.
    #[track_caller]
    pub fn assert_silent(&self) -> &ProcessResult {
        assert_eq!((self.status, self.stdout.as_str(), self.stderr.as_str()), (0, "", ""));
        self
    }

    /// It denied the call, and this policy gave the first reason.
    #[track_caller]
    pub fn assert_denied_by(&self, policy: &str) -> &ProcessResult {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        assert_eq!(self.decision().as_deref(), Some("deny"), "{self:?}");
        let (reason, tag) = (self.reason(), format!("[flyball {policy}]"));
        assert!(reason.find("[flyball ").is_some_and(|at| reason[at..].starts_with(&tag)), "{reason}");
        self
    }

    /// The user sees exactly this.
    #[track_caller]
    pub fn assert_notice(&self, text: &str) -> &ProcessResult {
        assert_eq!(self.notice(), text);
        self
    }
}

/// `… [flyball guard.self 4k7q2m8x]` as `… [flyball guard.self]`: the id differs from run to run.
fn without_id(line: &str) -> String {
    let tag = line.rfind("[flyball ").filter(|_| line.ends_with(']'));
    let id =
        tag.and_then(|tag| Some(tag + line[tag..].rfind(' ')?)).filter(|space| *space > tag.unwrap_or(0) + 8);
    id.map_or_else(|| line.to_owned(), |space| format!("{}]", &line[..space]))
}
