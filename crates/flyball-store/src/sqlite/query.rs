//! Queries about events.

use std::cmp::Reverse;

use flyball_core::event::AnswerId;
use flyball_core::record::Record;
use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

use super::filter::{Clause, Lead};
use super::index::Index;
use super::values::{integer, number, optional_text, owned_text, text};
use crate::error::StoreError;
use crate::questions::{Filter, Found, Page, PayloadMode, StoredEvent};

impl Index {
    pub(super) fn events(&self, filter: &Filter) -> Result<Vec<StoredEvent>, StoreError> {
        let mut all = Vec::new();
        // One query for each, so that every one of them comes in the order of its index.
        for session in self.sessions_of(filter)? {
            all.extend(self.events_of(filter, session)?);
        }
        match filter.page {
            Page::Newest | Page::Before(_) if filter.session.is_some() => {
                all.sort_by_key(|event| Reverse(event.row));
            }
            Page::Newest | Page::Before(_) => all.sort_by_key(|event| Reverse((event.record.at, event.row))),
            Page::After(_) => all.sort_by_key(|event| event.row),
        }
        all.truncate(filter.limit.unwrap_or(usize::MAX));
        Ok(all)
    }

    pub(super) fn event(&self, id_prefix: &str) -> Result<Found, StoreError> {
        let prefix = AnswerId::parse(id_prefix);
        // Ids are lower case letters and digits: `{` comes after all of them.
        let sql = "SELECT answer, max(id) FROM events WHERE answer >= ?1 AND answer < ?1 || '{'
                   GROUP BY answer ORDER BY answer LIMIT 6";
        let mut statement = self.connection.prepare(sql).map_err(self.failed())?;
        let found: Vec<(String, i64)> = statement
            .query_map([prefix.as_str()], |row| Ok((owned_text(row, 0)?, integer(row, 1)?)))
            .and_then(Iterator::collect)
            .map_err(self.failed())?;
        match found.as_slice() {
            [] => Ok(Found::None),
            [(answer, row)] => self.at_row(*row, answer),
            // The id as a whole wins over longer ones; there are none, but nothing says so.
            [(answer, row), ..] if answer == prefix.as_str() => self.at_row(*row, answer),
            several => {
                Ok(Found::Several(several.iter().map(|(answer, _)| AnswerId::parse(answer)).collect()))
            }
        }
    }

    fn at_row(&self, row: i64, answer: &str) -> Result<Found, StoreError> {
        let sql = format!(
            "{} FROM events e {} WHERE e.id = ?1",
            columns(PayloadMode::With),
            joined(PayloadMode::With)
        );
        let found = self.connection.query_row(&sql, [row], |row| read_event(row, PayloadMode::With));
        let event = found.map_err(self.failed())?;
        event.map(|event| Found::One(Box::new(event))).ok_or_else(|| StoreError::DamagedIndex {
            path: self.path.clone(),
            detail: format!("the record of {answer} cannot be read"),
        })
    }

    /// The rows of the session asked for: `[None]` if none was, empty if there is no such session.
    /// Two clients may have used the same id, though none has been seen to.
    pub(super) fn sessions_of(&self, filter: &Filter) -> Result<Vec<Option<i64>>, StoreError> {
        let Some(session) = &filter.session else {
            return Ok(vec![None]);
        };
        self.connection
            .prepare_cached("SELECT id FROM sessions WHERE session = ?1 ORDER BY last_at DESC")
            .and_then(|mut statement| {
                statement.query_map([session.as_str()], |row| row.get(0).map(Some))?.collect()
            })
            .map_err(self.failed())
    }

    fn events_of(&self, filter: &Filter, session: Option<i64>) -> Result<Vec<StoredEvent>, StoreError> {
        let rows = match (filter.searched(), filter.page) {
            (Some(text), Page::Newest | Page::Before(_)) => {
                Rows::from_ids(&self.search(filter, (session, text))?)
            }
            (None, _) | (Some(_), Page::After(_)) => {
                let (lead, clause) = (filter.lead(), filter.clause(session));
                Rows::from_filter(filter, lead, clause)
            }
        };
        // First the rows, then what they hold: else SQLite would carry each record through the sort.
        let sql = format!(
            "{} FROM ({}) page CROSS JOIN events e ON e.id = page.id {}",
            columns(filter.payloads),
            rows.sql,
            joined(filter.payloads)
        );
        let mut statement = self.connection.prepare(&sql).map_err(self.failed())?;
        let rows = statement
            .query_map(params_from_iter(rows.values), |row| read_event(row, filter.payloads))
            .map_err(self.failed())?;
        let events: rusqlite::Result<Vec<Option<StoredEvent>>> = rows.collect();
        Ok(events.map_err(self.failed())?.into_iter().flatten().collect())
    }
}

/// A selection of rows, in the order of a page.
pub(super) struct Rows {
    pub(super) sql: String,
    pub(super) values: Vec<Value>,
}

impl Rows {
    /// Those that pass a filter, by the index that leads to them.
    pub(super) fn from_filter(filter: &Filter, lead: Lead, mut clause: Clause) -> Rows {
        let order = filter.order(lead, &mut clause);
        // A negative limit is none in SQLite.
        let limit = filter.limit.and_then(|limit| i64::try_from(limit).ok()).unwrap_or(-1);
        let (from, conditions) = (clause.from, clause.conditions());
        let sql = format!("SELECT e.id FROM {from} WHERE {conditions} ORDER BY {order} LIMIT {limit}");
        Rows { sql, values: clause.values }
    }

    fn from_ids(rows: &[i64]) -> Rows {
        let sql = "SELECT value AS id FROM json_each(?1)".to_owned();
        Rows { sql, values: vec![Value::Text(json_list(rows))] }
    }
}

/// Rows as a list in JSON, the one list that SQLite takes as a value.
pub(super) fn json_list(rows: &[i64]) -> String {
    let numbers: Vec<String> = rows.iter().map(ToString::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// What belongs to an event.
pub(super) const fn joined(payloads: PayloadMode) -> &'static str {
    match payloads {
        PayloadMode::With => "CROSS JOIN records r ON r.event = e.id LEFT JOIN payloads p ON p.event = e.id",
        PayloadMode::Without => "CROSS JOIN records r ON r.event = e.id",
    }
}

pub(super) const fn columns(payloads: PayloadMode) -> &'static str {
    match payloads {
        PayloadMode::With => "SELECT e.id, e.seq, r.record, p.payload",
        PayloadMode::Without => "SELECT e.id, e.seq, r.record",
    }
}

/// `None` for a record that only a newer flyball can read.
pub(super) fn read_event(row: &Row<'_>, payloads: PayloadMode) -> rusqlite::Result<Option<StoredEvent>> {
    let Ok(mut record) = serde_json::from_str::<Record>(&text(row, 2)?) else {
        return Ok(None);
    };
    if payloads == PayloadMode::With {
        record.payload = optional_text(row, 3)?;
    }
    Ok(Some(StoredEvent { row: integer(row, 0)?, seq: number(row, 1)?, record }))
}
