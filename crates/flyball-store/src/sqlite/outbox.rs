//! The records in order, for export.

use flyball_core::time::Time;

use super::index::Index;
use crate::error::StoreError;
use crate::questions::{Filter, Page, StoredEvent};
use crate::records::Records;

impl Records for Index {
    fn epoch(&self) -> Result<i64, StoreError> {
        let read = "SELECT value FROM meta WHERE key = 'epoch'";
        if let Ok(epoch) = self.connection.query_row(read, [], |row| row.get(0)) {
            return Ok(epoch);
        }
        // Of two processes that do this at once, both read what the first wrote. 0 means none in a cursor.
        let write = "INSERT OR IGNORE INTO meta (key, value) VALUES ('epoch', random() | 1)";
        self.connection.execute(write, []).map_err(self.failed())?;
        self.number(read, [])
    }

    fn tip(&self) -> Result<i64, StoreError> {
        self.number("SELECT coalesce(max(id), 0) FROM events", [])
    }

    fn position_before(&self, at: Time) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce((SELECT min(id) FROM events WHERE at >= ?1) - 1,
                                   (SELECT max(id) FROM events), 0)";
        self.number(sql, [at.as_micros()])
    }

    fn count_between(&self, after: i64, to: i64) -> Result<u64, StoreError> {
        let count = self.number("SELECT count(*) FROM events WHERE id > ?1 AND id <= ?2", [after, to])?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    fn next_batch(&self, after: i64, most: usize) -> Result<Vec<StoredEvent>, StoreError> {
        let page = Page::After(after);
        self.events(&Filter { with_duplicates: true, page, limit: Some(most), ..Filter::default() })
    }
}

impl Index {
    fn number(&self, sql: &str, values: impl rusqlite::Params) -> Result<i64, StoreError> {
        self.connection.query_row(sql, values, |row| row.get(0)).map_err(self.failed())
    }
}
