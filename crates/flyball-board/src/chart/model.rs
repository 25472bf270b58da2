//! What a chart shows: series of values over stretches of time.

use std::time::Duration;

use flyball_core::time::Time;

use crate::page::parts;

/// What the numbers of a chart are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number of things.
    Count,
    Micros,
    Chars,
}

/// One line, or the bars of one colour.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The class that gives it its colour: `deny`, `ask`, `allow`, `silent`, `p50`, `p90`, `p99`, `context`.
    pub class: &'static str,
    /// One value for each stretch of time; none where nothing happened.
    pub values: Vec<Option<f64>>,
}

/// A chart over time. All series have as many values as there are stretches.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows; also read by screen readers.
    pub title: String,
    /// What its numbers are.
    pub unit: Unit,
    /// The beginning of the first stretch.
    pub since: Time,
    /// The length of one.
    pub length: Duration,
    pub series: Vec<Series>,
}

impl Chart {
    pub(super) fn start_of(&self, stretch: usize) -> Time {
        self.since + self.length.saturating_mul(u32::try_from(stretch).unwrap_or(u32::MAX))
    }
}

impl Unit {
    /// A value as an axis or a table shows it.
    pub(super) fn shown(self, value: f64) -> String {
        match self {
            Unit::Count | Unit::Chars => parts::short(value),
            Unit::Micros => parts::span(value),
        }
    }
}

impl Series {
    /// The value in a stretch, if there is one that can be drawn.
    pub(super) fn value(&self, stretch: usize) -> Option<f64> {
        let value = self.values.get(stretch).copied().flatten()?;
        // Nothing that is counted or measured here comes near the upper end; it keeps labels short whatever happens.
        (value.is_finite() && value >= 0.0).then(|| value.min(1e15))
    }
}

impl Chart {
    pub(super) fn stretches(&self) -> usize {
        self.series.iter().map(|series| series.values.len()).max().unwrap_or_default()
    }

    /// The values of one stretch, for the series that have one.
    pub(super) fn stretch(&self, number: usize) -> impl Iterator<Item = (&Series, f64)> {
        self.series.iter().filter_map(move |series| Some((series, series.value(number)?)))
    }
}
