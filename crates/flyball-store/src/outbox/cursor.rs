//! How far a signal was sent to one endpoint: one small file, replaced as a whole.

use std::io::{ErrorKind, Write};

use flyball_core::time::{self, Time};

use serde::{Deserialize, Serialize};

use super::Outbox;
use crate::error::StoreError;
use flyball_files::TempFile;
use flyball_files::make_private_dirs;

/// The format of the file.
const VERSION: u32 = 1;

/// How far a signal got. 1970 is never.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cursor {
    version: u32,
    /// The host, for people.
    pub host: String,
    /// Which index the row is of; 0 before the first.
    pub epoch: i64,
    /// The last row that was accepted.
    pub row: i64,
    /// Events from before this time are not sent.
    #[serde(with = "time::micros")]
    pub since: Time,
    /// All that was recorded before this time was sent.
    #[serde(with = "time::micros")]
    pub complete: Time,
    /// Up to when metrics were sent: the next interval begins here.
    #[serde(with = "time::micros")]
    pub until: Time,
    /// What is being sent: if it has to be sent again, it is the same to the byte.
    pub pending: Option<Pending>,
    /// The encoder's state from the events before the row.
    pub open: serde_json::Value,
    /// The most events in one request, if the receiver wants fewer than the configuration; 0 if not.
    pub limit: usize,
    /// The last row when the sender last left something behind, and how many events were waiting then.
    pub tip: i64,
    /// See `tip`.
    pub waiting: u64,
    /// Events that were accepted.
    pub sent: u64,
    /// Items that the receiver rejected.
    pub rejected: u64,
    /// Events that were deleted from the record before they could be sent.
    pub lost: u64,
    /// Failures since the last success.
    pub failures: u32,
    /// Not to be tried before.
    #[serde(with = "time::micros")]
    pub not_before: Time,
    /// When a request was last accepted.
    #[serde(with = "time::micros")]
    pub last_success: Time,
    /// When a request last failed.
    #[serde(with = "time::micros")]
    pub last_error_at: Time,
    /// Why; empty once a request was accepted again.
    pub last_error: String,
    /// Why the receiver last rejected items.
    pub last_rejection: String,
}

/// A request on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The last row in it.
    pub to: i64,
    /// When it was made.
    #[serde(with = "time::micros")]
    pub at: Time,
}

impl Outbox {
    /// How far a signal got; a new one if it never began.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn cursor(&self, name: &str) -> Result<Cursor, StoreError> {
        let path = self.cursor_path(name);
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Cursor::default()),
            Err(error) => return Err(StoreError::io(&path, error)),
        };
        let cursor: Cursor = serde_json::from_slice(&text)
            .map_err(|error| StoreError::io(&path, std::io::Error::new(ErrorKind::InvalidData, error)))?;
        // Written in our format, it would lose what the newer program needs to go on.
        if cursor.version > VERSION {
            let newer = "a newer flyball wrote it";
            return Err(StoreError::io(&path, std::io::Error::new(ErrorKind::InvalidData, newer)));
        }
        Ok(cursor)
    }

    /// Stores how far a consumer got, and what it is sending.
    ///
    /// # Errors
    /// When it cannot be written; the old file is then still there.
    pub fn acknowledge(&self, name: &str, cursor: &Cursor) -> Result<(), StoreError> {
        let path = self.cursor_path(name);
        let failed = |error| StoreError::io(&path, error);
        let cursor = Cursor { version: VERSION, ..cursor.clone() };
        let text = serde_json::to_vec(&cursor).map_err(|source| StoreError::Unwritable { source })?;
        let folder = path.parent().unwrap_or(&path);
        let beside = match TempFile::create(folder, 0o600) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                // Made only when it is missing, since this runs twice for each request.
                make_private_dirs(folder).and_then(|()| TempFile::create(folder, 0o600))
            }
            other => other,
        };
        let beside = beside.map_err(failed)?;
        beside.file().write_all(&text).map_err(failed)?;
        // As a whole: half a position would be unreadable, and the sender could not go on.
        beside.replace(&path).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::below(folder.path());
        assert_eq!(outbox.cursor("logs-1").unwrap(), Cursor::default());
        let cursor = Cursor {
            row: 7,
            pending: Some(Pending { to: 9, at: Time::from_micros(3) }),
            version: VERSION,
            ..Cursor::default()
        };
        outbox.acknowledge("logs-1", &cursor).unwrap();
        assert_eq!(outbox.cursor("logs-1").unwrap(), cursor);
        std::fs::write(folder.path().join("otlp/logs-1.json"), "{").unwrap();
        assert!(outbox.cursor("logs-1").is_err());
        std::fs::write(folder.path().join("otlp/logs-1.json"), "{\"version\":2}").unwrap();
        let error = outbox.cursor("logs-1").unwrap_err().to_string();
        assert!(error.ends_with("cannot be used: a newer flyball wrote it"), "{error}");
    }
}
