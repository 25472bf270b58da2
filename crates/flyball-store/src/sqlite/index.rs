//! The database itself: how it is opened, and how its errors are sorted.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use flyball_files::{make_private_dirs, open_private};

use super::schema;
use crate::error::StoreError;
use crate::journal::LockWaiter;
use crate::progress::OnProgress;
use crate::read_only::StoreCopy;

/// How long SQLite waits for another writer. Writers are folders, and each of their transactions
/// is short.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// The index of all sessions.
pub(crate) struct Index {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    /// The copy of a store that it is in. After the connection: it is deleted when that is closed.
    pub(crate) copy: Option<StoreCopy>,
}

impl Index {
    /// Opens the index, makes it if there is none, and brings an older one up to date.
    pub(crate) fn open(path: &Path, on_progress: OnProgress<'_>) -> Result<Index, StoreError> {
        create_private(path)?;
        let mut connection = connect(path).map_err(|error| classify_error(path, error))?;
        // Before anything is written: a newer database must stay as it is.
        check_version(&connection, path)?;
        prepare(&mut connection, path, on_progress)?;
        Ok(Index { connection, path: path.to_owned(), copy: None })
    }

    /// For `map_err`: classifies an error of this database by what a person can do about it.
    pub(super) fn failed(&self) -> impl Fn(rusqlite::Error) -> StoreError + use<> {
        let path = self.path.clone();
        move |error| classify_error(&path, error)
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    // A fold checkpoints at its end; a reader has no reason to wait for the disk.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

pub(super) fn check_version(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found = schema::version(connection).map_err(|error| classify_error(path, error))?;
    let known = schema::latest_version();
    if found > known {
        return Err(StoreError::NewerIndex { path: path.to_owned(), found, known });
    }
    Ok(())
}

/// The version of a database whose tables are those of that version.
pub(super) fn check_schema(connection: &Connection, path: &Path) -> Result<u32, StoreError> {
    let checked = schema::check(connection).map_err(|error| classify_error(path, error))?;
    match checked.mismatch {
        None => Ok(checked.version),
        Some(detail) => Err(StoreError::DamagedIndex { path: path.to_owned(), detail }),
    }
}

fn prepare(connection: &mut Connection, path: &Path, on_progress: OnProgress<'_>) -> Result<(), StoreError> {
    let failed = |error| classify_error(path, error);
    if schema::version(connection).map_err(failed)? == schema::latest_version() {
        return Ok(());
    }
    // SQLite refuses a second process at once, without waiting, while a first one switches to WAL.
    let lock_path = path.with_extension("setup.lock");
    let lock = open_private(&lock_path).map_err(|error| StoreError::io(&lock_path, error))?;
    LockWaiter::new(BUSY).lock(&lock, &lock_path)?;
    // Before anything is changed, and after another process has made the tables.
    check_schema(connection, path)?;
    // Must come before the first table, or pages are never given back.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(failed)?;
    connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
    schema::migrate(connection, on_progress).map_err(failed)
}

/// Makes the file for its owner only, if it is not there; SQLite's companions inherit its mode.
/// It must not be opened otherwise: closing it would drop the locks of other connections of this
/// process (<https://sqlite.org/howtocorrupt.html>, 2.2).
fn create_private(path: &Path) -> Result<(), StoreError> {
    let create = || -> std::io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        flyball_system::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)
    };
    let made = match create() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_private_dirs(path.parent().unwrap_or(path)).and_then(|()| create())
        }
        other => other,
    };
    match made {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(StoreError::io(path, error)),
        _ => Ok(()),
    }
}

/// Classifies an error of SQLite by what a person can do about it.
pub(super) fn classify_error(path: &Path, source: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode as Code;
    let of_kind = |kind| StoreError::io(path, std::io::Error::from(kind));
    match source.sqlite_error_code() {
        Some(Code::NotADatabase | Code::DatabaseCorrupt) => {
            StoreError::DamagedIndex { path: path.to_owned(), detail: source.to_string() }
        }
        Some(Code::DiskFull) => of_kind(ErrorKind::StorageFull),
        Some(Code::ReadOnly) => of_kind(ErrorKind::ReadOnlyFilesystem),
        Some(Code::PermissionDenied) => of_kind(ErrorKind::PermissionDenied),
        _ if is_unexpected(&source) => {
            StoreError::DamagedIndex { path: path.to_owned(), detail: source.to_string() }
        }
        _ => StoreError::Database { path: path.to_owned(), source: Box::new(source) },
    }
}

/// Whether the database has something else than what flyball wrote.
fn is_unexpected(error: &rusqlite::Error) -> bool {
    use rusqlite::Error;
    match error {
        Error::InvalidColumnType(..) | Error::IntegralValueOutOfRange(..) | Error::Utf8Error(..) => true,
        other => {
            let text = other.to_string();
            text.starts_with("no such ") || text.starts_with("malformed ")
        }
    }
}
