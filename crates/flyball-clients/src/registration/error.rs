//! What can be wrong with a file of hooks, where, and how to fix it.

use std::fmt;
use std::ops::Range;

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The bytes of it.
    pub span: Range<usize>,
    /// The line it starts in, from 1.
    pub line: usize,
    /// The character of that line, from 1; a byte order mark is not counted.
    pub column: usize,
}

impl Place {
    /// Counts lines and columns up to the start of `span`.
    pub(super) fn new(text: &str, span: Range<usize>) -> Self {
        let before = text.get(..span.start).unwrap_or(text);
        // Editors do not show it as a column.
        let before = before.strip_prefix('\u{feff}').unwrap_or(before);
        let last_line = before.rsplit('\n').next().unwrap_or_default();
        Self { span, line: before.matches('\n').count() + 1, column: last_line.chars().count() + 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

/// Why a file was left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Error {
    pub problem: Problem,
    /// The part of the file that is wrong.
    pub place: Place,
}

impl Error {
    pub(super) fn new(text: &str, span: Range<usize>, problem: Problem) -> Self {
        Self { problem, place: Place::new(text, span) }
    }
}

/// The ways in which a file of hooks can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something else than the grammar allows.
    #[error("not valid JSON: expected {expected}, found {found}")]
    Unexpected {
        /// What would have been right.
        expected: &'static str,
        found: String,
    },
    /// The file ends inside of something.
    #[error("not valid JSON: the file ends before this `{opener}` is closed")]
    Unclosed {
        /// The character that opened it.
        opener: char,
    },
    /// A comma with no further element.
    #[error("not valid JSON: nothing follows this comma")]
    TrailingComma,
    /// A backslash with an invalid escape.
    #[error("not valid JSON: invalid escape `{escape}`")]
    Escape {
        /// The backslash and what follows it.
        escape: String,
    },
    /// A raw control character in a text.
    #[error("not valid JSON: a line break or control character inside a string")]
    ControlCharacter,
    /// Something after the document's end.
    #[error("not valid JSON: text after the end of the document")]
    ExtraText,
    /// A comment, as some editors allow it.
    #[error("the client does not accept comments in this file")]
    Comment,
    /// Nested deeper than any file of settings.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The deepest that is allowed.
        limit: usize,
    },
    /// The right place, the wrong kind of value.
    #[error("{what} must be {expected}, not {found}")]
    WrongKind {
        what: String,
        /// What it has to be.
        expected: &'static str,
        /// What it is instead.
        found: &'static str,
    },
    /// A group without a list of handlers.
    #[error("a group in `hooks.{event}` has no `hooks` list")]
    NoHandlers {
        /// The event that the group is for.
        event: String,
    },
    /// A key that occurs twice in an object that we would edit.
    #[error("the key `{key}` occurs twice in this object")]
    DuplicateKey { key: String },
    /// An escape or number with no value, such as half of a surrogate pair.
    #[error("invalid escape or number: half of a surrogate pair, or out of range")]
    Unreadable,
}

impl Problem {
    /// What to do about it, where that is not obvious.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Comment => Some("remove the comment"),
            Self::TrailingComma => Some("remove the comma"),
            Self::DuplicateKey { .. } => Some("the client reads only one of them: merge the two"),
            Self::WrongKind { .. } | Self::NoHandlers { .. } => Some(
                r#"the shape is {"hooks": {"<Event>": [{"matcher": "…", "hooks": [{"type": "command", …}]}]}}"#,
            ),
            Self::ControlCharacter => Some(r"write a line break as `\n` and a tab as `\t`"),
            Self::Escape { .. } => Some(r"write a backslash as `\\`"),
            Self::Unexpected { .. }
            | Self::Unclosed { .. }
            | Self::ExtraText
            | Self::TooDeep { .. }
            | Self::Unreadable => None,
        }
    }
}
