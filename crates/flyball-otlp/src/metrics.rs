//! Counts and times of all events since a fixed moment.
//!
//! Totals and not deltas: a request that comes twice, because its reply was lost, says the same twice and is counted once.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::{self, Time, whole_micros};
use serde::{Deserialize, Serialize};

use crate::export_settings::{ExportSettings, has_opinion, nanos};
use crate::message::{Message, Wire};
use crate::names::{self, Metric};
use crate::value::texts;

const CUMULATIVE: u32 = 2;

/// The bounds of durations, in seconds.
const SECONDS: &[f64] =
    &[0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0];
/// The bounds of sizes, in characters.
const CHARACTERS: &[f64] = &[100.0, 250.0, 500.0, 1_000.0, 2_500.0, 5_000.0, 7_500.0, 10_000.0];

/// The time that totals are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Where a count begins that has not begun yet.
    pub from: Time,
    pub to: Time,
}

/// What was counted so far, as it is stored between two requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// When counting began.
    #[serde(with = "time::micros")]
    start: Option<Time>,
    tally: Tally,
}

/// A request with the totals of all that these events changed. Duplicate calls count once.
#[must_use]
pub fn metrics(
    records: &[Record],
    (totals, interval): (&mut Totals, Interval),
    settings: &ExportSettings,
) -> Message {
    let mut new = Tally::default();
    records.iter().filter(|record| !record.duplicate).for_each(|record| new.add(record));
    let start = *totals.start.get_or_insert(interval.from);
    totals.tally.join(&new);
    // What did not change need not be repeated.
    let changed = totals.tally.only(&new);
    let since = Interval { from: start, to: interval.to };
    settings.request(("resourceMetrics", "scopeMetrics", "metrics"), changed.messages(since))
}

/// What distinguishes the series of a metric.
type Series = Vec<(String, String)>;

// Sorted, so that a request that is repeated is the same to the byte.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Tally {
    #[serde(with = "as_list")]
    sums: BTreeMap<(String, Series), u64>,
    #[serde(with = "as_list")]
    histograms: BTreeMap<(String, Series), Histogram>,
}

/// JSON has no objects whose keys are lists.
mod as_list {
    use std::collections::BTreeMap;

    use serde::de::DeserializeOwned;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
        map: &BTreeMap<K, V>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub(super) fn deserialize<'de, K, V, D>(from: D) -> Result<BTreeMap<K, V>, D::Error>
    where
        K: DeserializeOwned + Ord,
        V: DeserializeOwned,
        D: Deserializer<'de>,
    {
        Vec::<(K, V)>::deserialize(from).map(|list| list.into_iter().collect())
    }
}

impl Tally {
    fn add(&mut self, record: &Record) {
        let client = || (names::CLIENT.to_owned(), record.client.clone());
        let kind = || (names::EVENT_KIND.to_owned(), record.kind.name().to_owned());
        let stance = (names::STANCE.to_owned(), record.stance.name().to_owned());
        let mut series = vec![client(), kind(), stance];
        series.extend(record.tool.map(|tool| (names::TOOL.to_owned(), tool.name().to_owned())));
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
        let policy = || (names::POLICY.to_owned(), ruling.policy.clone());
        self.observe(&names::POLICY_DURATION, vec![policy()], seconds(ruling.took));
        if has_opinion(ruling) {
            let stance = (names::STANCE.to_owned(), ruling.stance.name().to_owned());
            self.count(
                &names::DECISIONS,
                vec![policy(), stance, (names::POLICY_MODE.to_owned(), ruling.mode.name().to_owned())],
            );
        }
        if ruling.error.is_some() {
            self.count(&names::ERRORS, vec![policy()]);
        }
    }

    fn count(&mut self, metric: &'static Metric, series: Series) {
        *self.sums.entry((metric.name.to_owned(), series)).or_default() += 1;
    }

    fn observe(&mut self, metric: &'static Metric, series: Series, value: f64) {
        let histogram = self.histograms.entry((metric.name.to_owned(), series));
        histogram.or_insert_with(|| Histogram::new(bounds(metric))).add(value, bounds(metric));
    }

    /// Adds what another one has counted.
    fn join(&mut self, other: &Tally) {
        for (key, count) in &other.sums {
            let sum = self.sums.entry(key.clone()).or_default();
            *sum = sum.saturating_add(*count);
        }
        for (key, new) in &other.histograms {
            match self.histograms.get_mut(key) {
                Some(known) => known.join(new),
                None => drop(self.histograms.insert(key.clone(), new.clone())),
            }
        }
    }

    /// The series that another one has as well.
    fn only(&self, other: &Tally) -> Tally {
        let mut both = self.clone();
        both.sums.retain(|key, _| other.sums.contains_key(key));
        both.histograms.retain(|key, _| other.histograms.contains_key(key));
        both
    }

    fn messages(&self, interval: Interval) -> Vec<Message> {
        let temporality = |data: Message| data.with(2, "aggregationTemporality", Wire::Number(CUMULATIVE));
        names::METRICS
            .iter()
            .filter_map(|metric| {
                let sums = self.sums.iter().filter(|((name, _), _)| name == metric.name);
                let sums: Vec<Message> = sums
                    .map(|((_, series), count)| {
                        let count = Wire::SignedFixed(i64::try_from(*count).unwrap_or(i64::MAX));
                        point(interval).always(6, "asInt", count).with(7, "attributes", attributes(series))
                    })
                    .collect();
                let spreads = self.histograms.iter().filter(|((name, _), _)| name == metric.name);
                let spreads: Vec<Message> =
                    spreads.map(|((_, series), spread)| spread.point(interval, (metric, series))).collect();
                let message = metric_message(metric);
                if !sums.is_empty() {
                    let sum = temporality(Message::default().with(1, "dataPoints", Wire::Many(sums)));
                    let sum = sum.with(3, "isMonotonic", Wire::Flag(true));
                    return Some(message.with(7, "sum", Wire::One(sum)));
                }
                let data = temporality(Message::default().with(1, "dataPoints", Wire::Many(spreads.clone())));
                (!spreads.is_empty()).then(|| message.with(9, "histogram", Wire::One(data)))
            })
            .collect()
    }
}

fn bounds(metric: &Metric) -> &'static [f64] {
    if metric.unit == "s" { SECONDS } else { CHARACTERS }
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
    texts(series.iter().map(|(name, text)| (name.as_str(), text.as_str()))).wire()
}

#[expect(clippy::cast_precision_loss, reason = "no event takes a century")]
fn seconds(duration: Duration) -> f64 {
    whole_micros(duration) as f64 / 1e6
}

/// How values are spread over buckets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Histogram {
    counts: Vec<u64>,
    sum: Exact,
    least: Exact,
    most: Exact,
}

/// A number that is stored as its bits: one that was read from a file must be the same to the last digit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "u64", into = "u64")]
struct Exact(f64);

impl From<u64> for Exact {
    fn from(bits: u64) -> Exact {
        Exact(f64::from_bits(bits))
    }
}

impl From<Exact> for u64 {
    fn from(number: Exact) -> u64 {
        number.0.to_bits()
    }
}

impl Histogram {
    fn new(bounds: &[f64]) -> Histogram {
        let counts = vec![0; bounds.len() + 1];
        let (least, most) = (Exact(f64::INFINITY), Exact(f64::NEG_INFINITY));
        Histogram { counts, sum: Exact(0.0), least, most }
    }

    fn add(&mut self, value: f64, bounds: &[f64]) {
        // A bound belongs to the bucket below it.
        let bucket = bounds.iter().position(|bound| value <= *bound).unwrap_or(bounds.len());
        if let Some(count) = self.counts.get_mut(bucket) {
            *count += 1;
        }
        self.sum.0 += value;
        self.least.0 = self.least.0.min(value);
        self.most.0 = self.most.0.max(value);
    }

    fn join(&mut self, other: &Histogram) {
        // Other bounds, of another version: the counts would not fit.
        if self.counts.len() != other.counts.len() {
            *self = other.clone();
            return;
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
        self.sum.0 += other.sum.0;
        self.least.0 = self.least.0.min(other.least.0);
        self.most.0 = self.most.0.max(other.most.0);
    }

    fn point(&self, interval: Interval, (metric, series): (&Metric, &Series)) -> Message {
        point(interval)
            .with(4, "count", Wire::Fixed(self.counts.iter().sum()))
            .always(5, "sum", Wire::Double(self.sum.0))
            .with(6, "bucketCounts", Wire::Fixeds(self.counts.clone()))
            .with(7, "explicitBounds", Wire::Doubles(bounds(metric).to_vec()))
            .with(9, "attributes", attributes(series))
            .always(11, "min", Wire::Double(self.least.0))
            .always(12, "max", Wire::Double(self.most.0))
    }
}
