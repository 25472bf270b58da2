//! Forgetting: by age, by size, and the journals of sessions that are over.
//!
//! What is old by the clock goes only if that can be: nothing that was written since the machine was started, unless its
//! uptime proves the age; nothing by a clock that is ahead of what it can be; a little at a time; and what would be a
//! large part of the record waits for a person.

use std::path::Path;
use std::time::Duration;

use flyball_core::time::{DAY, HOUR, MINUTE, Time};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::chain::{self, Oldest, note, set_note};
use super::clock::BelievedTime;
use super::index::Index;
use super::progress::FoldProgress;
use super::recount;
use super::values::time;
use crate::chain::{Anchor, Anchors, ChainWitness};
use crate::error::StoreError;
use crate::held_back::HeldBack;
use crate::journal::{self, JournalFile, ShortenedJournal};
use crate::maintenance::{Consent, FoldRun};
use crate::progress::StoreProgress;

/// Events deleted per transaction.
const CHUNK: u32 = 1_000;

/// A journal longer than this is shortened although its session goes on.
const LONG_JOURNAL: u64 = 16 * 1024 * 1024;

/// A journal shorter than this is not worth shortening.
const SHORT_JOURNAL: u64 = 64 * 1024;

/// More than one in this many events do not go without asking.
const LARGE_PART: u64 = 4;

/// So few may go together, whatever part of all they are: a person who works once a month need not be asked.
const FEW: u64 = 100;

/// At most one in this many events, and journals, goes at a time.
const STEP_PART: u64 = 10;

/// So many journals may go at a time, whatever part of all they are.
const FEW_JOURNALS: u64 = 20;

const HELD: &str = "held_events";
const HELD_OF: &str = "held_of";
const DOUBTED: &str = "clock_doubted";

/// Cleaning up, as part of a fold.
pub(crate) struct Tidying<'run, 'options> {
    pub(crate) run: &'run mut FoldRun<'options>,
    pub(crate) time: BelievedTime,
}

impl Tidying<'_, '_> {
    fn is_agreed(&self) -> bool {
        self.run.options.consent == Consent::DeleteAllOld
    }

    /// The time that ages are counted from.
    fn now(&self) -> Time {
        if self.is_agreed() { self.run.options.now } else { self.time.now }
    }

    fn keep(&self) -> Duration {
        self.run.options.settings.keep_days * DAY
    }

    /// The time before which events are forgotten, if there is one.
    fn cutoff(&self) -> Option<Time> {
        (self.run.options.settings.keep_days > 0).then(|| self.now() - self.keep())
    }

    /// How long nothing new was in a journal. The clock counts only from one start of the machine to another.
    fn idle(&self, progress: &FoldProgress) -> Duration {
        let since_start = self.time.steady.since(progress.touched);
        since_start.unwrap_or_else(|| self.now().since(progress.last_at))
    }
}

/// Cleans up, at most once an hour; at once if a person asked for it.
pub(crate) fn tidy(
    index: &mut Index,
    journals: &Path,
    mut tidying: Tidying<'_, '_>,
) -> Result<(), StoreError> {
    let clock = tidying.run.options.now;
    if !tidying.is_agreed() && !index.is_tidying_due(clock)? {
        return Ok(());
    }
    tidying.run.report_tidying();
    index.tick(tidying.time.steady)?;
    index.forget_old(&mut tidying)?;
    index.forget_most(tidying.run)?;
    // After the events: only then is it known which sessions have none.
    index.forget_sessions(tidying.now())?;
    // Always: the last process may have been killed before it got here.
    index.forget_counts()?;
    if tidying.run.report.forgotten > 0 {
        index.release_pages()?;
    }
    index.tidy_journals(journals, &mut tidying)?;
    index.note_doubts(&tidying)?;
    if tidying.is_agreed() {
        index.believe_clock(tidying.run.options)?;
    }
    index.note_tidied(clock)
}

/// What was not deleted the last time.
pub(super) fn held_back(connection: &Connection) -> rusqlite::Result<Option<HeldBack>> {
    let number = |key| Ok(note(connection, key)?.and_then(|number| u64::try_from(number).ok()).unwrap_or(0));
    let held: rusqlite::Result<u64> = number(HELD);
    let held = HeldBack { events: held?, all: number(HELD_OF)? };
    Ok((held.events > 0).then_some(held))
}

/// The time that the last cleaning up went by, if the clock was ahead of it.
pub(super) fn clock_doubted(connection: &Connection) -> rusqlite::Result<Option<Time>> {
    Ok(note(connection, DOUBTED)?.filter(|at| *at > 0).map(Time::from_micros))
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

    fn note_doubts(&self, tidying: &Tidying<'_, '_>) -> Result<(), StoreError> {
        let held = tidying.run.report.held_back.unwrap_or(HeldBack { events: 0, all: 0 });
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let is_doubted = !tidying.is_agreed() && tidying.time.doubts(tidying.run.options);
        let write = || {
            set_note(&self.connection, HELD, signed(held.events))?;
            set_note(&self.connection, HELD_OF, signed(held.all))?;
            set_note(&self.connection, DOUBTED, if is_doubted { tidying.time.now.as_micros() } else { 0 })
        };
        write().map_err(self.failed())
    }

    fn forget_old(&mut self, tidying: &mut Tidying<'_, '_>) -> Result<(), StoreError> {
        let Some(cutoff) = tidying.cutoff() else {
            return Ok(());
        };
        let last_old = if tidying.run.is_rebuilt && tidying.time.has_evidence {
            // What came into the index now was in the old one, or in journals that were.
            i64::MAX
        } else {
            self.last_old_row(tidying.keep(), tidying.time.steady)?
        };
        // Events go from the old end, so the first that must stay ends it: else the counts would not fit.
        let cutoff = self.earliest_after(last_old)?.map_or(cutoff, |first| first.min(cutoff));
        let OldPart { old, all } = self.old_part(cutoff)?;
        if !tidying.is_agreed() && old > FEW && old > all / LARGE_PART {
            let held = HeldBack { events: old, all };
            tidying.run.report.held_back = Some(held);
            (tidying.run.on_progress)(StoreProgress::HeldBack(held));
            return Ok(());
        }
        let most = if tidying.is_agreed() { old } else { old.min((all / STEP_PART).max(CHUNK.into())) };
        let mut gone = 0;
        while gone < most {
            match self.forget_oldest(cutoff, tidying.run)? {
                0 => break,
                some => gone += some,
            }
        }
        Ok(())
    }

    fn old_part(&self, cutoff: Time) -> Result<OldPart, StoreError> {
        let count = |sql, before: Time| {
            self.connection
                .query_row(sql, [before.as_micros()], |row| row.get::<_, i64>(0))
                .map(|number| u64::try_from(number).unwrap_or_default())
                .map_err(self.failed())
        };
        let old = count("SELECT count(*) FROM events WHERE at < ?1", cutoff)?;
        // Counting all is needed only if some are old.
        let all =
            if old == 0 { 0 } else { count("SELECT count(*) FROM events WHERE ?1 IS NOT NULL", cutoff)? };
        Ok(OldPart { old, all })
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

    fn tidy_journals(&self, folder: &Path, tidying: &mut Tidying<'_, '_>) -> Result<(), StoreError> {
        let journals = JournalFile::list(folder)?;
        let most = match tidying.run.report.held_back {
            Some(_) => 0,
            None if tidying.is_agreed() => u64::MAX,
            None => (journals.len() as u64 / STEP_PART).max(FEW_JOURNALS),
        };
        for journal in &journals {
            let progress = FoldProgress::load(&self.connection, journal).map_err(self.failed())?;
            let idle = tidying.idle(&progress);
            // The clock and the uptime must agree that nothing is left of it.
            let is_over = tidying
                .cutoff()
                .is_some_and(|cutoff| progress.last_at < cutoff && idle >= tidying.keep().max(DAY));
            if is_over && tidying.run.report.removed < most {
                self.remove_journal((journal, &progress), tidying)?;
            } else if !is_over {
                self.shorten_journal((journal, progress), idle, tidying)?;
            }
        }
        Ok(())
    }

    /// Deletes a journal whose session is older than anything that is stored.
    fn remove_journal(
        &self,
        (journal, progress): (&JournalFile, &FoldProgress),
        tidying: &mut Tidying<'_, '_>,
    ) -> Result<(), StoreError> {
        let record = || {
            let over = Anchor::Over { journal: journal.name.clone() };
            Anchors::beside(&self.path)
                .append(self.anchors_end()?, tidying.run.options.now, &[over])
                .map(drop)
        };
        if journal::remove(&journal.path, progress.folded, record)? {
            self.forget_journal(&journal.name)?;
            tidying.run.report.removed += 1;
        }
        Ok(())
    }

    /// Shortens a journal that is idle, or that has become very long, to the state its session would need to go on.
    fn shorten_journal(
        &self,
        (journal, progress): (&JournalFile, FoldProgress),
        idle: Duration,
        tidying: &mut Tidying<'_, '_>,
    ) -> Result<(), StoreError> {
        // Not while events come in: a shortened journal cannot recognise a repeated call.
        let is_worth_it =
            (idle > DAY && journal.len > SHORT_JOURNAL) || (idle > MINUTE && journal.len > LONG_JOURNAL);
        if is_worth_it && let Some(shortened) = journal::shorten(&journal.path, progress.folded) {
            let ShortenedJournal { len, metadata } = shortened;
            let next = FoldProgress { inode: journal::inode(&metadata), folded: len, ..progress };
            next.save(&self.connection, &journal.name).map_err(self.failed())?;
            tidying.run.report.shortened += 1;
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

/// How many events are old, of all.
struct OldPart {
    old: u64,
    all: u64,
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
