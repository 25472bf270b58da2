//! Copies of files by their hash, so that a file can be restored.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use flyball_core::policy::{ContentHash, PolicyError};
use sha2::{Digest, Sha256};

use flyball_files::{TempFile, open_private};
use flyball_system::set_mode;

/// The SHA-256 of a text.
#[must_use]
pub fn hash(content: &[u8]) -> ContentHash {
    let digest = Sha256::digest(content);
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    ContentHash::new(digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect())
}

/// The folder of the copies.
#[derive(Clone, Debug)]
pub struct ContentStore {
    folder: PathBuf,
}

impl ContentStore {
    /// The copies below a state directory.
    #[must_use]
    pub fn below(state: &Path) -> ContentStore {
        ContentStore::at(state.join("kept"))
    }

    /// The copies in a folder of their own.
    #[must_use]
    pub fn at(folder: PathBuf) -> ContentStore {
        ContentStore { folder }
    }

    /// Removes all copies but these, if they are older than a time. Returns how many bytes are left.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub(crate) fn retain(&self, wanted: &BTreeSet<String>, before: SystemTime) -> std::io::Result<u64> {
        let mut bytes = 0;
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(cause) if flyball_files::is_absent(&cause) => return Ok(0),
            Err(cause) => return Err(cause),
        };
        for entry in entries {
            let entry = entry?;
            let Ok(data) = entry.metadata() else { continue };
            let is_old = data.modified().is_ok_and(|at| at < before);
            let is_wanted = entry.file_name().to_str().is_some_and(|name| wanted.contains(name));
            // One that cannot be removed is tried again the next time.
            if is_wanted || !is_old || fs::remove_file(entry.path()).is_err() {
                bytes += data.len();
            }
        }
        Ok(bytes)
    }

    /// Saves a copy.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError> {
        let hash = hash(content);
        let place = self.place(&hash);
        // Read and not only found: a damaged copy would be no copy when it is needed.
        if self.read(&hash).is_some() {
            return Ok(hash);
        }
        self.write(&place, content).map_err(|cause| PolicyError::World {
            what: format!("a copy could not be saved in `{}`: {cause}", self.folder.display()),
            fix: "make room or check the permissions there".to_owned(),
        })?;
        Ok(hash)
    }

    fn write(&self, place: &Path, content: &[u8]) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        set_mode(&self.folder, 0o700)?;
        let beside = TempFile::create(&self.folder, 0o600)?;
        beside.file().write_all(content)?;
        beside.replace_soon(place)
    }

    /// A saved copy, if it is still there and undamaged.
    #[must_use]
    pub fn read(&self, wanted: &ContentHash) -> Option<Vec<u8>> {
        let content = fs::read(self.place(wanted)).ok()?;
        // A copy that was damaged or edited must not become the content of a protected file.
        (hash(&content) == *wanted).then_some(content)
    }

    /// Restores a file to a saved copy, or removes it if there was none. What was there is saved first;
    /// returns the path of that copy.
    ///
    /// # Errors
    /// When there is no such text, when the folder has become a link to elsewhere, or when the
    /// file cannot be written. The file is then as it was.
    pub fn restore(
        &self,
        file: &Path,
        content: Option<&ContentHash>,
    ) -> Result<Option<PathBuf>, PolicyError> {
        let error = |what: String| PolicyError::World {
            what: format!("`{}` could not be restored: {what}", file.display()),
            fix: "restore it by hand, for example with git".to_owned(),
        };
        let failed = |cause: std::io::Error| error(cause.to_string());
        let text = match content.map(|hash| self.read(hash)) {
            Some(None) => return Err(error("there is no copy of its old content".to_owned())),
            Some(Some(text)) => Some(text),
            None => None,
        };
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
            // A link that an agent placed must not make a person's restore write outside of the project.
            if folder.canonicalize().map_err(failed)? != folder {
                return Err(error("its folder has become a link to elsewhere".to_owned()));
            }
        }
        // Saved before it is replaced, so that a restore can itself be undone.
        let replaced = match fs::symlink_metadata(file) {
            Ok(data) if data.is_dir() => return Err(error("there is a folder in its place".to_owned())),
            Ok(data) if data.is_file() => Some(self.place(&self.store(&fs::read(file).map_err(failed)?)?)),
            // What a link leads to stays where it is.
            Ok(_) | Err(_) => None,
        };
        match text {
            Some(text) => restore_file(file, &text).map_err(failed)?,
            None => match fs::remove_file(file) {
                Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => return Err(failed(cause)),
                Ok(()) | Err(_) => {}
            },
        }
        Ok(replaced)
    }

    pub(crate) fn place(&self, hash: &ContentHash) -> PathBuf {
        self.folder.join(hash.as_str())
    }
}

fn restore_file(file: &Path, text: &[u8]) -> std::io::Result<()> {
    let was_there = file.is_file();
    write_atomic(file, text)?;
    // A script that had been deleted would come back unable to run.
    if !was_there && text.starts_with(b"#!") {
        set_mode(file, 0o755)?;
    }
    Ok(())
}

/// Writes a file so that others see either the old content or the new.
///
/// # Errors
/// When it cannot be written.
pub fn write_atomic(place: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = place.parent().unwrap_or(Path::new("."));
    // As any new file, less the umask; an existing file's own mode is copied below.
    let beside = TempFile::create(folder, 0o666)?;
    beside.file().write_all(content)?;
    if let Ok(before) = fs::metadata(place) {
        beside.file().set_permissions(before.permissions())?;
    }
    beside.replace_soon(place)
}

/// Waits until no other process changes a file, and keeps others from it until the returned file is closed. The folder
/// is made private if it is not there.
///
/// # Errors
/// When the lock cannot be made.
pub(crate) fn lock_beside(place: &Path) -> std::io::Result<File> {
    // The file itself is replaced, so a lock on it would be on the old one.
    let lock = open_private(&place.with_extension("lock"))?;
    lock.lock()?;
    Ok(lock)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_file_is_put_back_and_what_was_there_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let kept = ContentStore::below(&root.join("state"));
        let file = root.join("hooks/check.sh");
        let script = kept.store(b"#!/bin/sh\n").unwrap();
        assert_eq!(kept.restore(&file, Some(&script)).unwrap(), None);
        assert_eq!(fs::read(&file).unwrap(), b"#!/bin/sh\n");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o755);
        fs::write(&file, "exit 0\n").unwrap();
        let replaced = kept.restore(&file, None).unwrap().unwrap();
        assert!(!file.exists());
        assert_eq!(fs::read(replaced).unwrap(), b"exit 0\n");
        assert_eq!(kept.restore(&file, None).unwrap(), None);
    }

    #[test]
    fn what_cannot_be_put_back_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let kept = ContentStore::below(&root.join("state"));
        let file = root.join("a");
        fs::write(&file, "x").unwrap();
        let why = |file: &Path, content: &ContentHash| {
            kept.restore(file, Some(content)).unwrap_err().to_string().replace(root.to_str().unwrap(), "")
        };
        assert_eq!(
            why(&file, &hash(b"never stored")),
            "`/a` could not be restored: there is no copy of its old content"
        );
        assert_eq!(fs::read(&file).unwrap(), b"x");
        let text = kept.store(b"y").unwrap();
        fs::create_dir(root.join("real")).unwrap();
        std::os::unix::fs::symlink(root.join("real"), root.join("link")).unwrap();
        assert_eq!(
            why(&root.join("link/a"), &text),
            "`/link/a` could not be restored: its folder has become a link to elsewhere"
        );
        assert!(!root.join("real/a").exists());
    }

    #[test]
    fn a_link_is_replaced_and_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let kept = ContentStore::below(&root.join("state"));
        let text = kept.store(b"good").unwrap();
        fs::write(root.join("elsewhere"), "theirs").unwrap();
        std::os::unix::fs::symlink(root.join("elsewhere"), root.join("a")).unwrap();
        kept.restore(&root.join("a"), Some(&text)).unwrap();
        assert_eq!(fs::read(root.join("a")).unwrap(), b"good");
        assert_eq!(fs::read(root.join("elsewhere")).unwrap(), b"theirs");
    }
}
