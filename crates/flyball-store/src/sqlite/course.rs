//! What the policies did, one part of the time after the other, read in one go.

use std::collections::BTreeMap;

use super::Index;
use super::pulse::{PolicyPulse, Window, add_row, policy_pulse};
use super::tally::{FIVE_MINUTES, HOUR, RulingCounts, floor};
use crate::error::StoreError;

/// What the policies did in each part of a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyCourse {
    /// When the first part begins, in microseconds since 1970.
    pub since: i64,
    /// How long each is.
    pub length: i64,
    /// What they did in each, oldest first, by their names; also the parts in which nothing was asked.
    pub parts: Vec<Vec<PolicyPulse>>,
}

impl Index {
    /// What the policies, or this one alone, did in each of at most `most` parts of a window, whatever its
    /// session. Parts are whole hours, or whole five minutes where hours are too long, so the first may begin
    /// before the window and the last may end after it.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn policy_course(
        &self,
        window: &Window,
        most: usize,
        policy: Option<&str>,
    ) -> Result<PolicyCourse, StoreError> {
        let (since, until) = window.bounds();
        if since >= until || most == 0 {
            return Ok(PolicyCourse::default());
        }
        let (grain, length) = cut(since, until, most);
        let since = floor(since, grain);
        let count = usize::try_from((until - since + length - 1) / length).unwrap_or_default();
        let mut parts: Vec<BTreeMap<String, RulingCounts>> = vec![BTreeMap::new(); count];
        let within = Window { since, until, ..window.clone() };
        self.each_ruling((grain, &within), policy, |start, row| {
            let place = usize::try_from((start - since) / length).unwrap_or(usize::MAX);
            parts.get_mut(place).map_or(Ok(()), |part| add_row(part, row))
        })?;
        let parts = parts.into_iter().map(|part| part.into_iter().map(policy_pulse).collect());
        Ok(PolicyCourse { since, length, parts: parts.collect() })
    }
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
