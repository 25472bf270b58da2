//! Saves what can be read of a damaged index.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, Row, TransactionBehavior, params};

use super::compare::{ReadRow, read_row};
use super::index::Index;
use super::insert;
use super::tally::Tally;
use super::values::integer;
use crate::aside::{move_aside, with_suffix};
use crate::error::StoreError;
use crate::progress::{OnProgress, StoreProgress};
use crate::recorded::Recorded;

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
pub(crate) fn salvage(
    path: &Path,
    recorded: &Recorded,
    on_progress: OnProgress<'_>,
) -> Result<Salvaged, StoreError> {
    let (new, records) = save(path, recorded, on_progress)?;
    Ok(Salvaged { aside: replace(path, &new)?, records })
}

/// Makes a new index beside a damaged one, with all that can be read of it. If this process is killed meanwhile,
/// the damaged one is still in its place, and the next repair tries again.
fn save(path: &Path, recorded: &Recorded, on_progress: OnProgress<'_>) -> Result<(PathBuf, u64), StoreError> {
    let new = with_suffix(path, ".new");
    for suffix in ["", "-wal", "-shm"] {
        let left = with_suffix(&new, suffix);
        if left.exists() {
            std::fs::remove_file(&left).map_err(|error| StoreError::io(&left, error))?;
        }
    }
    let mut index = Index::open(&new, &|_| {})?;
    let saved = index.save_from(path, recorded, on_progress)?;
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

/// What is read of an old index. Older ones have no links.
fn events_sql(old: &Connection, payload: &str) -> String {
    let link = if old.prepare("SELECT link FROM events").is_ok() { "e.link" } else { "NULL" };
    format!("SELECT e.id, e.seq, {link}, r.record, {payload} FROM events e JOIN records r ON r.event = e.id")
}

/// The payload of an event, beside it.
const PAYLOAD: &str = "(SELECT payload FROM payloads WHERE event = e.id)";

/// Up to this many rows around damaged pages are asked for one by one.
const MOST_SINGLE: i64 = 1_000_000;

impl Index {
    /// Adds what can be read of another index and no journal contradicts: from its beginning and from its end up to
    /// where it is damaged, and what is between by single rows.
    fn save_from(
        &mut self,
        old: &Path,
        recorded: &Recorded,
        on_progress: OnProgress<'_>,
    ) -> Result<u64, StoreError> {
        // Writable, so that SQLite reads what is in the log of the old one.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let Ok(old) = Connection::open_with_flags(old, flags) else {
            return Ok(0);
        };
        let failed = self.failed();
        let change =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let mut saver = Saver {
            old: &old,
            new: &change,
            recorded,
            on_progress,
            tally: Tally::default(),
            saved: 0,
            last: 0,
        };
        saver.save_all().map_err(&failed)?;
        let Saver { tally, saved, .. } = saver;
        tally.flush(&change).map_err(&failed)?;
        change.commit().map_err(&failed)?;
        Ok(saved)
    }
}

/// Copies from an old index. Its own errors are those of the new one.
struct Saver<'a> {
    old: &'a Connection,
    new: &'a Connection,
    recorded: &'a Recorded,
    on_progress: OnProgress<'a>,
    tally: Tally,
    saved: u64,
    /// The last row that was read.
    last: i64,
}

impl Saver<'_> {
    fn save_all(&mut self) -> rusqlite::Result<()> {
        self.save_seen()?;
        if self.save_in_order("ASC")? {
            return Ok(());
        }
        let from = self.last;
        self.last = i64::MAX;
        self.save_in_order("DESC")?;
        let to = if self.last == i64::MAX { self.newest() } else { self.last };
        for id in (from + 1..to).take(usize::try_from(MOST_SINGLE).unwrap_or(usize::MAX)) {
            self.save_single(id)?;
        }
        Ok(())
    }

    /// Whether all of it could be read.
    fn save_in_order(&mut self, order: &str) -> rusqlite::Result<bool> {
        // Nothing can be read: the journals are what is left.
        let Ok(mut statement) =
            self.old.prepare(&format!("{} ORDER BY e.id {order}", events_sql(self.old, PAYLOAD)))
        else {
            return Ok(false);
        };
        let Ok(mut rows) = statement.query([]) else { return Ok(false) };
        loop {
            match rows.next() {
                Ok(Some(row)) => self.save(row)?,
                Ok(None) => return Ok(true),
                // Stops where the damage is: that is what this is for.
                Err(_) => return Ok(false),
            }
        }
    }

    /// Saves a row that is between two damaged ones, without its payload if that cannot be read.
    fn save_single(&mut self, id: i64) -> rusqlite::Result<()> {
        for payload in [PAYLOAD, "NULL"] {
            let sql = format!("{} WHERE e.id = ?1", events_sql(self.old, payload));
            let Ok(mut statement) = self.old.prepare_cached(&sql) else { continue };
            let Ok(mut rows) = statement.query([id]) else { continue };
            match rows.next() {
                Ok(Some(row)) => return self.save(row),
                Ok(None) => return Ok(()),
                Err(_) => {}
            }
        }
        Ok(())
    }

    fn save(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        self.last = integer(row, 0)?;
        let ReadRow::Readable(line) = read_row(row)? else { return Ok(()) };
        let is_in_journal =
            self.recorded.contradicts(&line) || (is_broken(row)? && self.recorded.has_similar(&line));
        if is_in_journal {
            return Ok(());
        }
        if self.saved.is_multiple_of(PROGRESS_EVERY) {
            (self.on_progress)(StoreProgress::Saving { done: self.saved });
        }
        self.saved += u64::from(insert::insert(self.new, &line, &mut self.tally)?);
        Ok(())
    }

    fn newest(&self) -> i64 {
        let newest = self.old.query_row("SELECT max(id) + 1 FROM events", [], |row| integer(row, 0));
        newest.unwrap_or_default()
    }

    /// When each client last sent each kind of event: the only thing that no event tells once it is forgotten.
    fn save_seen(&self) -> rusqlite::Result<()> {
        let Ok(mut statement) = self.old.prepare("SELECT client, kind, at FROM seen") else { return Ok(()) };
        let Ok(mut rows) = statement.query([]) else { return Ok(()) };
        while let Ok(Some(row)) = rows.next() {
            let (Ok(client), Ok(kind), Ok(at)) =
                (row.get::<_, String>(0), row.get::<_, String>(1), row.get::<_, i64>(2))
            else {
                continue;
            };
            self.new.execute(
                "INSERT OR REPLACE INTO seen (client, kind, at) VALUES (?1, ?2, ?3)",
                params![client, kind, at],
            )?;
        }
        Ok(())
    }
}

/// Whether a text of the event is not as it was written: its names may be wrong, too.
fn is_broken(row: &Row<'_>) -> rusqlite::Result<bool> {
    let is_text = |column| Ok::<_, rusqlite::Error>(row.get_ref(column)?.as_str_or_null().is_ok());
    Ok(!(is_text(3)? && is_text(4)?))
}
