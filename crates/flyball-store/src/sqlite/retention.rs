//! Forgetting: by age, by size, and the journals of sessions that are over.

use std::path::Path;

use rusqlite::{OptionalExtension, TransactionBehavior, params};

use super::index::Index;
use super::progress::FoldProgress;
use super::{chain, recount};
use crate::chain::{Anchor, Anchors, ChainWitness};
use crate::error::StoreError;
use crate::journal::{self, JournalFile, ShortenedJournal};
use crate::maintenance::{FoldOptions, FoldReport};
use crate::progress::{OnProgress, StoreProgress};

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;
const DAY: i64 = 24 * HOUR;

/// Events deleted per transaction.
const CHUNK: u32 = 1_000;

/// A journal longer than this is shortened although its session goes on.
const LONG_JOURNAL: u64 = 16 * 1024 * 1024;

/// A journal shorter than this is not worth shortening.
const SHORT_JOURNAL: u64 = 64 * 1024;

/// Tidies up, at most once an hour.
pub(crate) fn tidy(
    index: &mut Index,
    dir: &Path,
    (order, report): (&FoldOptions<'_>, &mut FoldReport),
    on_progress: OnProgress<'_>,
) -> Result<(), StoreError> {
    if !index.is_tidying_due(order.now)? {
        return Ok(());
    }
    on_progress(StoreProgress::Tidying { forgotten: 0 });
    report.forgotten += index.forget_old(order, on_progress)?;
    report.forgotten += index.forget_most(order, (report.forgotten, on_progress))?;
    index.forget_sessions(order.now)?;
    // Always: whoever did this last may have been killed before it came here.
    index.forget_counts()?;
    if report.forgotten > 0 {
        index.release_pages()?;
    }
    for journal in JournalFile::list(dir)? {
        index.tidy_journal(&journal, (order, report))?;
    }
    index.note_tidied(order.now)
}

impl Index {
    fn is_tidying_due(&self, now: i64) -> Result<bool, StoreError> {
        let last: Option<i64> = self
            .connection
            .query_row("SELECT value FROM meta WHERE key = 'tidied_at'", [], |row| row.get(0))
            .optional()
            .map_err(self.failed())?;
        // A clock that was set back must not stop it for good.
        Ok(last.is_none_or(|last| now - last >= HOUR || now < last))
    }

    fn note_tidied(&self, now: i64) -> Result<(), StoreError> {
        self.connection
            .execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('tidied_at', ?1)", [now])
            .map(drop)
            .map_err(self.failed())
    }

    fn forget_old(
        &mut self,
        order: &FoldOptions<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<u64, StoreError> {
        let Some(cutoff) = cutoff(order) else {
            return Ok(0);
        };
        let mut forgotten = 0;
        loop {
            let gone = self.forget_oldest(cutoff, order.now)?;
            forgotten += gone;
            on_progress(StoreProgress::Tidying { forgotten });
            if gone < u64::from(CHUNK) {
                return Ok(forgotten);
            }
        }
    }

    /// Deletes the oldest events until the database is a tenth below its limit, so that this is
    /// not due again with the very next event.
    fn forget_most(
        &mut self,
        order: &FoldOptions<'_>,
        (before, on_progress): (u64, OnProgress<'_>),
    ) -> Result<u64, StoreError> {
        let limit = u64::from(order.settings.max_mb) * 1024 * 1024;
        if limit == 0 || self.used_bytes()? <= limit {
            return Ok(0);
        }
        let mut forgotten = 0;
        while self.used_bytes()? > limit / 10 * 9 {
            let gone = self.forget_oldest(i64::MAX, order.now)?;
            if gone == 0 {
                break;
            }
            forgotten += gone;
            on_progress(StoreProgress::Tidying { forgotten: before + forgotten });
        }
        Ok(forgotten)
    }

    fn forget_oldest(&mut self, before: i64, now: i64) -> Result<u64, StoreError> {
        let failed = self.failed();
        let change =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        // RecordLine before it is done: what is missing without a word was taken by someone else.
        chain::anchor_forgotten(&change, (before, CHUNK), (&self.path, now))?;
        let gone = change
            .execute(
                "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ?1 ORDER BY at, id LIMIT ?2)",
                params![before, CHUNK],
            )
            .map_err(&failed)?;
        change.commit().map_err(&failed)?;
        Ok(gone as u64)
    }

    /// Forgets sessions of which nothing is left and nothing has come for a day.
    fn forget_sessions(&self, now: i64) -> Result<(), StoreError> {
        self.connection
            .execute(
                "DELETE FROM sessions WHERE last_at < ?1
                 AND NOT EXISTS (SELECT 1 FROM events WHERE events.session = sessions.id)",
                [now - DAY],
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
        Ok((number("page_count")? - number("freelist_count")?) * number("page_size")?)
    }

    fn release_pages(&self) -> Result<(), StoreError> {
        let mut pages = self.connection.prepare("PRAGMA incremental_vacuum").map_err(self.failed())?;
        let mut rows = pages.query([]).map_err(self.failed())?;
        // Each step frees some pages.
        while rows.next().map_err(self.failed())?.is_some() {}
        Ok(())
    }

    /// Deletes a journal whose session is older than anything that is kept; shortens one that
    /// rests, or that has become very long, to the state its session would need to go on.
    fn tidy_journal(
        &self,
        journal: &JournalFile,
        (order, report): (&FoldOptions<'_>, &mut FoldReport),
    ) -> Result<(), StoreError> {
        let progress = FoldProgress::load(&self.connection, journal).map_err(self.failed())?;
        let idle = order.now - progress.last_at;
        let is_over = cutoff(order).is_some_and(|cutoff| progress.last_at < cutoff);
        if is_over && idle > DAY {
            Anchors::beside(&self.path).append(
                self.anchors_end()?,
                order.now,
                &[Anchor::Over { journal: journal.name.clone() }],
            )?;
            if journal::remove(&journal.path, progress.folded) {
                self.forget_journal(&journal.name)?;
                report.removed += 1;
            }
            return Ok(());
        }
        // Not while events come in: the shortened journal cannot tell a repeated call.
        let is_worth_it =
            (idle > DAY && journal.len > SHORT_JOURNAL) || (idle > 60 * SECOND && journal.len > LONG_JOURNAL);
        if is_worth_it && let Some(kept) = journal::shorten(&journal.path, progress.folded) {
            let ShortenedJournal { len, metadata } = kept;
            let next = FoldProgress { inode: journal::inode(&metadata), folded: len, ..progress };
            next.save(&self.connection, &journal.name).map_err(self.failed())?;
            report.shortened += 1;
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
fn cutoff(order: &FoldOptions<'_>) -> Option<i64> {
    (order.settings.keep_days > 0).then(|| order.now - i64::from(order.settings.keep_days) * DAY)
}

impl Index {
    /// Takes out of the counts what is not among the events any more. Those go from the old end, so this is all
    /// that is before the oldest; the hour that it lies in is counted again.
    pub(crate) fn forget_counts(&mut self) -> Result<(), StoreError> {
        let failed = self.failed();
        let oldest = self.first_at()?.unwrap_or(i64::MAX);
        let change =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        recount::forget_before(&change, oldest).map_err(&failed)?;
        change.commit().map_err(&failed)?;
        self.forget_texts(oldest)
    }
}
