//! The spans of hooks and policies.

use std::time::Duration;

use flyball_core::config::OtlpContent;
use flyball_core::record::{Record, RecordedRuling};

use super::open::OpenSession;
use super::span::{Period, Span, SpanIds, end_of};
use crate::export_settings::{ExportSettings, has_opinion};
use crate::value::Attributes;
use crate::{id, names};

/// A policy without an opinion gets a span only if it took this long.
const WORTH_A_SPAN: Duration = Duration::from_millis(1);

/// The span of a hook, and those of the policies that it asked.
pub(super) fn spans(
    session: &OpenSession,
    record: &Record,
    parent: Vec<u8>,
    settings: &ExportSettings,
) -> Vec<Span> {
    let trace = id::trace(&session.client, &session.session);
    let own = session.id("hook", record.id.as_str());
    let ids = SpanIds { trace: trace.clone(), id: own.clone(), parent };
    let mut hook = Span::new(ids, "hook", Period { from: record.at, to: end_of(record) });
    hook.attributes = settings.event_attributes(record);
    let mut spans = vec![hook];
    // Only durations are recorded, so they are placed one after the other.
    let mut from = record.at;
    for (number, ruling) in record.rulings.iter().enumerate() {
        let to = from + ruling.took;
        if has_opinion(ruling) || ruling.took >= WORTH_A_SPAN {
            // With its number: a policy that judges a rewritten call again has two rulings.
            let id = session.id("policy", &format!("{} {number}", record.id.as_str()));
            let ids = SpanIds { trace: trace.clone(), id, parent: own.clone() };
            let mut span = Span::new(ids, "policy", Period { from, to });
            span.attributes = policy_attributes(ruling, settings);
            if ruling.error.is_some() {
                span.error = "could not judge";
            }
            spans.push(span);
        }
        from = to;
    }
    spans
}

fn policy_attributes(ruling: &RecordedRuling, settings: &ExportSettings) -> Attributes {
    let full = |text: &str| settings.allowed_text(OtlpContent::Full, text);
    let mut attributes = Attributes::default();
    attributes.text(names::POLICY, &ruling.policy);
    attributes.text(names::POLICY_MODE, ruling.mode.name());
    attributes.text(names::STANCE, ruling.stance.name());
    attributes.flag(names::POLICY_SKIPPED, ruling.skipped);
    attributes.flag(names::POLICY_FAILED, ruling.error.is_some());
    attributes.text(names::POLICY_ERROR, &full(ruling.error.as_deref().unwrap_or_default()));
    let reasons =
        ruling.reasons.iter().map(|reason| full(&[&*reason.what, &reason.why, &reason.instead].join("\n")));
    attributes.texts(names::POLICY_REASONS, reasons.filter(|text| !text.is_empty()));
    let evidence = ruling.evidence.iter().map(|seen| full(&format!("{}: {}", seen.name, seen.value)));
    attributes.texts(names::POLICY_EVIDENCE, evidence.filter(|text| !text.is_empty()));
    attributes
}
