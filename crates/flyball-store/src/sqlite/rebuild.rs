//! A new index in place of a damaged one.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::health::companion;
use super::index::Index;
use super::insert;
use super::tally::Tally;
use crate::chain::{Anchor, Anchors, Link};
use crate::error::StoreError;
use crate::journal::{JournalFile, Reader, RecordLine};
use crate::maintenance::{FoldOptions, RebuildReport};
use crate::progress::{OnProgress, StoreProgress};
use crate::store::Store;

/// How often it is said how far it is.
const PROGRESS_EVERY: u64 = 1_000;

impl Store {
    /// Moves the database and journals without a readable header aside, and builds a new index
    /// from what can be read of the old one and from the journals. Nothing is deleted.
    ///
    /// # Errors
    /// When files cannot be moved, or the new index cannot be made.
    pub fn rebuild(&self, order: &FoldOptions<'_>) -> Result<RebuildReport, StoreError> {
        self.rebuild_reporting(order, &|_| {})
    }

    /// The same for someone who waits for it.
    ///
    /// # Errors
    /// Those of [`Store::rebuild`].
    pub fn rebuild_reporting(
        &self,
        order: &FoldOptions<'_>,
        on_progress: OnProgress<'_>,
    ) -> Result<RebuildReport, StoreError> {
        let mut report = RebuildReport::default();
        let path = self.index_path();
        if path.exists() {
            let (new, saved) = save(&path, on_progress)?;
            report.saved = saved;
            report.moved.push(replace(&path, &new)?);
        }
        for journal in JournalFile::list(&self.sessions_dir())? {
            if let Err(StoreError::DamagedHeader { path }) = Reader::open(&journal.path, 0) {
                // Its session begins anew, and an audit must know why.
                let over = Anchor::Over { journal: journal.name.clone() };
                Anchors::beside(&self.index_path()).append(None, order.now, &[over])?;
                report.moved.extend(move_aside(&path)?);
            }
        }
        report.fold = self.fold_reporting(order, on_progress)?;
        Ok(report)
    }
}

/// Gives a file another name beside it. `None` if there is no such file.
fn move_aside(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !path.exists() {
        return Ok(None);
    }
    let aside = name_aside(path);
    std::fs::rename(path, &aside).map_err(|error| StoreError::io(path, error))?;
    Ok(Some(aside))
}

fn name_aside(path: &Path) -> PathBuf {
    let free = (1..).map(|number| companion(path, &format!(".damaged-{number}"))).find(|name| !name.exists());
    free.unwrap_or_else(|| companion(path, ".damaged"))
}

/// Makes a new index beside a damaged one, with all that can be read of it. Whoever is ended meanwhile leaves
/// the damaged one in its place, to be tried again.
fn save(path: &Path, on_progress: OnProgress<'_>) -> Result<(PathBuf, u64), StoreError> {
    let new = companion(path, ".new");
    for suffix in ["", "-wal", "-shm"] {
        let left = companion(&new, suffix);
        if left.exists() {
            std::fs::remove_file(&left).map_err(|error| StoreError::io(&left, error))?;
        }
    }
    let mut index = Index::open(&new, &|_| {})?;
    let saved = index.save_from(path, on_progress)?;
    // What is in its log would stay behind.
    index.checkpoint();
    Ok((new, saved))
}

/// Puts the new index in the place of the damaged one, which is kept under the name that is given back.
fn replace(path: &Path, new: &Path) -> Result<PathBuf, StoreError> {
    let aside = name_aside(path);
    std::fs::rename(path, &aside).map_err(|error| StoreError::io(path, error))?;
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::rename(companion(path, suffix), companion(&aside, suffix));
        let _ = std::fs::remove_file(companion(new, suffix));
    }
    std::fs::rename(new, path).map_err(|error| StoreError::io(new, error))?;
    Ok(aside)
}

impl Index {
    /// Adds what can be read of another index, from its beginning and from its end up to where it
    /// is damaged.
    fn save_from(&mut self, old: &Path, on_progress: OnProgress<'_>) -> Result<u64, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let Ok(old) = Connection::open_with_flags(old, flags) else {
            return Ok(0);
        };
        let first = self.save_in_order((&old, "ASC"), (0, on_progress))?;
        Ok(first + self.save_in_order((&old, "DESC"), (first, on_progress))?)
    }

    fn save_in_order(
        &mut self,
        (old, order): (&Connection, &str),
        (before, on_progress): (u64, OnProgress<'_>),
    ) -> Result<u64, StoreError> {
        let failed = self.failed();
        let sql = format!(
            "SELECT e.seq, r.record, p.payload, e.link FROM events e JOIN records r ON r.event = e.id
             LEFT JOIN payloads p ON p.event = e.id ORDER BY e.id {order}"
        );
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
                on_progress(StoreProgress::Saving { done: before + saved });
            }
            if let Some(told) = readable(row) {
                saved += u64::from(insert::insert(&change, &told, &mut tally).map_err(&failed)?);
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
