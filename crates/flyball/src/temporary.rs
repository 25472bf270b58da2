//! A folder that is gone when its work is done, or when the command is interrupted.

use std::path::{Path, PathBuf};

use flyball_core::workshop::Scratch;
use flyball_world::scratch;

use crate::environment;
use crate::outcome::Failed;

/// A folder below the system's temporary directory that only this user can read.
pub(crate) struct TemporaryFolder {
    folder: Box<dyn Scratch>,
}

impl TemporaryFolder {
    pub(crate) fn new() -> Result<TemporaryFolder, Failed> {
        let folder = environment::temporary_directory();
        scratch::make(&folder, &[])
            .map(|folder| TemporaryFolder { folder })
            .map_err(|error| creation_failed(&error))
    }

    /// The folder: absolute, without symlinks.
    pub(crate) fn path(&self) -> &Path {
        Path::new(self.folder.path())
    }

    /// Leaves the folder where it is, for a person to look into.
    pub(crate) fn keep(self) -> PathBuf {
        let path = self.path().to_owned();
        // Dropping it would remove the folder.
        std::mem::forget(self.folder);
        path
    }

    /// Writes a file in it.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<PathBuf, Failed> {
        let path = self.path().join(name);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, text))
            .map_err(|cause| creation_failed(&format!("{} cannot be written: {cause}", path.display())))?;
        Ok(path)
    }
}

fn creation_failed(what: &impl ToString) -> Failed {
    Failed::new(what.to_string(), "set TMPDIR to a folder you can write to")
}
