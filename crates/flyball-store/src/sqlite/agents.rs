//! The agents of a session: the main one and those that it started.

use flyball_core::event::SessionId;
use flyball_core::outcome::{DenialCounts, Outcome};
use rusqlite::Row;

use super::denials;
use super::filter::kind_names;
use super::index::Index;
use super::values::{integer, number, owned_text, time};
use crate::error::StoreError;
use crate::questions::AgentSummary;

impl Index {
    pub(super) fn agents(&self, client: &str, session: &SessionId) -> Result<Vec<AgentSummary>, StoreError> {
        let sql = AGENTS
            .replace("HELD", &kind_names(Outcome::Held.kinds()))
            .replace("FINDINGS", &kind_names(Outcome::Finding.kinds()));
        self.connection
            .prepare_cached(&sql)
            .and_then(|mut statement| statement.query_map([session.as_str(), client], agent)?.collect())
            .map_err(self.failed())
    }

    pub(super) fn projects(&self) -> Result<Vec<String>, StoreError> {
        // The latest of each is the end of its part of an index.
        let sql = "SELECT path FROM (
                SELECT path, (SELECT max(at) FROM events WHERE project = projects.id) AS latest FROM projects
            ) WHERE latest IS NOT NULL ORDER BY latest DESC, path";
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map([], |row| owned_text(row, 0))?.collect())
            .map_err(self.failed())
    }
}

/// All but the roles is in the index of a session's events; a role is read from the record of the agent's first.
/// An agent that was blocked from stopping, or that called a tool after it had stopped, goes on.
const AGENTS: &str = "
    SELECT agent,
        coalesce((SELECT iif(json_valid(record), json_extract(record, '$.agent.role'), '') FROM records WHERE event = first), ''),
        first_at, last_at, events, denials, asks, context, coalesce(stopped >= last_started, 0), held, findings
    FROM (
        SELECT agent, min(id) AS first, min(at) AS first_at, max(at) AS last_at, sum(duplicate = 0) AS events,
            sum(duplicate = 0 AND stance = 3) AS denials, sum(duplicate = 0 AND stance = 2) AS asks,
            sum(duplicate = 0 AND stance = 3 AND kind IN (HELD)) AS held,
            sum(duplicate = 0 AND stance = 3 AND kind IN (FINDINGS)) AS findings,
            sum(iif(duplicate = 0, context, 0)) AS context,
            max(iif(kind = iif(agent = '', 'session_end', 'agent_stop') AND stance < 3, id, NULL)) AS stopped,
            max(iif(kind IN ('before_tool', 'agent_start', 'session_start', 'prompt_submit'), id, 0))
                AS last_started
        FROM events
        WHERE session = (SELECT id FROM sessions WHERE session = ?1 AND client = ?2)
        GROUP BY agent
    )
    ORDER BY agent <> '', first";

fn agent(row: &Row<'_>) -> rusqlite::Result<AgentSummary> {
    let number = |column| number(row, column);
    Ok(AgentSummary {
        id: owned_text(row, 0)?,
        role: owned_text(row, 1)?,
        first_at: time(row, 2)?,
        last_at: time(row, 3)?,
        events: number(4)?,
        denials: number(5)?,
        denied: denials::split(
            number(5)?,
            DenialCounts { held: number(9)?, findings: number(10)?, ..DenialCounts::default() },
        ),
        asks: number(6)?,
        context_chars: number(7)?,
        has_stopped: integer(row, 8)? != 0,
    })
}
