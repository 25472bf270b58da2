//! The events with a text in the subject, together with all other filters.

use flyball_core::time::Time;

use rusqlite::params_from_iter;

use super::filter::{Clause, Lead};
use super::index::Index;
use super::query::{Rows, json_list};
use super::texts::{find_matches, fold_case};
use super::values;
use crate::error::StoreError;
use crate::questions::Filter;

/// Up to this many events with the text are read one by one; of more, the newest are soon found.
const FEW: usize = 5_000;

impl Index {
    /// The rows of a page of events with a text.
    pub(super) fn search(
        &self,
        filter: &Filter,
        (session, text): (Option<i64>, &str),
    ) -> Result<Vec<i64>, StoreError> {
        let hits = self.hits(text, filter.times())?;
        if hits.rows.len() <= FEW {
            let rows = Rows::from_filter(filter, Lead::Row, few(filter, session, &hits));
            return self.first_rows(&rows, filter.limit, |_| true);
        }
        // Without a limit, since most rows may be dropped by the text; reading stops when the page is full.
        let others = Filter { text: None, limit: None, ..filter.clone() };
        let rows = Rows::from_filter(&others, others.lead(), others.clause(session));
        self.first_rows(&rows, filter.limit, |row| hits.has(row))
    }

    fn first_rows(
        &self,
        rows: &Rows,
        limit: Option<usize>,
        is_wanted: impl Fn(i64) -> bool,
    ) -> Result<Vec<i64>, StoreError> {
        let most = limit.unwrap_or(usize::MAX);
        let read = || -> rusqlite::Result<Vec<i64>> {
            let mut statement = self.connection.prepare_cached(&rows.sql)?;
            let mut found = statement.query(params_from_iter(&rows.values))?;
            let mut wanted = Vec::new();
            while wanted.len() < most
                && let Some(row) = found.next()?
            {
                let row = row.get(0)?;
                if is_wanted(row) {
                    wanted.push(row);
                }
            }
            Ok(wanted)
        };
        read().map_err(self.failed())
    }

    /// What selects the events to be counted.
    pub(super) fn counted(&self, filter: &Filter, session: Option<i64>) -> Result<Clause, StoreError> {
        let Some(text) = filter.searched() else {
            return Ok(filter.clause(session));
        };
        let hits = self.hits(text, filter.times())?;
        Ok(if hits.rows.len() <= FEW { few(filter, session, &hits) } else { filter.clause(session) })
    }
}

fn few(filter: &Filter, session: Option<i64>, hits: &Hits) -> Clause {
    let mut clause = filter.clause_by(Lead::Row, session);
    clause.with("e.id IN (SELECT value FROM json_each(?))", json_list(&hits.rows));
    clause
}

/// The events whose subject may have a text: all that have it, in the order they were added. Some may be gone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hits {
    pub(crate) rows: Vec<i64>,
}

impl Hits {
    /// Whether an event is among them.
    pub(crate) fn has(&self, row: i64) -> bool {
        self.rows.binary_search(&row).is_ok()
    }
}

impl Index {
    /// The events with a text in the subject, from `since` up to `until`.
    pub(crate) fn hits(&self, text: &str, (since, until): (Time, Time)) -> Result<Hits, StoreError> {
        let text = fold_case(text);
        let mut rows = Vec::new();
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self
                .connection
                .prepare_cached("SELECT ids, body FROM texts WHERE until >= ?1 AND since < ?2 ORDER BY id")?;
            let mut packs = statement.query([since.as_micros(), until.as_micros()])?;
            while let Some(pack) = packs.next()? {
                let ids = pack.get_ref(0)?.as_bytes().unwrap_or_default();
                find_matches(ids, &values::text(pack, 1)?, (&text, &mut rows));
            }
            Ok(())
        };
        read().map_err(self.failed())?;
        // They are in order already, unless an index was put together from two.
        rows.sort_unstable();
        Ok(Hits { rows })
    }

    /// Forgets the subjects of events that are all gone.
    pub(crate) fn forget_texts(&self, oldest: Time) -> Result<(), StoreError> {
        self.connection
            .execute("DELETE FROM texts WHERE until < ?1", [oldest.as_micros()])
            .map(drop)
            .map_err(self.failed())
    }
}
