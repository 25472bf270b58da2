//! Spans: a trace per session, made of events in the order they were recorded.
//!
//! A span is sent when its end is known. What has begun is kept in [`OpenSpans`], which is small, bounded and saved with
//! the sender's place: the same events from the same place make the same spans.

mod open;
mod span;

pub use open::OpenSpans;

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;

use self::open::{Call, OpenSession, Start};
use self::span::{Ending, Span};
use crate::export_settings::ExportSettings;
use crate::id;
use crate::message::Message;

/// A request with the spans that end with these events, and those of sessions that rest at `now` (in microseconds since
/// 1970). `open` is changed accordingly: keep it only once the request is accepted.
#[must_use]
pub fn traces(records: &[Record], (open, now): (&mut OpenSpans, i64), frame: &ExportSettings) -> Message {
    let mut spans = Vec::new();
    for record in records.iter().filter(|record| !record.duplicate) {
        let session = open.session(record);
        step(session, record, (frame, &mut spans));
        if record.kind == EventKind::SessionEnd {
            open.end(record, &mut spans);
        }
        open.enforce_limits(&mut spans);
    }
    open.end_idle(now, &mut spans);
    let all = spans.iter().map(Span::message).collect();
    frame.request(("resourceSpans", "scopeSpans", "spans"), all)
}

/// What one event begins and ends.
fn step(session: &mut OpenSession, record: &Record, (frame, spans): (&ExportSettings, &mut Vec<Span>)) {
    let own = record.agent.as_ref().map_or("", |agent| agent.id.as_str()).to_owned();
    session.last_at = session.last_at.max(end_of(record));
    if record.kind == EventKind::PromptSubmit && own.is_empty() {
        session.end_turn(record.at, Ending::Unfinished, spans);
        session.turn = Some(Start::from_record(record));
    }
    if let Some(agent) = &record.agent {
        session.begin_agent(agent, record);
    }
    let parent = match record.kind {
        EventKind::BeforeTool => begin_call(session, record, &own, spans),
        EventKind::AfterTool => end_call(session, record, (&own, Ending::Succeeded), spans),
        EventKind::ToolFailed => end_call(session, record, (&own, Ending::Failed), spans),
        _ => session.parent_span(&own),
    };
    span::hook(session, record, (parent, frame), spans);
    // An agent that is kept from stopping goes on.
    let is_over = record.stance != Stance::Deny;
    match record.kind {
        EventKind::Stop if is_over && own.is_empty() => {
            session.end_turn(end_of(record), Ending::Succeeded, spans)
        }
        EventKind::StopFailed if own.is_empty() => session.end_turn(end_of(record), Ending::Failed, spans),
        EventKind::Interrupted if own.is_empty() => {
            session.end_turn(end_of(record), Ending::Unfinished, spans);
        }
        EventKind::AgentStop if is_over => {
            session.end_agent(&own, (end_of(record), Ending::Succeeded), spans)
        }
        _ => {}
    }
}

/// A call begins, or ends at once if it is denied. Gives back its span's id.
fn begin_call(session: &mut OpenSession, record: &Record, own: &str, spans: &mut Vec<Span>) -> Vec<u8> {
    let call = Call {
        start: Start::from_record(record),
        agent: own.to_owned(),
        tool: record.tool.map_or("", |tool| tool.name()).to_owned(),
        subject: id::hash(&record.subject),
        parent: session.parent_span(own),
    };
    let span = session.id("tool", &call.start.id);
    if record.stance == Stance::Deny {
        session.push_call(call, (end_of(record), Ending::Denied), spans);
    } else {
        session.calls.push(call);
    }
    span
}

/// The first open call that this may be the end of: the same agent, tool and subject.
fn end_call(
    session: &mut OpenSession,
    record: &Record,
    (own, ending): (&str, Ending),
    spans: &mut Vec<Span>,
) -> Vec<u8> {
    let tool = record.tool.map_or("", |tool| tool.name());
    let subject = id::hash(&record.subject);
    let found = session
        .calls
        .iter()
        .position(|call| call.agent == own && call.tool == tool && call.subject == subject);
    let Some(place) = found else { return session.parent_span(own) };
    let call = session.calls.remove(place);
    let span = session.id("tool", &call.start.id);
    // The hook runs after the call.
    session.push_call(call, (record.at, ending), spans);
    span
}

/// When flyball had answered.
fn end_of(record: &Record) -> i64 {
    record.at.saturating_add(i64::try_from(record.micros).unwrap_or_default())
}
