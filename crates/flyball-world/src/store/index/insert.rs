//! Puts one record into the tables, once.

use flyball_core::record::{Record, RecordedRuling};
use flyball_core::verdict::Stance;
use rusqlite::{Connection, OptionalExtension, params};

/// Adds a record. `false` if it was there already.
pub(crate) fn insert(connection: &Connection, seq: u64, mut record: Record) -> rusqlite::Result<bool> {
    let payload = record.payload.take();
    let Some(event) = insert_event(connection, seq, &record)? else {
        return Ok(false);
    };
    insert_record(connection, event, &record)?;
    if let Some(payload) = payload {
        connection
            .prepare_cached("INSERT INTO payloads (event, payload) VALUES (?1, ?2)")?
            .execute(params![event, payload])?;
    }
    for ruling in record.rulings.iter().filter(|ruling| has_spoken(ruling)) {
        insert_verdict(connection, (event, record.at), ruling)?;
    }
    note_seen(connection, &record)?;
    Ok(true)
}

/// A stance as the number it is stored by; their order is the law.
pub(crate) const fn rank(stance: Stance) -> i64 {
    match stance {
        Stance::Silent => 0,
        Stance::Allow => 1,
        Stance::Ask => 2,
        Stance::Deny => 3,
    }
}

fn insert_event(connection: &Connection, seq: u64, record: &Record) -> rusqlite::Result<Option<i64>> {
    let project = project_row(connection, &record.project)?;
    let session = session_row(connection, record, project)?;
    connection
        .prepare_cached(
            "INSERT INTO events (answer, session, seq, at, project, kind, tool, stance, duplicate, subject)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT DO NOTHING RETURNING id",
        )?
        .query_row(
            params![
                record.id.as_str(),
                session,
                i64::try_from(seq).unwrap_or(i64::MAX),
                record.at,
                project,
                record.kind.name(),
                record.tool.map(|tool| tool.name()),
                rank(record.stance),
                record.duplicate,
                record.subject,
            ],
            |row| row.get(0),
        )
        .optional()
}

fn insert_record(connection: &Connection, event: i64, record: &Record) -> rusqlite::Result<()> {
    let json = serde_json::to_string(record)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    connection
        .prepare_cached("INSERT INTO records (event, record) VALUES (?1, ?2)")?
        .execute(params![event, json])?;
    Ok(())
}

fn has_spoken(ruling: &RecordedRuling) -> bool {
    ruling.stance != Stance::Silent || !ruling.reasons.is_empty() || ruling.trouble.is_some()
}

fn insert_verdict(
    connection: &Connection,
    (event, at): (i64, i64),
    ruling: &RecordedRuling,
) -> rusqlite::Result<()> {
    let mode = serde_json::to_value(ruling.mode).ok();
    let mode = mode.as_ref().and_then(|mode| mode.as_str()).unwrap_or_default();
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO verdicts (policy, at, event, stance, mode, troubled)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![ruling.policy, at, event, rank(ruling.stance), mode, ruling.trouble.is_some()])?;
    Ok(())
}

fn note_seen(connection: &Connection, record: &Record) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO seen (client, kind, at) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
        )?
        .execute(params![record.client, record.kind.name(), record.at])?;
    Ok(())
}

fn project_row(connection: &Connection, path: &str) -> rusqlite::Result<i64> {
    let found = connection
        .prepare_cached("SELECT id FROM projects WHERE path = ?1")?
        .query_row([path], |row| row.get(0))
        .optional()?;
    match found {
        Some(id) => Ok(id),
        None => connection
            .prepare_cached("INSERT INTO projects (path) VALUES (?1) RETURNING id")?
            .query_row([path], |row| row.get(0)),
    }
}

fn session_row(connection: &Connection, record: &Record, project: i64) -> rusqlite::Result<i64> {
    let found = connection
        .prepare_cached("SELECT id FROM sessions WHERE session = ?1 AND client = ?2")?
        .query_row([record.session.as_str(), &record.client], |row| row.get(0))
        .optional()?;
    match found {
        Some(id) => Ok(id),
        None => connection
            .prepare_cached(
                "INSERT INTO sessions (client, session, project, first_at, last_at, last_kind)
                 VALUES (?1, ?2, ?3, ?4, ?4, ?5) RETURNING id",
            )?
            .query_row(
                params![record.client, record.session.as_str(), project, record.at, record.kind.name()],
                |row| row.get(0),
            ),
    }
}
