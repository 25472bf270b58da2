//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[memory.agents]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The most context for a subagent at its start, in tokens of about 4 letters. Rules are never shortened.
    pub tokens: usize,
    /// How many recently accepted reports are added.
    pub learnings: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { tokens: 800, learnings: 3 }
    }
}
