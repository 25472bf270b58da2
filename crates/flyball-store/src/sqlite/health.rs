//! The database's own part of an examination.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::index::{check_version, classify_error};
use super::progress::FoldProgress;
use super::{retention, schema};
use crate::aside::with_suffix;
use crate::error::StoreError;
use crate::journal::JournalFile;
use crate::maintenance::{DatabaseHealth, Health};

/// A database that passed its check.
pub(crate) struct SoundIndex {
    connection: Connection,
    schema: u32,
}

impl SoundIndex {
    /// How far a journal was folded.
    pub(crate) fn progress(&self, journal: &JournalFile) -> FoldProgress {
        FoldProgress::load(&self.connection, journal).unwrap_or_default()
    }
}

/// Checks the database, which is not made if there is none. The journals are not looked at.
pub(crate) fn examine(path: &Path) -> (Health, Option<SoundIndex>) {
    let (database, index) = match path.exists().then(|| check_database(path)) {
        None => (DatabaseHealth::Missing, None),
        Some(Ok(index)) => (DatabaseHealth::Sound { schema: index.schema }, Some(index)),
        Some(Err(error)) => (DatabaseHealth::Unusable(error), None),
    };
    let mut health = Health::new(database, size(path), size(&with_suffix(path, "-wal")));
    if let Some(index) = &index {
        // An index that lacks them has nothing to say.
        health.held_back = retention::held_back(&index.connection).unwrap_or_default();
        health.clock_doubted = retention::clock_doubted(&index.connection).unwrap_or_default();
    }
    (health, index)
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn check_database(path: &Path) -> Result<SoundIndex, StoreError> {
    let failed = |error| classify_error(path, error);
    // Read-only would not do: a database with a log that was not moved over needs its shared memory file.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    check_version(&connection, path)?;
    let verdict: String =
        // One error is enough, and the full check reads every index as well.
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if verdict != "ok" {
        return Err(StoreError::DamagedIndex { path: path.to_owned(), detail: verdict });
    }
    let schema = schema::version(&connection).map_err(failed)?;
    Ok(SoundIndex { connection, schema })
}
