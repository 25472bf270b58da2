//! Repairs what is damaged, and builds a new index. Nothing is deleted.

use crate::chain::{Anchor, Anchors};
use crate::database;
use crate::error::StoreError;
use crate::journal::{self, JournalFile, JournalRepair};
use crate::maintenance::{FoldOptions, FoldRun, Health, RebuildReport};
use crate::progress::{OnProgress, StoreProgress};
use crate::recorded::Recorded;
use crate::store::Store;

impl Store {
    /// Repairs journals, moves the database aside, and builds a new index from the journals and from what the old one
    /// still has.
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
        self.rebuild_if(true, options, on_progress)
    }

    /// Repairs what [`Store::health`] has just found, with reports of its progress: an index without damage stays.
    ///
    /// # Errors
    /// Those of [`Store::rebuild`].
    pub fn repair(
        &self,
        health: &Health,
        options: &FoldOptions<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<RebuildReport, StoreError> {
        self.rebuild_if(health.is_index_damaged(), options, on_progress)
    }

    fn rebuild_if(
        &self,
        is_index_damaged: bool,
        options: &FoldOptions<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<RebuildReport, StoreError> {
        let mut report = RebuildReport::default();
        let index = self.index_path();
        on_progress(StoreProgress::Waiting);
        // What another process folds into the old index meanwhile would be lost.
        let _lock = self.lock_folding(options.wait)?;
        let mut recorded = Recorded::default();
        for journal in JournalFile::list(&self.sessions_dir())? {
            self.repair_journal(&journal, options, &mut report)?;
            // What cannot be read contradicts nothing.
            let _ = recorded.add(&journal, 0);
        }
        if is_index_damaged && index.exists() {
            let salvaged = database::salvage(&index, &recorded, on_progress)?;
            report.is_index_new = true;
            report.saved = salvaged.records;
            report.moved.extend(salvaged.aside);
        }
        // What the journals still have comes on top; events that were saved are not added twice.
        report.fold = self.fold_locked(FoldRun { is_rebuilt: true, ..FoldRun::new(options, on_progress) })?;
        Ok(report)
    }

    fn repair_journal(
        &self,
        journal: &JournalFile,
        options: &FoldOptions<'_>,
        report: &mut RebuildReport,
    ) -> Result<(), StoreError> {
        if journal::find_damage(&journal.path).is_none() {
            return Ok(());
        }
        match journal::repair(&journal.path, options.wait)? {
            JournalRepair::Header => {}
            JournalRepair::Salvaged(aside) => report.moved.push(aside),
            JournalRepair::Nothing(aside) => {
                // Its session starts a new journal, and an audit must know why.
                let over = Anchor::Over { journal: journal.name.clone() };
                Anchors::beside(&self.index_path()).append(None, options.now, &[over])?;
                report.moved.push(aside);
            }
        }
        report.repaired.push(journal.path.clone());
        Ok(())
    }
}
