//! Filters as SQL.

use flyball_core::event::EventKind;
use flyball_core::outcome::Outcome;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use rusqlite::types::Value;

use super::values::rank;
use crate::questions::{Filter, Page};

/// A `FROM … WHERE …` and its values.
pub(crate) struct Clause {
    pub(crate) from: &'static str,
    /// The same with all verdicts about these events, as `w`, from the side with fewer rows.
    pub(crate) tables_with_verdicts: &'static str,
    conditions: Vec<String>,
    pub(crate) values: Vec<Value>,
}

impl Clause {
    pub(crate) fn new(from: &'static str) -> Clause {
        Clause { from, tables_with_verdicts: from, conditions: Vec::new(), values: Vec::new() }
    }

    /// Adds a condition; each `?` in it is the value.
    pub(crate) fn with(&mut self, condition: &str, value: impl Into<Value>) {
        self.values.push(value.into());
        self.conditions.push(condition.replace('?', &format!("?{}", self.values.len())));
    }

    pub(crate) fn bare(&mut self, condition: impl Into<String>) {
        self.conditions.push(condition.into());
    }

    pub(crate) fn conditions(&self) -> String {
        match self.conditions.as_slice() {
            [] => "1".to_owned(),
            some => some.join(" AND "),
        }
    }
}

/// The one index that leads to the events; a `+` prevents SQLite, which cannot know how many events
/// a value has, from choosing another. In order of preference: usually the fewest events first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    Session,
    Agent,
    WouldDeny,
    Policy,
    Stance,
    Project,
    Tool,
    Kind,
    Time,
    /// No index but the events' own order.
    Row,
}

impl Lead {
    const fn tables(self) -> &'static str {
        match self {
            Lead::Policy => "verdicts v CROSS JOIN events e ON e.id = v.event",
            Lead::Session
            | Lead::Agent
            | Lead::WouldDeny
            | Lead::Stance
            | Lead::Project
            | Lead::Tool
            | Lead::Kind
            | Lead::Time
            | Lead::Row => "events e",
        }
    }

    const fn tables_with_verdicts(self) -> &'static str {
        match self {
            Lead::Policy => {
                "verdicts v CROSS JOIN events e ON e.id = v.event CROSS JOIN verdicts w ON w.event = e.id"
            }
            Lead::Session | Lead::Agent | Lead::WouldDeny | Lead::Row => {
                "events e CROSS JOIN verdicts w ON w.event = e.id"
            }
            // These have many events and few verdicts, so the verdicts lead.
            Lead::Stance | Lead::Project | Lead::Tool | Lead::Kind | Lead::Time => {
                "verdicts w CROSS JOIN events e ON e.id = w.event"
            }
        }
    }

    /// The time by which that index is sorted; a `+` where it is sorted by the events' own order.
    const fn time(self) -> &'static str {
        match self {
            Lead::Policy => "v.at",
            Lead::Agent
            | Lead::WouldDeny
            | Lead::Stance
            | Lead::Project
            | Lead::Tool
            | Lead::Kind
            | Lead::Time => "e.at",
            Lead::Session | Lead::Row => "+e.at",
        }
    }
}

/// The kinds as a list in SQL. Names of our own enum need no escaping.
pub(super) fn kind_names(kinds: impl Iterator<Item = EventKind>) -> String {
    let names: Vec<String> = kinds.map(|kind| format!("'{}'", kind.name())).collect();
    names.join(", ")
}

impl Filter {
    /// What selects these events, as `e`, except for the page.
    pub(crate) fn clause(&self, session: Option<i64>) -> Clause {
        self.clause_by(self.lead(), session)
    }

    pub(super) fn clause_by(&self, lead: Lead, session: Option<i64>) -> Clause {
        let mut clause = Clause::new(lead.tables());
        clause.tables_with_verdicts = lead.tables_with_verdicts();
        let plus = |own: Lead| if own == lead { "" } else { "+" };
        if let Some(session) = session {
            clause.with(&format!("{}e.session = ?", plus(Lead::Session)), session);
        }
        if let Some(agent) = &self.agent {
            // The empty one is in no index of its own: it is the most frequent of all.
            let mine = if lead == Lead::Agent { "e.agent <> '' AND " } else { "" };
            clause.with(&format!("{mine}{}e.agent = ?", plus(Lead::Agent)), agent.clone());
        }
        if self.would_deny {
            clause.bare(format!("{}e.would_deny = 1", plus(Lead::WouldDeny)));
        }
        self.judged(&mut clause, lead);
        if let Some(project) = &self.project {
            let condition =
                format!("{}e.project = (SELECT id FROM projects WHERE path = ?)", plus(Lead::Project));
            clause.with(&condition, project.clone());
        }
        if let Some(tool) = self.tool {
            clause.with(&format!("{}e.tool = ?", plus(Lead::Tool)), tool.name().to_owned());
        }
        if !self.kinds.is_empty() {
            let names = kind_names(self.kinds.iter().copied());
            clause.bare(format!("{}e.kind IN ({names})", plus(Lead::Kind)));
        }
        if let Some(outcome) = self.outcome.filter(|outcome| outcome.stance() == Stance::Deny) {
            clause.bare(format!("+e.kind IN ({})", kind_names(outcome.kinds())));
        }
        self.bounds(&mut clause, lead);
        clause
    }

    pub(super) fn lead(&self) -> Lead {
        match self {
            // A follower asks for the few at the end.
            Filter { page: Page::After(_), .. } => Lead::Row,
            Filter { session: Some(_), .. } => Lead::Session,
            Filter { agent: Some(agent), .. } if !agent.is_empty() => Lead::Agent,
            Filter { policy: Some(_), .. } => Lead::Policy,
            Filter { would_deny: true, .. } => Lead::WouldDeny,
            _ if self.wanted_stance().is_some_and(|stance| stance != Stance::Silent) => Lead::Stance,
            Filter { project: Some(_), .. } => Lead::Project,
            Filter { tool: Some(_), .. } => Lead::Tool,
            // Of two kinds SQLite would have to sort all there are.
            Filter { kinds, .. } if kinds.len() == 1 => Lead::Kind,
            Filter { .. } => Lead::Time,
        }
    }

    fn wanted_stance(&self) -> Option<Stance> {
        self.outcome.map(Outcome::stance).or(self.stance)
    }

    fn judged(&self, clause: &mut Clause, lead: Lead) {
        let Some(policy) = &self.policy else {
            if let Some(stance) = self.wanted_stance() {
                let plus = if lead == Lead::Stance { "" } else { "+" };
                clause.with(&format!("{plus}e.stance = ?"), rank(stance));
            }
            return;
        };
        let stance = self.wanted_stance();
        let stance = stance.map_or(String::new(), |stance| format!(" AND v.stance = {}", rank(stance)));
        if lead == Lead::Policy {
            clause.with(&format!("v.policy = ?{stance}"), policy.clone());
        } else {
            let condition =
                format!("EXISTS (SELECT 1 FROM verdicts v WHERE v.event = e.id AND v.policy = ?{stance})");
            clause.with(&condition, policy.clone());
        }
    }

    fn bounds(&self, clause: &mut Clause, lead: Lead) {
        let at = lead.time();
        if let Some(since) = self.since {
            clause.with(&format!("{at} >= ?"), since.as_micros());
        }
        if let Some(until) = self.until {
            clause.with(&format!("{at} < ?"), until.as_micros());
        }
        if let Some(text) = &self.text {
            // For followers, for counts, and to check the few that the packed texts lead to.
            clause.with("e.subject LIKE ? ESCAPE '\\'", format!("%{}%", escaped(text)));
        }
        if !self.with_duplicates {
            clause.bare("e.duplicate = 0");
        }
    }

    /// From when, and up to when.
    pub(super) fn times(&self) -> (Time, Time) {
        (self.since.unwrap_or(Time::MIN), self.until.unwrap_or(Time::MAX))
    }

    /// The text that is searched for, if there is one.
    pub(super) fn searched(&self) -> Option<&str> {
        self.text.as_deref().filter(|text| !text.is_empty())
    }

    /// The page's own condition, and the order.
    pub(super) fn order(&self, lead: Lead, clause: &mut Clause) -> &'static str {
        let by_policy = lead == Lead::Policy;
        if self.session.is_some() && !matches!(self.page, Page::After(_)) {
            // The clock may have been set back in the middle of it.
            if let Page::Before(row) = self.page {
                clause.with("e.id < ?", row);
            }
            return "e.id DESC";
        }
        match self.page {
            Page::Newest => {}
            Page::After(row) => {
                clause.with("e.id > ?", row);
                return "e.id";
            }
            Page::Before(row) => {
                let place = if by_policy { "(v.at, v.event)" } else { "(e.at, e.id)" };
                clause.with(&format!("{place} < (SELECT at, id FROM events WHERE id = ?)"), row);
            }
        }
        if by_policy { "v.at DESC, v.event DESC" } else { "e.at DESC, e.id DESC" }
    }
}

/// Text for `LIKE`, in which nothing is a wildcard.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
