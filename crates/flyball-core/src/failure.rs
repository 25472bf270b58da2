//! Why a policy could not judge, or why something it reached for failed.

/// Why a policy could not judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The world's fault: a disk, a lock, a file.
    #[error("{what}")]
    World {
        what: String,
        /// What a person can do.
        way_out: String,
    },
    #[error("flyball has a bug: {what}")]
    Bug {
        /// What is known of it.
        what: String,
    },
    /// It took too long.
    #[error("no verdict within {limit_ms} ms")]
    Late {
        /// How long it was given.
        limit_ms: u64,
    },
}

impl Trouble {
    /// What a person can do about it.
    #[must_use]
    pub fn way_out(&self) -> &str {
        match self {
            Trouble::World { way_out, .. } => way_out,
            Trouble::Bug { .. } => "`flyball doctor` collects what a bug report needs",
            Trouble::Late { .. } => "`engine.deadline_ms` in flyball.toml sets the limit",
        }
    }
}
