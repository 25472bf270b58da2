//! The times of one contestant.

use std::time::Duration;

/// Times in ascending order.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    sorted: Vec<Duration>,
}

impl Sample {
    pub(super) fn from_times(mut times: Vec<Duration>) -> Sample {
        times.sort_unstable();
        Sample { sorted: times }
    }

    /// Half of the runs were at least as fast.
    pub(super) fn median(&self) -> Duration {
        self.at(50)
    }

    /// A tenth of the runs was at least as fast: what it costs when nothing gets in the way.
    pub(super) fn p10(&self) -> Duration {
        self.at(10)
    }

    pub(super) fn worst(&self) -> Duration {
        self.at(100)
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    fn at(&self, percent: usize) -> Duration {
        let place = (self.sorted.len() * percent).div_ceil(100).saturating_sub(1);
        self.sorted.get(place).copied().unwrap_or_default()
    }
}

/// How many times as long; 0 where nothing was measured.
pub(super) fn ratio(of: Duration, to: Duration) -> f64 {
    if to.is_zero() { 0.0 } else { of.as_secs_f64() / to.as_secs_f64() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let cases: [(&[u64], u64, u64); 5] = [
            (&[], 0, 0),
            (&[7], 7, 7),
            (&[9, 1], 1, 1),
            (&[3, 1, 2], 2, 1),
            (&[10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 5, 1),
        ];
        for (times, median, p10) in cases {
            let sample = Sample::from_times(times.iter().copied().map(Duration::from_millis).collect());
            let expected = (Duration::from_millis(median), Duration::from_millis(p10));
            assert_eq!((sample.median(), sample.p10()), expected, "{times:?}");
        }
    }
}
