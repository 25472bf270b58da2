//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of `memory.session`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// For how many days something is told as learned lately.
    pub days: u32,
    /// How much a session is told, in tokens of about 4 letters.
    pub tokens: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { days: 7, tokens: 600 }
    }
}
