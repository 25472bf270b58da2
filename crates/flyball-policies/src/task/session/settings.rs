//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[task.session]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The most context about a task, in tokens.
    pub tokens: usize,
    /// How many lessons of a task stay in the file at a compaction; the others go to an archive beside it.
    pub max_lessons: usize,
    /// The folder with the plans of the client's plan mode; empty for the one that the client's own settings name, else its
    /// usual one.
    pub plans: String,
    /// How old such a plan may be to count as the one that was just accepted.
    pub fresh_seconds: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { tokens: 800, max_lessons: 100, plans: String::new(), fresh_seconds: 60 }
    }
}
