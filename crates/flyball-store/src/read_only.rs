//! A store that cannot be written, such as a copy on a read-only disk: it is copied, and the copy is read. SQLite needs
//! files beside a database to read it, and events that are only in journals have to be folded to be listed.

use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use flyball_core::config::StoreSettings;
use flyball_files::open_private;

use crate::error::StoreError;
use crate::store::{SESSIONS, Store};

/// How many names are tried for the folder.
const TRIES: u32 = 100;

/// A copy of a store, which is deleted when dropped.
#[derive(Debug)]
pub(crate) struct StoreCopy {
    store: Store,
}

impl StoreCopy {
    /// A copy of a store that this process cannot write; none of one that it can.
    pub(crate) fn of_read_only(store: &Store) -> Result<Option<StoreCopy>, StoreError> {
        if !is_read_only(store) {
            return Ok(None);
        }
        let copy = StoreCopy { store: Store::at(&make_folder()?) };
        copy_files(store.root(), copy.store.root())?;
        copy_files(&store.sessions_dir(), &copy.store.sessions_dir())?;
        Ok(Some(copy))
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }
}

impl Drop for StoreCopy {
    fn drop(&mut self) {
        // `drop` cannot report an error, and the system cleans up its folder for such files.
        drop(std::fs::remove_dir_all(self.store.root()));
    }
}

/// Settings by which nothing is forgotten: a copy of an old store is looked at for what is old.
pub(crate) fn keep_all(settings: &StoreSettings) -> StoreSettings {
    StoreSettings { keep_days: 0, max_mb: 0, ..settings.clone() }
}

fn is_read_only(store: &Store) -> bool {
    // Permissions do not tell: the file system may be read-only.
    let opened = || open_private(&store.lock_path()).map_err(|error| error.kind());
    // Anything else is an error of whoever needs the lock.
    store.root().exists()
        && matches!(opened(), Err(ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied))
}

fn make_folder() -> Result<PathBuf, StoreError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut builder = DirBuilder::new();
    flyball_system::DirBuilderExt::mode(&mut builder, 0o700);
    let base = std::env::temp_dir();
    for _ in 0..TRIES {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = base.join(format!("flyball-copy-{}-{count}", std::process::id()));
        // Fails if something is there: nobody else prepares the folder that a record is copied to.
        match builder.create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(StoreError::io(&folder, error)),
        }
    }
    Err(StoreError::io(&base, std::io::Error::from(ErrorKind::AlreadyExists)))
}

/// Copies the files of the store in a folder: the index with its log, the anchors, the journals.
fn copy_files(from: &Path, to: &Path) -> Result<(), StoreError> {
    let entries = match std::fs::read_dir(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        other => other.map_err(|error| StoreError::io(from, error))?,
    };
    flyball_files::make_private_dirs(to).map_err(|error| StoreError::io(to, error))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let text = name.to_string_lossy();
        let is_own =
            from.ends_with(SESSIONS) || text.starts_with("flyball.db") || text.starts_with("anchors.");
        // The shared memory of other processes is of no use here.
        let is_wanted = is_own && !text.ends_with("-shm") && !text.contains(".damaged");
        if is_wanted && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            copy_file(&entry.path(), &to.join(&name))?;
        }
    }
    Ok(())
}

/// Not `fs::copy`: the copy would have the permissions of the original, and could not be written either.
fn copy_file(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut source = std::fs::File::open(from).map_err(|error| StoreError::io(from, error))?;
    let mut target = open_private(to).map_err(|error| StoreError::io(to, error))?;
    std::io::copy(&mut source, &mut target).map(drop).map_err(|error| StoreError::io(to, error))
}
