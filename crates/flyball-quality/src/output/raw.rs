//! What a linter printed, and findings as it reports them.

use crate::finding::Level;

/// What a linter printed, on the stream its entry names.
#[derive(Clone, Copy)]
pub struct RawOutput<'a> {
    pub text: &'a str,
    /// The content of a file that it names, for linters that count in bytes.
    pub source: &'a dyn Fn(&str) -> Option<String>,
    /// The root of the project, from which messages name other files.
    pub root: &'a str,
}

/// A finding as the linter reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawFinding {
    /// The file as the linter names it; `None` if it does not.
    pub file: Option<String>,
    /// From 1; 0 if it is about the whole file.
    pub line: u32,
    /// In characters, from 1; 0 if unknown.
    pub column: u32,
    /// The last line, if it is another one.
    pub end_line: Option<u32>,
    pub code: String,
    pub message: String,
    /// The linter's own level.
    pub level: Option<Level>,
    /// Whether the linter can fix it.
    pub fixable: bool,
    /// What to do about it, if the linter says so.
    pub fix: Option<String>,
}

/// The output does not have the expected form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its output cannot be read as {form}: {why}")]
pub struct Unreadable {
    /// The form that was expected.
    pub form: &'static str,
    /// What is wrong with it.
    pub why: String,
}
