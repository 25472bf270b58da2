//! How far each journal has been folded.

use flyball_core::time::Time;

use rusqlite::{Connection, OptionalExtension, params};

use super::values::{integer, number, time};
use crate::journal::JournalFile;
use crate::steady::SteadyTime;

/// What is known of a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FoldProgress {
    pub(crate) inode: i64,
    /// Up to here it is in the index.
    pub(crate) folded: u64,
    /// Lines so far that could not be read.
    pub(crate) corrupt: u64,
    /// When its last record was made, by the clock.
    pub(crate) last_at: Time,
    /// When something new was last found in it.
    pub(crate) touched: SteadyTime,
}

impl FoldProgress {
    /// What is recorded of a journal, or nothing if it is another one by now.
    pub(crate) fn load(connection: &Connection, journal: &JournalFile) -> rusqlite::Result<FoldProgress> {
        let fresh = FoldProgress { inode: journal.inode, ..FoldProgress::default() };
        let found = connection
            .prepare_cached(
                "SELECT inode, folded, corrupt, last_at, boot, since_boot FROM journals WHERE name = ?1",
            )?
            .query_row([&journal.name], |row| {
                Ok(FoldProgress {
                    inode: integer(row, 0)?,
                    folded: number(row, 1)?,
                    corrupt: number(row, 2)?,
                    last_at: time(row, 3)?,
                    touched: SteadyTime::from_micros(row.get(4)?, row.get(5)?),
                })
            })
            .optional()?;
        // Another file by the same name, or a shorter one, is read from its beginning.
        Ok(found.filter(|known| known.inode == journal.inode && known.folded <= journal.len).unwrap_or(fresh))
    }

    pub(crate) fn save(&self, connection: &Connection, name: &str) -> rusqlite::Result<()> {
        let folded = i64::try_from(self.folded).unwrap_or(i64::MAX);
        let corrupt = i64::try_from(self.corrupt).unwrap_or(i64::MAX);
        connection
            .prepare_cached(
                "INSERT INTO journals (name, inode, folded, corrupt, last_at, boot, since_boot)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT DO UPDATE SET inode = excluded.inode, folded = excluded.folded,
                     corrupt = excluded.corrupt, last_at = excluded.last_at, boot = excluded.boot,
                     since_boot = excluded.since_boot",
            )?
            .execute(params![
                name,
                self.inode,
                folded,
                corrupt,
                self.last_at.as_micros(),
                self.touched.boot,
                self.touched.micros()
            ])?;
        Ok(())
    }
}
