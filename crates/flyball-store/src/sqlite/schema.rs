//! The tables of the index, and how an older index becomes a newer one.

use rusqlite::{Connection, TransactionBehavior};

use super::recount;
use crate::progress::{OnProgress, StoreProgress};

/// What each version added to the one before; the first makes version 1. Only ever appended to:
/// existing indexes were made by these statements.
const MIGRATIONS: &[&str] =
    &[include_str!("schema_1.sql"), include_str!("schema_2.sql"), include_str!("schema_3.sql")];

/// The newest schema this program knows.
pub(crate) fn latest_version() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}

/// The schema of a database; 0 for an empty one.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings a database up to date, all of it or nothing.
pub(crate) fn migrate(connection: &mut Connection, on_progress: OnProgress<'_>) -> rusqlite::Result<()> {
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = usize::try_from(version(&change)?).unwrap_or(usize::MAX);
    on_progress(StoreProgress::Upgrading);
    for step in MIGRATIONS.iter().skip(done) {
        change.execute_batch(step)?;
    }
    // Version 1 did not count; a new database has nothing to count.
    if done == 1 {
        recount::count_all(&change, on_progress)?;
    }
    change.pragma_update(None, "user_version", latest_version())?;
    change.commit()
}
