//! What a client is to the rest of flyball.

use flyball_core::answer::Answer;
use flyball_core::event::{Event, EventKind};
use flyball_core::policy::{ContextSize, Tails, Trouble};

use crate::history::History;
use crate::install::{Facts, Version};
use crate::registration::Entry;

/// Every client, in the order in which they are shown.
pub static CLIENTS: &[&dyn Client] = &[&crate::claude_code::ClaudeCode, &crate::codex::Codex];

/// The client of that id.
#[must_use]
pub fn find(id: &str) -> Option<&'static dyn Client> {
    CLIENTS.iter().copied().find(|client| client.id() == id)
}

/// How full the model's context is, by the end of the transcript of a client of that id. `None` where the transcript
/// does not tell, or nobody here can read it.
///
/// # Errors
/// When the transcript is there and cannot be read.
pub fn context_size(id: &str, tails: &mut Tails<'_>) -> Result<Option<ContextSize>, Trouble> {
    find(id).map_or(Ok(None), |client| client.context_size(tails))
}

/// What was said and done last, by the end of the transcript of a client of that id, in at most so many characters.
/// `None` where nobody here can read the transcript.
///
/// # Errors
/// When the transcript is there and cannot be read.
pub fn recent_talk(id: &str, tails: &mut Tails<'_>, most: usize) -> Result<Option<String>, Trouble> {
    find(id).map_or(Ok(None), |client| client.recent_talk(tails, most))
}

/// A program that runs a coding agent and calls flyball at its events.
pub trait Client: Sync {
    /// The id used in registrations, config and records: `claude-code`.
    fn id(&self) -> &'static str;

    /// The name people know it by.
    fn title(&self) -> &'static str;

    /// What happened, out of what the client sent.
    ///
    /// # Errors
    /// When the payload is no JSON object. Fields and events that we do not know are no error.
    fn decode(&self, payload: &str, surroundings: &Surroundings) -> Result<Event, DecodeError>;

    /// The answer in the client's words.
    fn encode(&self, event: &Event, answer: &Answer) -> Output;

    /// The answer when the payload cannot be decoded at all, by the event in the registration:
    /// gates fail closed, everything else passes with an error that the user can see.
    fn encode_failure(&self, declared_event: Option<&str>, text: &str) -> Output;

    /// The kind of an event, by the client's name for it.
    fn kind_of(&self, native_event: &str) -> EventKind;

    /// Where its settings are and how they can get in our way.
    fn facts(&self) -> &'static Facts;

    /// The handlers to register for a client of this version; `None` is a version nobody could
    /// find out.
    fn entries(&self, binary: &str, version: Option<Version>) -> Vec<Entry>;

    /// Whether a client of this version knows the event, so that registering it does no harm.
    fn knows(&self, native_event: &str, version: Version) -> bool;

    /// How full the model's context is, by the end of the transcript of a session.
    ///
    /// # Errors
    /// When the transcript is there and cannot be read.
    fn context_size(&self, _tails: &mut Tails<'_>) -> Result<Option<ContextSize>, Trouble> {
        Ok(None)
    }

    /// What was said and done last, by the end of the transcript of a session: plain text, the latest last, at most so
    /// many characters, without what looks like a secret.
    ///
    /// # Errors
    /// When the transcript is there and cannot be read.
    fn recent_talk(&self, _tails: &mut Tails<'_>, _most: usize) -> Result<Option<String>, Trouble> {
        Ok(None)
    }

    /// Someone who reads one of its transcripts from the beginning; `None` where nobody here can.
    fn history(&self) -> Option<Box<dyn History>> {
        None
    }

    /// The folder below the client's own in which its transcripts are; `None` where nobody here can read them.
    fn transcripts(&self) -> Option<&'static str> {
        None
    }
}

/// What is known of the process that called us, besides its payload.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Reads an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The client that the registration names.
    pub declared_client: Option<&'a str>,
    /// The event that the registration names.
    pub declared_event: Option<&'a str>,
}

/// What the process leaves behind for its client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Everything for stdout.
    pub stdout: String,
    /// Everything for stderr.
    pub stderr: String,
    /// The exit code.
    pub exit: u8,
}

impl Output {
    /// No opinion.
    #[must_use]
    pub fn silent() -> Output {
        Output::default()
    }

    /// A document or text on stdout.
    pub(crate) fn said(stdout: String) -> Output {
        Output { stdout, ..Output::default() }
    }

    /// An exit code with its words. Never without words: Codex lets a call pass that was refused
    /// without them.
    pub(crate) fn failed(exit: u8, words: &str) -> Output {
        let words = if words.trim().is_empty() { "flyball could not read this event" } else { words };
        Output { stderr: format!("{words}\n"), exit, ..Output::default() }
    }
}

/// Why a payload could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the client's payload is not readable: {problem} (line {line}, column {column})")]
pub struct DecodeError {
    /// What is wrong.
    pub problem: String,
    /// In which line, from 1.
    pub line: usize,
    /// In which column of it, from 1.
    pub column: usize,
}

impl From<serde_json::Error> for DecodeError {
    fn from(cause: serde_json::Error) -> DecodeError {
        let (line, column) = (cause.line(), cause.column());
        let words = cause.to_string();
        let place = format!(" at line {line} column {column}");
        DecodeError { problem: words.strip_suffix(&place).unwrap_or(&words).to_owned(), line, column }
    }
}
