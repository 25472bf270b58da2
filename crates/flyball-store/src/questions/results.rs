//! Results about single events, sessions and agents.

use std::collections::BTreeMap;

use flyball_core::event::{AnswerId, EventKind, SessionId, ToolKind};
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

/// An event in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    /// Its place in the order in which events were added, for [`super::Page`].
    pub row: i64,
    /// Its number in the session.
    pub seq: u64,
    /// What was recorded; the payload only where it was asked for.
    pub record: Record,
}

/// The result of looking up an answer's id, or the beginning of one.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// One event, with its payload.
    One(Box<StoredEvent>),
    /// Several; some of their ids.
    Several(Vec<AnswerId>),
    None,
}

/// An event without its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSummary {
    pub row: i64,
    /// The id of its answer.
    pub answer: String,
    pub at: Time,
    /// A number that no other session has, not even one of the same id of another client.
    pub session_row: i64,
    pub session: SessionId,
    /// The subagent; empty for the main agent.
    pub agent: String,
    /// The root of its project.
    pub project: String,
    pub kind: Option<EventKind>,
    /// The kind of tool.
    pub tool: Option<ToolKind>,
    /// What it was about.
    pub subject: String,
    /// The policies whose verdict was the decision.
    pub policies: Vec<String>,
}

/// A call that passed, to find calls that were stopped before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSubject<'a> {
    /// The root of its project.
    pub project: &'a str,
    /// What it was about.
    pub subject: &'a str,
}

/// A page of records that hold more than verdicts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnnotatedPage {
    pub events: Vec<StoredEvent>,
    /// The row to go on from, if there are more.
    pub next: Option<i64>,
}

/// Which session is meant: two clients may have used the same id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionKey {
    pub client: String,
    pub session: SessionId,
}

/// One session, in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    pub client: String,
    pub session: SessionId,
    /// The root of the project it was last seen in.
    pub project: String,
    /// When its first event came.
    pub first_at: Time,
    /// When its last event came.
    pub last_at: Time,
    /// How many events are recorded, each call once.
    pub events: u64,
    /// How many of them were denied.
    pub denials: u64,
    /// The denials by what they were.
    pub denied: DenialCounts,
    /// The kind of the last one, by name.
    pub last_kind: String,
    /// Whether the client reported its end.
    pub has_ended: bool,
}

/// An agent of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSummary {
    /// Its id; empty for the main one.
    pub id: String,
    /// Its role, as the client names it; empty for the main one and where it is not known.
    pub role: String,
    /// Its first event.
    pub first_at: Time,
    pub last_at: Time,
    /// Its events, without duplicates.
    pub events: u64,
    pub denials: u64,
    /// The denials by what they were.
    pub denied: DenialCounts,
    /// Of these, given to a person to decide.
    pub asks: u64,
    /// Characters of context that were added.
    pub context_chars: u64,
    /// Whether it has stopped.
    pub has_stopped: bool,
}

/// How many events there are, each call once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub events: u64,
    /// Calls that came twice; not counted elsewhere.
    pub duplicates: u64,
    pub by_kind: BTreeMap<EventKind, u64>,
    /// By the decision.
    pub by_stance: BTreeMap<Stance, u64>,
    /// By what came of it.
    pub by_outcome: BTreeMap<Outcome, u64>,
    /// By policy, those that were not silent.
    pub by_policy: BTreeMap<String, PolicyCounts>,
}

/// How often a policy gave which verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyCounts {
    pub by_stance: BTreeMap<Stance, u64>,
    /// How often it could not judge.
    pub troubled: u64,
}

/// What was added after a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrivals {
    /// The newest row there ever was; it never becomes smaller unless the index is built again.
    pub newest: i64,
    /// How many events were added, each call once.
    pub events: u64,
    /// How many of them were denied.
    pub denials: u64,
}
