//! What time it is, as far as it can be believed. The clock of a machine may be years off (an empty battery, a typing
//! error, a test); what is deleted by it is gone for good.

use flyball_core::time::{DAY, HOUR, Time};
use rusqlite::{OptionalExtension, params};
use std::time::Duration;

use super::chain::{note, set_note};
use super::index::Index;
use super::values::time;
use crate::error::StoreError;
use crate::maintenance::FoldOptions;
use crate::steady::SteadyTime;

/// How far the clock may be ahead of the machine's uptime: it may have been wrong by this before it was corrected.
const DRIFT: Duration = DAY;

/// How far the clock may go forward while the machine is off. A machine that was off for longer catches up by this at
/// each start.
const OFF: Duration = DAY.saturating_mul(7);

const BOOT: &str = "boot";
const BOOT_ROW: &str = "boot_row";
const BELIEVED: &str = "clock";
const BELIEVED_AT: &str = "clock_since_boot";

/// The time, for what deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BelievedTime {
    /// By the clock, or earlier if the clock is further ahead than it can be.
    pub(crate) now: Time,
    pub(crate) steady: SteadyTime,
    /// Whether something besides the clock speaks for it: the uptime of the machine, or the events.
    pub(crate) has_evidence: bool,
}

impl BelievedTime {
    /// Whether the clock is ahead of what can be.
    pub(crate) fn doubts(self, options: &FoldOptions<'_>) -> bool {
        self.now < options.now
    }
}

/// What was believed the last time.
#[derive(Clone, Copy)]
struct Before {
    now: Time,
    steady: SteadyTime,
}

impl Index {
    /// Finds out what time it is, before the journals are folded: what they add was written since this start of the
    /// machine, as far as anyone can know.
    pub(crate) fn believed_time(&self, options: &FoldOptions<'_>) -> Result<BelievedTime, StoreError> {
        let before = self.believed_before()?;
        let gone_by = before.and_then(|before| options.steady.since(before.steady));
        let newest = self.newest()?;
        let latest = match (before, gone_by) {
            (Some(before), Some(gone_by)) => Some(before.now + gone_by + DRIFT),
            (Some(before), None) => Some(before.now + OFF + options.steady.since_boot),
            // An index from before this was noted.
            (None, _) => newest.map(|newest| newest + OFF),
        };
        let now = match latest {
            Some(latest) if options.now > latest => {
                gone_by.zip(before).map_or(latest, |(gone_by, before)| before.now + gone_by)
            }
            _ => options.now,
        };
        // A clock that was set back may have been right before, or is now: the events tell. A low note would make every
        // later time look wrong.
        let noted = match before {
            Some(before) if now < before.now => now.max(newest.unwrap_or(now).min(before.now)),
            _ => now,
        };
        // Within one start of the machine its uptime goes on from the note: a command that only reads writes nothing.
        let is_known =
            gone_by.is_some_and(|gone_by| gone_by < HOUR) && noted >= before.map_or(noted, |it| it.now);
        if !is_known {
            self.note_time(noted, options.steady, before.is_some() && gone_by.is_none())?;
        }
        Ok(BelievedTime { now, steady: options.steady, has_evidence: latest.is_some() })
    }

    fn believed_before(&self) -> Result<Option<Before>, StoreError> {
        let read = || {
            let noted = |key| note(&self.connection, key);
            let (Some(now), Some(boot), Some(at)) = (noted(BELIEVED)?, noted(BOOT)?, noted(BELIEVED_AT)?)
            else {
                return Ok(None);
            };
            Ok(Some(Before { now: Time::from_micros(now), steady: SteadyTime::from_micros(boot, at) }))
        };
        read().map_err(self.failed())
    }

    fn note_time(&self, now: Time, steady: SteadyTime, is_new_start: bool) -> Result<(), StoreError> {
        let write = || {
            if is_new_start {
                // What is there now was written before.
                set_note(&self.connection, BOOT_ROW, self.last_row()?)?;
                self.connection.execute("DELETE FROM ticks", [])?;
            }
            set_note(&self.connection, BOOT, steady.boot)?;
            set_note(&self.connection, BELIEVED, now.as_micros())?;
            set_note(&self.connection, BELIEVED_AT, steady.micros())
        };
        write().map_err(self.failed())
    }

    /// A person has confirmed what the clock shows.
    pub(crate) fn believe_clock(&self, options: &FoldOptions<'_>) -> Result<(), StoreError> {
        self.note_time(options.now, options.steady, false)
    }

    /// Notes how far the events go now.
    pub(crate) fn tick(&self, steady: SteadyTime) -> Result<(), StoreError> {
        let write = || {
            self.connection
                .execute(
                    "INSERT OR REPLACE INTO ticks (since_boot, row) VALUES (?1, ?2)",
                    params![steady.micros(), self.last_row()?],
                )
                .map(drop)
        };
        write().map_err(self.failed())
    }

    /// The last row that was written before this start of the machine, or so long ago since then.
    pub(crate) fn last_old_row(&self, age: Duration, steady: SteadyTime) -> Result<i64, StoreError> {
        let read = || {
            let before_boot = note(&self.connection, BOOT_ROW)?.unwrap_or_default();
            let Some(until) = steady.since_boot.checked_sub(age) else { return Ok(before_boot) };
            let until = SteadyTime { since_boot: until, ..steady };
            let proven: Option<i64> = self.connection.query_row(
                "SELECT max(row) FROM ticks WHERE since_boot <= ?1",
                [until.micros()],
                |row| row.get(0),
            )?;
            // The older ones say less than this one.
            self.connection.execute(
                "DELETE FROM ticks WHERE since_boot <= ?1 AND row < ?2",
                params![until.micros(), proven.unwrap_or_default()],
            )?;
            Ok(before_boot.max(proven.unwrap_or_default()))
        };
        read().map_err(self.failed())
    }

    /// The time of the first event after a row.
    pub(crate) fn earliest_after(&self, row: i64) -> Result<Option<Time>, StoreError> {
        let sql = "SELECT min(at) FROM events WHERE id > ?1";
        let read = |row: &rusqlite::Row<'_>| row.get::<_, Option<i64>>(0);
        let at = self.connection.query_row(sql, [row], read).map_err(self.failed())?;
        Ok(at.map(Time::from_micros))
    }

    fn newest(&self) -> Result<Option<Time>, StoreError> {
        self.connection
            .query_row("SELECT at FROM events ORDER BY at DESC LIMIT 1", [], |row| time(row, 0))
            .optional()
            .map_err(self.failed())
    }

    fn last_row(&self) -> rusqlite::Result<i64> {
        // Of all that ever were: a deleted row is not used again.
        let all = "SELECT seq FROM sqlite_sequence WHERE name = 'events'";
        Ok(self.connection.query_row(all, [], |row| row.get(0)).optional()?.unwrap_or_default())
    }
}
