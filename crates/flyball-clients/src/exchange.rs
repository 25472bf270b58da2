//! Input and output: what is known of the calling process, and what it gets back.

use flyball_core::path::AbsolutePath;

/// What is known of the process that called us, besides its payload.
#[derive(Clone, Copy)]
pub struct CallerContext<'a> {
    /// Reads an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The folder it started us in; asked only if the payload names none.
    pub folder: &'a dyn Fn() -> Option<AbsolutePath>,
    /// The client that the registration names.
    pub declared_client: Option<&'a str>,
    /// The event that the registration names.
    pub declared_event: Option<&'a str>,
}

/// The output and exit code of the process, for its client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub stdout: String,
    pub stderr: String,
    pub exit: u8,
    /// What counts instead if stdout cannot be written and the answer refuses something.
    pub unprinted: Option<Refused>,
}

/// A refusal by exit code alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub exit: u8,
    pub reason: String,
}

impl Output {
    #[must_use]
    pub fn silent() -> Output {
        Output::default()
    }

    /// A document or text on stdout.
    pub(crate) fn printed(stdout: String) -> Output {
        Output { stdout, ..Output::default() }
    }

    /// An exit code with its reason. Never without one: there are clients that let a call pass which
    /// was refused without a reason.
    pub(crate) fn failed(exit: u8, reason: &str) -> Output {
        let reason = if reason.trim().is_empty() { "flyball could not read this event" } else { reason };
        Output { stderr: format!("{reason}\n"), exit, ..Output::default() }
    }
}

/// Why a payload could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the client's payload is not readable: {problem} (line {line}, column {column})")]
pub struct DecodeError {
    pub problem: String,
    /// In which line, from 1.
    pub line: usize,
    /// In which column of it, from 1.
    pub column: usize,
}

impl From<serde_json::Error> for DecodeError {
    fn from(cause: serde_json::Error) -> DecodeError {
        let (line, column) = (cause.line(), cause.column());
        let text = cause.to_string();
        // serde_json appends the place to its message; here it has fields of its own.
        let place = format!(" at line {line} column {column}");
        DecodeError { problem: text.strip_suffix(&place).unwrap_or(&text).to_owned(), line, column }
    }
}
