//! A new file beside another one, to replace it in one step.

use crate::left_over::remove_left_over;
use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use flyball_system::OpenOptionsExt;

/// How many names are tried: one may be left over from a process that was killed.
const TRIES: u32 = 100;

/// The new file. It is deleted when dropped, unless it was renamed.
pub struct TempFile {
    file: File,
    path: PathBuf,
    has_moved: bool,
}

impl TempFile {
    /// An empty file in a folder, under a name that linters and watchers ignore.
    ///
    /// # Errors
    /// When it cannot be made there.
    pub fn create(folder: &Path, mode: u32) -> Result<TempFile> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        for _ in 0..TRIES {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            // Beside the file that it replaces: a rename is atomic only within one file system.
            let path = folder.join(format!(".flyball-{}-{count}.tmp", std::process::id()));
            // `create_new` does not follow a link that someone placed under this name.
            match OpenOptions::new().write(true).create_new(true).mode(mode).open(&path) {
                Ok(file) => return Ok(TempFile { file, path, has_moved: false }),
                Err(cause) if cause.kind() == ErrorKind::AlreadyExists => {}
                Err(cause) => return Err(cause),
            }
        }
        Err(Error::from(ErrorKind::AlreadyExists))
    }

    /// The new file, open for writing.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Where it is until it is moved.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames it to `place`, over what is there, once it is on the disk: a power loss leaves the old content or the new.
    /// Deletes what processes that were killed left in the folder.
    ///
    /// # Errors
    /// When it cannot be written or moved; the other file is then as it was.
    pub fn replace(self, place: &Path) -> Result<()> {
        // Before the rename, or a power loss could leave the new name with no content.
        self.file.sync_all()?;
        let folder = self.folder();
        // By the clock of the file system, which made this file.
        let now = self.file.metadata().and_then(|metadata| metadata.modified());
        self.replace_soon(place)?;
        sync_folder(&folder);
        if let Ok(now) = now {
            remove_left_over(&folder, now);
        }
        Ok(())
    }

    /// [`TempFile::replace`] for what can be made again, such as a cache: it does not wait for the disk.
    ///
    /// # Errors
    /// When it cannot be moved; the other file is then as it was.
    pub fn replace_soon(mut self, place: &Path) -> Result<()> {
        fs::rename(&self.path, place)?;
        self.has_moved = true;
        Ok(())
    }

    fn folder(&self) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("/")).to_owned()
    }
}

/// Waits until the names in a folder are on the disk. Some file systems cannot: the rename itself is done all the same.
pub fn sync_folder(folder: &Path) {
    drop(File::open(folder).and_then(|folder| folder.sync_all()));
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if !self.has_moved {
            // `drop` cannot report an error, and a file that stays behind is harmless.
            drop(fs::remove_file(&self.path));
        }
    }
}
