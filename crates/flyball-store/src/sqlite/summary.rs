//! Queries about many events at once.

use std::collections::BTreeMap;

use flyball_core::event::{EventKind, SessionId};
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::time::Time;
use rusqlite::{Row, params_from_iter};

use super::denials;
use super::filter::{Clause, escaped, kind_names};
use super::index::Index;
use super::values::{integer, number, owned_text, stance, text, time};
use crate::error::StoreError;
use crate::questions::{Counts, Filter, Page, SessionFilter, SessionSummary};

impl Index {
    pub(super) fn sessions(&self, filter: &SessionFilter) -> Result<Vec<SessionSummary>, StoreError> {
        let clause = session_clause(filter);
        let limit = filter.limit.and_then(|limit| i64::try_from(limit).ok()).unwrap_or(-1);
        // Most sessions have no denial, and need no look at their events.
        let of = |outcome: Outcome| {
            format!(
                "iif(denials = 0, 0, (SELECT count(*) FROM events e WHERE e.session = s.id AND +e.stance = 3
                     AND e.duplicate = 0 AND +e.kind IN ({})))",
                kind_names(outcome.kinds())
            )
        };
        let (held, findings) = (of(Outcome::Held), of(Outcome::Finding));
        let sql = format!(
            "SELECT client, session, p.path, first_at, last_at, events, denials, last_kind, ended, {held}, {findings}
             FROM {} WHERE {} ORDER BY last_at DESC, s.id DESC LIMIT {limit}",
            clause.from,
            clause.conditions(),
        );
        self.connection
            .prepare(&sql)
            .and_then(|mut statement| {
                statement.query_map(params_from_iter(clause.values), summary)?.collect()
            })
            .map_err(self.failed())
    }

    pub(super) fn last_seen_by_kind(&self, client: &str) -> Result<BTreeMap<EventKind, Time>, StoreError> {
        let rows: Vec<(String, Time)> = self
            .connection
            .prepare("SELECT kind, at FROM seen WHERE client = ?1")
            .and_then(|mut statement| {
                statement.query_map([client], |row| Ok((owned_text(row, 0)?, time(row, 1)?)))?.collect()
            })
            .map_err(self.failed())?;
        Ok(rows.into_iter().filter_map(|(kind, at)| Some((EventKind::from_name(&kind)?, at))).collect())
    }

    pub(super) fn counts(&self, filter: &Filter) -> Result<Counts, StoreError> {
        // Duplicates are needed here, because they are one of the counts.
        let filter = Filter { with_duplicates: true, page: Page::Newest, ..filter.clone() };
        let mut counts = Counts::default();
        for session in self.sessions_of(&filter)? {
            let clause = self.counted(&filter, session)?;
            self.count_events(&clause, &mut counts)?;
            self.count_verdicts(&clause, &mut counts)?;
        }
        Ok(counts)
    }

    fn count_events(&self, clause: &Clause, counts: &mut Counts) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT e.kind, e.stance, e.duplicate, count(*) FROM {} WHERE {} GROUP BY 1, 2, 3",
            clause.from,
            clause.conditions(),
        );
        let mut statement = self.connection.prepare(&sql).map_err(self.failed())?;
        let mut rows = statement.query(params_from_iter(&clause.values)).map_err(self.failed())?;
        while let Some(row) = rows.next().map_err(self.failed())? {
            count_row(row, counts).map_err(self.failed())?;
        }
        Ok(())
    }

    fn count_verdicts(&self, clause: &Clause, counts: &mut Counts) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT w.policy, w.stance, count(*), sum(w.troubled) FROM {}
             WHERE e.duplicate = 0 AND {} GROUP BY 1, 2",
            clause.tables_with_verdicts,
            clause.conditions(),
        );
        let mut statement = self.connection.prepare(&sql).map_err(self.failed())?;
        let mut rows = statement.query(params_from_iter(&clause.values)).map_err(self.failed())?;
        while let Some(row) = rows.next().map_err(self.failed())? {
            verdict_row(row, counts).map_err(self.failed())?;
        }
        Ok(())
    }
}

fn session_clause(filter: &SessionFilter) -> Clause {
    let mut clause = Clause::new("sessions s JOIN projects p ON p.id = s.project");
    if let Some(prefix) = &filter.id_prefix {
        clause.with("s.session LIKE ? ESCAPE '\\'", format!("{}%", escaped(prefix)));
    }
    if let Some(client) = &filter.client {
        clause.with("s.client = ?", client.clone());
    }
    if let Some(project) = &filter.project {
        clause.with("p.path = ?", project.clone());
    }
    if let Some(since) = filter.since {
        clause.with("s.last_at >= ?", since.as_micros());
    }
    if let Some(until) = filter.until {
        clause.with("s.first_at < ?", until.as_micros());
    }
    clause
}

fn summary(row: &Row<'_>) -> rusqlite::Result<SessionSummary> {
    Ok(SessionSummary {
        client: owned_text(row, 0)?,
        session: SessionId::new(&text(row, 1)?),
        project: owned_text(row, 2)?,
        first_at: time(row, 3)?,
        last_at: time(row, 4)?,
        events: number(row, 5)?,
        denials: number(row, 6)?,
        denied: denials::split(
            number(row, 6)?,
            DenialCounts { held: number(row, 9)?, findings: number(row, 10)?, ..DenialCounts::default() },
        ),
        last_kind: owned_text(row, 7)?,
        has_ended: integer(row, 8)? != 0,
    })
}

fn count_row(row: &Row<'_>, counts: &mut Counts) -> rusqlite::Result<()> {
    let many = number(row, 3)?;
    if integer(row, 2)? != 0 {
        counts.duplicates += many;
        return Ok(());
    }
    counts.events += many;
    let (kind, stance) = (EventKind::from_name(&text(row, 0)?), stance(integer(row, 1)?));
    if let Some(kind) = kind {
        *counts.by_kind.entry(kind).or_default() += many;
    }
    if let Some(stance) = stance {
        *counts.by_stance.entry(stance).or_default() += many;
    }
    if let Some(outcome) = kind.zip(stance).map(|(kind, stance)| Outcome::new(kind, stance)) {
        *counts.by_outcome.entry(outcome).or_default() += many;
    }
    Ok(())
}

fn verdict_row(row: &Row<'_>, counts: &mut Counts) -> rusqlite::Result<()> {
    let policy = counts.by_policy.entry(owned_text(row, 0)?).or_default();
    policy.troubled += number(row, 3)?;
    if let Some(stance) = stance(integer(row, 1)?) {
        *policy.by_stance.entry(stance).or_default() += number(row, 2)?;
    }
    Ok(())
}
