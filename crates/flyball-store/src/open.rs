//! Opens the index, and brings it up to date.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use flyball_files::open_private;

use crate::chain::ChainWitness;
use crate::database::{self, Index};
use crate::error::StoreError;
use crate::journal::LockWaiter;
use crate::maintenance::{FoldOptions, FoldReport, FoldRun};
use crate::progress::{OnProgress, StoreProgress};
use crate::read_only::{StoreCopy, keep_all};
use crate::records::ReadStore;
use crate::store::{SESSIONS, Store};

impl Store {
    /// A state directory with a store has at least one of these.
    pub const FILES: &[&str] = &[SESSIONS, database::FILE_NAME];

    /// Opens all that is recorded, folded first if there are options for it. If another process is folding and does
    /// not end in time, the index is opened as it is.
    ///
    /// # Errors
    /// When the index cannot be used; [`StoreError::fix`] says what to do.
    pub fn open(&self, fold: Option<&FoldOptions<'_>>) -> Result<Box<dyn ReadStore>, StoreError> {
        self.open_reporting(fold, &|_| {})
    }

    /// [`Store::open`] with reports of its progress.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open_reporting(
        &self,
        fold: Option<&FoldOptions<'_>>,
        on_progress: OnProgress<'_>,
    ) -> Result<Box<dyn ReadStore>, StoreError> {
        if let Some(copy) = StoreCopy::of_read_only(self)? {
            return open_copy(copy, fold, on_progress);
        }
        if let Some(options) = fold {
            match self.fold_reporting(options, on_progress) {
                // A reader is better off with what is there than with an error.
                Ok(_) | Err(StoreError::Busy { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Box::new(Index::open(&self.index_path(), on_progress)?))
    }

    /// Brings the index up to date with the journals, then cleans up if that was not done within
    /// the last hour. Folding twice is folding once; writers of journals do not wait for it.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another process folds for longer than `options.wait`; else when the
    /// index cannot be used. A journal that cannot be read is reported, and the others are folded.
    pub fn fold(&self, options: &FoldOptions<'_>) -> Result<FoldReport, StoreError> {
        self.fold_reporting(options, &|_| {})
    }

    /// [`Store::fold`] with reports of its progress.
    ///
    /// # Errors
    /// Those of [`Store::fold`].
    pub fn fold_reporting(
        &self,
        options: &FoldOptions<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<FoldReport, StoreError> {
        on_progress(StoreProgress::Waiting);
        let _lock = self.lock_folding(options.wait)?;
        self.fold_locked(FoldRun::new(options, on_progress))
    }

    /// [`Store::fold_reporting`] for a process that has the lock.
    pub(crate) fn fold_locked(&self, run: FoldRun<'_>) -> Result<FoldReport, StoreError> {
        let mut index = Index::open(&self.index_path(), run.on_progress)?;
        index.fold(&self.sessions_dir(), run)
    }

    /// No other process folds as long as this file is open.
    pub(crate) fn lock_folding(&self, wait: Duration) -> Result<File, StoreError> {
        let path = self.lock_path();
        let lock = open_private(&path).map_err(|error| StoreError::io(&path, error))?;
        LockWaiter::new(wait).lock(&lock, &path).map_err(|error| match error {
            StoreError::Locked { waited, .. } => StoreError::Busy { waited },
            other => other,
        })?;
        Ok(lock)
    }

    pub(crate) fn lock_path(&self) -> PathBuf {
        self.root().join("fold.lock")
    }

    /// The chains as they are now, even if the index changes later.
    pub(crate) fn open_chains(&self) -> Result<Box<dyn ChainWitness>, StoreError> {
        let index = Index::open(&self.index_path(), &|_| {})?;
        index.begin_snapshot()?;
        Ok(Box::new(index))
    }

    pub(crate) fn index_path(&self) -> PathBuf {
        self.root().join(database::FILE_NAME)
    }
}

/// Opens the copy of a store that cannot be written, and keeps it as long as it is open.
fn open_copy(
    copy: StoreCopy,
    fold: Option<&FoldOptions<'_>>,
    on_progress: OnProgress<'_>,
) -> Result<Box<dyn ReadStore>, StoreError> {
    if let Some(options) = fold {
        let settings = keep_all(options.settings);
        copy.store().fold_reporting(&FoldOptions { settings: &settings, ..*options }, on_progress)?;
    }
    let mut index = Index::open(&copy.store().index_path(), on_progress)?;
    index.copy = Some(copy);
    Ok(Box::new(index))
}
