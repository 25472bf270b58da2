//! Counting again what is counted while events are added: when an index gets these counts, and when old events go.

use flyball_core::record::Record;
use flyball_core::time::{HOUR, MINUTE, Time};
use rusqlite::{Connection, Row, params};

use super::tally::Tally;
use super::values::{integer, signed_micros, text};
use crate::progress::{OnProgress, StoreProgress};
use crate::questions::FIVE_MINUTES;

/// Events that are counted before the counts are written.
const BATCH: usize = 10_000;

/// Progress is reported after this many events.
const PROGRESS_EVERY: u64 = 1_000;

const RECORDS: &str = "SELECT e.id, e.project, r.record FROM events e CROSS JOIN records r ON r.event = e.id";

/// Counts all events of an index that has none of these counts yet.
pub(crate) fn count_all(connection: &Connection, on_progress: OnProgress<'_>) -> rusqlite::Result<()> {
    let all = connection.query_row("SELECT count(*) FROM events", [], |row| row.get::<_, i64>(0))?;
    let all = u64::try_from(all).unwrap_or_default();
    let mut statement = connection.prepare(&format!("{RECORDS} ORDER BY e.id"))?;
    let mut rows = statement.query([])?;
    let (mut tally, mut waiting, mut done) = (Tally::default(), 0, 0);
    while let Some(row) = rows.next()? {
        if done % PROGRESS_EVERY == 0 {
            on_progress(StoreProgress::Counting { done, all });
        }
        done += 1;
        if let Some((place, record)) = readable(row)? {
            tally.add(place, &record);
            waiting += 1;
        }
        // Bounds the memory of an index with millions of events.
        if waiting == BATCH {
            std::mem::take(&mut tally).flush(connection)?;
            waiting = 0;
        }
    }
    tally.flush(connection)
}

/// Removes from the counts what is before the oldest event; the hour that it is in is counted again.
pub(super) fn forget_before(connection: &Connection, oldest: Time) -> rusqlite::Result<()> {
    // Counts by the hour cannot be reduced by single events, so their first hour is made anew.
    let next_hour = (oldest.floor(HOUR) + HOUR).as_micros();
    for (table, grain) in
        [("pulse", MINUTE), ("pulse", HOUR), ("policy_pulse", FIVE_MINUTES), ("policy_pulse", HOUR)]
    {
        let sql = format!("DELETE FROM {table} WHERE grain = ?1 AND start < ?2");
        connection.execute(&sql, params![signed_micros(grain), next_hour])?;
    }
    let mut tally = Tally::default();
    let mut statement = connection.prepare(&format!("{RECORDS} WHERE e.at < ?1"))?;
    let mut rows = statement.query([next_hour])?;
    while let Some(row) = rows.next()? {
        if let Some(((_, project), record)) = readable(row)? {
            tally.count(project, &record);
        }
    }
    tally.flush(connection)
}

/// An event by its row and its project's; nothing for a record that only a newer flyball can read.
fn readable(row: &Row<'_>) -> rusqlite::Result<Option<((i64, i64), Record)>> {
    let record = serde_json::from_str::<Record>(&text(row, 2)?).ok();
    let place = (integer(row, 0)?, integer(row, 1)?);
    Ok(record.map(|record| (place, record)))
}
