//! One session from its beginning.

use std::ops::ControlFlow;

use flyball_core::event::SessionId;
use rusqlite::{OptionalExtension, params};

use super::index::Index;
use super::query::{columns, joined, read_event};
use crate::error::StoreError;
use crate::questions::{PayloadMode, StoredEvent};

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

/// The order is that of the index which leads to them: nothing is sorted.
pub(super) fn session_sql() -> String {
    format!(
        "{} FROM events e {} WHERE e.session = ?1 AND e.duplicate = 0 ORDER BY e.id",
        columns(PayloadMode::With),
        joined(PayloadMode::With)
    )
}
