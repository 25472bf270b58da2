//! What a sender asks that has its place in the index.

use super::Index;
use crate::error::StoreError;

impl Index {
    /// A number that this index has and no other: one that was built anew counts its rows from the beginning.
    ///
    /// # Errors
    /// When the index cannot be read or written.
    pub fn epoch(&self) -> Result<i64, StoreError> {
        let read = "SELECT value FROM meta WHERE key = 'epoch'";
        if let Ok(epoch) = self.connection.query_row(read, [], |row| row.get(0)) {
            return Ok(epoch);
        }
        // Of two who do this at once, both read what the first wrote. 0 means none to those who keep it.
        let write = "INSERT OR IGNORE INTO meta (key, value) VALUES ('epoch', random() | 1)";
        self.connection.execute(write, []).map_err(self.failed())?;
        self.connection.query_row(read, [], |row| row.get(0)).map_err(self.failed())
    }

    /// The last row; 0 if there is none.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn tip(&self) -> Result<i64, StoreError> {
        self.number("SELECT coalesce(max(id), 0) FROM events", [])
    }

    /// The first row with an event not before this time; the one behind the last if there is none.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn first_row_since(&self, at: i64) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce((SELECT min(id) FROM events WHERE at >= ?1),
                                   (SELECT max(id) FROM events) + 1, 1)";
        self.number(sql, [at])
    }

    /// How many events stand in the rows after one and up to another.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn rows_between(&self, after: i64, to: i64) -> Result<u64, StoreError> {
        let count = self.number("SELECT count(*) FROM events WHERE id > ?1 AND id <= ?2", [after, to])?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    fn number(&self, sql: &str, values: impl rusqlite::Params) -> Result<i64, StoreError> {
        self.connection.query_row(sql, values, |row| row.get(0)).map_err(self.failed())
    }
}
