//! What has begun and not ended.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::event::Agent;
use flyball_core::record::Record;
use flyball_core::time::{self, Time};
use serde::{Deserialize, Serialize};

use super::span::{End, Ending, Period, Span, SpanIds};
use crate::{id, names};

/// A session without events for this long counts as ended.
const IDLE: Duration = Duration::from_hours(6);
/// Beyond this many, the one that is idle longest counts as ended.
const MOST_SESSIONS: usize = 64;
const MOST_CALLS: usize = 128;
const MOST_AGENTS: usize = 64;

/// What has begun and not ended, in all sessions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenSpans {
    /// By client and session.
    sessions: BTreeMap<String, OpenSession>,
}

/// A stretch of a session: one that is resumed after its end begins another span in the same trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenSession {
    pub(super) client: String,
    pub(super) session: String,
    first: Start,
    #[serde(with = "time::micros")]
    pub(super) last_at: Time,
    pub(super) turn: Option<Start>,
    agents: BTreeMap<String, OpenAgent>,
    pub(super) calls: Vec<Call>,
}

/// The event that something began with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Start {
    pub(super) id: String,
    #[serde(with = "time::micros")]
    pub(super) at: Time,
}

impl Start {
    pub(super) fn from_record(record: &Record) -> Start {
        Start { id: record.id.as_str().to_owned(), at: record.at }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OpenAgent {
    start: Start,
    role: String,
    parent: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Call {
    pub(super) start: Start,
    pub(super) agent: String,
    pub(super) tool: String,
    /// A number for its subject, which itself is not stored.
    pub(super) subject: u64,
    pub(super) parent: Vec<u8>,
}

impl OpenSpans {
    /// The session of an event; it begins if it is not there.
    pub(super) fn session(&mut self, record: &Record) -> &mut OpenSession {
        self.sessions.entry(key(record)).or_insert_with(|| OpenSession {
            client: record.client.clone(),
            session: record.session.as_str().to_owned(),
            first: Start::from_record(record),
            last_at: record.at,
            turn: None,
            agents: BTreeMap::new(),
            calls: Vec::new(),
        })
    }

    pub(super) fn end(&mut self, record: &Record, spans: &mut Vec<Span>) {
        if let Some(session) = self.sessions.remove(&key(record)) {
            session.end(Ending::Succeeded, spans);
        }
    }

    /// Ends the idle sessions.
    pub(super) fn end_idle(&mut self, now: Time, spans: &mut Vec<Span>) {
        let rests = |session: &OpenSession| now.since(session.last_at) > IDLE;
        for (_, session) in self.sessions.extract_if(.., |_, session| rests(session)) {
            session.end(Ending::Unfinished, spans);
        }
    }

    /// Whether there are idle sessions to end: something to send although nothing happened.
    #[must_use]
    pub fn has_idle(&self, now: Time) -> bool {
        self.sessions.values().any(|session| now.since(session.last_at) > IDLE)
    }

    /// Ends what is idle longest where there is too much.
    pub(super) fn enforce_limits(&mut self, spans: &mut Vec<Span>) {
        for session in self.sessions.values_mut() {
            session.enforce_limits(spans);
        }
        while self.sessions.len() > MOST_SESSIONS {
            let longest = self.sessions.iter().min_by_key(|(_, session)| session.last_at);
            let Some(session) =
                longest.map(|(key, _)| key.clone()).and_then(|key| self.sessions.remove(&key))
            else {
                return;
            };
            session.end(Ending::Unfinished, spans);
        }
    }
}

fn key(record: &Record) -> String {
    format!("{}\n{}", record.client, record.session.as_str())
}

impl OpenSession {
    /// The id of a span of this session.
    pub(super) fn id(&self, what: &str, which: &str) -> Vec<u8> {
        id::span((&self.client, &self.session), what, which)
    }

    /// The span that an event of an agent (empty: the main one) happens in.
    pub(super) fn parent_span(&self, agent: &str) -> Vec<u8> {
        if let Some(open) = self.agents.get(agent) {
            return self.id("agent", &open.start.id);
        }
        match &self.turn {
            Some(turn) => self.id("turn", &turn.id),
            None => self.id("session", &self.first.id),
        }
    }

    /// An agent is seen; it begins if it was not before.
    pub(super) fn begin_agent(&mut self, agent: &Agent, record: &Record) {
        if !self.agents.contains_key(&agent.id) {
            let open = OpenAgent {
                start: Start::from_record(record),
                role: agent.role.clone(),
                parent: self.parent_span(""),
            };
            self.agents.insert(agent.id.clone(), open);
        }
    }

    /// The turn ends, if there is one, and the main agent's calls with it.
    pub(super) fn end_turn(&mut self, end: End, spans: &mut Vec<Span>) {
        let Some(turn) = self.turn.take() else { return };
        self.end_calls("", end.at, spans);
        let parent = self.id("session", &self.first.id);
        spans.push(self.span("turn", &turn, parent, end));
    }

    /// An agent ends, and its calls with it.
    pub(super) fn end_agent(&mut self, agent: &str, end: End, spans: &mut Vec<Span>) {
        self.end_calls(agent, end.at, spans);
        let Some(open) = self.agents.remove(agent) else { return };
        let mut span = self.span("agent", &open.start, open.parent, end);
        span.attributes.text(names::AGENT_ID, agent);
        span.attributes.text(names::AGENT_ROLE, &open.role);
        spans.push(span);
    }

    fn end_calls(&mut self, agent: &str, at: Time, spans: &mut Vec<Span>) {
        for call in self.calls.extract_if(.., |call| call.agent == agent).collect::<Vec<Call>>() {
            self.push_call(call, End { at, ending: Ending::Unfinished }, spans);
        }
    }

    /// Makes the span of a call that ended.
    pub(super) fn push_call(&self, call: Call, end: End, spans: &mut Vec<Span>) {
        let mut span = self.span("tool", &call.start, call.parent, end);
        span.attributes.text(names::TOOL, &call.tool);
        span.attributes.text(names::AGENT_ID, &call.agent);
        spans.push(span);
    }

    fn end(mut self, ending: Ending, spans: &mut Vec<Span>) {
        let at = self.last_at;
        // Children before their parents, as they would have ended.
        for agent in self.agents.keys().cloned().collect::<Vec<String>>() {
            self.end_agent(&agent, End { at, ending: Ending::Unfinished }, spans);
        }
        self.end_turn(End { at, ending }, spans);
        self.end_calls("", at, spans);
        spans.push(self.span("session", &self.first, Vec::new(), End { at, ending }));
    }

    fn enforce_limits(&mut self, spans: &mut Vec<Span>) {
        let at = self.last_at;
        if self.calls.len() > MOST_CALLS {
            // The oldest. One is enough, since this runs after each event.
            let call = self.calls.remove(0);
            self.push_call(call, End { at, ending: Ending::Unfinished }, spans);
        }
        if self.agents.len() > MOST_AGENTS {
            let oldest = self.agents.iter().min_by_key(|(_, agent)| agent.start.at).map(|(id, _)| id.clone());
            self.end_agent(&oldest.unwrap_or_default(), End { at, ending: Ending::Unfinished }, spans);
        }
    }

    fn span(&self, name: &'static str, start: &Start, parent: Vec<u8>, end: End) -> Span {
        let (trace, id) = (id::trace(&self.client, &self.session), self.id(name, &start.id));
        let mut span = Span::new(SpanIds { trace, id, parent }, name, Period { from: start.at, to: end.at });
        span.attributes.text(names::SESSION_ID, &self.session);
        span.attributes.text(names::CLIENT, &self.client);
        span.end(end.ending);
        span
    }
}
