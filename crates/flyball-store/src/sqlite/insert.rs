//! Puts one record into the tables, once.

use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use rusqlite::{Connection, OptionalExtension, params};

use super::tally::Tally;
use super::values::{has_opinion, mode_name, rank, signed_micros, would_deny};
use crate::chain::Link;
use crate::journal::RecordLine;

/// Adds a record. `false` if it was there already.
pub(crate) fn insert(
    connection: &Connection,
    line: &RecordLine,
    tally: &mut Tally,
) -> rusqlite::Result<bool> {
    let record = &line.record;
    // The event decides by its unique keys; everything else hangs on its row and is new with it.
    let Some((event, project)) = insert_event(connection, (line.seq, line.link), record)? else {
        return Ok(false);
    };
    insert_record(connection, event, &line.text)?;
    if let Some(payload) = &line.payload {
        connection
            .prepare_cached("INSERT INTO payloads (event, payload) VALUES (?1, ?2)")?
            .execute(params![event, payload])?;
    }
    for ruling in record.rulings.iter().filter(|ruling| has_opinion(ruling)) {
        insert_verdict(connection, (event, record.at), ruling)?;
    }
    note_seen(connection, record)?;
    tally.add((event, project), record);
    Ok(true)
}

fn insert_event(
    connection: &Connection,
    (seq, link): (u64, Option<Link>),
    record: &Record,
) -> rusqlite::Result<Option<(i64, i64)>> {
    let project = project_row(connection, &record.project)?;
    let session = session_row(connection, record, project)?;
    connection
        .prepare_cached(
            "INSERT INTO events (answer, session, seq, at, project, kind, tool, stance, duplicate, subject,
                 agent, micros, context, link, would_deny)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
             ON CONFLICT DO NOTHING RETURNING id",
        )?
        .query_row(
            params![
                record.id.as_str(),
                session,
                i64::try_from(seq).unwrap_or(i64::MAX),
                record.at.as_micros(),
                project,
                record.kind.name(),
                record.tool.map(|tool| tool.name()),
                rank(record.stance),
                record.duplicate,
                record.subject,
                record.agent.as_ref().map_or("", |agent| agent.id.as_str()),
                signed_micros(record.took),
                i64::try_from(record.context_chars).unwrap_or(i64::MAX),
                link.as_ref().map(|link| link.as_bytes().as_slice()),
                would_deny(record),
            ],
            |row| Ok((row.get(0)?, project)),
        )
        .optional()
}

/// Stores the very text that was hashed, so that the chain can be verified when the journal is gone.
fn insert_record(connection: &Connection, event: i64, text: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO records (event, record) VALUES (?1, ?2)")?
        .execute(params![event, text])?;
    Ok(())
}

fn insert_verdict(
    connection: &Connection,
    (event, at): (i64, Time),
    ruling: &RecordedRuling,
) -> rusqlite::Result<()> {
    let mode = mode_name(ruling);
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO verdicts (policy, at, event, stance, mode, troubled)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            ruling.policy,
            at.as_micros(),
            event,
            rank(ruling.stance),
            mode,
            ruling.error.is_some()
        ])?;
    Ok(())
}

fn note_seen(connection: &Connection, record: &Record) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO seen (client, kind, at) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
        )?
        .execute(params![record.client, record.kind.name(), record.at.as_micros()])?;
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
                params![
                    record.client,
                    record.session.as_str(),
                    project,
                    record.at.as_micros(),
                    record.kind.name()
                ],
                |row| row.get(0),
            ),
    }
}
