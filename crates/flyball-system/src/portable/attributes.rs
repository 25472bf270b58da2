//! What Unix knows of a file and other systems do not.

use std::fs::{DirBuilder, Metadata, OpenOptions, Permissions};
use std::process::ExitStatus;
use std::time::UNIX_EPOCH;

/// A user that nobody is, so that nothing counts as the administrator's.
const NOBODY: u32 = u32::MAX;

pub trait MetadataExt {
    fn time(&self) -> (i64, i64);
    fn mode(&self) -> u32;
    /// All files are on one file system.
    fn dev(&self) -> u64 {
        0
    }
    /// What a file is told from another by is its path.
    fn ino(&self) -> u64 {
        1
    }
    fn nlink(&self) -> u64 {
        1
    }
    fn uid(&self) -> u32 {
        NOBODY
    }
    fn gid(&self) -> u32 {
        NOBODY
    }
    fn mtime(&self) -> i64 {
        self.time().0
    }
    fn mtime_nsec(&self) -> i64 {
        self.time().1
    }
    /// Other systems have no time that a program cannot set: the one at which it was written.
    fn ctime(&self) -> i64 {
        self.time().0
    }
    fn ctime_nsec(&self) -> i64 {
        self.time().1
    }
}

impl MetadataExt for Metadata {
    fn time(&self) -> (i64, i64) {
        let since =
            self.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), since.subsec_nanos().into())
    }

    fn mode(&self) -> u32 {
        self.permissions().mode()
    }
}

pub trait PermissionsExt {
    fn mode(&self) -> u32;
}

impl PermissionsExt for Permissions {
    fn mode(&self) -> u32 {
        if self.readonly() { 0o555 } else { 0o755 }
    }
}

/// Folders of a user are private to the user already.
pub trait OpenOptionsExt {
    fn mode(&mut self, _: u32) -> &mut Self {
        self
    }
}

impl OpenOptionsExt for OpenOptions {}

pub trait DirBuilderExt {
    fn mode(&mut self, _: u32) -> &mut Self {
        self
    }
}

impl DirBuilderExt for DirBuilder {}

/// Processes end by codes alone.
pub trait ExitStatusExt {
    fn signal(&self) -> Option<i32> {
        None
    }
}

impl ExitStatusExt for ExitStatus {}
