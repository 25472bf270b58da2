//! The files and notes of one project, changed by hooks and commands at the same time.
//!
//! Every flyball process that changes one takes its lock, below the state directory, so that nothing is left in the project.
//! Agents, editors and git do not take it: a file that they changed meanwhile is read again.

mod error;
mod file;
mod lock;
mod note;

use std::path::{Path, PathBuf};

use flyball_core::policy::PolicyError;
use flyball_core::workshop::{Created, FileUpdate, NoteChange};

use self::error::failed;
pub use self::file::Moved;
use self::lock::Lock;
use crate::content_store::hash;
use crate::real_path::real_path;

/// How many letters of a hash name a file.
const NAME_LETTERS: usize = 32;

#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
    /// Where its notes and locks are.
    folder: PathBuf,
}

impl Project {
    /// The project at `root`, with its notes and locks below a state directory.
    #[must_use]
    pub fn at(state: &Path, root: &Path) -> Project {
        // A client may name the project through a link; a person in a terminal does not.
        Project::at_real_path(state, real_path(root))
    }

    /// The same for a root without symlinks.
    #[must_use]
    pub fn at_real_path(state: &Path, root: PathBuf) -> Project {
        let folder = state.join("projects").join(name(&root.to_string_lossy()));
        Project { root, folder }
    }

    /// See [`FileChanges::create`](flyball_core::workshop::FileChanges::create).
    ///
    /// # Errors
    /// When it cannot be made, or a link leads out of the project.
    pub fn create(&self, path: &str, content: &[u8]) -> Result<Created, PolicyError> {
        let place = self.resolve(path)?;
        file::create(&place, content).map_err(|cause| failed(path, &cause))
    }

    /// See [`FileChanges::update`](flyball_core::workshop::FileChanges::update).
    ///
    /// # Errors
    /// What `change` returns; when the file cannot be read or written; when others keep changing it.
    pub fn alter(&self, path: &str, change: &mut FileUpdate<'_>) -> Result<bool, PolicyError> {
        let place = self.resolve(path)?;
        let _lock = self.lock(&place.to_string_lossy())?;
        file::alter(&place, change)
    }

    /// See [`FileChanges::append`](flyball_core::workshop::FileChanges::append).
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&self, path: &str, line: &str) -> Result<(), PolicyError> {
        let place = self.resolve(path)?;
        let _lock = self.lock(&place.to_string_lossy())?;
        file::append(&place, line).map_err(|cause| failed(path, &cause))
    }

    /// See [`FileChanges::link`](flyball_core::workshop::FileChanges::link).
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn link(&self, path: &str, to: &str) -> Result<bool, PolicyError> {
        let place = Path::new(path);
        // Only the folder is resolved: resolving the link itself would lead to its target.
        let folder = self.resolve(&place.parent().unwrap_or(place).to_string_lossy())?;
        let place = folder.join(place.file_name().unwrap_or_default());
        let _lock = self.lock(&place.to_string_lossy())?;
        file::link(&place, Path::new(to)).map_err(|cause| failed(path, &cause))
    }

    /// Moves a file to another place, with the folders that are missing, unless something is there already.
    ///
    /// # Errors
    /// When it cannot be moved, or either place is not in the project.
    pub fn move_to(&self, from: &str, to: &str) -> Result<Moved, PolicyError> {
        let (source, target) = (self.resolve(from)?, self.resolve(to)?);
        let _lock = self.lock(&source.to_string_lossy())?;
        file::move_to(&source, &target).map_err(|cause| failed(from, &cause))
    }

    /// Whether two names in the project are of one file.
    #[must_use]
    pub fn is_same_file(&self, one: &str, other: &str) -> bool {
        let resolved = self.resolve(one).ok().zip(self.resolve(other).ok());
        resolved.is_some_and(|(one, other)| file::is_same_file(&one, &other))
    }

    /// Removes a file; `false` if there was none.
    ///
    /// # Errors
    /// When it cannot be removed, or is not a regular file, or is not in the project.
    pub fn remove(&self, path: &str) -> Result<bool, PolicyError> {
        let place = self.resolve(path)?;
        let _lock = self.lock(&place.to_string_lossy())?;
        file::remove(&place).map_err(|cause| failed(path, &cause))
    }

    /// What is noted under a key.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn note(&self, key: &str) -> Result<Option<String>, PolicyError> {
        let place = self.note_place(key);
        note::read(&place).map_err(|cause| failed(&place.to_string_lossy(), &cause))
    }

    /// See [`NoteChanges::change_note`](flyball_core::workshop::NoteChanges::change_note).
    ///
    /// # Errors
    /// What `change` returns, or when the note cannot be read or written.
    pub fn change_note(&self, key: &str, change: &mut NoteChange<'_>) -> Result<(), PolicyError> {
        let place = self.note_place(key);
        let _lock = self.lock(key)?;
        let before = note::read(&place).map_err(|cause| failed(&place.to_string_lossy(), &cause))?;
        let Some(text) = change(before.as_deref())? else { return Ok(()) };
        note::write(&place, &text).map_err(|cause| failed(&place.to_string_lossy(), &cause))
    }

    /// [`Project::change_note`] for a note that must be on the disk before anything else is done.
    ///
    /// # Errors
    /// Those of [`Project::change_note`].
    pub fn change_note_durably(&self, key: &str, change: &mut NoteChange<'_>) -> Result<(), PolicyError> {
        self.change_note(key, change)?;
        let place = self.note_place(key);
        // A note that was removed has nothing to sync.
        if let Ok(file) = std::fs::File::open(&place) {
            file.sync_all().map_err(|cause| failed(&place.to_string_lossy(), &cause))?;
        }
        place.parent().into_iter().for_each(flyball_files::sync_folder);
        Ok(())
    }

    fn note_place(&self, key: &str) -> PathBuf {
        let name = name(key);
        let (shard, rest) = name.split_at_checked(2).unwrap_or(("", &name));
        self.folder.join("notes").join(shard).join(rest)
    }

    fn lock(&self, what: &str) -> Result<Lock, PolicyError> {
        Lock::take(&self.folder.join("locks"), &name(what))
    }

    /// The real place of a path, if that is below the project.
    fn resolve(&self, path: &str) -> Result<PathBuf, PolicyError> {
        let place = real_path(&self.root.join(path));
        // The real path is compared: a link in the repository must not lead a write out of the project.
        if place.starts_with(&self.root) {
            return Ok(place);
        }
        Err(PolicyError::World {
            what: format!("`{path}` leads out of the project to `{}`; nothing was written", place.display()),
            fix: "check the links in its path".to_owned(),
        })
    }
}

/// The name that a note's file has, its folder included.
pub(crate) fn note_name(key: &str) -> String {
    name(key)
}

fn name(text: &str) -> String {
    hash(text.as_bytes()).as_str().chars().take(NAME_LETTERS).collect()
}

#[cfg(test)]
mod tests;
