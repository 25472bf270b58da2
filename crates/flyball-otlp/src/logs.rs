//! One log record per event.

use flyball_core::record::Record;
use flyball_core::time::{Time, whole_micros};
use flyball_core::verdict::Stance;

use crate::export_settings::{ExportSettings, nanos};
use crate::message::{Message, Wire};
use crate::value::text;
use crate::{id, names};

/// A request with one log record per event. `observed` is when they were read.
#[must_use]
pub fn logs(records: &[Record], observed: Time, settings: &ExportSettings) -> Message {
    let all = records.iter().map(|record| log(record, observed, settings)).collect();
    settings.request(("resourceLogs", "scopeLogs", "logRecords"), all)
}

fn log(record: &Record, observed: Time, settings: &ExportSettings) -> Message {
    let (severity, word) = severity(record);
    let (client, session) = (record.client.as_str(), record.session.as_str());
    let mut attributes = settings.event_attributes(record);
    attributes.int(names::HOOK_MICROS, whole_micros(record.took));
    attributes.flag(names::DUPLICATE, record.duplicate);
    // A call that came twice has no span: it was counted the first time.
    let span =
        if record.duplicate { Vec::new() } else { id::span((client, session), "hook", record.id.as_str()) };
    Message::default()
        .with(1, "timeUnixNano", Wire::Fixed(nanos(record.at)))
        .with(2, "severityNumber", Wire::Number(severity))
        .text(3, "severityText", word)
        .with(5, "body", Wire::One(text(&format!("{}: {}", record.kind.name(), record.stance.name()))))
        .with(6, "attributes", attributes.wire())
        .with(9, "traceId", Wire::Id(id::trace(client, session)))
        .with(10, "spanId", Wire::Id(span))
        .with(11, "observedTimeUnixNano", Wire::Fixed(nanos(observed)))
        .text(12, "eventName", &format!("flyball.{}", record.kind.name()))
}

/// How much it matters to those who look at logs.
fn severity(record: &Record) -> (u32, &'static str) {
    if record.rulings.iter().any(|ruling| ruling.error.is_some()) {
        return (17, "ERROR");
    }
    match record.stance {
        Stance::Deny => (13, "WARN"),
        // Numbers of the log data model: a name has four of them, and 10 is one step above INFO.
        Stance::Ask => (10, "INFO2"),
        Stance::Allow => (9, "INFO"),
        Stance::Silent => (5, "DEBUG"),
    }
}
