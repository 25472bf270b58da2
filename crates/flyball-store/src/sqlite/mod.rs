//! The cold tier: an SQLite database that journals are folded into, for everyone who asks about
//! events. Never on the path of one.

mod agents;
mod arrivals;
mod chain;
mod course;
mod evidence;
mod extremes;
mod filter;
mod fold;
mod health;
mod histogram;
mod insert;
pub(crate) mod journals;
mod outbox;
#[cfg(test)]
mod plans;
mod pulse;
mod query;
mod rebuild;
mod recount;
mod report;
mod retention;
mod schema;
mod search;
mod session_tally;
mod step;
mod summary;
mod tally;
mod tell;
mod texts;

pub use agents::AgentSummary;
pub use arrivals::Arrivals;
pub(crate) use chain::ChainSession;
pub use course::PolicyCourse;
pub use evidence::EvidenceFilter;
pub use filter::{Filter, Page, PayloadWish, SessionFilter};
pub use fold::{FoldOrder, FoldReport};
pub use health::{DatabaseHealth, Health};
pub use histogram::Histogram;
pub use pulse::{Beat, Overview, PolicyPulse, Window};
pub use query::{Found, StoredEvent};
pub use rebuild::RebuildReport;
pub use report::{Brief, Heard, Met, Said, Spoke};
pub use session_tally::Tally;
pub use step::{Step, Tell};
pub use summary::{Counts, PolicyCounts, SessionSummary};

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::error::StoreError;
use super::journal::Patience;
use flyball_files::{make_private_dirs, open_private};

/// How long SQLite waits for another writer. Writers are folders, and each of their transactions
/// is short.
const BUSY: Duration = Duration::from_secs(5);

/// The index of all sessions.
pub struct Index {
    connection: Connection,
    path: PathBuf,
}

impl Index {
    /// Opens the index, makes it if there is none, and brings an older one up to date.
    pub(crate) fn open(path: &Path) -> Result<Index, StoreError> {
        Index::open_telling(path, &|_| {})
    }

    /// The same for someone who waits for it.
    pub(crate) fn open_telling(path: &Path, tell: Tell<'_>) -> Result<Index, StoreError> {
        create_private(path)?;
        let mut connection = connect(path).map_err(|error| StoreError::sql(path, error))?;
        check_version(&connection, path)?;
        prepare(&mut connection, path, tell)?;
        Ok(Index { connection, path: path.to_owned() })
    }

    fn failed(&self) -> impl Fn(rusqlite::Error) -> StoreError + use<> {
        let path = self.path.clone();
        move |error| StoreError::sql(&path, error)
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    // Whoever folds checkpoints at the end of it; a reader has no reason to wait for the disk.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

fn check_version(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found = schema::version(connection).map_err(|error| StoreError::sql(path, error))?;
    let known = schema::known();
    if found > known {
        return Err(StoreError::NewerIndex { path: path.to_owned(), found, known });
    }
    Ok(())
}

fn prepare(connection: &mut Connection, path: &Path, tell: Tell<'_>) -> Result<(), StoreError> {
    let failed = |error| StoreError::sql(path, error);
    if schema::version(connection).map_err(failed)? == schema::known() {
        return Ok(());
    }
    // SQLite refuses a second process at once, without waiting, while a first one switches to WAL.
    let lock_path = path.with_extension("setup.lock");
    let lock = open_private(&lock_path).map_err(|error| StoreError::io(&lock_path, error))?;
    Patience::new(BUSY).lock(&lock, &lock_path)?;
    // Must come before the first table, or pages are never given back.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").map_err(failed)?;
    connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
    schema::migrate(connection, tell).map_err(failed)
}

/// Makes the file for its owner only, if it is not there; SQLite's companions inherit its mode.
/// It must not be opened otherwise: closing it would drop the locks of other connections of this
/// process (<https://sqlite.org/howtocorrupt.html>, 2.2).
fn create_private(path: &Path) -> Result<(), StoreError> {
    let create = || -> std::io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
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
