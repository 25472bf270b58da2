//! Folding: adds to the index what only the journals have.

use std::path::Path;
use std::time::Duration;

use rusqlite::{TransactionBehavior, ffi};

use super::index::{BUSY, Index};
use super::progress::FoldProgress;
use super::retention::Tidying;
use super::tally::Tally;
use super::{insert, retention};
use crate::error::StoreError;
use crate::journal::{self, Entry, JournalFile, Reader, append_all_waiting};
use crate::maintenance::{FoldReport, FoldRun};
use crate::progress::{OnProgress, StoreProgress};

/// Records per transaction: short enough that a second writer need not wait, long enough that
/// their number does not matter.
const BATCH: usize = 1_000;

/// A journal that has something new.
struct Unfolded {
    journal: JournalFile,
    progress: FoldProgress,
}

impl Unfolded {
    fn bytes(&self) -> u64 {
        self.journal.len.saturating_sub(self.progress.folded)
    }
}

/// How far all journals together are folded.
#[derive(Clone, Copy)]
struct BytesDone {
    /// In the journals before this one.
    before: u64,
    all: u64,
}

impl BytesDone {
    fn report(self, in_this: u64, on_progress: OnProgress<'_>) {
        on_progress(StoreProgress::Folding { done: self.before + in_this, all: self.all });
    }
}

impl Index {
    /// Adds to the index what only the journals in a folder have, and cleans up if that is due.
    pub(crate) fn fold(&mut self, journals: &Path, mut run: FoldRun<'_>) -> Result<FoldReport, StoreError> {
        append_all_waiting(journals);
        let time = self.believed_time(run.options)?;
        let backlog = self.backlog(journals)?;
        let all = backlog.iter().map(Unfolded::bytes).sum();
        let mut done = 0;
        for mut unfolded in backlog {
            let bytes = unfolded.bytes();
            match self.fold_journal(&mut unfolded, &mut run, BytesDone { before: done, all }) {
                Ok(()) => {}
                // One unreadable journal must not stop the others; a database that fails stops them all.
                Err(error) if error.is_about(&unfolded.journal.path) => {
                    run.report.skipped.push((unfolded.journal.path, error.to_string()));
                }
                Err(error) => return Err(error),
            }
            done += bytes;
        }
        // Before anything is forgotten: an anchor has to say how far a session had come.
        self.anchor(run.options.now)?;
        retention::tidy(self, journals, Tidying { run: &mut run, time })?;
        // If a reader blocks it, the next fold does it.
        let _ = self.checkpoint();
        Ok(run.report)
    }

    fn backlog(&self, journals: &Path) -> Result<Vec<Unfolded>, StoreError> {
        let mut backlog = Vec::new();
        for journal in JournalFile::list(journals)? {
            let progress = FoldProgress::load(&self.connection, &journal).map_err(self.failed())?;
            // Not `<`: a file that became shorter is another journal by the same name, and `load` starts it
            // anew.
            if progress.folded != journal.len {
                backlog.push(Unfolded { journal, progress });
            }
        }
        Ok(backlog)
    }

    fn fold_journal(
        &mut self,
        unfolded: &mut Unfolded,
        run: &mut FoldRun<'_>,
        bytes: BytesDone,
    ) -> Result<(), StoreError> {
        if !journal::is_between_lines(&unfolded.journal.path, unfolded.progress.folded)? {
            // It was cut and has grown again: what came into the old place was never read.
            unfolded.progress.folded = 0;
        }
        let start = unfolded.progress.folded;
        let Some(mut reader) = Reader::open(&unfolded.journal.path, start)? else {
            return Ok(());
        };
        bytes.report(0, run.on_progress);
        while self.fold_batch(&mut reader, unfolded, run)? {
            bytes.report(unfolded.progress.folded.saturating_sub(start), run.on_progress);
        }
        run.report.journals += u64::from(unfolded.progress.folded > start);
        Ok(())
    }

    /// Folds the next lines in one transaction, with the note of how far it went.
    fn fold_batch(
        &mut self,
        reader: &mut Reader,
        unfolded: &mut Unfolded,
        run: &mut FoldRun<'_>,
    ) -> Result<bool, StoreError> {
        let failed = self.failed();
        let Unfolded { journal, progress } = unfolded;
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
            // Immediate: a transaction that begins with a read could not become a writer while another one
            // writes.
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let mut next = FoldProgress { folded: reader.offset, touched: run.options.steady, ..*progress };
        // Only records have a time. State without a record counts as written now: else a session of which only
        // the state is left would look long gone.
        if !batch.iter().any(|entry| matches!(entry, Entry::Record(_))) {
            next.last_at = next.last_at.max(run.options.now);
        }
        let (mut new, mut tally) = (0, Tally::default());
        for entry in batch {
            match entry {
                Entry::Record(line) => {
                    // The last in order, not the latest: the clock may have been set back.
                    next.last_at = line.record.at;
                    new += u64::from(insert::insert(&change, &line, &mut tally).map_err(&failed)?);
                }
                Entry::Nothing => {}
                Entry::Corrupt => next.corrupt += 1,
            }
        }
        tally.flush(&change).map_err(&failed)?;
        // In the same transaction: a fold that is killed repeats whole batches and counts nothing twice.
        next.save(&change, &journal.name).map_err(&failed)?;
        change.commit().map_err(&failed)?;
        run.report.records += new;
        run.report.corrupt += next.corrupt - progress.corrupt;
        *progress = next;
        Ok(true)
    }

    /// Moves the write-ahead log into the database. Left to itself the log only grows, since each
    /// process forgets how far the one before it got.
    pub(super) fn checkpoint(&self) -> rusqlite::Result<()> {
        // Waiting for a reader would delay the live updates of the board while a page is slow.
        self.connection.busy_timeout(Duration::ZERO)?;
        let is_blocked =
            self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
        self.connection.busy_timeout(BUSY)?;
        if is_blocked? {
            return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None));
        }
        Ok(())
    }
}
