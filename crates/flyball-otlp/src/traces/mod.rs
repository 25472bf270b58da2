//! Spans: a trace per session, made of events in the order they were recorded.
//!
//! A span is sent when its end is known. What has begun is in [`OpenSpans`], which is small, bounded and saved with
//! the sender's position: the same events from the same position make the same spans.

mod hook;
mod open;
mod span;

pub use open::OpenSpans;

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use self::open::{Call, OpenSession, Start};
use self::span::{End, Ending, Span, end_of};
use crate::export_settings::ExportSettings;
use crate::id;
use crate::message::Message;

/// A request with the spans that end with these events, and those of sessions that rest at `now`. `open` is changed accordingly: keep it only once the request is accepted.
#[must_use]
pub fn traces(records: &[Record], (open, now): (&mut OpenSpans, Time), settings: &ExportSettings) -> Message {
    let mut spans = Vec::new();
    // A call that came twice was counted the first time.
    for record in records.iter().filter(|record| !record.duplicate) {
        let session = open.session(record);
        step(session, record, settings, &mut spans);
        if record.kind == EventKind::SessionEnd {
            open.end(record, &mut spans);
        }
        // After each event: what is open is stored with the position and must stay small.
        open.enforce_limits(&mut spans);
    }
    open.end_idle(now, &mut spans);
    let all = spans.iter().map(Span::message).collect();
    settings.request(("resourceSpans", "scopeSpans", "spans"), all)
}

/// What one event begins and ends.
fn step(session: &mut OpenSession, record: &Record, settings: &ExportSettings, spans: &mut Vec<Span>) {
    let agent = agent_of(record);
    let is_main = agent.is_empty();
    let end = |ending| End { at: end_of(record), ending };
    session.last_at = session.last_at.max(end_of(record));
    if record.kind == EventKind::PromptSubmit && is_main {
        // A new prompt while a turn is open: its stop was never seen.
        session.end_turn(End { at: record.at, ending: Ending::Unfinished }, spans);
        session.turn = Some(Start::from_record(record));
    }
    if let Some(agent) = &record.agent {
        session.begin_agent(agent, record);
    }
    let parent = match record.kind {
        EventKind::BeforeTool => begin_call(session, record, spans),
        EventKind::AfterTool => end_call(session, record, Ending::Succeeded, spans),
        EventKind::ToolFailed => end_call(session, record, Ending::Failed, spans),
        _ => session.parent_span(agent),
    };
    spans.extend(hook::spans(session, record, parent, settings));
    // An agent that is blocked from stopping goes on.
    let is_over = record.stance != Stance::Deny;
    match record.kind {
        EventKind::Stop if is_over && is_main => session.end_turn(end(Ending::Succeeded), spans),
        EventKind::StopFailed if is_main => session.end_turn(end(Ending::Failed), spans),
        EventKind::Interrupted if is_main => session.end_turn(end(Ending::Unfinished), spans),
        EventKind::AgentStop if is_over => session.end_agent(agent, end(Ending::Succeeded), spans),
        _ => {}
    }
}

/// The agent of an event; empty for the main one.
fn agent_of(record: &Record) -> &str {
    record.agent.as_ref().map_or("", |agent| agent.id.as_str())
}

/// A call begins, or ends at once if it is denied. Returns the id of its span.
fn begin_call(session: &mut OpenSession, record: &Record, spans: &mut Vec<Span>) -> Vec<u8> {
    let agent = agent_of(record);
    let call = Call {
        start: Start::from_record(record),
        agent: agent.to_owned(),
        tool: record.tool.map_or("", |tool| tool.name()).to_owned(),
        subject: id::hash(&record.subject),
        parent: session.parent_span(agent),
    };
    let span = session.id("tool", &call.start.id);
    if record.stance == Stance::Deny {
        session.push_call(call, End { at: end_of(record), ending: Ending::Denied }, spans);
    } else {
        session.calls.push(call);
    }
    span
}

/// Ends the first open call that this may be the end of: the same agent, tool and subject. Returns the id of its span.
fn end_call(session: &mut OpenSession, record: &Record, ending: Ending, spans: &mut Vec<Span>) -> Vec<u8> {
    let agent = agent_of(record);
    let tool = record.tool.map_or("", |tool| tool.name());
    let subject = id::hash(&record.subject);
    let is_same = |call: &Call| call.agent == agent && call.tool == tool && call.subject == subject;
    let Some(place) = session.calls.iter().position(is_same) else { return session.parent_span(agent) };
    let call = session.calls.remove(place);
    let span = session.id("tool", &call.start.id);
    // The hook runs after the call.
    session.push_call(call, End { at: record.at, ending }, spans);
    span
}
