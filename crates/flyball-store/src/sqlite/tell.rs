//! One session told from its beginning.

use std::ops::ControlFlow;

use flyball_core::event::SessionId;
use rusqlite::{OptionalExtension, params};

use super::Index;
use super::filter::PayloadWish;
use super::query::{StoredEvent, columns, joined, stored};
use crate::error::StoreError;

impl Index {
    /// Calls with the events of a session, with their payloads, in the order in which they happened and without
    /// the calls that came twice, until it has heard enough. One at a time: a session may have millions.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn tell(
        &self,
        client: &str,
        session: &SessionId,
        mut each: impl FnMut(StoredEvent) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let row: Option<i64> = self
                .connection
                .prepare_cached("SELECT id FROM sessions WHERE session = ?1 AND client = ?2")?
                .query_row(params![session.as_str(), client], |row| row.get(0))
                .optional()?;
            let Some(row) = row else { return Ok(()) };
            let mut statement = self.connection.prepare_cached(&told_sql())?;
            let mut rows = statement.query([row])?;
            while let Some(row) = rows.next()? {
                // One that only a newer flyball can read is passed over.
                if let Some(event) = stored(row, PayloadWish::With)?
                    && each(event).is_break()
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
pub(super) fn told_sql() -> String {
    format!(
        "{} FROM events e {} WHERE e.session = ?1 AND e.duplicate = 0 ORDER BY e.at, e.id",
        columns(PayloadWish::With),
        joined(PayloadWish::With)
    )
}
