//! The events that took longest, and those that added most context.

use rusqlite::params_from_iter;

use super::filter::Clause;
use super::index::Index;
use super::query::{columns, joined, read_event};
use crate::error::StoreError;
use crate::questions::{PayloadMode, StoredEvent, Window};

/// Up to this many events of a window are read one by one; of more, the greatest are soon found by the index.
const FEW: u64 = 20_000;

impl Index {
    pub(super) fn slowest(&self, window: &Window, limit: usize) -> Result<Vec<StoredEvent>, StoreError> {
        self.greatest("micros", window, limit)
    }

    pub(super) fn most_context(&self, window: &Window, limit: usize) -> Result<Vec<StoredEvent>, StoreError> {
        self.greatest("context", window, limit)
    }

    fn greatest(
        &self,
        column: &'static str,
        window: &Window,
        limit: usize,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        // A short window is read by time; over a long one, that would sort a million events for ten.
        let are_few = window.session.is_some() || self.overview(window)?.events < FEW;
        let clause = extreme(column, window, are_few);
        let sql = format!(
            "{} FROM (SELECT e.* FROM {} WHERE {} ORDER BY {}e.{column} DESC LIMIT {limit}) e {}
             ORDER BY e.{column} DESC, e.at DESC",
            columns(PayloadMode::Without),
            clause.from,
            clause.conditions(),
            if are_few { "+" } else { "" },
            joined(PayloadMode::Without),
        );
        self.connection
            .prepare_cached(&sql)
            .and_then(|mut statement| {
                let rows = statement.query_map(params_from_iter(clause.values), |row| {
                    read_event(row, PayloadMode::Without)
                })?;
                rows.collect::<rusqlite::Result<Vec<Option<StoredEvent>>>>()
            })
            .map(|events| events.into_iter().flatten().collect())
            .map_err(self.failed())
    }
}

/// The `+` prevents SQLite from using another index than meant.
pub(super) fn extreme(column: &str, window: &Window, are_few: bool) -> Clause {
    let (since, until) = window.bounds();
    let mut clause = Clause::new("events e");
    clause.bare(format!("{}e.{column} > 0", if are_few { "+" } else { "" }));
    clause.bare("e.duplicate = 0");
    let time = if are_few { "e.at" } else { "+e.at" };
    clause.with(&format!("{time} >= ?"), since.as_micros());
    clause.with(&format!("{time} < ?"), until.as_micros());
    if let Some(project) = &window.project {
        clause.with("+e.project = (SELECT id FROM projects WHERE path = ?)", project.clone());
    }
    if let Some(session) = &window.session {
        clause.with("e.session IN (SELECT id FROM sessions WHERE session = ?)", session.as_str().to_owned());
    }
    clause
}
