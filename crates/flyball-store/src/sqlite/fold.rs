//! Folding: what the journals have and the index has not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_core::config::StoreSettings;
use rusqlite::{Connection, TransactionBehavior};

use super::journals::{Entry, JournalFile, Progress, Reader};
use super::step::{Step, Tell};
use super::tally::Tally;
use super::{BUSY, Index, insert, retention};
use crate::Store;
use crate::error::StoreError;
use crate::journal::Patience;
use flyball_files::open_private;

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
        self.fold_telling(order, &|_| {})
    }

    /// The same for someone who waits for it.
    ///
    /// # Errors
    /// Those of [`Store::fold`].
    pub fn fold_telling(&self, order: &FoldOrder<'_>, tell: Tell<'_>) -> Result<FoldReport, StoreError> {
        tell(Step::Waiting);
        let lock_path = self.root().join("fold.lock");
        let lock = open_private(&lock_path).map_err(|error| StoreError::io(&lock_path, error))?;
        Patience::new(order.wait).lock(&lock, &lock_path).map_err(|error| match error {
            StoreError::Locked { waited_ms, .. } => StoreError::Busy { waited_ms },
            other => other,
        })?;
        let mut index = Index::open_telling(&self.index_path(), tell)?;
        let report = index.fold(&self.sessions_dir(), (order, tell))?;
        index.checkpoint();
        Ok(report)
    }
}

/// The journals that have something new, each with how far it was folded.
#[derive(Default)]
struct Backlog {
    journals: Vec<(JournalFile, Progress)>,
    /// How much all of that is.
    bytes: u64,
}

impl Backlog {
    fn add(&mut self, journal: JournalFile, connection: &Connection) -> rusqlite::Result<()> {
        let progress = Progress::load(connection, &journal)?;
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
        (order, tell): (&FoldOrder<'_>, Tell<'_>),
    ) -> Result<FoldReport, StoreError> {
        let mut report = FoldReport::default();
        let mut backlog = Backlog::default();
        for journal in JournalFile::all(dir)? {
            backlog.add(journal, &self.connection).map_err(self.failed())?;
        }
        let Backlog { journals, bytes } = backlog;
        let mut before = 0;
        for (journal, progress) in journals {
            let tell_how_far = |folded: u64| {
                tell(Step::Folding { done: before + folded.saturating_sub(progress.folded), all: bytes });
            };
            match self.fold_journal((&journal, progress), (order.now, &mut report), &tell_how_far) {
                Ok(()) => {}
                Err(error) if error.is_about(&journal.path) => {
                    report.skipped.push((journal.path, error.to_string()));
                }
                Err(error) => return Err(error),
            }
            before += journal.len.saturating_sub(progress.folded);
        }
        self.anchor(order.now)?;
        retention::tidy(self, dir, (order, &mut report), tell)?;
        Ok(report)
    }

    fn fold_journal(
        &mut self,
        (journal, mut progress): (&JournalFile, Progress),
        (now, report): (i64, &mut FoldReport),
        tell: &dyn Fn(u64),
    ) -> Result<(), StoreError> {
        let Some(mut reader) = Reader::open(&journal.path, progress.folded)? else {
            return Ok(());
        };
        let before = progress.folded;
        tell(before);
        while self.fold_batch(&mut reader, (journal, &mut progress), now, report)? {
            tell(progress.folded);
        }
        report.journals += u64::from(progress.folded > before);
        Ok(())
    }

    /// Folds the next lines in one transaction, with the note of how far it went.
    fn fold_batch(
        &mut self,
        reader: &mut Reader,
        (journal, progress): (&JournalFile, &mut Progress),
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
        let mut next = Progress { folded: reader.offset, ..*progress };
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
