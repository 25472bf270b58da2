//! Snapshots of a project's files: taken before a call, listed and brought back by `flyball undo`.
//!
//! They are below the state directory, not in the repository: nothing of them is in `git status`, `git log` or what git
//! tidies up. A content that is in several snapshots is stored once.

mod compare;
mod folder;
mod listing;
mod manifest;
mod prune;
mod restore;
mod seen;
mod staged;
mod survey;
mod take;
mod tree;
mod usage;

pub use compare::Difference;
pub use manifest::{Content, Entry, Manifest, Missing, Ref, Staged};
pub use prune::{Pruned, is_prune_due, prune};
pub use restore::{Change, NotRestored, Plan, Step};
pub use usage::Usage;

use std::fs;
use std::path::{Path, PathBuf};

use flyball_core::error::PolicyError;
use flyball_core::snapshot::SnapshotId;
use flyball_core::world::ContentHash;

use self::folder::{FOLDER, numbers};
use self::manifest::Stored;
use crate::content_store::{ContentStore, hash};
use crate::real_path::real_path;

/// The snapshots of one project.
#[derive(Clone, Debug)]
pub struct Snapshots {
    root: PathBuf,
    /// Where they are, one file each, named by its number.
    folder: PathBuf,
    contents: ContentStore,
}

impl Snapshots {
    /// Those of the project at `root`, below a state directory.
    #[must_use]
    pub fn of_project(state: &Path, root: &Path) -> Snapshots {
        Snapshots::at_real_path(state, real_path(root))
    }

    /// The same, of a root without symlinks.
    #[must_use]
    pub fn at_real_path(state: &Path, root: PathBuf) -> Snapshots {
        let all = state.join(FOLDER);
        let key: String = hash(root.to_string_lossy().as_bytes()).as_str().chars().take(32).collect();
        Snapshots { root, folder: all.join(key), contents: ContentStore::at(all.join("contents")) }
    }

    /// The root of the project, without symlinks.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path as snapshots have it: from the project's root on, or absolute for what is elsewhere.
    #[must_use]
    pub fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The numbers of all snapshots, the latest last.
    #[must_use]
    pub fn all(&self) -> Vec<SnapshotId> {
        numbers(&self.folder)
    }

    /// A snapshot; `None` if there is none of this number.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn read(&self, id: SnapshotId) -> Result<Option<Manifest>, PolicyError> {
        self.read_stored(id)?.map(|stored| self.complete(stored)).transpose()
    }

    fn complete(&self, stored: Stored) -> Result<Manifest, PolicyError> {
        let Some(base) = stored.base else { return Ok(stored.manifest) };
        // A base is whole, so that reading one needs two files at most.
        match self.read_stored(base)? {
            Some(base) => Ok(stored.on(base.manifest)),
            None => {
                let why = format!("snapshot {base}, which it needs, is gone");
                Err(self.damaged(stored.manifest.id, &why))
            }
        }
    }

    /// The content of a file that was copied.
    #[must_use]
    pub fn content(&self, hash: &ContentHash) -> Option<Vec<u8>> {
        self.contents.read(hash)
    }

    /// The file with it.
    #[must_use]
    pub fn content_file(&self, hash: &ContentHash) -> PathBuf {
        self.contents.place(hash)
    }

    fn read_stored(&self, id: SnapshotId) -> Result<Option<Stored>, PolicyError> {
        match fs::read(self.place(id)) {
            Ok(text) => match Stored::parse(id, &text) {
                Some(stored) => Ok(Some(stored)),
                None => Err(self.damaged(id, "it is damaged, or another version wrote it")),
            },
            Err(cause) if flyball_files::is_absent(&cause) => Ok(None),
            Err(cause) => Err(self.damaged(id, &cause.to_string())),
        }
    }

    fn place(&self, id: SnapshotId) -> PathBuf {
        self.folder.join(id.to_string())
    }

    fn damaged(&self, id: SnapshotId, why: &str) -> PolicyError {
        PolicyError::World {
            what: format!("snapshot {id} (`{}`) cannot be read: {why}", self.place(id).display()),
            fix: "choose another one of `flyball undo --list`".to_owned(),
        }
    }

    fn failed(&self, cause: &std::io::Error) -> PolicyError {
        PolicyError::World {
            what: format!("no snapshot could be stored in `{}`: {cause}", self.folder.display()),
            fix: "make room or check the permissions there".to_owned(),
        }
    }
}
