//! Saves what can be read of a damaged index.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::index::Index;
use super::insert;
use super::tally::Tally;
use crate::aside::{move_aside, with_suffix};
use crate::chain::Link;
use crate::error::StoreError;
use crate::journal::RecordLine;
use crate::progress::{OnProgress, StoreProgress};

/// Progress is reported after this many records.
const PROGRESS_EVERY: u64 = 1_000;

/// What was saved of a damaged index.
pub(crate) struct Salvaged {
    /// Where the damaged one is now.
    pub(crate) aside: Option<PathBuf>,
    /// How many records could be read.
    pub(crate) records: u64,
}

/// Replaces a damaged index by a new one with all that can be read of it.
pub(crate) fn salvage(path: &Path, on_progress: OnProgress<'_>) -> Result<Salvaged, StoreError> {
    let (new, records) = save(path, on_progress)?;
    Ok(Salvaged { aside: replace(path, &new)?, records })
}

/// Makes a new index beside a damaged one, with all that can be read of it. If this process is killed meanwhile,
/// the damaged one is still in its place, and the next repair tries again.
fn save(path: &Path, on_progress: OnProgress<'_>) -> Result<(PathBuf, u64), StoreError> {
    let new = with_suffix(path, ".new");
    for suffix in ["", "-wal", "-shm"] {
        let left = with_suffix(&new, suffix);
        if left.exists() {
            std::fs::remove_file(&left).map_err(|error| StoreError::io(&left, error))?;
        }
    }
    let mut index = Index::open(&new, &|_| {})?;
    let saved = index.save_from(path, on_progress)?;
    // What is still in its log would be deleted with it.
    index.checkpoint().map_err(index.failed())?;
    Ok((new, saved))
}

/// Replaces the damaged index, which is renamed to the returned name.
fn replace(path: &Path, new: &Path) -> Result<Option<PathBuf>, StoreError> {
    // Its log goes with it: left there, SQLite would apply it to the new database.
    let aside = move_aside(path)?;
    for suffix in ["-wal", "-shm"] {
        if let Some(aside) = &aside {
            // Usually there is none.
            let _ = std::fs::rename(with_suffix(path, suffix), with_suffix(aside, suffix));
        }
        // The checkpoint has emptied the log of the new index.
        let _ = std::fs::remove_file(with_suffix(new, suffix));
    }
    std::fs::rename(new, path).map_err(|error| StoreError::io(new, error))?;
    Ok(aside)
}

impl Index {
    /// Adds what can be read of another index, from its beginning and from its end up to where it
    /// is damaged.
    fn save_from(&mut self, old: &Path, on_progress: OnProgress<'_>) -> Result<u64, StoreError> {
        // Writable, so that SQLite reads what is in the log of the old one.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let Ok(old) = Connection::open_with_flags(old, flags) else {
            return Ok(0);
        };
        let first =
            self.save_in_order(&old, "ASC", &|saved| on_progress(StoreProgress::Saving { done: saved }))?;
        let report = |saved| on_progress(StoreProgress::Saving { done: first + saved });
        Ok(first + self.save_in_order(&old, "DESC", &report)?)
    }

    fn save_in_order(
        &mut self,
        old: &Connection,
        order: &str,
        on_saved: &dyn Fn(u64),
    ) -> Result<u64, StoreError> {
        let failed = self.failed();
        let sql = format!(
            "SELECT e.seq, r.record, p.payload, e.link FROM events e JOIN records r ON r.event = e.id
             LEFT JOIN payloads p ON p.event = e.id ORDER BY e.id {order}"
        );
        // Nothing can be read: the journals are what is left.
        let Ok(mut statement) = old.prepare(&sql) else {
            return Ok(0);
        };
        let Ok(mut rows) = statement.query([]) else {
            return Ok(0);
        };
        let (mut saved, mut tally) = (0, Tally::default());
        let change =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        // Stops where the damage is: that is what this is for.
        while let Ok(Some(row)) = rows.next() {
            if saved % PROGRESS_EVERY == 0 {
                on_saved(saved);
            }
            if let Some(line) = readable(row) {
                saved += u64::from(insert::insert(&change, &line, &mut tally).map_err(&failed)?);
            }
        }
        tally.flush(&change).map_err(&failed)?;
        change.commit().map_err(&failed)?;
        Ok(saved)
    }
}

fn readable(row: &rusqlite::Row<'_>) -> Option<RecordLine> {
    let seq = u64::try_from(row.get::<_, i64>(0).ok()?).ok()?;
    let link = row.get_ref(3).ok()?.as_blob_or_null().ok()?.and_then(Link::from_bytes);
    RecordLine::read(seq, link, row.get_ref(1).ok()?.as_str().ok()?, row.get(2).ok()?)
}
