//! The kinds of values.

use std::fmt;

/// The kind of a value: its type without what is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    Int,
    String,
    List,
    /// A map from strings.
    Map,
    Record,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Bool => "a bool",
            Self::Int => "an int",
            Self::String => "a string",
            Self::List => "a list",
            Self::Map => "a map",
            Self::Record => "a record",
        })
    }
}
