//! A new index in place of a damaged one.

use std::path::{Path, PathBuf};

use flyball_core::record::Record;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::super::Store;
use super::super::error::StoreError;
use super::fold::{FoldOrder, FoldReport};
use super::health::companion;
use super::journals::{JournalFile, Reader};
use super::{Index, insert};

/// What became of a damaged store.
#[derive(Debug, Default)]
pub struct RebuildReport {
    /// What was moved aside, under its new name.
    pub moved: Vec<PathBuf>,
    /// Records that could be read from the old database.
    pub saved: u64,
    /// What came from the journals.
    pub fold: FoldReport,
}

impl Store {
    /// Moves the database and journals without a readable header aside, and builds a new index
    /// from what can be read of the old one and from the journals. Nothing is deleted.
    ///
    /// # Errors
    /// When files cannot be moved, or the new index cannot be made.
    pub fn rebuild(&self, order: &FoldOrder<'_>) -> Result<RebuildReport, StoreError> {
        let mut report = RebuildReport::default();
        let path = self.index_path();
        let old = move_aside(&path)?;
        if let Some(old) = &old {
            for suffix in ["-wal", "-shm"] {
                let _ = std::fs::rename(companion(&path, suffix), companion(old, suffix));
            }
            report.saved = Index::open(&path)?.save_from(old)?;
        }
        report.moved.extend(old);
        for journal in JournalFile::all(&self.sessions_dir())? {
            if let Err(StoreError::DamagedHeader { path }) = Reader::open(&journal.path, 0) {
                report.moved.extend(move_aside(&path)?);
            }
        }
        report.fold = self.fold(order)?;
        Ok(report)
    }
}

/// Gives a file another name beside it. `None` if there is no such file.
fn move_aside(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !path.exists() {
        return Ok(None);
    }
    let free = (1..).map(|number| companion(path, &format!(".damaged-{number}"))).find(|name| !name.exists());
    let aside = free.unwrap_or_else(|| companion(path, ".damaged"));
    std::fs::rename(path, &aside).map_err(|error| StoreError::io(path, error))?;
    Ok(Some(aside))
}

impl Index {
    /// Adds what can be read of another index, from its beginning and from its end up to where it
    /// is damaged.
    fn save_from(&mut self, old: &Path) -> Result<u64, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let Ok(old) = Connection::open_with_flags(old, flags) else {
            return Ok(0);
        };
        Ok(self.save_in_order(&old, "ASC")? + self.save_in_order(&old, "DESC")?)
    }

    fn save_in_order(&mut self, old: &Connection, order: &str) -> Result<u64, StoreError> {
        let failed = self.failed();
        let sql = format!(
            "SELECT e.seq, r.record, p.payload FROM events e JOIN records r ON r.event = e.id
             LEFT JOIN payloads p ON p.event = e.id ORDER BY e.id {order}"
        );
        let Ok(mut statement) = old.prepare(&sql) else {
            return Ok(0);
        };
        let Ok(mut rows) = statement.query([]) else {
            return Ok(0);
        };
        let mut saved = 0;
        let change =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        // Stops where the damage is: that is what this is for.
        while let Ok(Some(row)) = rows.next() {
            if let Some((seq, record)) = readable(row) {
                saved += u64::from(insert::insert(&change, seq, record).map_err(&failed)?);
            }
        }
        change.commit().map_err(&failed)?;
        Ok(saved)
    }
}

fn readable(row: &rusqlite::Row<'_>) -> Option<(u64, Record)> {
    let mut record: Record = serde_json::from_str(row.get_ref(1).ok()?.as_str().ok()?).ok()?;
    record.payload = row.get(2).ok()?;
    Some((u64::try_from(row.get::<_, i64>(0).ok()?).ok()?, record))
}
