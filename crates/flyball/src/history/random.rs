//! Pseudo-random numbers: the same seed, the same history.

use std::time::Duration;

use flyball_core::time::whole_micros;

/// A pseudo-random number generator (splitmix64).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` up to, but not including, `high`.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        // Slightly uneven, which nobody sees in made-up data.
        low + self.next() % high.saturating_sub(low).max(1)
    }

    /// True with a probability of `of_thousand` in 1000.
    pub(super) fn happens(&mut self, of_thousand: u64) -> bool {
        self.between(0, 1_000) < of_thousand
    }

    /// One of several; none if there are none.
    pub(super) fn pick<T: Copy>(&mut self, several: &[T]) -> Option<T> {
        let place = self.next() % (several.len() as u64).max(1);
        several.get(usize::try_from(place).unwrap_or_default()).copied()
    }

    /// One of several texts.
    pub(super) fn text(&mut self, several: &[&'static str]) -> &'static str {
        self.pick(several).unwrap_or_default()
    }

    /// A time around this one: mostly near, now and then several times as long.
    pub(super) fn around(&mut self, time: Duration) -> Duration {
        let usual = whole_micros(time) * self.between(70, 150) / 100;
        Duration::from_micros(match self.between(0, 1_000) {
            0..970 => usual,
            970..997 => usual * self.between(2, 5),
            _ => usual * self.between(6, 20),
        })
    }
}
