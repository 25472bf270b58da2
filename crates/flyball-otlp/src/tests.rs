//! Messages of a made-up session, read back by the official types.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "all of it is test code"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_core::config::OtlpContent;
use flyball_core::record::Record;
use flyball_core::time::Time;
use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::logs::v1::{LogRecord, ResourceLogs, ScopeLogs};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};

use super::*;

const AT: Time = Time::from_millis(1_700_000_000_000);

fn frame(content: OtlpContent) -> ExportSettings {
    let resource = BTreeMap::from([("host.name".to_owned(), "h".to_owned())]);
    ExportSettings { service_name: "flyball".to_owned(), version: "1.2.3".to_owned(), resource, content }
}

/// An event `second` seconds after the beginning.
fn event(second: i64, kind: &str, fields: Value) -> Record {
    let mut record = json!({
        "id": format!("a{second:07}"), "at": AT.as_micros() + second * 1_000_000, "client": "claude-code", "session": "s1",
        "project": "/home/me/secret-project", "kind": kind, "native": "N", "call": second, "stance": "silent",
        "micros": 2_500,
    });
    record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    serde_json::from_value(record).unwrap()
}

fn session() -> Vec<Record> {
    let shell = |command: &str| json!({ "tool": "shell", "subject": command });
    let denied = json!({
        "tool": "edit", "subject": "/etc/passwd", "stance": "deny", "said": "not this file",
        "rulings": [
            { "policy": "guard.self", "mode": "enforce", "stance": "silent", "micros": 10 },
            { "policy": "guard.protected", "mode": "enforce", "stance": "deny", "micros": 300,
              "reasons": [{ "what": "the edit of /etc/passwd was stopped", "why": "why", "instead": "" }],
              "evidence": [{ "name": "file", "value": "/etc/passwd" }] },
            { "policy": "quality", "mode": "observe", "stance": "silent", "micros": 40, "trouble": "no linter /opt/x" },
        ],
    });
    let agent = json!({ "agent": { "id": "ag1", "role": "reviewer" } });
    vec![
        event(0, "session_start", json!({ "context_chars": 1_200 })),
        event(1, "prompt_submit", json!({ "subject": "do it" })),
        event(2, "before_tool", shell("cargo test")),
        event(3, "before_tool", denied),
        event(4, "agent_start", agent.clone()),
        event(
            5,
            "before_tool",
            json!({ "tool": "read", "subject": "a.rs", "agent": { "id": "ag1", "role": "reviewer" } }),
        ),
        event(6, "after_tool", shell("cargo test")),
        event(7, "agent_stop", agent),
        event(8, "stop", json!({ "stance": "deny" })),
        event(9, "stop", json!({})),
        event(9, "stop", json!({ "duplicate": true, "id": "again000" })),
        event(10, "session_end", json!({})),
    ]
}

fn text(value: &str) -> Option<AnyValue> {
    Some(AnyValue { value: Some(Any::StringValue(value.to_owned())) })
}

fn pair(name: &str, value: Option<AnyValue>) -> KeyValue {
    KeyValue { key: name.to_owned(), value, ..KeyValue::default() }
}

fn int(value: i64) -> Option<AnyValue> {
    Some(AnyValue { value: Some(Any::IntValue(value)) })
}

fn spans_of(message: &Message) -> Vec<Span> {
    let read = ExportTraceServiceRequest::decode(message.protobuf().as_slice()).unwrap();
    read.resource_spans.into_iter().flat_map(|it| it.scope_spans).flat_map(|it| it.spans).collect()
}

#[test]
fn a_log_record_has_what_happened_and_no_more() {
    let message = logs(&session()[3..4], AT + Duration::from_micros(99), &frame(OtlpContent::None));
    let read = ExportLogsServiceRequest::decode(message.protobuf().as_slice()).unwrap();
    let policies = opentelemetry_proto::tonic::common::v1::ArrayValue {
        values: ["guard.protected", "quality"].iter().map(|name| text(name).unwrap()).collect(),
    };
    let record = LogRecord {
        time_unix_nano: 1_700_000_003_000_000_000,
        observed_time_unix_nano: 1_700_000_000_000_099_000,
        severity_number: 17,
        severity_text: "ERROR".to_owned(),
        body: text("before_tool: deny"),
        attributes: vec![
            pair("session.id", text("s1")),
            pair("flyball.client", text("claude-code")),
            pair("flyball.project.id", text(&format!("{:016x}", id::hash("/home/me/secret-project")))),
            pair("flyball.answer.id", text("a0000003")),
            pair("flyball.event.kind", text("before_tool")),
            pair("flyball.event.native", text("N")),
            pair("flyball.tool", text("edit")),
            pair("flyball.stance", text("deny")),
            pair("flyball.policies", Some(AnyValue { value: Some(Any::ArrayValue(policies)) })),
            pair("flyball.context.size", int(0)),
            pair("flyball.hook.micros", int(2_500)),
        ],
        trace_id: id::trace("claude-code", "s1"),
        span_id: id::span(("claude-code", "s1"), "hook", "a0000003"),
        event_name: "flyball.before_tool".to_owned(),
        ..LogRecord::default()
    };
    let expected = ExportLogsServiceRequest {
        resource_logs: vec![ResourceLogs {
            resource: Some(Resource {
                attributes: vec![
                    pair("service.name", text("flyball")),
                    pair("service.version", text("1.2.3")),
                    pair("host.name", text("h")),
                ],
                ..Resource::default()
            }),
            scope_logs: vec![ScopeLogs {
                scope: Some(InstrumentationScope {
                    name: "flyball".to_owned(),
                    version: "1.2.3".to_owned(),
                    ..InstrumentationScope::default()
                }),
                log_records: vec![record],
                ..ScopeLogs::default()
            }],
            ..ResourceLogs::default()
        }],
    };
    assert_eq!(read, expected);
}

#[test]
fn both_encodings_are_read_as_the_same() {
    for content in [OtlpContent::None, OtlpContent::Subjects, OtlpContent::Full] {
        let (records, frame) = (session(), frame(content));
        let message = logs(&records, AT, &frame);
        let read: ExportLogsServiceRequest = serde_json::from_value(message.json()).unwrap();
        assert_eq!(read, ExportLogsServiceRequest::decode(message.protobuf().as_slice()).unwrap());
        let message = metrics(
            &records,
            (&mut Totals::default(), Interval { from: AT, to: AT + Duration::from_micros(5) }),
            &frame,
        );
        let read: ExportMetricsServiceRequest = serde_json::from_value(message.json()).unwrap();
        assert_eq!(read, ExportMetricsServiceRequest::decode(message.protobuf().as_slice()).unwrap());
        let message = traces(&records, (&mut OpenSpans::default(), AT), &frame);
        let read: ExportTraceServiceRequest = serde_json::from_value(message.json()).unwrap();
        assert_eq!(read, ExportTraceServiceRequest::decode(message.protobuf().as_slice()).unwrap());
    }
}

#[test]
fn what_leaves_the_machine_is_what_was_asked_for() {
    let texts = ["cargo test", "/etc/passwd", "secret-project", "not this file", "no linter"];
    let cases = [
        (OtlpContent::None, [false, false, false, false, false]),
        (OtlpContent::Subjects, [true, true, true, false, false]),
        (OtlpContent::Full, [true, true, true, true, true]),
    ];
    for (content, expected) in cases {
        let (records, frame) = (session(), frame(content));
        let all = [
            logs(&records, AT, &frame),
            metrics(
                &records,
                (&mut Totals::default(), Interval { from: AT, to: AT + Duration::from_micros(1) }),
                &frame,
            ),
            traces(&records, (&mut OpenSpans::default(), AT), &frame),
        ];
        let sent = all.map(|message| message.json().to_string()).concat();
        assert_eq!(texts.map(|text| sent.contains(text)), expected, "{content:?}");
    }
    let records = [event(
        0,
        "before_tool",
        json!({ "subject": "curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345'" }),
    )];
    assert!(!logs(&records, AT, &frame(OtlpContent::Full)).json().to_string().contains("ghp_0123456789"));
}

/// Name, parent's name and number, seconds from and to, what is wrong or odd.
fn drawn(spans: &[Span]) -> Vec<String> {
    let name =
        |id: &[u8]| spans.iter().find(|span| span.span_id == id).map_or("-", |span| span.name.as_str());
    let second = |nanos: u64| (nanos / 1_000 - AT.as_micros().cast_unsigned()) as f64 / 1e6;
    let odd = |span: &Span| {
        let status = span.status.as_ref().map_or("", |status| status.message.as_str());
        let unfinished = span.attributes.iter().any(|it| it.key == "flyball.unfinished");
        format!("{status}{}", if unfinished { "unfinished" } else { "" })
    };
    let line = |span: &Span| {
        let (from, to) = (second(span.start_time_unix_nano), second(span.end_time_unix_nano));
        format!("{} < {} {from} {to} {}", span.name, name(&span.parent_span_id), odd(span))
            .trim_end()
            .to_owned()
    };
    spans.iter().map(line).collect()
}

#[test]
fn a_session_is_a_tree_of_spans() {
    let spans = spans_of(&traces(&session(), (&mut OpenSpans::default(), AT), &frame(OtlpContent::None)));
    let expected = [
        "hook < session 0 0.0025",
        "hook < turn 1 1.0025",
        "hook < tool 2 2.0025",
        "tool < turn 3 3.0025 denied",
        "hook < tool 3 3.0025",
        "policy < hook 3.00001 3.00031",
        "policy < hook 3.00031 3.00035 could not judge",
        "hook < agent 4 4.0025",
        "hook < tool 5 5.0025",
        "tool < turn 2 6",
        "hook < tool 6 6.0025",
        "hook < agent 7 7.0025",
        "tool < agent 5 7.0025 unfinished",
        "agent < turn 4 7.0025",
        "hook < turn 8 8.0025",
        "hook < turn 9 9.0025",
        "turn < session 1 9.0025",
        "hook < session 10 10.0025",
        "session < - 0 10.0025",
    ];
    assert_eq!(drawn(&spans), expected);
    let ids: BTreeSet<&[u8]> = spans.iter().map(|span| span.span_id.as_slice()).collect();
    assert_eq!(ids.len(), spans.len());
    assert!(
        spans.iter().all(|span| span.trace_id == id::trace("claude-code", "s1") && span.span_id.len() == 8)
    );
}

#[test]
fn batches_make_the_same_spans_as_all_at_once() {
    let (records, frame) = (session(), frame(OtlpContent::Full));
    let whole = spans_of(&traces(&records, (&mut OpenSpans::default(), AT), &frame));
    for size in 1..records.len() {
        let mut saved = serde_json::to_string(&OpenSpans::default()).unwrap();
        let mut spans = Vec::new();
        for batch in records.chunks(size) {
            let mut open: OpenSpans = serde_json::from_str(&saved).unwrap();
            spans.extend(spans_of(&traces(batch, (&mut open, AT), &frame)));
            saved = serde_json::to_string(&open).unwrap();
        }
        assert_eq!(spans, whole, "batches of {size}");
    }
}

#[test]
fn a_session_that_rests_is_ended_and_one_that_is_resumed_begins_another_span() {
    let mut open = OpenSpans::default();
    let frame = frame(OtlpContent::None);
    let hours = |hours: u64| AT + Duration::from_hours(hours);
    let _ = traces(&session()[..3], (&mut open, AT), &frame);
    assert!(!open.has_idle(hours(6)) && open.has_idle(hours(7)));
    assert_eq!(traces(&[], (&mut open, hours(6)), &frame), Message::default());
    let rested = spans_of(&traces(&[], (&mut open, hours(7)), &frame));
    let expected = [
        "tool < turn 2 2.0025 unfinished",
        "turn < session 1 2.0025 unfinished",
        "session < - 0 2.0025 unfinished",
    ];
    assert_eq!(drawn(&rested), expected);
    let resumed = spans_of(&traces(&session()[10..], (&mut open, hours(7)), &frame));
    let session_of =
        |spans: &[Span]| spans.iter().find(|span| span.name == "session").unwrap().span_id.clone();
    assert_ne!(session_of(&rested), session_of(&resumed));
    assert_eq!(open, OpenSpans::default());
}

#[test]
fn what_is_open_stays_small() {
    let mut open = OpenSpans::default();
    let records: Vec<Record> = (0..1_000)
        .map(|number| {
            let agent = json!({ "id": format!("agent-{number}"), "role": "" });
            let session = format!("s{}", number % 100);
            event(
                number,
                "before_tool",
                json!({ "subject": number.to_string(), "agent": agent, "session": session }),
            )
        })
        .collect();
    let _ = traces(&records, (&mut open, AT), &frame(OtlpContent::None));
    assert!(serde_json::to_string(&open).unwrap().len() < 1_000_000);
}

#[test]
fn metrics_are_totals_since_a_fixed_moment() {
    let frame = frame(OtlpContent::None);
    let mut totals = Totals::default();
    let (first, rest) = (&session()[..4], &session()[4..]);
    let _ = metrics(first, (&mut totals, Interval { from: AT, to: AT + Duration::from_micros(3) }), &frame);
    // From what a file had of them, to the last digit.
    let mut totals: Totals = serde_json::from_str(&serde_json::to_string(&totals).unwrap()).unwrap();
    let later = Interval { from: AT + Duration::from_micros(3), to: AT + Duration::from_micros(5) };
    let before = totals.clone();
    let message = metrics(rest, (&mut totals, later), &frame);
    assert_eq!(message, metrics(rest, (&mut before.clone(), later), &frame), "it can be repeated");
    // All of it once more, so that all series are in one request: each is counted twice.
    let end = Interval { to: AT + Duration::from_micros(7), ..later };
    let message = metrics(&session(), (&mut totals, end), &frame);
    let read = ExportMetricsServiceRequest::decode(message.protobuf().as_slice()).unwrap();
    let all = &read.resource_metrics[0].scope_metrics[0].metrics;
    let mut counted = Vec::new();
    for metric in all {
        match metric.data.as_ref().unwrap() {
            Data::Sum(sum) => {
                assert_eq!((sum.aggregation_temporality, sum.is_monotonic), (2, true));
                for point in &sum.data_points {
                    let times = (point.start_time_unix_nano, point.time_unix_nano);
                    assert_eq!(times, (1_700_000_000_000_000_000, 1_700_000_000_000_007_000));
                    let Some(Number::AsInt(count)) = point.value else { unreachable!() };
                    counted.push((metric.name.clone(), count));
                }
            }
            Data::Histogram(histogram) => {
                assert_eq!(histogram.aggregation_temporality, 2);
                for point in &histogram.data_points {
                    assert_eq!(point.bucket_counts.len(), point.explicit_bounds.len() + 1);
                    assert_eq!(point.bucket_counts.iter().sum::<u64>(), point.count);
                }
                let count = histogram.data_points.iter().map(|point| point.count).sum::<u64>();
                counted.push((metric.name.clone(), i64::try_from(count).unwrap()));
            }
            _ => unreachable!(),
        }
    }
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    counted.iter().for_each(|(name, count)| *sums.entry(name).or_default() += count);
    let expected = BTreeMap::from([
        ("flyball.context.size", 2),
        ("flyball.decisions", 4),
        ("flyball.events", 22),
        ("flyball.hook.duration", 22),
        ("flyball.policy.duration", 6),
        ("flyball.troubles", 2),
    ]);
    assert_eq!(sums, expected);
    let hook = all.iter().find(|metric| metric.name == "flyball.hook.duration").unwrap();
    let Some(Data::Histogram(hook)) = &hook.data else { unreachable!() };
    assert_eq!((hook.data_points[0].sum, hook.data_points[0].min), (Some(0.0025 * 2.0), Some(0.0025)));
}

#[test]
fn no_events_are_an_empty_request() {
    let frame = frame(OtlpContent::None);
    assert_eq!(logs(&[], AT, &frame).protobuf(), Vec::<u8>::new());
    assert_eq!(
        metrics(&[], (&mut Totals::default(), Interval { from: AT, to: AT }), &frame).json(),
        json!({})
    );
}

#[test]
fn what_a_receiver_rejected_is_read() {
    let partial = ExportTracePartialSuccess { rejected_spans: 300, error_message: "too old".to_owned() };
    let reply = ExportTraceServiceResponse { partial_success: Some(partial) };
    let expected = Some(PartialSuccess { rejected: 300, message: "too old".to_owned() });
    assert_eq!(partial_success(&reply.encode_to_vec()), expected);
    let json = br#"{"partialSuccess":{"rejectedSpans":"300","errorMessage":"too old"}}"#;
    assert_eq!(partial_success(json), expected);
    let nothing: [&[u8]; 6] = [b"", b"{}", b"{\"partialSuccess\":{}}", b"<html>", &[0xff; 12], &[0x0a, 0xff]];
    for body in nothing {
        assert_eq!(partial_success(body), None, "{body:?}");
    }
    assert_eq!(partial_success(&ExportTraceServiceResponse::default().encode_to_vec()), None);
}

#[test]
fn every_name_that_is_sent_is_on_the_page() {
    let (records, frame) = (session(), frame(OtlpContent::Full));
    let known: BTreeSet<&str> = names::ATTRIBUTES.iter().map(|it| it.name).chain(["host.name"]).collect();
    let metrics_known: BTreeSet<&str> = names::METRICS.iter().map(|it| it.name).collect();
    let all = [
        logs(&records, AT, &frame),
        metrics(
            &records,
            (&mut Totals::default(), Interval { from: AT, to: AT + Duration::from_micros(1) }),
            &frame,
        ),
        traces(&records, (&mut OpenSpans::default(), AT), &frame),
    ];
    let spans_known: BTreeSet<&str> = names::SPANS.iter().map(|it| it.name).collect();
    assert!(spans_of(&all[2]).iter().all(|span| spans_known.contains(span.name.as_str())));
    for message in &all {
        walk(&message.json(), &mut |object| {
            if let Some(key) = object.get("key").and_then(Value::as_str) {
                assert!(known.contains(key), "{key}");
            }
            if let (Some(name), true) =
                (object.get("name").and_then(Value::as_str), object.contains_key("unit"))
            {
                assert!(metrics_known.contains(name), "{name}");
            }
        });
    }
    let page = include_str!("../../../docs/telemetry.md");
    assert!(page.contains(&names::tables()), "docs/telemetry.md lacks these tables:\n{}", names::tables());
}

fn walk(value: &Value, visit: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|value| walk(value, visit));
        }
        Value::Array(all) => all.iter().for_each(|value| walk(value, visit)),
        _ => {}
    }
}
