//! The next request for a signal.

use std::time::Duration;

use flyball_core::config::{OtlpProtocol, OtlpSignal};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_otlp::{Interval, Message, OpenSpans, Totals, logs, metrics, traces};
use flyball_store::outbox::{Cursor, Pending};
use flyball_store::{Records, StoredEvent};

use super::plan::{Plan, Target};
use crate::outcome::Failed;

const MICROSECOND: Duration = Duration::from_micros(1);

/// Receivers take 4 MB and more; most limits begin there.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// A request that is ready to be sent.
pub(super) struct Batch {
    pub(super) message: Message,
    pub(super) body: Vec<u8>,
    /// The events in it.
    pub(super) events: u64,
    pub(super) pending: Pending,
    until: Time,
    open: serde_json::Value,
}

impl Batch {
    /// Moves the cursor past the batch, after the receiver accepted it.
    pub(super) fn advance(&self, cursor: &mut Cursor) {
        cursor.row = self.pending.to;
        cursor.until = self.until;
        cursor.open = self.open.clone();
        cursor.pending = None;
        cursor.sent += self.events;
    }
}

/// One signal: where it is sent, and the records that it is made from.
#[derive(Clone, Copy)]
pub(super) struct Channel<'a> {
    pub(super) plan: &'a Plan,
    pub(super) target: &'a Target,
    pub(super) index: &'a dyn Records,
}

impl Channel<'_> {
    /// The next request; nothing if nothing is due. Events that are not part of this signal are skipped.
    pub(super) fn next_batch(&self, cursor: &mut Cursor, now: Time) -> Result<Option<Batch>, Failed> {
        loop {
            let limit = if cursor.limit == 0 { self.plan.batch } else { cursor.limit.min(self.plan.batch) };
            let mut events = self.index.next_batch(cursor.row, limit)?;
            // A batch that was sent before is sent again unchanged, even if there are new events.
            if let Some(pending) = cursor.pending {
                events.retain(|event| event.row <= pending.to);
            }
            // Retention deleted all of the batch; the events after it are due now.
            if events.is_empty() && cursor.pending.take().is_some() {
                continue;
            }
            if events.is_empty() && !self.has_idle_spans(cursor, now) {
                return Ok(None);
            }
            let batch = self.fitting(cursor, events, now);
            // Nothing of these events belongs to the signal: they are skipped without a request.
            if batch.body.is_empty() {
                batch.advance(cursor);
                continue;
            }
            return Ok(Some(batch));
        }
    }

    fn has_idle_spans(&self, cursor: &Cursor, now: Time) -> bool {
        self.target.signal == OtlpSignal::Traces && open_spans(cursor).has_idle(now)
    }

    /// As many of the events as fit into one request, at least one.
    fn fitting(&self, cursor: &Cursor, mut events: Vec<StoredEvent>, now: Time) -> Batch {
        loop {
            let to = events.last().map_or(cursor.row, |event| event.row);
            // The time of the first attempt is part of the message: with another one it would not be the same
            // request.
            let at = cursor.pending.filter(|pending| pending.to == to).map_or(now, |pending| pending.at);
            let records: Vec<Record> = events
                .iter()
                .filter(|event| event.record.at >= cursor.since)
                .map(|event| event.record.clone())
                .collect();
            let batch = self.encode(cursor, &records, Pending { to, at });
            if batch.body.len() <= MOST_BYTES || events.len() < 2 {
                return batch;
            }
            events.truncate(events.len() / 2);
        }
    }

    fn encode(&self, cursor: &Cursor, records: &[Record], pending: Pending) -> Batch {
        let Channel { plan, target, .. } = self;
        let mut open = open_spans(cursor);
        let mut until = cursor.until;
        let mut totals = totals(cursor);
        let message = match target.signal {
            OtlpSignal::Logs => logs(records, pending.at, &plan.frame),
            OtlpSignal::Metrics => {
                let first = records.iter().map(|record| record.at).min().unwrap_or(pending.at);
                // Counting begins with the first event, or where an older flyball had sent up to.
                let from = if until == Time::default() { first.min(pending.at - MICROSECOND) } else { until };
                // A clock that was set back must not make totals older than those before.
                until = pending.at.max(from + MICROSECOND);
                metrics(records, (&mut totals, Interval { from, to: until }), &plan.frame)
            }
            OtlpSignal::Traces => traces(records, (&mut open, pending.at), &plan.frame),
        };
        let body = match plan.protocol {
            _ if message == Message::default() => Vec::new(),
            OtlpProtocol::Protobuf => message.protobuf(),
            OtlpProtocol::Json => message.json().to_string().into_bytes(),
        };
        if body.is_empty() {
            // Nothing was counted.
            until = cursor.until;
        }
        let open = match target.signal {
            OtlpSignal::Traces => serde_json::to_value(&open).unwrap_or_default(),
            OtlpSignal::Metrics if body.is_empty() => cursor.open.clone(),
            OtlpSignal::Metrics => serde_json::to_value(&totals).unwrap_or_default(),
            OtlpSignal::Logs => serde_json::Value::Null,
        };
        Batch { message, body, events: records.len() as u64, pending, until, open }
    }
}

fn totals(cursor: &Cursor) -> Totals {
    // Without them counting begins anew, which receivers see by its start.
    serde_json::from_value(cursor.open.clone()).unwrap_or_default()
}

fn open_spans(cursor: &Cursor) -> OpenSpans {
    // Spans of an unknown format are given up: sending must go on.
    serde_json::from_value(cursor.open.clone()).unwrap_or_default()
}
