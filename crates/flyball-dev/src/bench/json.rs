//! The report for programs.

use std::time::Duration;

use serde_json::{Value, json};

use super::board::BoardTiming;
use super::in_process::InProcessTiming;
use super::limits::{Bound, CheckedLimit};
use super::replay::ReplayTiming;
use super::report::Report;
use super::row::Row;

/// The report as one object.
pub(super) fn render(report: &Report) -> Value {
    let Report { measured, machine, sizes, rows, inside, replayed, board, limits, missing } = report;
    json!({
        "program": {
            "path": measured.path,
            "bytes": measured.bytes,
            "relocations": measured.relocations,
        },
        "machine": { "processor": machine.processor, "cores": machine.cores, "system": machine.system },
        "rounds": sizes.rounds,
        "store_events": sizes.events,
        "long_megabytes": sizes.megabytes,
        "contestants": rows.iter().map(|row| contestant(report, row)).collect::<Vec<_>>(),
        "inside": inside.iter().map(within).collect::<Vec<_>>(),
        "replayed_calls": sizes.replayed,
        "replay": replayed.iter().map(played).collect::<Vec<_>>(),
        "board_events": sizes.board_events,
        "board": board.iter().map(served).collect::<Vec<_>>(),
        "limits": limits.iter().map(limit).collect::<Vec<_>>(),
        "missing": missing,
    })
}

fn micros(time: Duration) -> f64 {
    rounded(time.as_secs_f64() * 1_000_000.0)
}

fn within(inside: &InProcessTiming) -> Value {
    let InProcessTiming { id, about, sample } = inside;
    json!({
        "id": id,
        "about": about,
        "runs": sample.len(),
        "median_us": micros(sample.median()),
        "p10_us": micros(sample.p10()),
    })
}

fn played(replayed: &ReplayTiming) -> Value {
    let ReplayTiming { id, about, calls, sample } = replayed;
    json!({
        "id": id,
        "about": about,
        "calls": calls,
        "runs": sample.len(),
        "median_us": micros(sample.median()),
        "worst_us": micros(sample.worst()),
        "us_per_call": rounded(replayed.micros_per_call()),
    })
}

fn served(served: &BoardTiming) -> Value {
    let BoardTiming { id, about, sample, .. } = served;
    json!({
        "id": id,
        "about": about,
        "runs": sample.len(),
        "median_us": micros(sample.median()),
        "worst_us": micros(sample.worst()),
    })
}

fn contestant(report: &Report, row: &Row) -> Value {
    let ratios = report.to_trivial(row);
    json!({
        "id": row.id,
        "about": row.about,
        "runs": row.sample.len(),
        "median_us": micros(row.sample.median()),
        "p10_us": micros(row.sample.p10()),
        "median_to_trivial": ratios.map(|(median, _)| rounded(median)),
        "p10_to_trivial": ratios.map(|(_, p10)| rounded(p10)),
        "peak_kib": row.counts.peak_kib,
        "page_faults": row.counts.page_faults,
        "system_calls": row.counts.system_calls,
    })
}

fn limit(limit: &CheckedLimit) -> Value {
    let (at_most, at_least) = match limit.bound {
        Bound::AtMost(most) => (Some(most), None),
        Bound::AtLeast(least) => (None, Some(least)),
    };
    json!({
        "id": limit.id,
        "what": limit.what,
        "unit": limit.unit,
        "value": limit.value.map(rounded),
        "at_most": at_most,
        "at_least": at_least,
        "holds": limit.value.map(|_| !limit.is_broken()),
    })
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
