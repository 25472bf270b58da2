//! Errors of the system about the user's files, and their fixes.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::outcome::Failed;

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("permission denied: `{}`", path.display())]
    Denied { path: PathBuf },
    /// Nobody may: the file or its file system is read-only.
    #[error("`{}` is read-only", path.display())]
    ReadOnly { path: PathBuf },
    /// There is a file instead of a folder.
    #[error("part of the path `{}` is a file, not a folder", path.display())]
    NotAFolder { path: PathBuf },
    /// There is a folder instead of the file.
    #[error("`{}` is a folder, not a file", path.display())]
    Folder { path: PathBuf },
    #[error("the disk is full: `{}` cannot be written", path.display())]
    Full { path: PathBuf },
    /// Bytes that are not text.
    #[error("`{}` is not UTF-8 text", path.display())]
    NotText { path: PathBuf },
    /// Somebody else wrote it between our reading and our writing.
    #[error("`{}` was changed by another process just now", path.display())]
    Changed { path: PathBuf },
    /// flyball's own folder cannot be used.
    #[error("flyball's state directory `{}` cannot be used: {why}", path.display())]
    State { path: PathBuf, why: String },
    #[error("`{}` cannot be used: {source}", path.display())]
    Unusable { path: PathBuf, source: io::Error },
}

impl FileError {
    /// An error of the system about a file.
    pub(crate) fn io(path: &Path, source: io::Error) -> FileError {
        let path = path.to_owned();
        match source.kind() {
            ErrorKind::PermissionDenied => FileError::Denied { path },
            ErrorKind::ReadOnlyFilesystem => FileError::ReadOnly { path },
            ErrorKind::NotADirectory => FileError::NotAFolder { path },
            ErrorKind::IsADirectory => FileError::Folder { path },
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => FileError::Full { path },
            _ => FileError::Unusable { path, source },
        }
    }

    /// An error about a file in flyball's own folder: people need not know its parts.
    pub(crate) fn in_state(state: &Path, error: &FileError) -> FileError {
        let why = match error {
            FileError::Denied { .. } => "permission denied".to_owned(),
            FileError::ReadOnly { .. } => "it is read-only".to_owned(),
            FileError::NotAFolder { .. } => "it is not a folder".to_owned(),
            FileError::Full { .. } => "the disk is full".to_owned(),
            other => other.to_string(),
        };
        FileError::State { path: state.to_owned(), why }
    }

    /// What a person can do about it.
    fn fix(&self) -> &'static str {
        match self {
            FileError::Denied { .. } | FileError::ReadOnly { .. } => {
                "make it writable (`sudo` for --managed), or choose another scope: --local, --user"
            }
            FileError::NotAFolder { .. } | FileError::Folder { .. } => {
                "move the file or folder that is in the way"
            }
            FileError::Full { .. } => "free some space",
            FileError::NotText { .. } => "convert the file to UTF-8",
            FileError::Changed { .. } => "run the command again: it looks at the new content",
            FileError::State { .. } => "make it writable, or set FLYBALL_STATE_DIR to a folder that is",
            FileError::Unusable { .. } => "fix the cause, then run the command again",
        }
    }
}

impl From<FileError> for Failed {
    fn from(error: FileError) -> Failed {
        Failed::new(format!("{error}; nothing was changed"), error.fix())
    }
}
