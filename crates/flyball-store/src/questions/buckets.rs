//! How a window is cut into stretches of equal length: the same for every store.

use std::time::Duration;

use flyball_core::time::{DAY, HOUR, MINUTE, SECOND, Time, whole_micros};

use super::filter::{LATEST, Window};

/// The short stretches that policies are counted by: each event has a dozen of rulings.
pub(crate) const FIVE_MINUTES: Duration = Duration::from_mins(5);

/// The lengths that people read times by; beyond them, days are doubled.
const LENGTHS: [Duration; 16] = [
    SECOND,
    Duration::from_secs(5),
    Duration::from_secs(15),
    Duration::from_secs(30),
    MINUTE,
    Duration::from_mins(2),
    FIVE_MINUTES,
    Duration::from_mins(10),
    Duration::from_mins(15),
    Duration::from_mins(30),
    HOUR,
    Duration::from_hours(2),
    Duration::from_hours(3),
    Duration::from_hours(6),
    Duration::from_hours(12),
    DAY,
];

/// A window cut into stretches of equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buckets {
    /// When the first begins.
    pub since: Time,
    /// How long each is.
    pub length: Duration,
    /// How many there are.
    pub count: usize,
    /// What each is a multiple of: policies are counted by hours or by five minutes.
    pub grain: Duration,
}

impl Buckets {
    /// At most `most` stretches that begin at full seconds, minutes, hours or days; nothing for an empty window.
    #[must_use]
    pub fn of_events(window: &Window, most: usize) -> Option<Buckets> {
        let (since, until) = window.bounds();
        let most = most as u64;
        if since >= until || most == 0 {
            return None;
        }
        // Counted from the rounded beginning, which may add a stretch.
        let fits = |length: &Duration| parts(since.floor(*length), until, *length) <= most;
        let longer = std::iter::successors(Some(2 * DAY), |length| length.checked_mul(2));
        // One stretch that begins in 1970 has room for everything.
        let length = LENGTHS
            .into_iter()
            .chain(longer.take(24))
            .find(fits)
            .unwrap_or(2 * LATEST.since(Time::default()));
        Some(Buckets::covering((since, until), length, length))
    }

    /// At most `most` stretches of whole hours, or of whole five minutes where hours are too long; nothing for an
    /// empty window.
    #[must_use]
    pub fn of_policies(window: &Window, most: usize) -> Option<Buckets> {
        let (since, until) = window.bounds();
        if since >= until || most == 0 {
            return None;
        }
        let (grain, length) = cut(since, until, most);
        Some(Buckets::covering((since, until), grain, length))
    }

    fn covering((since, until): (Time, Time), grain: Duration, length: Duration) -> Buckets {
        // Counts are stored by whole grains, so a stretch cannot begin within one.
        let since = since.floor(grain);
        let count = usize::try_from(parts(since, until, length)).unwrap_or_default();
        Buckets { since, length, count, grain }
    }

    /// In which of them a time is, if in any.
    #[must_use]
    pub fn place(&self, at: Time) -> Option<usize> {
        let passed = whole_micros(at.since(self.since));
        let place = usize::try_from(passed.checked_div(whole_micros(self.length))?).ok()?;
        (at >= self.since && place < self.count).then_some(place)
    }

    pub fn starts(self) -> impl Iterator<Item = Time> {
        (0..self.count).scan(self.since, move |next, _| {
            let start = *next;
            *next += self.length;
            Some(start)
        })
    }
}

/// How many stretches of a length there are between two times; the last may be cut off.
fn parts(since: Time, until: Time, length: Duration) -> u64 {
    whole_micros(until.since(since)).div_ceil(whole_micros(length))
}

/// What a window is counted by, and how long its parts are.
fn cut(since: Time, until: Time, most: usize) -> (Duration, Duration) {
    let length = |grain: Duration| {
        let all = whole_micros(until.since(since.floor(grain)));
        Duration::from_micros(all.div_ceil(most as u64).next_multiple_of(whole_micros(grain)))
    };
    let by_hours = length(HOUR);
    // One hour is the shortest there can be of them: that may be far longer than asked for.
    if by_hours > HOUR { (HOUR, by_hours) } else { (FIVE_MINUTES, length(FIVE_MINUTES)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_cut_into_as_many_parts_as_are_asked_for_at_most() {
        let (zero, micro) = (Duration::ZERO, Duration::from_micros(1));
        let cases = [
            ((zero, HOUR, 16), (FIVE_MINUTES, FIVE_MINUTES)),
            ((micro, HOUR + micro, 4), (FIVE_MINUTES, 4 * FIVE_MINUTES)),
            ((zero, DAY, 30), (FIVE_MINUTES, 10 * FIVE_MINUTES)),
            ((zero, DAY, 16), (HOUR, 2 * HOUR)),
            ((HOUR - micro, DAY + HOUR, 12), (HOUR, 3 * HOUR)),
            ((zero, 30 * DAY, 30), (HOUR, DAY)),
        ];
        for ((since, until, most), expected) in cases {
            let at = |after| Time::default() + after;
            assert_eq!(cut(at(since), at(until), most), expected, "{since:?} {until:?} {most}");
        }
    }
}
