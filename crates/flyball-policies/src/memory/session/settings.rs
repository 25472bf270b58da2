//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of `memory.session`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// For how many days an accepted report is shown.
    pub days: u32,
    /// The most context for a session, in tokens of about 4 letters.
    pub tokens: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { days: 7, tokens: 600 }
    }
}
