//! Why a policy could not judge, or why something it depends on failed.

use std::time::Duration;

/// Why a policy could not judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// The environment failed: a disk, a lock, a file.
    #[error("{what}")]
    World {
        what: String,
        /// What a person can do.
        fix: String,
    },
    /// What was stored cannot be understood, and will not be later: another version wrote it, or it is damaged.
    #[error("{what}")]
    Stored { what: String },
    #[error("flyball has a bug: {what}")]
    Bug {
        /// What is known of it.
        what: String,
    },
    /// It took too long.
    #[error("no verdict within {} ms", limit.as_millis())]
    TimedOut {
        /// How long it was given.
        limit: Duration,
    },
}

impl PolicyError {
    /// What a person can do about it.
    #[must_use]
    pub fn fix(&self) -> &str {
        match self {
            PolicyError::World { fix, .. } => fix,
            PolicyError::Stored { .. } => "`flyball doctor` shows the state of the store",
            PolicyError::Bug { .. } => "`flyball doctor` collects what a bug report needs",
            PolicyError::TimedOut { .. } => "`engine.deadline_ms` in flyball.toml sets the limit",
        }
    }
}
