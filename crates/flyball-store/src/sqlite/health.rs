//! How the store is, for `flyball doctor`. Changes nothing.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::index::{check_version, classify_error};
use super::progress::FoldProgress;
use super::schema;
use crate::error::StoreError;
use crate::journal::{Entry, JournalFile, Reader};
use crate::maintenance::{DatabaseHealth, Health};
use crate::store::Store;

impl Store {
    /// Examines the store. Reads all of the database, so it takes its time.
    ///
    /// # Errors
    /// When the directory of the journals cannot be listed.
    pub fn health(&self) -> Result<Health, StoreError> {
        let path = self.index_path();
        let (database, connection) = examine(&path);
        let mut health = Health {
            database,
            database_bytes: size(&path),
            log_bytes: size(&companion(&path, "-wal")),
            journals: 0,
            journal_bytes: 0,
            unfolded_bytes: 0,
            corrupt_lines: 0,
            unreadable: Vec::new(),
        };
        for journal in JournalFile::list(&self.sessions_dir())? {
            health.add(journal, connection.as_ref());
        }
        Ok(health)
    }
}

impl Health {
    fn add(&mut self, journal: JournalFile, connection: Option<&Connection>) {
        let progress = connection
            .and_then(|connection| FoldProgress::load(connection, &journal).ok())
            .unwrap_or_default();
        self.journals += 1;
        self.journal_bytes += journal.len;
        self.unfolded_bytes += journal.len.saturating_sub(progress.folded);
        match corrupt_after(&journal.path, progress.folded) {
            Ok(corrupt) => self.corrupt_lines += progress.corrupt + corrupt,
            Err(error) => self.unreadable.push((journal.path, error)),
        }
    }
}

/// A companion of the database: its name with something behind it.
pub(super) fn companion(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

fn examine(path: &Path) -> (DatabaseHealth, Option<Connection>) {
    if !path.exists() {
        return (DatabaseHealth::Missing, None);
    }
    match check_database(path) {
        Ok((schema, connection)) => (DatabaseHealth::Sound { schema }, Some(connection)),
        Err(error) => (DatabaseHealth::Unusable(error), None),
    }
}

fn check_database(path: &Path) -> Result<(u32, Connection), StoreError> {
    let failed = |error| classify_error(path, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    check_version(&connection, path)?;
    let verdict: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if verdict != "ok" {
        return Err(StoreError::DamagedIndex { path: path.to_owned(), detail: verdict });
    }
    Ok((schema::version(&connection).map_err(failed)?, connection))
}

fn corrupt_after(path: &Path, offset: u64) -> Result<u64, StoreError> {
    let Some(mut reader) = Reader::open(path, offset)? else {
        return Ok(0);
    };
    let mut corrupt = 0;
    while let Some(entry) = reader.next().map_err(|error| StoreError::io(path, error))? {
        corrupt += u64::from(matches!(entry, Entry::Corrupt));
    }
    let end = std::fs::metadata(path).map_err(|error| StoreError::io(path, error))?.len();
    // A last line without its end: a writer at work, or one that was killed.
    Ok(corrupt + u64::from(end > reader.offset))
}
