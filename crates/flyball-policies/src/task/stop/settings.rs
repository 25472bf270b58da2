//! What can be set.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::period::Period;

/// `[task.stop]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How often in a row an agent is blocked from stopping without doing anything in between; then it is released
    /// and you are notified. 0 never blocks.
    pub max_holds: u32,
    /// How often it is blocked in total, until you write the next prompt.
    pub max_holds_in_all: u32,
    /// How many of the open items of a phase are shown.
    pub items: usize,
    /// How long a command in the background is waited for, from the first stop at which it runs. After that it no longer
    /// keeps the agent from being blocked: it may be a server.
    pub background: Period,
    /// A session that was silent for this long may be replaced by `flyball task start`. Nothing else takes its task.
    pub orphan_after: Period,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_holds: 3,
            max_holds_in_all: 12,
            items: 5,
            background: Period::minutes(2 * 60),
            orphan_after: Period::minutes(24 * 60),
        }
    }
}

impl Settings {
    /// How long a session is waited for.
    #[must_use]
    pub const fn orphaned_after(&self) -> Duration {
        self.orphan_after.duration()
    }
}
