//! Folding: what the journals have and the index has not.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use super::index::{BUSY, Index};
use super::progress::FoldProgress;
use super::tally::Tally;
use super::{insert, retention};
use crate::error::StoreError;
use crate::journal::{Entry, JournalFile, LockWaiter, Reader};
use crate::maintenance::{FoldOptions, FoldReport};
use crate::progress::{OnProgress, StoreProgress};
use crate::store::Store;
use flyball_files::open_private;

/// Records per transaction: short enough that a second writer need not wait, long enough that
/// their number does not matter.
const BATCH: usize = 1_000;

impl Store {
    /// Brings the index up to date with the journals, then tidies up if that was not done within
    /// the last hour. Folding twice is folding once; writers of journals are not held up.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another process is at it for longer than `order.wait`; else when the
    /// index cannot be used. A journal that cannot be read is reported, and the others are folded.
    pub fn fold(&self, order: &FoldOptions<'_>) -> Result<FoldReport, StoreError> {
        self.fold_reporting(order, &|_| {})
    }

    /// The same for someone who waits for it.
    ///
    /// # Errors
    /// Those of [`Store::fold`].
    pub fn fold_reporting(
        &self,
        order: &FoldOptions<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<FoldReport, StoreError> {
        on_progress(StoreProgress::Waiting);
        let lock_path = self.root().join("fold.lock");
        let lock = open_private(&lock_path).map_err(|error| StoreError::io(&lock_path, error))?;
        LockWaiter::new(order.wait).lock(&lock, &lock_path).map_err(|error| match error {
            StoreError::Locked { waited_ms, .. } => StoreError::Busy { waited_ms },
            other => other,
        })?;
        let mut index = Index::open(&self.index_path(), on_progress)?;
        let report = index.fold(&self.sessions_dir(), (order, on_progress))?;
        index.checkpoint();
        Ok(report)
    }
}

/// The journals that have something new, each with how far it was folded.
#[derive(Default)]
struct Backlog {
    journals: Vec<(JournalFile, FoldProgress)>,
    /// How much all of that is.
    bytes: u64,
}

impl Backlog {
    fn add(&mut self, journal: JournalFile, connection: &Connection) -> rusqlite::Result<()> {
        let progress = FoldProgress::load(connection, &journal)?;
        if progress.folded != journal.len {
            self.bytes += journal.len.saturating_sub(progress.folded);
            self.journals.push((journal, progress));
        }
        Ok(())
    }
}

impl Index {
    fn fold(
        &mut self,
        dir: &Path,
        (order, on_progress): (&FoldOptions<'_>, OnProgress<'_>),
    ) -> Result<FoldReport, StoreError> {
        let mut report = FoldReport::default();
        let mut backlog = Backlog::default();
        for journal in JournalFile::list(dir)? {
            backlog.add(journal, &self.connection).map_err(self.failed())?;
        }
        let Backlog { journals, bytes } = backlog;
        let mut before = 0;
        for (journal, progress) in journals {
            let report_progress = |folded: u64| {
                on_progress(StoreProgress::Folding {
                    done: before + folded.saturating_sub(progress.folded),
                    all: bytes,
                });
            };
            match self.fold_journal((&journal, progress), (order.now, &mut report), &report_progress) {
                Ok(()) => {}
                Err(error) if error.is_about(&journal.path) => {
                    report.skipped.push((journal.path, error.to_string()));
                }
                Err(error) => return Err(error),
            }
            before += journal.len.saturating_sub(progress.folded);
        }
        self.anchor(order.now)?;
        retention::tidy(self, dir, (order, &mut report), on_progress)?;
        Ok(report)
    }

    fn fold_journal(
        &mut self,
        (journal, mut progress): (&JournalFile, FoldProgress),
        (now, report): (i64, &mut FoldReport),
        on_progress: &dyn Fn(u64),
    ) -> Result<(), StoreError> {
        let Some(mut reader) = Reader::open(&journal.path, progress.folded)? else {
            return Ok(());
        };
        let before = progress.folded;
        on_progress(before);
        while self.fold_batch(&mut reader, (journal, &mut progress), now, report)? {
            on_progress(progress.folded);
        }
        report.journals += u64::from(progress.folded > before);
        Ok(())
    }

    /// Folds the next lines in one transaction, with the note of how far it went.
    fn fold_batch(
        &mut self,
        reader: &mut Reader,
        (journal, progress): (&JournalFile, &mut FoldProgress),
        now: i64,
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
        let mut next = FoldProgress { folded: reader.offset, ..*progress };
        // Only records tell the time. What policies remember without one is from now, or else a session of
        // which there is nothing but its memory would be taken for one long gone.
        if !batch.iter().any(|entry| matches!(entry, Entry::Record(_))) {
            next.last_at = next.last_at.max(now);
        }
        let (mut new, mut tally) = (0, Tally::default());
        for entry in batch {
            match entry {
                Entry::Record(told) => {
                    next.last_at = next.last_at.max(told.record.at);
                    new += u64::from(insert::insert(&change, &told, &mut tally).map_err(&failed)?);
                }
                Entry::Nothing => {}
                Entry::Corrupt => next.corrupt += 1,
            }
        }
        tally.flush(&change).map_err(&failed)?;
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
        // A reader in the way is no reason to fail, nor to wait: the next fold does it. While a page is slow, the board would
        // tell nobody what happened.
        let _ = self.connection.busy_timeout(Duration::ZERO);
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.connection.busy_timeout(BUSY);
    }
}
