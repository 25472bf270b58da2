//! One span, and those of hooks and policies.

use flyball_core::config::OtlpContent;
use flyball_core::record::{Record, RecordedRuling};

use super::open::OpenSession;
use crate::export_settings::{ExportSettings, has_opinion, nanos};
use crate::message::{Message, Wire};
use crate::value::Attributes;
use crate::{id, names};

const INTERNAL: u32 = 1;
const ERROR: u32 = 2;

/// A policy that said nothing has a span from this time on.
const WORTH_A_SPAN_MICROS: u64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Succeeded,
    Failed,
    Denied,
    /// Its end was never told.
    Unfinished,
}

/// A span that ended.
pub(super) struct Span {
    trace: Vec<u8>,
    id: Vec<u8>,
    parent: Vec<u8>,
    name: &'static str,
    from: i64,
    to: i64,
    pub(super) attributes: Attributes,
    /// What went wrong, if something did.
    error: &'static str,
}

impl Span {
    pub(super) fn new(
        (trace, id, parent): (Vec<u8>, Vec<u8>, Vec<u8>),
        name: &'static str,
        (from, to): (i64, i64),
    ) -> Span {
        // A clock that was set back must not make a span that ends before it begins.
        Span { trace, id, parent, name, from, to: to.max(from), attributes: Attributes::default(), error: "" }
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
        let message = Message::default()
            .with(1, "traceId", Wire::Id(self.trace.clone()))
            .with(2, "spanId", Wire::Id(self.id.clone()))
            .with(4, "parentSpanId", Wire::Id(self.parent.clone()))
            .text(5, "name", self.name)
            .with(6, "kind", Wire::Number(INTERNAL))
            .with(7, "startTimeUnixNano", Wire::Fixed(nanos(self.from)))
            .with(8, "endTimeUnixNano", Wire::Fixed(nanos(self.to)))
            .with(9, "attributes", self.attributes.wire());
        if self.error.is_empty() { message } else { message.with(15, "status", Wire::One(status)) }
    }
}

/// The span of what flyball did for an event, and those of its policies.
pub(super) fn hook(
    session: &OpenSession,
    record: &Record,
    (parent, frame): (Vec<u8>, &ExportSettings),
    spans: &mut Vec<Span>,
) {
    let trace = id::trace(&session.client, &session.session);
    let own = session.id("hook", record.id.as_str());
    let mut span =
        Span::new((trace.clone(), own.clone(), parent), "hook", (record.at, super::end_of(record)));
    span.attributes = frame.event_attributes(record);
    spans.push(span);
    let mut from = record.at;
    for (number, ruling) in record.rulings.iter().enumerate() {
        let to = from.saturating_add(i64::try_from(ruling.micros).unwrap_or_default());
        if has_opinion(ruling) || ruling.micros >= WORTH_A_SPAN_MICROS {
            let id = session.id("policy", &format!("{} {number}", record.id.as_str()));
            let mut span = Span::new((trace.clone(), id, own.clone()), "policy", (from, to));
            span.attributes = policy(ruling, frame);
            if ruling.error.is_some() {
                span.error = "could not judge";
            }
            spans.push(span);
        }
        from = to;
    }
}

fn policy(ruling: &RecordedRuling, frame: &ExportSettings) -> Attributes {
    let full = |text: &str| frame.allowed_text(OtlpContent::Full, text);
    let mut told = Attributes::default();
    told.text(names::POLICY, &ruling.policy);
    told.text(names::POLICY_MODE, ruling.mode.name());
    told.text(names::STANCE, ruling.stance.name());
    told.flag(names::POLICY_SKIPPED, ruling.skipped);
    told.flag(names::POLICY_TROUBLED, ruling.error.is_some());
    told.text(names::POLICY_TROUBLE, &full(ruling.error.as_deref().unwrap_or_default()));
    let reasons =
        ruling.reasons.iter().map(|reason| full(&[&*reason.what, &reason.why, &reason.instead].join("\n")));
    told.texts(names::POLICY_REASONS, reasons.filter(|text| !text.is_empty()));
    let evidence = ruling.evidence.iter().map(|seen| full(&format!("{}: {}", seen.name, seen.value)));
    told.texts(names::POLICY_EVIDENCE, evidence.filter(|text| !text.is_empty()));
    told
}
