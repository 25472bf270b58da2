//! The chains as the index has them, and what it adds to the anchors.

use std::collections::BTreeMap;
use std::path::Path;

use flyball_core::record::Record;
use flyball_core::time::Time;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::index::{Index, classify_error};
use super::progress::FoldProgress;
use super::values::{has_opinion, mode_name, optional_text, owned_text, rank, time, would_deny};
use crate::chain::{Anchor, Anchors, ChainSession, ChainWitness, EventRef, Item, Link};
use crate::error::StoreError;
use crate::journal::JournalFile;

/// Up to this row all events are anchored.
const ANCHORED: &str = "anchored_row";

/// The mark of the last anchor.
const ANCHORS_END: &str = "anchors_end";

/// A mark that no anchor has.
const NO_MARK: i64 = 0;

impl Index {
    /// Records in the anchors how far the sessions with new events have come.
    pub(crate) fn anchor(&mut self, now: Time) -> Result<(), StoreError> {
        let newest: i64 = self
            .connection
            .query_row("SELECT coalesce(max(id), 0) FROM events", [], |row| row.get(0))
            .map_err(self.failed())?;
        // After a rebuild, rows start again: an old note must not stop anchoring until they catch up.
        let ever = self.arrivals(i64::MAX)?.newest;
        let known = self.note(ANCHORED)?.filter(|known| *known <= ever).unwrap_or(0);
        if newest <= known {
            return Ok(());
        }
        let anchors = Anchors::beside(&self.path);
        let new = self.new_anchors(known).map_err(self.failed())?;
        // First the file, then the notes: after a crash in between, anchors are written twice, which is
        // harmless.
        let mut end = anchors.append(self.anchors_end()?, now, &new)?;
        if anchors.is_long() {
            end = anchors.rotate(now, &self.first_numbers().map_err(self.failed())?)?.or(end);
        }
        for (key, value) in [(ANCHORS_END, end), (ANCHORED, Some(newest))] {
            if let Some(value) = value {
                set_note(&self.connection, key, value).map_err(self.failed())?;
            }
        }
        Ok(())
    }

    /// How far each session has come that has events after a row.
    fn new_anchors(&self, after: i64) -> rusqlite::Result<Vec<Anchor>> {
        // With `max`, SQLite takes the other columns from the same row.
        let sql = "SELECT s.client, s.session, e.seq, e.link, max(e.id) FROM events e
                   JOIN sessions s ON s.id = e.session WHERE e.id > ?1 GROUP BY e.session ORDER BY max(e.id)";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([after], |row| {
            let (client, session) = (owned_text(row, 0)?, owned_text(row, 1)?);
            Ok(Anchor::Reached { client, session, seq: number(row, 2)?, link: link(row, 3)? })
        })?;
        rows.collect()
    }

    /// The lowest number of each session.
    fn first_numbers(&self) -> rusqlite::Result<BTreeMap<(String, String), u64>> {
        let sql = "SELECT s.client, s.session, min(e.seq) FROM events e
                   JOIN sessions s ON s.id = e.session GROUP BY e.session";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement
            .query_map([], |row| Ok(((owned_text(row, 0)?, owned_text(row, 1)?), number(row, 2)?)))?;
        rows.collect()
    }

    fn note(&self, key: &str) -> Result<Option<i64>, StoreError> {
        note(&self.connection, key).map_err(self.failed())
    }

    /// From now on this connection sees the index as it is now, even if it changes.
    pub(crate) fn begin_snapshot(&self) -> Result<(), StoreError> {
        // SQLite takes the snapshot with the first read, not with `BEGIN`.
        let begin = self.connection.execute_batch("BEGIN; SELECT count(*) FROM meta;");
        begin.map_err(self.failed())
    }
}

const ITEM: &str = "SELECT e.seq, e.link, e.answer, e.at, r.record, p.payload, e.kind, e.stance, e.duplicate,
        e.subject, s.session, s.client, e.tool, e.agent, o.path, e.would_deny
    FROM events e LEFT JOIN sessions s ON s.id = e.session LEFT JOIN records r ON r.event = e.id
    LEFT JOIN projects o ON o.id = e.project LEFT JOIN payloads p ON p.event = e.id WHERE e.id = ?1";

/// What the index lists of an event that differs from its record, if anything does.
pub(super) fn odd_field(connection: &Connection, event: i64) -> rusqlite::Result<Option<&'static str>> {
    item_with_odd_field(connection, event).map(|(_, odd)| odd)
}

fn item_with_odd_field(
    connection: &Connection,
    event: i64,
) -> rusqlite::Result<(Item, Option<&'static str>)> {
    let mut statement = connection.prepare_cached(ITEM)?;
    let (item, listed) =
        statement.query_row([event], |row| Ok((item(row)?, IndexedEvent::from_row(row)?)))?;
    let odd = item.text.as_deref().and_then(|text| listed.first_difference(text));
    let odd = odd.or_else(|| verdicts_differ(connection, event, item_record(&listed)));
    Ok((item, odd))
}

/// Whether the index lists other verdicts than the record holds.
fn verdicts_differ(connection: &Connection, event: i64, record: Option<&Record>) -> Option<&'static str> {
    let record = record?;
    let mut recorded: Vec<(String, i64, String)> = record
        .rulings
        .iter()
        .filter(|ruling| has_opinion(ruling))
        .map(|ruling| (ruling.policy.clone(), rank(ruling.stance), mode_name(ruling)))
        .collect();
    let listed: rusqlite::Result<Vec<(String, i64, String)>> = connection
        .prepare_cached("SELECT policy, stance, mode FROM verdicts WHERE event = ?1 ORDER BY policy")
        .and_then(|mut statement| {
            let read = |row: &Row<'_>| Ok((owned_text(row, 0)?, integer(row, 1)?, owned_text(row, 2)?));
            statement.query_map([event], read)?.collect()
        });
    // A policy is listed once, with its first ruling.
    recorded.sort_by(|one, other| one.0.cmp(&other.0));
    recorded.dedup_by(|one, other| one.0 == other.0);
    // Rows that cannot be read are left to the other checks.
    listed.is_ok_and(|listed| listed != recorded).then_some("verdicts")
}

impl ChainWitness for Index {
    fn anchors_end(&self) -> Result<Option<i64>, StoreError> {
        known_end(&self.connection).map_err(self.failed())
    }

    fn folded(&self, journal: &JournalFile) -> u64 {
        FoldProgress::load(&self.connection, journal).map_or(0, |progress| progress.folded)
    }

    fn chain_sessions(&self) -> Result<(Vec<ChainSession>, u64), StoreError> {
        let sql = "SELECT s.id, s.client, s.session, s.last_at,
                       s.events <> sum(e.duplicate = 0) OR s.denials <> sum(e.duplicate = 0 AND e.stance = 3)
                   FROM sessions s JOIN events e ON e.session = s.id GROUP BY s.id ORDER BY s.id";
        let all = self.connection.prepare(sql).and_then(|mut statement| {
            let rows = statement.query_map([], |row| {
                let (client, session) = (owned_text(row, 1)?, owned_text(row, 2)?);
                let (last_at, is_miscounted) = (time(row, 3)?, row.get(4)?);
                Ok(ChainSession { row: row.get(0)?, client, session, last_at, is_miscounted })
            })?;
            rows.collect::<rusqlite::Result<Vec<ChainSession>>>()
        });
        let many = self.connection.query_row("SELECT count(*) FROM events", [], |row| number(row, 0));
        Ok((all.map_err(self.failed())?, many.map_err(self.failed())?))
    }

    fn walk_session(
        &self,
        session: i64,
        visit: &mut dyn FnMut(Item, Option<&'static str>),
    ) -> Result<(), StoreError> {
        // Only the rows first: sorted with their records, a long session would be in memory as a whole.
        let rows: rusqlite::Result<Vec<i64>> = self
            .connection
            .prepare_cached("SELECT id FROM events WHERE session = ?1 ORDER BY seq, id")
            .and_then(|mut statement| statement.query_map([session], |row| row.get(0))?.collect());
        for id in rows.map_err(self.failed())? {
            let (mut item, odd) = item_with_odd_field(&self.connection, id).map_err(self.failed())?;
            // An edited database can have a zero or a negative number, and numbers begin with 1.
            item.name.seq = item.name.seq.max(1);
            visit(item, odd);
        }
        Ok(())
    }
}

/// What the index lists of an event beside its record.
struct IndexedEvent {
    fields: [String; 8],
    numbers: (i64, i64, bool, bool),
    record: std::cell::OnceCell<Option<Record>>,
}

impl IndexedEvent {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<IndexedEvent> {
        Ok(IndexedEvent {
            fields: [
                owned_text(row, 2)?,
                owned_text(row, 6)?,
                owned_text(row, 9)?,
                owned_text(row, 10)?,
                owned_text(row, 11)?,
                owned_text(row, 12)?,
                owned_text(row, 13)?,
                owned_text(row, 14)?,
            ],
            numbers: (integer(row, 3)?, integer(row, 7)?, integer(row, 8)? == 1, integer(row, 15)? == 1),
            record: std::cell::OnceCell::new(),
        })
    }

    /// What differs from the record, if anything does.
    fn first_difference(&self, text: &str) -> Option<&'static str> {
        let record = self.record.get_or_init(|| serde_json::from_str(text).ok()).as_ref()?;
        let [answer, kind, subject, session, client, tool, agent, project] = &self.fields;
        let (at, stance, duplicate, would) = self.numbers;
        let same = [
            ("id", answer == record.id.as_str()),
            ("kind", kind == record.kind.name()),
            ("subject", *subject == record.subject),
            ("session", session == record.session.as_str()),
            ("client", *client == record.client),
            ("time", at == record.at.as_micros()),
            ("decision", stance == rank(record.stance)),
            ("duplicate", duplicate == record.duplicate),
            ("project", *project == record.project),
            ("tool", tool == record.tool.map_or("", |tool| tool.name())),
            ("agent", agent == record.agent.as_ref().map_or("", |agent| agent.id.as_str())),
            ("observed decision", would == would_deny(record)),
        ];
        same.into_iter().find(|(_, is_same)| !is_same).map(|(name, _)| name)
    }
}

fn item_record(listed: &IndexedEvent) -> Option<&Record> {
    listed.record.get().and_then(Option::as_ref)
}

/// The oldest events: up to a number, and all before a time.
#[derive(Clone, Copy)]
pub(super) struct Oldest {
    pub(super) before: Time,
    pub(super) most: u32,
}

/// Records in the anchors which events are deleted next: for each session the last of them, and any other
/// that is followed by one that stays.
pub(super) fn anchor_forgotten(
    connection: &Connection,
    index: &Path,
    oldest: Oldest,
    now: Time,
) -> Result<(), StoreError> {
    let failed = |error| classify_error(index, error);
    let anchors = forgotten_anchors(connection, oldest).map_err(failed)?;
    let known = known_end(connection).map_err(failed)?;
    if let Some(end) = Anchors::beside(index).append(known, now, &anchors)? {
        set_note(connection, ANCHORS_END, end).map_err(failed)?;
    }
    Ok(())
}

fn forgotten_anchors(connection: &Connection, oldest: Oldest) -> rusqlite::Result<Vec<Anchor>> {
    let sql = "SELECT s.client, s.session, e.seq, e.link, e.session
               FROM (SELECT id FROM events WHERE at < ?1 ORDER BY at, id LIMIT ?2) d
               JOIN events e ON e.id = d.id JOIN sessions s ON s.id = e.session ORDER BY e.session, e.id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![oldest.before.as_micros(), oldest.most])?;
    let mut found: Vec<(i64, u64, Anchor)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (of, seq) = (row.get(4)?, number(row, 2)?);
        // The next one of the same session is forgotten too, so nothing continues the one before.
        found.pop_if(|(session, last, _)| *session == of && *last + 1 == seq);
        let (client, session) = (owned_text(row, 0)?, owned_text(row, 1)?);
        found.push((of, seq, Anchor::Forgotten { client, session, seq, link: link(row, 3)? }));
    }
    Ok(found.into_iter().map(|(_, _, anchor)| anchor).collect())
}

/// The mark of the last anchor. An index that has anchored events but has no mark was tampered with.
fn known_end(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    let end = note(connection, ANCHORS_END)?;
    let has_told = || Ok::<_, rusqlite::Error>(note(connection, ANCHORED)?.map(|_| NO_MARK));
    end.map_or_else(has_told, |end| Ok(Some(end)))
}

/// A note. Anything but a number counts as one that matches nothing.
pub(super) fn note(connection: &Connection, key: &str) -> rusqlite::Result<Option<i64>> {
    let read = |row: &Row<'_>| Ok(row.get_ref(0)?.as_i64().unwrap_or(NO_MARK));
    connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], read).optional()
}

pub(super) fn set_note(connection: &Connection, key: &str, value: i64) -> rusqlite::Result<()> {
    connection
        .execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", params![key, value])
        .map(drop)
}

fn item(row: &Row<'_>) -> rusqlite::Result<Item> {
    let name =
        EventRef { seq: number(row, 0)?, id: owned_text(row, 2)?, at: Time::from_micros(integer(row, 3)?) };
    Ok(Item { name, link: link(row, 1)?, text: optional_text(row, 4)?, payload: optional_text(row, 5)? })
}

// An edited database may have anything anywhere. That is a finding, not an error.

/// Anything but a link counts as one that matches nothing.
pub(super) fn link(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Link>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => None,
        ValueRef::Blob(bytes) | ValueRef::Text(bytes) => {
            Some(Link::from_bytes(bytes).unwrap_or_else(|| Link::hash_text(bytes)))
        }
        ValueRef::Integer(_) | ValueRef::Real(_) => Some(Link::hash_text(b"")),
    })
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(integer(row, column)?).unwrap_or_default())
}

fn integer(row: &Row<'_>, column: usize) -> rusqlite::Result<i64> {
    Ok(row.get_ref(column)?.as_i64().unwrap_or(-1))
}
