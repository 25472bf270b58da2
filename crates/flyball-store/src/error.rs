//! The errors of the store, and how to fix them.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_core::policy::PolicyError;

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process locked the session's journal for too long.
    #[error("the store is locked by another process for more than {} ms: `{}`", waited.as_millis(), path.display())]
    Locked { path: PathBuf, waited: Duration },
    /// Another process changed what an event was judged by.
    #[error("another process has changed what was read of `{}`", path.display())]
    Overtaken { path: PathBuf },
    /// No room on the disk, in the quota or below the file size limit.
    #[error("the disk is full: `{}` cannot be written ({source})", path.display())]
    Full { path: PathBuf, source: io::Error },
    /// The file system is read-only.
    #[error("the file system of `{}` is read-only", path.display())]
    ReadOnly { path: PathBuf, source: io::Error },
    #[error("permission denied: `{}`", path.display())]
    Denied { path: PathBuf, source: io::Error },
    /// A file is where a directory should be.
    #[error("part of the path `{}` is not a directory", path.display())]
    NotADirectory { path: PathBuf, source: io::Error },
    /// Any other error of the system.
    #[error("`{}` cannot be used: {source}", path.display())]
    Unusable { path: PathBuf, source: io::Error },
    /// A journal in a newer format.
    #[error(
        "`{}` was written by a newer flyball (journal format {found}, this program knows {known})",
        path.display()
    )]
    NewerJournal {
        path: PathBuf,
        /// The format it is in.
        found: u32,
        /// The newest we know.
        known: u32,
    },
    /// A journal that does not start like one.
    #[error("`{}` is damaged: invalid journal header", path.display())]
    DamagedHeader { path: PathBuf },
    /// A journal whose line with a policy's state cannot be read any more.
    #[error("`{}` is damaged at byte {offset} (the state of {key})", path.display())]
    DamagedState {
        path: PathBuf,
        key: String,
        /// Where it should be.
        offset: u64,
    },
    /// An index in a newer format.
    #[error(
        "`{}` was written by a newer flyball (schema {found}, this program knows {known})",
        path.display()
    )]
    NewerIndex {
        path: PathBuf,
        /// The schema it has.
        found: u32,
        /// The newest we know.
        known: u32,
    },
    /// A database that cannot be read.
    #[error("`{}` is damaged: {detail}", path.display())]
    DamagedIndex { path: PathBuf, detail: String },
    /// Another process folds the journals and takes longer than was waited.
    #[error("another process is folding the journals and did not end within {} ms", waited.as_millis())]
    Busy { waited: Duration },
    /// Any other error of the database.
    #[error("`{}` cannot be used: {source}", path.display())]
    Database { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    /// A record that cannot be written as JSON: a bug of ours.
    #[error("a record cannot be written: {source}")]
    Unwritable { source: serde_json::Error },
}

impl StoreError {
    /// Classifies an error of the system about a file by what a person can do about it.
    pub(crate) fn io(path: &Path, source: io::Error) -> StoreError {
        let path = path.to_owned();
        match source.kind() {
            // `ulimit -f` answers with the last one; for the person it is the same lack of room.
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                StoreError::Full { path, source }
            }
            io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly { path, source },
            io::ErrorKind::PermissionDenied => StoreError::Denied { path, source },
            io::ErrorKind::NotADirectory => StoreError::NotADirectory { path, source },
            _ => StoreError::Unusable { path, source },
        }
    }

    /// Whether it is about that file and no other.
    pub(crate) fn is_about(&self, file: &Path) -> bool {
        match self {
            StoreError::Locked { path, .. }
            | StoreError::Overtaken { path }
            | StoreError::Full { path, .. }
            | StoreError::ReadOnly { path, .. }
            | StoreError::Denied { path, .. }
            | StoreError::NotADirectory { path, .. }
            | StoreError::Unusable { path, .. }
            | StoreError::NewerJournal { path, .. }
            | StoreError::DamagedHeader { path }
            | StoreError::DamagedState { path, .. }
            | StoreError::NewerIndex { path, .. }
            | StoreError::DamagedIndex { path, .. }
            | StoreError::Database { path, .. } => path == file,
            StoreError::Busy { .. } | StoreError::Unwritable { .. } => false,
        }
    }

    /// Whether it is about a damaged file, which `flyball doctor --repair` repairs. One of a newer version is not damaged.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            StoreError::DamagedIndex { .. }
                | StoreError::DamagedHeader { .. }
                | StoreError::DamagedState { .. }
        )
    }

    /// What a person can do about it.
    #[must_use]
    pub fn fix(&self) -> String {
        const ELSEWHERE: &str = "set FLYBALL_STATE_DIR to a writable directory";
        match self {
            StoreError::Locked { .. } => {
                "wait for the other hook of this session to end, or end it; `flyball doctor` shows the store"
                    .to_owned()
            }
            StoreError::Full { .. } => format!("free some space, or {ELSEWHERE}"),
            StoreError::ReadOnly { .. } | StoreError::Unusable { .. } => ELSEWHERE.to_owned(),
            StoreError::Denied { path, .. } => {
                format!("give yourself access to `{}`, or {ELSEWHERE}", path.display())
            }
            StoreError::NotADirectory { .. } => format!("move the file that blocks the path, or {ELSEWHERE}"),
            StoreError::NewerJournal { .. } | StoreError::NewerIndex { .. } => {
                "update flyball or set FLYBALL_STATE_DIR".to_owned()
            }
            StoreError::DamagedHeader { path } => {
                format!(
                    "`flyball doctor --repair` repairs `{}`, or moves it aside; then events are recorded again",
                    path.display()
                )
            }
            StoreError::DamagedIndex { .. } => {
                "`flyball doctor --repair` moves it aside and builds it again from the journals".to_owned()
            }
            StoreError::Busy { .. } | StoreError::Overtaken { .. } => "try again in a moment".to_owned(),
            StoreError::Database { .. } => "`flyball doctor` examines the store".to_owned(),
            StoreError::DamagedState { .. } => {
                "start a new session, or let `flyball doctor --repair` drop what cannot be read".to_owned()
            }
            StoreError::Unwritable { .. } => "`flyball doctor` collects what a bug report needs".to_owned(),
        }
    }
}

impl From<StoreError> for PolicyError {
    fn from(error: StoreError) -> PolicyError {
        match error {
            StoreError::Unwritable { .. } => PolicyError::Bug { what: error.to_string() },
            world => PolicyError::World { what: world.to_string(), fix: world.fix() },
        }
    }
}
