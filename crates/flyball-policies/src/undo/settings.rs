//! `[undo]`

use flyball_core::snapshot::{SnapshotLimits, SnapshotRetention};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::period::Period;

const BYTES_OF_MB: u64 = 1024 * 1024;

/// `[undo]`: what is copied before a call that may lose it, and for how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Longer files are not copied, in megabytes.
    pub max_file_mb: u32,
    /// If more than this is new at one time, the rest is not copied, in megabytes.
    pub max_new_mb: u32,
    /// If the files that are not copied yet have more than this, those that are as git has them are left to git, in megabytes.
    pub max_committed_mb: u32,
    /// More files than this are not looked at.
    pub max_files: u32,
    /// For how long copies are stored.
    pub keep: Period,
    /// The oldest copies are deleted when those of all projects have more than this, in megabytes.
    pub max_mb: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_file_mb: 32,
            max_new_mb: 128,
            max_committed_mb: 32,
            max_files: 100_000,
            keep: Period::days(14),
            max_mb: 2_048,
        }
    }
}

impl Settings {
    /// How much is copied.
    #[must_use]
    pub fn limits(&self) -> SnapshotLimits {
        SnapshotLimits {
            file_bytes: u64::from(self.max_file_mb) * BYTES_OF_MB,
            new_bytes: u64::from(self.max_new_mb) * BYTES_OF_MB,
            committed_bytes: u64::from(self.max_committed_mb) * BYTES_OF_MB,
            files: usize::try_from(self.max_files).unwrap_or(usize::MAX),
            ..SnapshotLimits::default()
        }
    }

    /// How long copies are stored, and how much room they have.
    #[must_use]
    pub fn retention(&self) -> SnapshotRetention {
        SnapshotRetention { age: self.keep.duration(), bytes: u64::from(self.max_mb) * BYTES_OF_MB }
    }
}
