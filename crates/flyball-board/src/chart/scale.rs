//! The place of a value between the bottom and the top of a chart, and the round values of the axis.

use super::model::{Chart, Unit};

/// How high the field of a chart is.
pub(super) const HEIGHT: u32 = 160;

/// How much greater the greatest value of lines may be than the least before the axis becomes logarithmic.
const WIDE: f64 = 20.0;

pub(super) struct Scale {
    /// The values that are named, least first.
    pub(super) ticks: Vec<f64>,
    /// Whether each step is a multiple of the one before.
    pub(super) is_log: bool,
    bottom: f64,
    top: f64,
}

impl Scale {
    /// For lines: times that differ by much get a logarithmic axis, or the fast ones would all look like zero.
    pub(super) fn of_lines(chart: &Chart) -> Scale {
        let values = || {
            chart.series.iter().flat_map(|series| (0..series.values.len()).filter_map(|at| series.value(at)))
        };
        let greatest = values().fold(0.0, f64::max);
        // There is no logarithm of zero.
        let least = values().filter(|value| *value >= 1.0).fold(f64::INFINITY, f64::min);
        match chart.unit {
            Unit::Micros if least.is_finite() && greatest / least > WIDE => {
                Scale::logarithmic(least, greatest)
            }
            Unit::Micros | Unit::Count | Unit::Chars => Scale::linear(greatest, chart.unit),
        }
    }

    /// For bars: each stretch as high as all of its values together.
    pub(super) fn of_bars(chart: &Chart) -> Scale {
        let sums = (0..chart.stretches()).map(|number| chart.stretch(number).map(|(_, value)| value).sum());
        Scale::linear(sums.fold(0.0, f64::max), chart.unit)
    }

    /// How far below the upper edge a value is.
    pub(super) fn y(&self, value: f64) -> f64 {
        let height = f64::from(HEIGHT);
        let share = if self.is_log {
            (value.max(self.bottom).log10() - self.bottom.log10()) / (self.top.log10() - self.bottom.log10())
        } else {
            value / self.top
        };
        height - share.clamp(0.0, 1.0) * height
    }

    fn linear(greatest: f64, unit: Unit) -> Scale {
        let step = step(greatest / 4.0, unit);
        // At least one, or a chart of zeros would divide by zero.
        let steps = (greatest / step).ceil().clamp(1.0, 5.0);
        let ticks =
            (0..=5_u32).map(f64::from).take_while(|tick| *tick <= steps).map(|tick| tick * step).collect();
        Scale { ticks, is_log: false, bottom: 0.0, top: steps * step }
    }

    fn logarithmic(least: f64, greatest: f64) -> Scale {
        let first = least.log10().floor();
        // A power of ten as the greatest value would leave an axis without height.
        let last = greatest.log10().ceil().max(first + 1.0);
        let every = ((last - first) / 5.0).ceil();
        let decades = (0..=5_u32).map(|number| first + f64::from(number) * every);
        let ticks = decades.take_while(|decade| *decade <= last).map(|decade| 10_f64.powf(decade)).collect();
        Scale { ticks, is_log: true, bottom: 10_f64.powf(first), top: 10_f64.powf(last) }
    }
}

/// The least round step that is not smaller than that.
fn step(least: f64, unit: Unit) -> f64 {
    const MINUTE: f64 = 60e6;
    let tens = |unit: f64, powers: i32| {
        (0..powers).flat_map(move |power| [1.0, 2.0, 5.0].map(|digit| unit * digit * 10_f64.powi(power)))
    };
    let fits = |step: &f64| *step >= least;
    let found = match unit {
        Unit::Count | Unit::Chars => tens(1.0, 16).find(fits),
        Unit::Micros => tens(1.0, 7)
            .chain([1e7, 2e7])
            .chain([1.0, 2.0, 5.0, 10.0, 20.0, 30.0].map(|minutes| minutes * MINUTE))
            .chain([1.0, 2.0, 5.0, 10.0].map(|hours| hours * 60.0 * MINUTE))
            .chain(tens(24.0 * 60.0 * MINUTE, 16))
            .find(fits),
    };
    found.unwrap_or(least)
}

/// The place of something within a stretch, as a share of all: `at` is 0 for its beginning and 1 for its end.
#[expect(clippy::cast_precision_loss, reason = "there are at most some hundred stretches")]
pub(super) fn share(number: usize, at: f64, stretches: usize) -> f64 {
    (number as f64 + at) / stretches.max(1) as f64
}

/// A number for an attribute: two digits behind the point are a hundredth of a pixel.
pub(super) fn tidy(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_few_and_round() {
        let cases: [(f64, Unit, &[f64]); 8] = [
            (0.0, Unit::Count, &[0.0, 1.0]),
            (1.0, Unit::Count, &[0.0, 1.0]),
            (7.0, Unit::Count, &[0.0, 2.0, 4.0, 6.0, 8.0]),
            (1_234.0, Unit::Count, &[0.0, 500.0, 1_000.0, 1_500.0]),
            (340.0, Unit::Micros, &[0.0, 100.0, 200.0, 300.0, 400.0]),
            (45e6, Unit::Micros, &[0.0, 20e6, 40e6, 60e6]),
            (600e6, Unit::Micros, &[0.0, 300e6, 600e6]),
            (1e15, Unit::Chars, &[0.0, 5e14, 1e15]),
        ];
        for (greatest, unit, ticks) in cases {
            assert_eq!(Scale::linear(greatest, unit).ticks, ticks, "{greatest} {unit:?}");
        }
        assert_eq!(Scale::logarithmic(340.0, 45_000.0).ticks, [100.0, 1e3, 1e4, 1e5]);
        assert_eq!(Scale::logarithmic(1.0, 1e12).ticks, [1.0, 1e3, 1e6, 1e9, 1e12]);
    }

    #[test]
    fn a_value_outside_of_the_axis_stays_within_the_box() {
        let linear = Scale::linear(10.0, Unit::Count);
        assert_eq!([-5.0, 0.0, 1e9].map(|value| linear.y(value)), [160.0, 160.0, 0.0]);
        let log = Scale::logarithmic(100.0, 10_000.0);
        assert_eq!([0.0, 100.0, 1_000.0, 1e9].map(|value| log.y(value)), [160.0, 160.0, 80.0, 0.0]);
    }
}
