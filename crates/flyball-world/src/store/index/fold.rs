//! Folding: what the journals have and the index has not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_core::config::StoreSettings;
use rusqlite::TransactionBehavior;

use super::super::Store;
use super::super::error::StoreError;
use super::super::files::open_private;
use super::super::journal::Patience;
use super::journals::{Entry, JournalFile, Progress, Reader};
use super::{Index, insert, retention};

/// Records per transaction: short enough that a second writer need not wait, long enough that
/// their number does not matter.
const BATCH: usize = 1_000;

/// What folding has to know.
#[derive(Clone, Copy, Debug)]
pub struct FoldOrder<'a> {
    /// What is kept, and for how long.
    pub settings: &'a StoreSettings,
    /// The time, in microseconds since 1970.
    pub now: i64,
    /// How long to wait for another process that is folding.
    pub wait: Duration,
}

/// What folding did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoldReport {
    /// Journals that had something new.
    pub journals: u64,
    /// Records that are new in the index.
    pub records: u64,
    /// Lines that could not be read and were stepped over.
    pub corrupt: u64,
    /// Journals that could not be read at all, with the reason.
    pub skipped: Vec<(PathBuf, String)>,
    /// Old events that were deleted.
    pub forgotten: u64,
    /// Journals that were shortened to the state of their session.
    pub shortened: u64,
    /// Journals of sessions long gone that were deleted.
    pub removed: u64,
}

impl Store {
    /// Brings the index up to date with the journals, then tidies up if that was not done within
    /// the last hour. Folding twice is folding once; writers of journals are not held up.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another process is at it for longer than `order.wait`; else when the
    /// index cannot be used. A journal that cannot be read is reported, and the others are folded.
    pub fn fold(&self, order: &FoldOrder<'_>) -> Result<FoldReport, StoreError> {
        let lock_path = self.root().join("fold.lock");
        let lock = open_private(&lock_path).map_err(|error| StoreError::io(&lock_path, error))?;
        Patience::new(order.wait).lock(&lock, &lock_path).map_err(|error| match error {
            StoreError::Locked { waited_ms, .. } => StoreError::Busy { waited_ms },
            other => other,
        })?;
        let mut index = Index::open(&self.index_path())?;
        let report = index.fold(&self.sessions_dir(), order)?;
        index.checkpoint();
        Ok(report)
    }
}

impl Index {
    pub(crate) fn fold(&mut self, dir: &Path, order: &FoldOrder<'_>) -> Result<FoldReport, StoreError> {
        let mut report = FoldReport::default();
        for journal in JournalFile::all(dir)? {
            match self.fold_journal(&journal, &mut report) {
                Ok(()) => {}
                Err(error) if error.is_about(&journal.path) => {
                    report.skipped.push((journal.path, error.to_string()));
                }
                Err(error) => return Err(error),
            }
        }
        retention::tidy(self, dir, (order, &mut report))?;
        Ok(report)
    }

    fn fold_journal(&mut self, journal: &JournalFile, report: &mut FoldReport) -> Result<(), StoreError> {
        let failed = self.failed();
        let mut progress = Progress::load(&self.connection, journal).map_err(failed)?;
        if progress.folded == journal.len {
            return Ok(());
        }
        let Some(mut reader) = Reader::open(&journal.path, progress.folded)? else {
            return Ok(());
        };
        let before = progress.folded;
        while self.fold_batch(&mut reader, (journal, &mut progress), report)? {}
        report.journals += u64::from(progress.folded > before);
        Ok(())
    }

    /// Folds the next lines in one transaction, with the note of how far it went.
    fn fold_batch(
        &mut self,
        reader: &mut Reader,
        (journal, progress): (&JournalFile, &mut Progress),
        report: &mut FoldReport,
    ) -> Result<bool, StoreError> {
        let failed = self.failed();
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some(entry) = reader.next().map_err(|error| StoreError::io(&journal.path, error))?
        {
            batch.push(entry);
        }
        if batch.is_empty() {
            return Ok(false);
        }
        let change =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let mut next = Progress { folded: reader.offset, ..*progress };
        let mut new = 0;
        for entry in batch {
            match entry {
                Entry::Record(seq, record) => {
                    next.last_at = next.last_at.max(record.at);
                    new += u64::from(insert::insert(&change, seq, *record).map_err(&failed)?);
                }
                Entry::Nothing => {}
                Entry::Corrupt => next.corrupt += 1,
            }
        }
        next.save(&change, &journal.name).map_err(&failed)?;
        change.commit().map_err(&failed)?;
        report.records += new;
        report.corrupt += next.corrupt - progress.corrupt;
        *progress = next;
        Ok(true)
    }

    /// Moves the write-ahead log into the database. Left to itself the log only grows, since each
    /// process forgets how far the one before it got.
    pub(crate) fn checkpoint(&self) {
        // A reader in the way is no reason to fail: the next fold does it.
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
}
