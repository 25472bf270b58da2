//! Forgetting: by age, by size, and the journals of sessions that are over.

use std::path::Path;

use flyball_core::time::{DAY, HOUR, MINUTE, Time};
use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::chain::{self, Oldest};
use super::index::Index;
use super::progress::FoldProgress;
use super::recount;
use super::values::time;
use crate::chain::{Anchor, Anchors, ChainWitness};
use crate::error::StoreError;
use crate::journal::{self, JournalFile, ShortenedJournal};
use crate::maintenance::{FoldOptions, FoldRun};

/// Events deleted per transaction.
const CHUNK: u32 = 1_000;

/// A journal longer than this is shortened although its session goes on.
const LONG_JOURNAL: u64 = 16 * 1024 * 1024;

/// A journal shorter than this is not worth shortening.
const SHORT_JOURNAL: u64 = 64 * 1024;

/// Cleans up, at most once an hour.
pub(crate) fn tidy(index: &mut Index, journals: &Path, run: &mut FoldRun<'_>) -> Result<(), StoreError> {
    let now = run.options.now;
    if !index.is_tidying_due(now)? {
        return Ok(());
    }
    run.report_tidying();
    index.forget_old(run)?;
    index.forget_most(run)?;
    // After the events: only then is it known which sessions have none.
    index.forget_sessions(now)?;
    // Always: the last process may have been killed before it got here.
    index.forget_counts()?;
    if run.report.forgotten > 0 {
        index.release_pages()?;
    }
    for journal in JournalFile::list(journals)? {
        index.tidy_journal(&journal, run)?;
    }
    index.note_tidied(now)
}

impl Index {
    fn is_tidying_due(&self, now: Time) -> Result<bool, StoreError> {
        let last: Option<Time> = self
            .connection
            .query_row("SELECT value FROM meta WHERE key = 'tidied_at'", [], |row| time(row, 0))
            .optional()
            .map_err(self.failed())?;
        // A clock that was set back must not stop it for good.
        Ok(last.is_none_or(|last| now.since(last) >= HOUR || now < last))
    }

    fn note_tidied(&self, now: Time) -> Result<(), StoreError> {
        self.connection
            .execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('tidied_at', ?1)", [now.as_micros()])
            .map(drop)
            .map_err(self.failed())
    }

    fn forget_old(&mut self, run: &mut FoldRun<'_>) -> Result<(), StoreError> {
        let Some(cutoff) = cutoff(run.options) else {
            return Ok(());
        };
        while self.forget_oldest(cutoff, run)? == u64::from(CHUNK) {}
        Ok(())
    }

    /// Deletes the oldest events until the database is a tenth below its limit, so that this is
    /// not due again with the very next event.
    fn forget_most(&mut self, run: &mut FoldRun<'_>) -> Result<(), StoreError> {
        let limit = u64::from(run.options.settings.max_mb) * 1024 * 1024;
        if limit == 0 || self.used_bytes()? <= limit {
            return Ok(());
        }
        while self.used_bytes()? > limit / 10 * 9 && self.forget_oldest(Time::MAX, run)? > 0 {}
        Ok(())
    }

    /// Deletes the oldest events before a time, at most [`CHUNK`] of them, and returns how many.
    fn forget_oldest(&mut self, before: Time, run: &mut FoldRun<'_>) -> Result<u64, StoreError> {
        let now = run.options.now;
        let failed = self.failed();
        let change =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        // Recorded before it is done: an event that is missing without an anchor was removed by someone else.
        chain::anchor_forgotten(&change, &self.path, Oldest { before, most: CHUNK }, now)?;
        let gone = change
            .execute(
                "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ?1 ORDER BY at, id LIMIT ?2)",
                params![before.as_micros(), CHUNK],
            )
            .map_err(&failed)?;
        change.commit().map_err(&failed)?;
        run.report.forgotten += gone as u64;
        run.report_tidying();
        Ok(gone as u64)
    }

    /// Forgets sessions of which nothing is left and nothing has come for a day.
    fn forget_sessions(&self, now: Time) -> Result<(), StoreError> {
        self.connection
            .execute(
                "DELETE FROM sessions WHERE last_at < ?1
                 AND NOT EXISTS (SELECT 1 FROM events WHERE events.session = sessions.id)",
                // A session that goes on after its events were forgotten keeps its row, and its counts with
                // it.
                [(now - DAY).as_micros()],
            )
            .map(drop)
            .map_err(self.failed())
    }

    fn used_bytes(&self) -> Result<u64, StoreError> {
        let number = |name| {
            self.connection
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .map(|number| u64::try_from(number).unwrap_or_default())
                .map_err(self.failed())
        };
        // Free pages count as gone: the file shrinks only when they are released.
        Ok((number("page_count")? - number("freelist_count")?) * number("page_size")?)
    }

    fn release_pages(&self) -> Result<(), StoreError> {
        let mut pages = self.connection.prepare("PRAGMA incremental_vacuum").map_err(self.failed())?;
        let mut rows = pages.query([]).map_err(self.failed())?;
        // Each step frees some pages.
        while rows.next().map_err(self.failed())?.is_some() {}
        Ok(())
    }

    /// Deletes a journal whose session is older than anything that is stored; shortens one that
    /// is idle, or that has become very long, to the state its session would need to go on.
    fn tidy_journal(&self, journal: &JournalFile, run: &mut FoldRun<'_>) -> Result<(), StoreError> {
        let options = run.options;
        let progress = FoldProgress::load(&self.connection, journal).map_err(self.failed())?;
        let idle = options.now.since(progress.last_at);
        let is_over = cutoff(options).is_some_and(|cutoff| progress.last_at < cutoff);
        if is_over && idle > DAY {
            let record = || {
                let over = Anchor::Over { journal: journal.name.clone() };
                Anchors::beside(&self.path).append(self.anchors_end()?, options.now, &[over]).map(drop)
            };
            if journal::remove(&journal.path, progress.folded, record)? {
                self.forget_journal(&journal.name)?;
                run.report.removed += 1;
            }
            return Ok(());
        }
        // Not while events come in: a shortened journal cannot recognise a repeated call.
        let is_worth_it =
            (idle > DAY && journal.len > SHORT_JOURNAL) || (idle > MINUTE && journal.len > LONG_JOURNAL);
        if is_worth_it && let Some(shortened) = journal::shorten(&journal.path, progress.folded) {
            let ShortenedJournal { len, metadata } = shortened;
            let next = FoldProgress { inode: journal::inode(&metadata), folded: len, ..progress };
            next.save(&self.connection, &journal.name).map_err(self.failed())?;
            run.report.shortened += 1;
        }
        Ok(())
    }

    fn forget_journal(&self, name: &str) -> Result<(), StoreError> {
        self.connection
            .execute("DELETE FROM journals WHERE name = ?1", [name])
            .map(drop)
            .map_err(self.failed())
    }
}

/// The time before which events are forgotten, if there is one.
fn cutoff(options: &FoldOptions<'_>) -> Option<Time> {
    (options.settings.keep_days > 0).then(|| options.now - options.settings.keep_days * DAY)
}

impl Index {
    /// Removes from the counts what is not among the events any more. Those are deleted from the old end, so this is all
    /// that is before the oldest; the hour that it is in is counted again.
    pub(crate) fn forget_counts(&mut self) -> Result<(), StoreError> {
        let failed = self.failed();
        let oldest = self.first_at()?.unwrap_or(Time::MAX);
        let change =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        recount::forget_before(&change, oldest).map_err(&failed)?;
        change.commit().map_err(&failed)?;
        self.forget_texts(oldest)
    }
}
