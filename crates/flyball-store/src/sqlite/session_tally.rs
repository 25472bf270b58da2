//! How often a session was stopped, as far as it is folded.

use std::path::Path;

use flyball_core::event::SessionId;
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::verdict::Stance;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row};

use super::denials;
use super::filter::kind_names;
use super::index::classify_error;
use super::progress::FoldProgress;
use super::values::rank;
use crate::error::StoreError;
use crate::journal::JournalFile;
use crate::maintenance::SessionTally;

/// What the index has of a session.
pub(crate) struct IndexedTally {
    pub(crate) tally: SessionTally,
    /// Up to where its journal is in the index, at the same moment.
    pub(crate) folded: u64,
}

/// What the index has of a session of a client; nothing if there is no index.
pub(crate) fn tally_session(
    path: &Path,
    client: &str,
    session: &SessionId,
    journal: Option<&JournalFile>,
) -> Result<Option<IndexedTally>, StoreError> {
    if !path.is_file() {
        return Ok(None);
    }
    let failed = |error| classify_error(path, error);
    // A status line asks several times a second and must not write, not even a new schema.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    // One moment for both: a fold in between would count events twice or not at all.
    let moment = connection.transaction().map_err(failed)?;
    let folded = match journal {
        Some(journal) => FoldProgress::load(&moment, journal).map_err(failed)?.folded,
        None => 0,
    };
    Ok(Some(IndexedTally { tally: counted(&moment, client, session).map_err(failed)?, folded }))
}

fn counted(connection: &Connection, client: &str, session: &SessionId) -> rusqlite::Result<SessionTally> {
    let number = |row: &Row<'_>, at: usize| row.get::<_, i64>(at);
    let found = connection
        .query_row(
            "SELECT id, denials, first_at FROM sessions WHERE session = ?1 AND client = ?2",
            [session.as_str(), client],
            |row| Ok((number(row, 0)?, number(row, 1)?, number(row, 2)?)),
        )
        .optional()?;
    let Some((id, denials, first_at)) = found else { return Ok(SessionTally::default()) };
    // By the index of stances: people are asked seldom, and a session may have very many events.
    let asks: i64 = connection.query_row(
        "SELECT count(*) FROM events WHERE stance = ?1 AND at >= ?2 AND +session = ?3 AND duplicate = 0",
        [rank(Stance::Ask), first_at, id],
        |row| row.get(0),
    )?;
    let unblocked = |outcome: Outcome| -> rusqlite::Result<u64> {
        let sql = format!(
            "SELECT count(*) FROM events
             WHERE stance = ?1 AND at >= ?2 AND +session = ?3 AND duplicate = 0 AND +kind IN ({})",
            kind_names(outcome.kinds())
        );
        let count: i64 = connection.query_row(&sql, [rank(Stance::Deny), first_at, id], |row| row.get(0))?;
        Ok(u64::try_from(count).unwrap_or_default())
    };
    let whole = |count: i64| u64::try_from(count).unwrap_or_default();
    let mut denied = DenialCounts::default();
    if denials > 0 {
        let (held, findings) = (unblocked(Outcome::Held)?, unblocked(Outcome::Finding)?);
        denied = denials::split(whole(denials), DenialCounts { held, findings, ..denied });
    }
    Ok(SessionTally { denied, asks: whole(asks) })
}
