//! What was added to the index after a row.

use rusqlite::Connection;

use super::index::Index;
use crate::error::StoreError;
use crate::questions::Arrivals;

impl Index {
    pub(super) fn arrivals(&self, after: i64) -> Result<Arrivals, StoreError> {
        read(&self.connection, after).map_err(self.failed())
    }
}

fn read(connection: &Connection, after: i64) -> rusqlite::Result<Arrivals> {
    // Both numbers in one statement, so that no row is added between them.
    let sql = "SELECT (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events'),
                   count(*), coalesce(sum(stance = 3), 0)
               FROM events WHERE id > ?1 AND duplicate = 0";
    connection.prepare_cached(sql)?.query_row([after], |row| {
        let number =
            |column| Ok::<_, rusqlite::Error>(u64::try_from(row.get::<_, i64>(column)?).unwrap_or(0));
        Ok(Arrivals { newest: row.get(0)?, events: number(1)?, denials: number(2)? })
    })
}
