//! A file as it was when it was read.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use flyball_world::machine::real_path;

use super::error::FileError;

/// A file's content at one moment, or that there was no such file.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The path by which people know it.
    pub(crate) path: PathBuf,
    /// The file behind all symlinks: people keep their settings in a repository of dotfiles, and
    /// a link that was replaced by a file would cut them off from it.
    pub(crate) target: PathBuf,
    content: Option<String>,
}

impl Snapshot {
    /// Reads a file; a missing file is not an error.
    pub(crate) fn read(path: &Path) -> Result<Snapshot, FileError> {
        let target = real_path(path);
        let content = content(&target)?;
        Ok(Snapshot { path: path.to_owned(), target, content })
    }

    /// Its content; `None` if it does not exist.
    pub(crate) fn content(&self) -> Option<&str> {
        self.content.as_deref()
    }

    /// Its content; empty if it does not exist.
    pub(crate) fn text(&self) -> &str {
        self.content.as_deref().unwrap_or_default()
    }

    /// An error if the file has changed since.
    pub(crate) fn check_unchanged(&self) -> Result<(), FileError> {
        // By content, not by time: a rewrite with the same text is no reason to fail.
        if content(&self.target)? == self.content {
            return Ok(());
        }
        Err(FileError::Changed { path: self.path.clone() })
    }

    /// The folders above the file that do not exist yet, outermost first.
    pub(crate) fn missing_folders(&self) -> Vec<PathBuf> {
        let above = self.target.ancestors().skip(1);
        let mut missing: Vec<PathBuf> =
            above.take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
        missing.reverse();
        missing
    }
}

fn content(path: &Path) -> Result<Option<String>, FileError> {
    match fs::read(path) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| FileError::NotText { path: path.to_owned() })?;
            Ok(Some(text))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::io(path, error)),
    }
}
