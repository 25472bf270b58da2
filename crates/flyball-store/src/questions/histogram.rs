//! Times by their size.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::time::whole_micros;

/// Parts of each doubling: a bin is a sixteenth wider than the one before, so its middle is never further off
/// than a thirty-second.
const PARTS: u32 = 16;
/// The logarithm of that.
const PARTS_LOG: u32 = PARTS.ilog2();

/// Times by their size: enough for percentiles that are right within three per cent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    bins: BTreeMap<u32, u64>,
    /// In microseconds, as they are stored.
    sum: u64,
    max: u64,
}

impl Histogram {
    pub fn add(&mut self, time: Duration) {
        let micros = whole_micros(time);
        let count = self.bins.entry(bin(micros)).or_default();
        *count = count.saturating_add(1);
        self.sum = self.sum.saturating_add(micros);
        self.max = self.max.max(micros);
    }

    /// Adds all that another one has.
    pub fn merge(&mut self, other: &Histogram) {
        for (bin, count) in &other.bins {
            let sum = self.bins.entry(*bin).or_default();
            *sum = sum.saturating_add(*count);
        }
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    /// How many were added.
    #[must_use]
    pub fn count(&self) -> u64 {
        // Damaged bytes can hold any number.
        self.bins.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// All of them together.
    #[must_use]
    pub const fn sum(&self) -> Duration {
        Duration::from_micros(self.sum)
    }

    #[must_use]
    pub const fn max(&self) -> Duration {
        Duration::from_micros(self.max)
    }

    /// The time that this share (0 to 1) of them does not exceed; nothing if there are none.
    #[must_use]
    pub fn percentile(&self, share: f64) -> Option<Duration> {
        let count = self.count();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a number of events"
        )]
        let place = ((share.clamp(0.0, 1.0) * count as f64).ceil() as u64).clamp(1, count.max(1));
        // The greatest is known exactly, so the last place needs no bin.
        if place == count {
            return Some(self.max());
        }
        let mut passed = 0_u64;
        for (bin, count) in &self.bins {
            passed = passed.saturating_add(*count);
            if passed >= place {
                return Some(Duration::from_micros(middle(*bin).min(self.max)));
            }
        }
        None
    }

    /// As it is stored: the sum, the greatest, then each bin as its distance to the one before and its count.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + 3 * self.bins.len());
        put(&mut bytes, self.sum);
        put(&mut bytes, self.max);
        let mut before = 0;
        for (bin, count) in &self.bins {
            // Distances are small numbers, and most of them take one byte.
            put(&mut bytes, u64::from(bin - before));
            put(&mut bytes, *count);
            before = *bin;
        }
        bytes
    }

    /// Adds what was stored; what cannot be read of it is left out.
    pub(crate) fn merge_bytes(&mut self, mut bytes: &[u8]) {
        let (sum, max) = (take(&mut bytes).unwrap_or_default(), take(&mut bytes).unwrap_or_default());
        self.sum = self.sum.saturating_add(sum);
        self.max = self.max.max(max);
        let mut bin = 0_u32;
        while let (Some(distance), Some(count)) = (take(&mut bytes), take(&mut bytes)) {
            bin = bin.saturating_add(u32::try_from(distance).unwrap_or(u32::MAX));
            let so_far = self.bins.entry(bin).or_default();
            *so_far = so_far.saturating_add(count);
        }
    }
}

/// Times below sixteen have a bin each, later ones share a sixteenth of their doubling.
fn bin(micros: u64) -> u32 {
    let Some(doublings) = micros.checked_ilog2().and_then(|log| log.checked_sub(PARTS_LOG)) else {
        return u32::try_from(micros).unwrap_or_default();
    };
    let part = u32::try_from((micros >> doublings) & u64::from(PARTS - 1)).unwrap_or_default();
    (doublings + 1) * PARTS + part
}

/// The time in the middle of a bin.
fn middle(bin: u32) -> u64 {
    let Some(doublings) = (bin / PARTS).checked_sub(1) else {
        return u64::from(bin);
    };
    let low = u64::from(PARTS + bin % PARTS).checked_shl(doublings).unwrap_or(u64::MAX);
    low.saturating_add((1_u64.checked_shl(doublings).unwrap_or_default()) / 2)
}

/// Seven bits in each byte, the lowest first; the eighth means that more follow.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or_default();
        number >>= 7;
        if number == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 0x80);
    }
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        // Bytes that were damaged can go on for ever: what does not fit is dropped.
        number |= u64::from(first & 0x7f).checked_shl(shift).unwrap_or_default();
        if first & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(times: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        times.iter().for_each(|micros| histogram.add(Duration::from_micros(*micros)));
        histogram
    }

    #[test]
    fn nothing_has_no_percentile() {
        assert_eq!(Histogram::default().percentile(0.5), None);
    }

    #[test]
    fn small_times_and_single_ones_are_exact() {
        assert_eq!(of(&[1, 2, 3, 15]).percentile(0.5), Some(Duration::from_micros(2)));
        assert_eq!(of(&[15]).percentile(0.0), Some(Duration::from_micros(15)));
        assert_eq!(of(&[u64::MAX]).percentile(1.0), Some(Duration::from_micros(u64::MAX)));
    }

    #[test]
    fn bins_follow_each_other_without_gap() {
        let mut before = 0;
        for micros in (0..5_000_u64).chain((13..63).map(|log| 1 << log)) {
            let next = bin(micros);
            assert!(next == before || next == before + 1 || micros >= 4_096, "{micros}");
            assert!(next >= before, "{micros}");
            before = next;
        }
    }

    proptest! {
        #[test]
        fn a_percentile_is_right_within_five_per_cent(
            mut times in prop::collection::vec(0_u64..100_000_000, 1..200),
            share in 0.0_f64..=1.0,
        ) {
            let found = of(&times).percentile(share).unwrap();
            let found = whole_micros(found);
            times.sort_unstable();
            let place = ((share * times.len() as f64).ceil() as usize).clamp(1, times.len());
            let right = times[place - 1];
            prop_assert!(found.abs_diff(right) * 20 <= right, "{found} for {right}");
        }

        #[test]
        fn parts_make_the_whole_also_from_bytes(
            one in prop::collection::vec(any::<u64>(), 0..50),
            other in prop::collection::vec(0_u64..10_000, 0..50),
        ) {
            let whole = of(&[one.clone(), other.clone()].concat());
            let mut merged = of(&one);
            merged.merge(&of(&other));
            prop_assert_eq!(&merged, &whole);
            let mut read = Histogram::default();
            read.merge_bytes(&of(&one).to_bytes());
            read.merge_bytes(&of(&other).to_bytes());
            prop_assert_eq!(read, whole);
        }

        #[test]
        fn damaged_bytes_are_no_reason_to_fail(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut read = Histogram::default();
            read.merge_bytes(&bytes);
            prop_assert_eq!(read.percentile(0.99).is_some(), read.count() > 0);
        }
    }
}
