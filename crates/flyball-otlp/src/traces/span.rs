//! One span.

use flyball_core::record::Record;
use flyball_core::time::Time;

use crate::export_settings::nanos;
use crate::message::{Message, Wire};
use crate::names;
use crate::value::Attributes;

const INTERNAL: u32 = 1;
const ERROR: u32 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Succeeded,
    Failed,
    Denied,
    /// Its end was never seen.
    Unfinished,
}

/// When something ended, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) at: Time,
    pub(super) ending: Ending,
}

/// The place of a span in its trace.
pub(super) struct SpanIds {
    pub(super) trace: Vec<u8>,
    pub(super) id: Vec<u8>,
    /// Empty for the span of a session.
    pub(super) parent: Vec<u8>,
}

/// From when to when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    pub(super) from: Time,
    pub(super) to: Time,
}

/// When flyball had answered.
pub(super) fn end_of(record: &Record) -> Time {
    record.at + record.took
}

/// A span that ended.
pub(super) struct Span {
    ids: SpanIds,
    name: &'static str,
    period: Period,
    pub(super) attributes: Attributes,
    /// What went wrong, if something did.
    pub(super) error: &'static str,
}

impl Span {
    pub(super) fn new(ids: SpanIds, name: &'static str, period: Period) -> Span {
        Span { ids, name, period, attributes: Attributes::default(), error: "" }
    }

    pub(super) fn end(&mut self, ending: Ending) {
        match ending {
            Ending::Succeeded => {}
            Ending::Failed => self.error = "failed",
            Ending::Denied => self.error = "denied",
            Ending::Unfinished => self.attributes.flag(names::UNFINISHED, true),
        }
    }

    pub(super) fn message(&self) -> Message {
        let status = Message::default().text(2, "message", self.error).with(3, "code", Wire::Number(ERROR));
        let Period { from, to } = self.period;
        let message = Message::default()
            .with(1, "traceId", Wire::Id(self.ids.trace.clone()))
            .with(2, "spanId", Wire::Id(self.ids.id.clone()))
            .with(4, "parentSpanId", Wire::Id(self.ids.parent.clone()))
            .text(5, "name", self.name)
            .with(6, "kind", Wire::Number(INTERNAL))
            .with(7, "startTimeUnixNano", Wire::Fixed(nanos(from)))
            // A clock that was set back must not make a span that ends before it begins.
            .with(8, "endTimeUnixNano", Wire::Fixed(nanos(to.max(from))))
            .with(9, "attributes", self.attributes.wire());
        if self.error.is_empty() { message } else { message.with(15, "status", Wire::One(status)) }
    }
}
