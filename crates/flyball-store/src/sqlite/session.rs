//! One session from its beginning.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use flyball_core::event::SessionId;
use rusqlite::{OptionalExtension, params};

use super::index::Index;
use super::query::{columns, joined, read_event};
use super::values::owned_text;
use crate::error::StoreError;
use crate::questions::{PayloadMode, SessionKey, StoredEvent};

impl Index {
    pub(super) fn visit_session(
        &self,
        client: &str,
        session: &SessionId,
        visit: &mut dyn FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let row: Option<i64> = self
                .connection
                .prepare_cached("SELECT id FROM sessions WHERE session = ?1 AND client = ?2")?
                .query_row(params![session.as_str(), client], |row| row.get(0))
                .optional()?;
            let Some(row) = row else { return Ok(()) };
            let mut statement = self.connection.prepare_cached(&session_sql())?;
            let mut rows = statement.query([row])?;
            while let Some(row) = rows.next()? {
                // One that only a newer flyball can read is skipped.
                if let Some(event) = read_event(row, PayloadMode::With)?
                    && visit(event).is_break()
                {
                    break;
                }
            }
            Ok(())
        };
        read().map_err(self.failed())
    }
}

/// A prompt is looked for among this many events of a session: it comes right after the start.
const FIRST_EVENTS: u32 = 60;

impl Index {
    pub(super) fn first_prompts(
        &self,
        sessions: &[SessionKey],
    ) -> Result<BTreeMap<SessionKey, String>, StoreError> {
        let read = || -> rusqlite::Result<BTreeMap<SessionKey, String>> {
            let mut statement = self.connection.prepare_cached(&first_prompt_sql())?;
            let mut found = BTreeMap::new();
            for key in sessions {
                let text: Option<String> = statement
                    .query_row(params![key.session.as_str(), key.client], |row| owned_text(row, 0))
                    .optional()?;
                found.extend(text.filter(|text| !text.is_empty()).map(|text| (key.clone(), text)));
            }
            Ok(found)
        };
        read().map_err(self.failed())
    }
}

/// The first events are read from the index that leads to them; only the prompt itself is looked up.
pub(super) fn first_prompt_sql() -> String {
    format!(
        "SELECT e.subject FROM (
             SELECT id, kind, duplicate FROM events
             WHERE session = (SELECT id FROM sessions WHERE session = ?1 AND client = ?2)
             ORDER BY id LIMIT {FIRST_EVENTS}
         ) early CROSS JOIN events e ON e.id = early.id
         WHERE early.kind = 'prompt_submit' AND early.duplicate = 0 LIMIT 1"
    )
}

/// The order is that of the index which leads to them: nothing is sorted.
pub(super) fn session_sql() -> String {
    format!(
        "{} FROM events e {} WHERE e.session = ?1 AND e.duplicate = 0 ORDER BY e.id",
        columns(PayloadMode::With),
        joined(PayloadMode::With)
    )
}
