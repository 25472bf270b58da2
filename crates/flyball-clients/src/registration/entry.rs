//! What is registered, and what comes of it.

use serde_json::Value;

/// One handler to register.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The event, by the client's name for it.
    pub event: String,
    /// What the event has to match; `None` matches everything.
    pub matcher: Option<String>,
    /// The fields of the handler, in the order in which they are written.
    pub handler: Vec<(String, Value)>,
}

/// A text after an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    pub text: String,
    /// Whether it differs from the text before.
    pub changed: bool,
    /// How many handlers are new.
    pub added: usize,
    /// How many handlers were ours and have been changed in place.
    pub updated: usize,
    /// How many handlers are gone.
    pub removed: usize,
}
