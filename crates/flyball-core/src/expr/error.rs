//! What can be wrong with a source, and what can go wrong when a program runs.

use std::ops::Range;

use super::kind::Kind;

/// Why a source was not accepted, for the person who wrote it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What is wrong, in one line.
    pub message: String,
    /// Where, in bytes of the source.
    pub span: Range<usize>,
    /// What to do about it, where we know.
    pub help: Option<String>,
}

impl Error {
    pub(super) fn new(message: impl Into<String>, span: &Range<usize>) -> Self {
        Self { message: message.into(), span: span.clone(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Why a program that was accepted gave no value for this event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// `list[index]` with no such item.
    #[error("index {index} is out of range: the list has {count} items")]
    OutOfRange {
        /// The index that was asked for.
        index: i64,
        /// How many items there are.
        count: usize,
    },
    /// `map[key]` with no such key.
    #[error("the map has no key `{key}`")]
    NoSuchKey {
        /// The key that was asked for.
        key: String,
    },
    /// `/` or `%` by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A number outside of 64 bits.
    #[error("the number does not fit into 64 bits")]
    Overflow,
    /// A pattern that the program built or read is not one.
    #[error("invalid pattern `{pattern}`: {reason}")]
    InvalidPattern {
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The evaluation took more steps than a condition may.
    #[error("the condition takes too much work for this event")]
    TooMuchWork,
    /// The scope returned another type than its schema declares.
    #[error("`{field}` should be {expected}, but is {found}")]
    Mismatch {
        /// The field or operand.
        field: String,
        /// What the schema says.
        expected: Kind,
        /// What the scope gave.
        found: Kind,
    },
    /// The program is not one that [`compile`](super::compile) made.
    #[error("the compiled condition is damaged")]
    Damaged,
}

impl Failure {
    /// Whether no other operand can save the result. `true || error` is true in CEL, but an
    /// evaluation that ran out of steps has none left for the other operand either.
    pub(super) fn is_final(&self) -> bool {
        match self {
            Self::TooMuchWork | Self::Mismatch { .. } | Self::Damaged => true,
            Self::OutOfRange { .. }
            | Self::NoSuchKey { .. }
            | Self::DivisionByZero
            | Self::Overflow
            | Self::InvalidPattern { .. } => false,
        }
    }
}
