//! Replaces what is damaged, and builds a new index. Nothing is deleted.

use crate::aside::move_aside;
use crate::chain::{Anchor, Anchors};
use crate::database;
use crate::error::StoreError;
use crate::journal::{JournalFile, Reader};
use crate::maintenance::{FoldOptions, FoldRun, RebuildReport};
use crate::progress::{OnProgress, StoreProgress};
use crate::store::Store;

impl Store {
    /// Moves the database and journals without a readable header aside, and builds a new index
    /// from what can be read of the old one and from the journals.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another process folds for longer than `options.wait`; else when files cannot be moved,
    /// or the new index cannot be made.
    pub fn rebuild(&self, options: &FoldOptions<'_>) -> Result<RebuildReport, StoreError> {
        self.rebuild_reporting(options, &|_| {})
    }

    /// [`Store::rebuild`] with reports of its progress.
    ///
    /// # Errors
    /// Those of [`Store::rebuild`].
    pub fn rebuild_reporting(
        &self,
        options: &FoldOptions<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<RebuildReport, StoreError> {
        let mut report = RebuildReport::default();
        let index = self.index_path();
        on_progress(StoreProgress::Waiting);
        // What another process folds into the old index meanwhile would be lost.
        let _lock = self.lock_folding(options.wait)?;
        if index.exists() {
            let salvaged = database::salvage(&index, on_progress)?;
            report.saved = salvaged.records;
            report.moved.extend(salvaged.aside);
        }
        for journal in JournalFile::list(&self.sessions_dir())? {
            if let Err(StoreError::DamagedHeader { path }) = Reader::open(&journal.path, 0) {
                // Its session starts a new journal, and an audit must know why.
                let over = Anchor::Over { journal: journal.name.clone() };
                Anchors::beside(&index).append(None, options.now, &[over])?;
                report.moved.extend(move_aside(&path)?);
            }
        }
        // What the journals still have comes on top; events that were saved are not added twice.
        report.fold = self.fold_locked(FoldRun { is_rebuilt: true, ..FoldRun::new(options, on_progress) })?;
        Ok(report)
    }
}
