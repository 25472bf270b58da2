//! The tables of the index, and how an older index becomes a newer one.

use std::collections::BTreeSet;

use rusqlite::{Connection, TransactionBehavior};

use super::{recount, values};
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

/// The version of a database, and what of its tables does not fit that, if anything: a version that was changed would have
/// tables made twice, or never.
pub(crate) struct CheckedVersion {
    pub(crate) version: u32,
    pub(crate) mismatch: Option<String>,
}

/// Compares the tables of a database with those of its version.
pub(crate) fn check(connection: &Connection) -> rusqlite::Result<CheckedVersion> {
    // Both at one moment: another process may be making the tables.
    let moment = connection.unchecked_transaction()?;
    let version = version(&moment)?;
    let (found, expected) = (parts(&moment)?, expected_parts(version)?);
    let odd = found.symmetric_difference(&expected).next();
    let mismatch = odd.map(|odd| format!("its tables are not those of schema {version} (`{}`)", odd.name));
    Ok(CheckedVersion { version, mismatch })
}

/// A table, an index or a trigger, as far as it can be compared.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    name: String,
    /// The columns of a table; of others the statement that made it.
    form: String,
}

fn expected_parts(version: u32) -> rusqlite::Result<BTreeSet<Part>> {
    let model = Connection::open_in_memory()?;
    for step in MIGRATIONS.iter().take(usize::try_from(version).unwrap_or(usize::MAX)) {
        model.execute_batch(step)?;
    }
    parts(&model)
}

fn parts(connection: &Connection) -> rusqlite::Result<BTreeSet<Part>> {
    // Not the statement of a table: SQLite rewrites it when a column is added, in a form of its own.
    let sql = "SELECT name, iif(type = 'table',
                   (SELECT group_concat(name || ' ' || type, ', ') FROM pragma_table_info(sqlite_schema.name)), sql)
               FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let mut statement = connection.prepare(sql)?;
    let part = |row: &rusqlite::Row<'_>| {
        Ok(Part { name: values::owned_text(row, 0)?, form: values::owned_text(row, 1)? })
    };
    statement.query_map([], part)?.collect()
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
