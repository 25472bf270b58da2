//! Queries of a report: how often policies gave verdicts, and what happened to denied calls. None of them reads the
//! record of every event.

use flyball_core::event::{EventKind, SessionId, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::verdict::Stance;
use rusqlite::types::Value;
use rusqlite::{Row, params, params_from_iter};

use super::filter::{Clause, kind_names};
use super::index::Index;
use super::query::{columns, joined, json_list, read_event};
use super::values::{integer, number, optional_text, owned_text, rank, stance, text, time};
use crate::error::StoreError;
use crate::questions::{
    AnnotatedPage, CallSubject, EventSummary, KindCount, PayloadMode, PolicyReach, StoredEvent, VerdictCount,
    VerdictQuery, Window,
};

/// What has more than verdicts: context, notices, rewrites, and the user's rules that only observe. As the record is
/// written: compact JSON. A text that looks like it costs only a read in vain.
const ANNOTATED: &str = "(e.context > 0 OR instr(r.record, '\"name\":\"rule\"') > 0)";

const SUMMARY: &str = "SELECT e.id, e.answer, e.at, e.session, s.session, e.agent, p.path, e.kind, e.tool, e.subject,
    (SELECT group_concat(v.policy, ' ') FROM verdicts v WHERE v.event = e.id AND v.stance = e.stance AND v.mode = 'enforce')";

impl Index {
    pub(super) fn verdict_counts(&self, window: &Window) -> Result<Vec<VerdictCount>, StoreError> {
        let clause = verdicts(window);
        let [held, finding, blocked] = [Outcome::Held, Outcome::Finding, Outcome::Blocked].map(Outcome::name);
        let sql = format!(
            "SELECT v.policy, v.mode, v.stance, v.stance > e.stance, count(*), sum(v.troubled),
                 iif(v.stance < {}, NULL, CASE WHEN e.kind IN ({}) THEN '{held}' WHEN e.kind IN ({}) THEN '{finding}'
                     ELSE '{blocked}' END)
             FROM {} WHERE {} GROUP BY 1, 2, 3, 4, 7",
            rank(Stance::Deny),
            kind_names(Outcome::Held.kinds()),
            kind_names(Outcome::Finding.kinds()),
            clause.from,
            clause.conditions()
        );
        self.rows(&sql, clause.values, |row| {
            let mode = owned_text(row, 1)?;
            let stance = stance(integer(row, 2)?).unwrap_or_default();
            let denied = optional_text(row, 6)?.and_then(|name| Outcome::from_name(&name));
            Ok(VerdictCount {
                policy: owned_text(row, 0)?,
                mode: serde_json::from_value(serde_json::Value::String(mode)).ok(),
                stance,
                outcome: denied.unwrap_or_else(|| Outcome::new(EventKind::BeforeTool, stance)),
                is_above: integer(row, 3)? != 0,
                events: number(row, 4)?,
                errors: number(row, 5)?,
            })
        })
    }

    pub(super) fn policy_reach(&self, window: &Window) -> Result<Vec<PolicyReach>, StoreError> {
        let clause = verdicts(window);
        // Of a group with a `max`, SQLite takes the other columns from the row that has it.
        let sql = format!(
            "SELECT v.policy, count(DISTINCT e.session), max(v.at), v.event FROM {} WHERE {} GROUP BY 1",
            clause.from,
            clause.conditions()
        );
        self.rows(&sql, clause.values, |row| {
            Ok(PolicyReach {
                policy: owned_text(row, 0)?,
                sessions: number(row, 1)?,
                last_at: time(row, 2)?,
                last_row: integer(row, 3)?,
            })
        })
    }

    pub(super) fn judged(
        &self,
        window: &Window,
        which: VerdictQuery<'_>,
        most: usize,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        let mut clause = verdicts(window);
        match which {
            VerdictQuery::Failed => clause.bare("v.troubled = 1"),
            VerdictQuery::Overruled => {
                clause.bare("v.mode = 'enforce' AND v.stance >= 2 AND v.stance > e.stance")
            }
            VerdictQuery::By(policy) => clause.with("v.policy = ?", policy.to_owned()),
        }
        let sql = format!(
            "SELECT DISTINCT v.event FROM {} WHERE {} ORDER BY v.at DESC LIMIT {most}",
            clause.from,
            clause.conditions()
        );
        let rows: Vec<i64> = self.rows(&sql, clause.values, |row| row.get(0))?;
        self.at_rows(&rows, PayloadMode::Without)
    }

    pub(super) fn at_rows(
        &self,
        rows: &[i64],
        payloads: PayloadMode,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        let sql = format!(
            "{} FROM json_each(?1) page CROSS JOIN events e ON e.id = page.value {} ORDER BY page.key",
            columns(payloads),
            joined(payloads)
        );
        let found = self.rows(&sql, vec![Value::Text(json_list(rows))], |row| read_event(row, payloads))?;
        Ok(found.into_iter().flatten().collect())
    }

    pub(super) fn answered(
        &self,
        window: &Window,
        stance: Stance,
        most: usize,
    ) -> Result<Vec<EventSummary>, StoreError> {
        let mut clause = events_within(window);
        clause.with("e.stance = ?", rank(stance));
        let sql = format!(
            "{SUMMARY} FROM {} WHERE {} ORDER BY e.at DESC, e.id DESC LIMIT {most}",
            clause.from,
            clause.conditions()
        );
        self.rows(&sql, clause.values, summary)
    }

    pub(super) fn passed(
        &self,
        window: &Window,
        is_wanted: &mut dyn FnMut(CallSubject<'_>) -> bool,
    ) -> Result<Vec<EventSummary>, StoreError> {
        let mut clause = events_within(window);
        // Below ask and deny.
        clause.bare("e.kind = 'before_tool' AND e.stance < 2");
        let sql = format!(
            "SELECT e.id, p.path, e.subject FROM {} WHERE {} ORDER BY e.at, e.id",
            clause.from,
            clause.conditions()
        );
        let mut rows = Vec::new();
        self.rows(&sql, clause.values, |row| {
            let call = CallSubject { project: &text(row, 1)?, subject: &text(row, 2)? };
            if is_wanted(call) {
                rows.push(row.get(0)?);
            }
            Ok(())
        })?;
        let sql = format!(
            "{SUMMARY} FROM json_each(?1) page CROSS JOIN events e ON e.id = page.value
             JOIN sessions s ON s.id = e.session JOIN projects p ON p.id = e.project ORDER BY page.key"
        );
        self.rows(&sql, vec![Value::Text(json_list(&rows))], summary)
    }

    pub(super) fn ran(&self, asked: &EventSummary) -> Result<bool, StoreError> {
        let sql = "SELECT e.kind FROM events e INDEXED BY events_session
                   WHERE e.session = ?1 AND e.id > ?2 AND e.duplicate = 0 AND e.agent = ?3
                   AND e.kind IN ('before_tool', 'after_tool', 'tool_failed') AND e.tool IS ?4 AND e.subject = ?5
                   ORDER BY e.id LIMIT 1";
        let tool = asked.tool.map(ToolKind::name);
        let values = params![asked.session_row, asked.row, asked.agent, tool, asked.subject];
        let read = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query(values)?;
            rows.next()?.map(|row| owned_text(row, 0)).transpose()
        };
        let next: Option<String> = read().map_err(self.failed())?;
        // Another `before_tool` first means that the person refused, and the agent tried again.
        Ok(next.is_some_and(|kind| kind != EventKind::BeforeTool.name()))
    }

    pub(super) fn kind_counts(&self, window: &Window) -> Result<Vec<KindCount>, StoreError> {
        let clause = within(Clause::new("events e INDEXED BY events_at"), window, "e.at");
        let sql = format!(
            "SELECT (SELECT path FROM projects WHERE id = counted.project), kind, tool, events FROM
             (SELECT e.project, e.kind, e.tool, count(*) AS events FROM {} WHERE {} GROUP BY 1, 2, 3) counted",
            clause.from,
            clause.conditions()
        );
        let found = self.rows(&sql, clause.values, |row| {
            let kind = EventKind::from_name(&text(row, 1)?);
            let tool = optional_text(row, 2)?;
            let tool = tool.as_deref().and_then(ToolKind::from_name);
            let (project, events) = (owned_text(row, 0)?, number(row, 3)?);
            Ok(kind.map(|kind| KindCount { project, kind, tool, events }))
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    pub(super) fn annotated(
        &self,
        window: &Window,
        before: i64,
        most: usize,
    ) -> Result<AnnotatedPage, StoreError> {
        // By row, the order of the pages; an index by time would have to be sorted for each page.
        let mut clause = within(Clause::new("events e NOT INDEXED"), window, "e.at");
        clause.with("e.id < ?", before);
        let page = format!(
            "SELECT e.id FROM {} WHERE {} ORDER BY e.id DESC LIMIT {most}",
            clause.from,
            clause.conditions()
        );
        let rows: Vec<i64> = self.rows(&page, clause.values, |row| row.get(0))?;
        let next = rows.last().copied().filter(|_| rows.len() == most);
        let sql = format!(
            "{} FROM json_each(?1) page CROSS JOIN events e ON e.id = page.value {} WHERE {ANNOTATED}",
            columns(PayloadMode::Without),
            joined(PayloadMode::Without)
        );
        let found = self
            .rows(&sql, vec![Value::Text(json_list(&rows))], |row| read_event(row, PayloadMode::Without))?;
        Ok(AnnotatedPage { events: found.into_iter().flatten().collect(), next })
    }

    fn rows<T>(
        &self,
        sql: &str,
        values: Vec<Value>,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let read = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let rows = statement.query_map(params_from_iter(values), |row| each(row))?;
            rows.collect::<rusqlite::Result<Vec<T>>>()
        };
        read().map_err(self.failed())
    }
}

/// The verdicts of a window and their events, without calls that came twice.
fn verdicts(window: &Window) -> Clause {
    let clause = Clause::new("verdicts v CROSS JOIN events e ON e.id = v.event");
    within(clause, window, "v.at")
}

fn events_within(window: &Window) -> Clause {
    let from = "events e JOIN sessions s ON s.id = e.session JOIN projects p ON p.id = e.project";
    within(Clause::new(from), window, "e.at")
}

fn within(mut clause: Clause, window: &Window, time: &str) -> Clause {
    let (since, until) = window.bounds();
    clause.with(&format!("{time} >= ?"), since.as_micros());
    clause.with(&format!("{time} < ?"), until.as_micros());
    if let Some(project) = &window.project {
        clause.with("+e.project = (SELECT id FROM projects WHERE path = ?)", project.clone());
    }
    clause.bare("e.duplicate = 0");
    clause
}

fn summary(row: &Row<'_>) -> rusqlite::Result<EventSummary> {
    let text = |column| optional_text(row, column);
    Ok(EventSummary {
        row: integer(row, 0)?,
        answer: owned_text(row, 1)?,
        at: time(row, 2)?,
        session_row: integer(row, 3)?,
        session: SessionId::new(&super::values::text(row, 4)?),
        agent: owned_text(row, 5)?,
        project: owned_text(row, 6)?,
        kind: text(7)?.as_deref().and_then(EventKind::from_name),
        tool: text(8)?.as_deref().and_then(ToolKind::from_name),
        subject: owned_text(row, 9)?,
        policies: text(10)?.unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
    })
}
