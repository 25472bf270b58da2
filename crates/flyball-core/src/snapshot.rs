//! Copies of files as they are before a call, so that what it does can be undone.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::PolicyError;
use crate::event::SessionId;
use crate::path::AbsolutePath;

/// The number of a snapshot in its project: the later, the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SnapshotId(pub u64);

impl std::fmt::Display for SnapshotId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

/// Copies of files before a call.
pub trait Snapshots: Send + Sync {
    /// Copies what is not copied yet. If nothing has changed since the last snapshot of the whole tree, that is the one.
    /// A home folder is no tree: of a project there, only the named files are copied.
    ///
    /// # Errors
    /// When the tree cannot be listed, or something cannot be stored. Single files that cannot be read are no error:
    /// [`Snapshot::left_out`] counts them.
    fn take_snapshot(&self, wanted: &SnapshotRequest<'_>) -> Result<Snapshot, PolicyError>;
}

/// What is to be copied, and why.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotRequest<'a> {
    pub extent: Extent<'a>,
    pub session: &'a SessionId,
    /// The call that is about to run, in one line.
    pub cause: &'a str,
    pub limits: SnapshotLimits,
}

/// Which files are to be copied.
#[derive(Clone, Copy, Debug)]
pub enum Extent<'a> {
    /// The files of the project that git does not ignore, and those of the checkout that a folder is in, if it is
    /// another one; and these files wherever they are.
    Tree { folder: &'a AbsolutePath, named: &'a [AbsolutePath] },
    /// Only these, whether they are there or not.
    Files(&'a [AbsolutePath]),
}

/// How much is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotLimits {
    /// A longer file is left out.
    pub file_bytes: u64,
    /// More than this is not copied at one time.
    pub new_bytes: u64,
    /// If the files that are not copied yet have more than this, those that git has anyway are left to git.
    pub committed_bytes: u64,
    /// More files are not looked at.
    pub files: usize,
    /// After this time no more is copied.
    pub time: Duration,
}

impl Default for SnapshotLimits {
    fn default() -> SnapshotLimits {
        const MIB: u64 = 1024 * 1024;
        SnapshotLimits {
            file_bytes: 32 * MIB,
            new_bytes: 128 * MIB,
            committed_bytes: 32 * MIB,
            files: 100_000,
            time: Duration::from_secs(8),
        }
    }
}

/// How long snapshots are stored, and how much room they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotRetention {
    pub age: Duration,
    pub bytes: u64,
}

/// A snapshot that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub id: SnapshotId,
    /// Whether the whole tree is in it.
    pub is_tree: bool,
    /// Whether it was made for this call: otherwise nothing had changed.
    pub is_new: bool,
    /// How many files could not be copied.
    pub left_out: usize,
    /// Whether there are more files than are looked at.
    pub is_cut: bool,
}

impl Snapshot {
    /// Whether all files that it is about can be brought back.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.left_out == 0 && !self.is_cut
    }

    /// Whether the whole tree can be brought back.
    #[must_use]
    pub fn has_whole_tree(&self) -> bool {
        self.is_tree && self.is_complete()
    }
}
