//! Counts and times of a batch of events, as deltas.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::{Time, whole_micros};

use crate::export_settings::{ExportSettings, has_opinion, nanos};
use crate::message::{Message, Wire};
use crate::names::{self, Metric};
use crate::value::texts;

const DELTA: u32 = 1;

/// The bounds of durations, in seconds.
const SECONDS: &[f64] =
    &[0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0];
/// The bounds of sizes, in characters.
const CHARACTERS: &[f64] = &[100.0, 250.0, 500.0, 1_000.0, 2_500.0, 5_000.0, 7_500.0, 10_000.0];

/// The time that deltas are about. Each begins where the one before ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub from: Time,
    pub to: Time,
}

/// A request with the metrics of these events. Duplicate calls count once.
#[must_use]
pub fn metrics(records: &[Record], interval: Interval, settings: &ExportSettings) -> Message {
    let mut tally = Tally::default();
    records.iter().filter(|record| !record.duplicate).for_each(|record| tally.add(record));
    settings.request(("resourceMetrics", "scopeMetrics", "metrics"), tally.messages(interval))
}

/// What distinguishes the series of a metric.
type Series = Vec<(&'static str, String)>;

#[derive(Default)]
struct Tally {
    // Sorted, so that a request that is repeated is the same to the byte.
    sums: BTreeMap<&'static str, (Option<&'static Metric>, BTreeMap<Series, u64>)>,
    histograms: BTreeMap<&'static str, (Option<&'static Metric>, BTreeMap<Series, Histogram>)>,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        let client = || (names::CLIENT, record.client.clone());
        let kind = || (names::EVENT_KIND, record.kind.name().to_owned());
        let stance = (names::STANCE, record.stance.name().to_owned());
        let mut series = vec![client(), kind(), stance];
        series.extend(record.tool.map(|tool| (names::TOOL, tool.name().to_owned())));
        self.count(&names::EVENTS, series);
        self.observe(&names::HOOK_DURATION, vec![client(), kind()], seconds(record.took));
        // Most events add none; their zeros would hide the size of those that do.
        if record.context_chars > 0 {
            #[expect(clippy::cast_precision_loss, reason = "no context has 2^52 characters")]
            self.observe(&names::CONTEXT_SIZES, vec![kind()], record.context_chars as f64);
        }
        record.rulings.iter().for_each(|ruling| self.add_ruling(ruling));
    }

    fn add_ruling(&mut self, ruling: &RecordedRuling) {
        let policy = || (names::POLICY, ruling.policy.clone());
        self.observe(&names::POLICY_DURATION, vec![policy()], seconds(ruling.took));
        if has_opinion(ruling) {
            let stance = (names::STANCE, ruling.stance.name().to_owned());
            self.count(
                &names::DECISIONS,
                vec![policy(), stance, (names::POLICY_MODE, ruling.mode.name().to_owned())],
            );
        }
        if ruling.error.is_some() {
            self.count(&names::ERRORS, vec![policy()]);
        }
    }

    fn count(&mut self, metric: &'static Metric, series: Series) {
        let entry = self.sums.entry(metric.name).or_default();
        entry.0 = Some(metric);
        *entry.1.entry(series).or_default() += 1;
    }

    fn observe(&mut self, metric: &'static Metric, series: Series, value: f64) {
        let entry = self.histograms.entry(metric.name).or_default();
        entry.0 = Some(metric);
        let bounds = if metric.unit == "s" { SECONDS } else { CHARACTERS };
        entry.1.entry(series).or_insert_with(|| Histogram::new(bounds)).add(value);
    }

    fn messages(&self, interval: Interval) -> Vec<Message> {
        let sums = self.sums.values().filter_map(|(metric, series)| {
            let points = series.iter().map(|(series, count)| {
                let count = Wire::SignedFixed(i64::try_from(*count).unwrap_or(i64::MAX));
                point(interval).always(6, "asInt", count).with(7, "attributes", attributes(series))
            });
            let sum = Message::default()
                .with(1, "dataPoints", Wire::Many(points.collect()))
                .with(2, "aggregationTemporality", Wire::Number(DELTA))
                .with(3, "isMonotonic", Wire::Flag(true));
            Some(metric_message((*metric)?).with(7, "sum", Wire::One(sum)))
        });
        let spreads = self.histograms.values().filter_map(|(metric, series)| {
            let points = series.iter().map(|(series, spread)| spread.point(interval, series));
            let histogram = Message::default().with(1, "dataPoints", Wire::Many(points.collect())).with(
                2,
                "aggregationTemporality",
                Wire::Number(DELTA),
            );
            Some(metric_message((*metric)?).with(9, "histogram", Wire::One(histogram)))
        });
        sums.chain(spreads).collect()
    }
}

fn metric_message(metric: &Metric) -> Message {
    Message::default().text(1, "name", metric.name).text(2, "description", metric.about).text(
        3,
        "unit",
        metric.unit,
    )
}

fn point(interval: Interval) -> Message {
    Message::default().with(2, "startTimeUnixNano", Wire::Fixed(nanos(interval.from))).with(
        3,
        "timeUnixNano",
        Wire::Fixed(nanos(interval.to)),
    )
}

fn attributes(series: &Series) -> Wire {
    texts(series.iter().map(|(name, text)| (*name, text.as_str()))).wire()
}

#[expect(clippy::cast_precision_loss, reason = "no event takes a century")]
fn seconds(duration: Duration) -> f64 {
    whole_micros(duration) as f64 / 1e6
}

/// How values are spread over buckets.
struct Histogram {
    bounds: &'static [f64],
    counts: Vec<u64>,
    sum: f64,
    least: f64,
    most: f64,
}

impl Histogram {
    fn new(bounds: &'static [f64]) -> Histogram {
        let counts = vec![0; bounds.len() + 1];
        Histogram { bounds, counts, sum: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }

    fn add(&mut self, value: f64) {
        // A bound belongs to the bucket below it.
        let bucket = self.bounds.iter().position(|bound| value <= *bound).unwrap_or(self.bounds.len());
        if let Some(count) = self.counts.get_mut(bucket) {
            *count += 1;
        }
        self.sum += value;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn point(&self, interval: Interval, series: &Series) -> Message {
        point(interval)
            .with(4, "count", Wire::Fixed(self.counts.iter().sum()))
            .always(5, "sum", Wire::Double(self.sum))
            .with(6, "bucketCounts", Wire::Fixeds(self.counts.clone()))
            .with(7, "explicitBounds", Wire::Doubles(self.bounds.to_vec()))
            .with(9, "attributes", attributes(series))
            .always(11, "min", Wire::Double(self.least))
            .always(12, "max", Wire::Double(self.most))
    }
}
