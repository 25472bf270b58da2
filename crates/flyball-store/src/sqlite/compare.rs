//! Compares every row of the database with its record, and the records with the journals.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::time::HOUR;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::chain::{link, odd_field};
use super::values::{integer, number, optional_text, text};
use crate::journal::RecordLine;
use crate::recorded::{EventKey, Recorded};

/// What is wrong with the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowDamage {
    /// Rows with a text that is not valid UTF-8, or a value of another type than their column's.
    pub(crate) broken: u64,
    /// Events that differ from their record, or from the journal.
    pub(crate) differing: u64,
    /// Events that a journal still has, that were in the index, and that no setting made it forget.
    pub(crate) missing: u64,
    /// Whether counts and texts to search are not those of the events.
    pub(crate) is_miscounted: bool,
}

/// Events by session up to which settings made the index forget them.
pub(crate) type ForgottenTo = BTreeMap<(String, String), u64>;

const EVENTS: &str = "SELECT e.id, e.seq, e.link, r.record, p.payload FROM events e
    LEFT JOIN records r ON r.event = e.id LEFT JOIN payloads p ON p.event = e.id ORDER BY e.id";

/// Reads all rows.
pub(super) fn compare(
    connection: &Connection,
    recorded: &Recorded,
    forgotten: &ForgottenTo,
) -> rusqlite::Result<RowDamage> {
    let mut damage = RowDamage { broken: count_broken(connection)?, ..RowDamage::default() };
    let mut listed = BTreeSet::new();
    let mut statement = connection.prepare(EVENTS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        match read_row(row)? {
            ReadRow::Readable(line) => {
                let is_odd =
                    odd_field(connection, integer(row, 0)?)?.is_some() || recorded.contradicts(&line);
                damage.differing += u64::from(is_odd);
                listed.insert(EventKey::new(&line));
            }
            ReadRow::Unknown => {}
            ReadRow::Broken => damage.differing += 1,
        }
    }
    let is_missing = |key: &EventKey| {
        !listed.contains(key) && forgotten.get(&key.session()).is_none_or(|to| key.seq > *to)
    };
    let folded = recorded.events.iter().filter(|(_, event)| event.is_folded);
    damage.missing = folded.filter(|(key, _)| is_missing(key)).count() as u64;
    damage.is_miscounted = is_miscounted(connection)?;
    Ok(damage)
}

/// The event in a row.
pub(super) enum ReadRow {
    Readable(Box<RecordLine>),
    /// Of a newer version, perhaps.
    Unknown,
    Broken,
}

/// Reads an event: its number, link, record and payload, from the second column on.
pub(super) fn read_row(row: &Row<'_>) -> rusqlite::Result<ReadRow> {
    let (seq, link, record) = (number(row, 1)?, link(row, 2)?, text(row, 3)?);
    if let Some(line) = RecordLine::read(seq, link, &record, optional_text(row, 4)?) {
        return Ok(ReadRow::Readable(Box::new(line)));
    }
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&record).is_ok();
    Ok(if is_json { ReadRow::Unknown } else { ReadRow::Broken })
}

/// Rows of any table with a value that its column cannot have.
fn count_broken(connection: &Connection) -> rusqlite::Result<u64> {
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut broken = 0;
    for table in tables {
        let types: Vec<String> = connection
            .prepare("SELECT type FROM pragma_table_info(?1)")?
            .query_map([&table], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\""))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let fits = |(column, kind): (usize, &String)| Ok(fits(kind, row.get_ref(column)?));
            let all = types.iter().enumerate().map(fits).collect::<rusqlite::Result<Vec<bool>>>()?;
            broken += u64::from(!all.into_iter().all(|fits| fits));
        }
    }
    Ok(broken)
}

/// Whether a column of this type may have this value. Where none is allowed, SQLite's own check finds it.
fn fits(kind: &str, value: ValueRef<'_>) -> bool {
    match value {
        ValueRef::Null => true,
        ValueRef::Integer(_) => kind == "INTEGER",
        ValueRef::Real(_) => false,
        ValueRef::Text(bytes) => kind == "TEXT" && std::str::from_utf8(bytes).is_ok(),
        ValueRef::Blob(_) => kind == "BLOB",
    }
}

fn is_miscounted(connection: &Connection) -> rusqlite::Result<bool> {
    let sessions =
        "SELECT EXISTS (SELECT 1 FROM sessions s JOIN events e ON e.session = s.id GROUP BY s.id HAVING
        s.events <> sum(e.duplicate = 0) OR s.denials <> sum(e.duplicate = 0 AND e.stance = 3))";
    let hours = format!(
        "SELECT (SELECT coalesce(sum(events), 0) FROM pulse WHERE grain = {})
             <> (SELECT count(*) FROM events WHERE duplicate = 0)",
        HOUR.as_micros()
    );
    for sql in [sessions, &hours] {
        if connection.query_row(sql, [], |row| integer(row, 0))? != 0 {
            return Ok(true);
        }
    }
    let mut packed = BTreeSet::new();
    let mut statement = connection.prepare("SELECT ids FROM texts")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (ids, _) = row.get_ref(0)?.as_bytes().unwrap_or_default().as_chunks();
        packed.extend(ids.iter().map(|id| i64::from_le_bytes(*id)));
    }
    let events: Vec<i64> = connection
        .prepare("SELECT id FROM events")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(events.iter().any(|id| !packed.contains(id)))
}
