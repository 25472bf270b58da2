//! How a window is cut into stretches of equal length: the same for every store.

use flyball_core::time::{HOUR, MINUTE, SECOND};

use super::filter::{LATEST, Window};

/// The short stretches that policies are counted by: each event has a dozen of rulings.
pub(crate) const FIVE_MINUTES: i64 = 5 * MINUTE;

/// The lengths that people read times by; beyond them, days are doubled.
const LENGTHS: [i64; 16] = [
    SECOND,
    5 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    FIVE_MINUTES,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    24 * HOUR,
];

/// A window cut into stretches of equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buckets {
    /// When the first begins, in microseconds since 1970.
    pub since: i64,
    /// How long each is.
    pub length: i64,
    /// How many there are.
    pub count: usize,
    /// What each is a multiple of: policies are counted by hours or by five minutes.
    pub grain: i64,
}

impl Buckets {
    /// At most `most` stretches that begin at full seconds, minutes, hours or days; nothing for an empty window.
    #[must_use]
    pub fn of_events(window: &Window, most: usize) -> Option<Buckets> {
        let (since, until) = window.bounds();
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        if since >= until || most == 0 {
            return None;
        }
        let fits = |length: &i64| (until - floor(since, *length) + length - 1) / length <= most;
        let longer = std::iter::successors(Some(48 * HOUR), |length| length.checked_mul(2));
        // One stretch that begins in 1970 has room for everything.
        let length = LENGTHS.into_iter().chain(longer.take(24)).find(fits).unwrap_or(2 * LATEST);
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

    fn covering((since, until): (i64, i64), grain: i64, length: i64) -> Buckets {
        let since = floor(since, grain);
        let count = usize::try_from((until - since + length - 1) / length).unwrap_or_default();
        Buckets { since, length, count, grain }
    }

    /// In which of them a time is, if in any.
    #[must_use]
    pub fn place(&self, at: i64) -> Option<usize> {
        let place = usize::try_from((at - self.since).checked_div_euclid(self.length)?).ok()?;
        (place < self.count).then_some(place)
    }

    pub fn starts(self) -> impl Iterator<Item = i64> {
        (0..self.count).scan(self.since, move |next, _| {
            let start = *next;
            *next += self.length;
            Some(start)
        })
    }
}

/// The beginning of the stretch that a time is in.
pub(crate) const fn floor(at: i64, length: i64) -> i64 {
    at.saturating_sub(at.rem_euclid(length))
}

/// What a window is counted by, and how long its parts are.
fn cut(since: i64, until: i64, most: usize) -> (i64, i64) {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let length = |grain: i64| {
        let all = until - floor(since, grain);
        floor((all + most - 1) / most + grain - 1, grain)
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
        let day = 24 * HOUR;
        let cases = [
            ((0, HOUR, 16), (FIVE_MINUTES, FIVE_MINUTES)),
            ((1, HOUR + 1, 4), (FIVE_MINUTES, 4 * FIVE_MINUTES)),
            ((0, day, 30), (FIVE_MINUTES, 10 * FIVE_MINUTES)),
            ((0, day, 16), (HOUR, 2 * HOUR)),
            ((HOUR - 1, day + HOUR, 12), (HOUR, 3 * HOUR)),
            ((0, 30 * day, 30), (HOUR, day)),
        ];
        for ((since, until, most), expected) in cases {
            assert_eq!(cut(since, until, most), expected, "{since} {until} {most}");
        }
    }
}
