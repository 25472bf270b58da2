//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[memory.agents]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How much a subagent is told at its start, in tokens of about 4 letters. Rules are told whole or not at all.
    pub tokens: usize,
    /// How many of the learnings that were accepted last are told with them.
    pub learnings: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { tokens: 1_500, learnings: 3 }
    }
}
