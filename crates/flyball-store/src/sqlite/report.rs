//! Questions of a report: who had a say how often, and what became of what was stopped. None of them reads the
//! record of every event.

use flyball_core::config::Mode;
use flyball_core::event::{EventKind, SessionId, ToolKind};
use flyball_core::verdict::Stance;
use rusqlite::types::Value;
use rusqlite::{Row, params, params_from_iter};

use super::filter::{Clause, PayloadWish};
use super::insert::rank;
use super::query::{StoredEvent, columns, joined, listed, stored};
use super::{Index, Window};
use crate::error::StoreError;

/// How often a policy said something, in one mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The policy.
    pub policy: String,
    /// The mode it was in; nothing for one that only a newer flyball knows.
    pub mode: Option<Mode>,
    /// What it said.
    pub stance: Stance,
    /// Whether it said more than was answered: it did not count.
    pub is_above: bool,
    /// How often.
    pub events: u64,
    /// How often it could not judge.
    pub troubles: u64,
}

/// When and where a policy had a say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoke {
    /// The policy.
    pub policy: String,
    /// In how many sessions.
    pub sessions: u64,
    /// When last.
    pub last_at: i64,
    /// The row of that event.
    pub last_row: i64,
}

/// An event without its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brief {
    /// Its row.
    pub row: i64,
    /// The id of its answer.
    pub answer: String,
    /// When.
    pub at: i64,
    /// The row of its session, which is one for each client.
    pub session_row: i64,
    /// The session.
    pub session: SessionId,
    /// The subagent; empty for the main agent.
    pub agent: String,
    /// The root of its project.
    pub project: String,
    /// Its kind.
    pub kind: Option<EventKind>,
    /// The kind of tool.
    pub tool: Option<ToolKind>,
    /// What it was about.
    pub subject: String,
    /// The policies that said what was answered.
    pub policies: Vec<String>,
}

/// How many events of a kind came in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// The root of the project.
    pub project: String,
    /// The kind of event.
    pub kind: EventKind,
    /// The kind of tool, if it is about one.
    pub tool: Option<ToolKind>,
    /// How many.
    pub events: u64,
}

/// Which events of a verdict are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard<'a> {
    /// Where some policy could not judge.
    Troubled,
    /// Where a policy that enforces said more than was answered.
    Above,
    /// Where this policy had a say.
    By(&'a str),
}

/// What tells more than a verdict: context, notices, rewrites, and the user's rules that only watch. As the record is
/// written: compact JSON. A text that looks like it is only read in vain.
const TELLING: &str = "(e.context > 0 OR instr(r.record, '\"name\":\"rule\"') > 0)";

const BRIEF: &str = "SELECT e.id, e.answer, e.at, e.session, s.session, e.agent, p.path, e.kind, e.tool, e.subject,
    (SELECT group_concat(v.policy, ' ') FROM verdicts v WHERE v.event = e.id AND v.stance = e.stance AND v.mode = 'enforce')";

impl Index {
    /// What the policies said in a window, and how often.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn said(&self, window: &Window) -> Result<Vec<Said>, StoreError> {
        let clause = heard(window);
        let sql = format!(
            "SELECT v.policy, v.mode, v.stance, v.stance > e.stance, count(*), sum(v.troubled)
             FROM {} WHERE {} GROUP BY 1, 2, 3, 4",
            clause.from,
            clause.conditions()
        );
        self.rows(&sql, clause.values, |row| {
            let mode: String = row.get(1)?;
            Ok(Said {
                policy: row.get(0)?,
                mode: serde_json::from_value(serde_json::Value::String(mode)).ok(),
                stance: stance(row.get(2)?),
                is_above: row.get(3)?,
                events: number(row, 4)?,
                troubles: number(row, 5)?,
            })
        })
    }

    /// In how many sessions of a window each policy had a say, and when last.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn spoke(&self, window: &Window) -> Result<Vec<Spoke>, StoreError> {
        let clause = heard(window);
        // Of a group with a `max`, SQLite takes the other columns from the row that has it.
        let sql = format!(
            "SELECT v.policy, count(DISTINCT e.session), max(v.at), v.event FROM {} WHERE {} GROUP BY 1",
            clause.from,
            clause.conditions()
        );
        self.rows(&sql, clause.values, |row| {
            Ok(Spoke {
                policy: row.get(0)?,
                sessions: number(row, 1)?,
                last_at: row.get(2)?,
                last_row: row.get(3)?,
            })
        })
    }

    /// The records of events of a window by what policies said, the newest first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn heard(
        &self,
        window: &Window,
        which: Heard<'_>,
        most: usize,
    ) -> Result<Vec<StoredEvent>, StoreError> {
        let mut clause = heard(window);
        match which {
            Heard::Troubled => clause.bare("v.troubled = 1"),
            Heard::Above => clause.bare("v.mode = 'enforce' AND v.stance >= 2 AND v.stance > e.stance"),
            Heard::By(policy) => clause.with("v.policy = ?", policy.to_owned()),
        }
        let sql = format!(
            "SELECT DISTINCT v.event FROM {} WHERE {} ORDER BY v.at DESC LIMIT {most}",
            clause.from,
            clause.conditions()
        );
        let rows: Vec<i64> = self.rows(&sql, clause.values, |row| row.get(0))?;
        self.at_rows(&rows, PayloadWish::Without)
    }

    /// The events in these rows, in their order; what is gone is left out.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn at_rows(&self, rows: &[i64], payloads: PayloadWish) -> Result<Vec<StoredEvent>, StoreError> {
        let sql = format!(
            "{} FROM json_each(?1) page CROSS JOIN events e ON e.id = page.value {} ORDER BY page.key",
            columns(payloads),
            joined(payloads)
        );
        let found = self.rows(&sql, vec![Value::Text(listed(rows))], |row| stored(row, payloads))?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The events of a window that were answered like this, the newest first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn answered(&self, window: &Window, stance: Stance, most: usize) -> Result<Vec<Brief>, StoreError> {
        let mut clause = briefs(window);
        clause.with("e.stance = ?", rank(stance));
        let sql = format!(
            "{BRIEF} FROM {} WHERE {} ORDER BY e.at DESC, e.id DESC LIMIT {most}",
            clause.from,
            clause.conditions()
        );
        self.rows(&sql, clause.values, brief)
    }

    /// The calls of a window that were not stopped and may be what was stopped before: of each `is_it` says so.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn passed(
        &self,
        window: &Window,
        mut is_it: impl FnMut(&str, &str) -> bool,
    ) -> Result<Vec<Brief>, StoreError> {
        let mut clause = briefs(window);
        clause.bare("e.kind = 'before_tool' AND e.stance < 2");
        let sql = format!(
            "SELECT e.id, p.path, e.subject FROM {} WHERE {} ORDER BY e.at, e.id",
            clause.from,
            clause.conditions()
        );
        let mut rows = Vec::new();
        self.rows(&sql, clause.values, |row| {
            if is_it(row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?) {
                rows.push(row.get(0)?);
            }
            Ok(())
        })?;
        let sql = format!(
            "{BRIEF} FROM json_each(?1) page CROSS JOIN events e ON e.id = page.value
             JOIN sessions s ON s.id = e.session JOIN projects p ON p.id = e.project ORDER BY page.key"
        );
        self.rows(&sql, vec![Value::Text(listed(&rows))], brief)
    }

    /// Whether a call that a person was asked about ran: the next that is known of it is that it was done.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn ran(&self, asked: &Brief) -> Result<bool, StoreError> {
        let sql = "SELECT e.kind FROM events e INDEXED BY events_session
                   WHERE e.session = ?1 AND (e.at, e.id) > (?2, ?3) AND e.duplicate = 0 AND e.agent = ?4
                   AND e.kind IN ('before_tool', 'after_tool', 'tool_failed') AND e.tool IS ?5 AND e.subject = ?6
                   ORDER BY e.at, e.id LIMIT 1";
        let tool = asked.tool.map(ToolKind::name);
        let values = params![asked.session_row, asked.at, asked.row, asked.agent, tool, asked.subject];
        let read = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query(values)?;
            rows.next()?.map(|row| row.get::<_, String>(0)).transpose()
        };
        let next: Option<String> = read().map_err(self.failed())?;
        Ok(next.is_some_and(|kind| kind != EventKind::BeforeTool.name()))
    }

    /// How many events of each kind came in each project of a window.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn met(&self, window: &Window) -> Result<Vec<Met>, StoreError> {
        let clause = within(Clause::new("events e INDEXED BY events_at"), window, "e.at");
        let sql = format!(
            "SELECT (SELECT path FROM projects WHERE id = counted.project), kind, tool, events FROM
             (SELECT e.project, e.kind, e.tool, count(*) AS events FROM {} WHERE {} GROUP BY 1, 2, 3) counted",
            clause.from,
            clause.conditions()
        );
        let found = self.rows(&sql, clause.values, |row| {
            let kind = EventKind::from_name(row.get_ref(1)?.as_str()?);
            let tool = row.get::<_, Option<String>>(2)?;
            let tool = tool.as_deref().and_then(ToolKind::from_name);
            let (project, events) = (row.get(0)?, number(row, 3)?);
            Ok(kind.map(|kind| Met { project, kind, tool, events }))
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// The records of a window that tell more than a verdict, of the `most` newest events before a row; and the row to
    /// go on from, if there are more.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn telling(
        &self,
        window: &Window,
        before: i64,
        most: usize,
    ) -> Result<(Vec<StoredEvent>, Option<i64>), StoreError> {
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
            "{} FROM json_each(?1) page CROSS JOIN events e ON e.id = page.value {} WHERE {TELLING}",
            columns(PayloadWish::Without),
            joined(PayloadWish::Without)
        );
        let found =
            self.rows(&sql, vec![Value::Text(listed(&rows))], |row| stored(row, PayloadWish::Without))?;
        Ok((found.into_iter().flatten().collect(), next))
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
fn heard(window: &Window) -> Clause {
    let clause = Clause::new("verdicts v CROSS JOIN events e ON e.id = v.event");
    within(clause, window, "v.at")
}

fn briefs(window: &Window) -> Clause {
    let from = "events e JOIN sessions s ON s.id = e.session JOIN projects p ON p.id = e.project";
    within(Clause::new(from), window, "e.at")
}

fn within(mut clause: Clause, window: &Window, time: &str) -> Clause {
    let (since, until) = window.bounds();
    clause.with(&format!("{time} >= ?"), since);
    clause.with(&format!("{time} < ?"), until);
    if let Some(project) = &window.project {
        clause.with("+e.project = (SELECT id FROM projects WHERE path = ?)", project.clone());
    }
    clause.bare("e.duplicate = 0");
    clause
}

fn brief(row: &Row<'_>) -> rusqlite::Result<Brief> {
    let text = |column| row.get::<_, Option<String>>(column);
    Ok(Brief {
        row: row.get(0)?,
        answer: row.get(1)?,
        at: row.get(2)?,
        session_row: row.get(3)?,
        session: SessionId::new(row.get_ref(4)?.as_str()?),
        agent: row.get(5)?,
        project: row.get(6)?,
        kind: text(7)?.as_deref().and_then(EventKind::from_name),
        tool: text(8)?.as_deref().and_then(ToolKind::from_name),
        subject: row.get(9)?,
        policies: text(10)?.unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
    })
}

fn stance(number: i64) -> Stance {
    Stance::ALL.iter().copied().find(|stance| rank(*stance) == number).unwrap_or_default()
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(column)?).unwrap_or_default())
}
