//! Round local times below a chart.

use std::time::Duration;

use flyball_core::time::{MINUTE, Time, whole_micros};
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};

use crate::page::parts;

/// How many times are named at most.
const MOST: i64 = 6;

/// A distance between two times that are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Minutes(i64),
    Days(i64),
    Months(i64),
}

impl Step {
    const ALL: [Step; 20] = [
        Step::Minutes(1),
        Step::Minutes(2),
        Step::Minutes(5),
        Step::Minutes(10),
        Step::Minutes(15),
        Step::Minutes(30),
        Step::Minutes(60),
        Step::Minutes(120),
        Step::Minutes(180),
        Step::Minutes(360),
        Step::Minutes(720),
        Step::Days(1),
        Step::Days(2),
        Step::Days(7),
        Step::Days(14),
        Step::Months(1),
        Step::Months(2),
        Step::Months(3),
        Step::Months(6),
        Step::Months(12),
    ];

    /// How often it fits into a length.
    fn times_in(self, length: Duration) -> i64 {
        let minutes = match self {
            Step::Minutes(minutes) => minutes,
            Step::Days(days) => days * 24 * 60,
            // About right is enough: it only decides how many names fit.
            Step::Months(months) => months * 30 * 24 * 60,
        };
        i64::try_from(length.as_secs() / 60).unwrap_or(i64::MAX) / minutes
    }

    fn span(self, times: i64) -> Option<Span> {
        match self {
            Step::Minutes(minutes) => Span::new().try_minutes(minutes * times).ok(),
            Step::Days(days) => Span::new().try_days(days * times).ok(),
            Step::Months(months) => Span::new().try_months(months * times).ok(),
        }
    }

    /// The round time at or before that one, by the clock on the wall.
    fn before(self, time: DateTime) -> Option<DateTime> {
        let midnight = time.date().to_datetime(jiff::civil::Time::midnight());
        match self {
            Step::Minutes(minutes) => {
                let passed = i64::from(time.hour()) * 60 + i64::from(time.minute());
                midnight.checked_add(Span::new().minutes(passed / minutes * minutes)).ok()
            }
            // Weeks begin on Monday.
            Step::Days(days) if days % 7 == 0 => midnight
                .checked_sub(Span::new().days(i64::from(time.date().weekday().to_monday_zero_offset())))
                .ok(),
            Step::Days(_) => Some(midnight),
            Step::Months(months) => {
                let month = (i64::from(time.month()) - 1) / months * months + 1;
                let first = Date::new(time.year(), i8::try_from(month).ok()?, 1).ok()?;
                Some(first.to_datetime(jiff::civil::Time::midnight()))
            }
        }
    }

    fn label(self, time: DateTime) -> String {
        let at_midnight = time.hour() == 0 && time.minute() == 0;
        match self {
            Step::Minutes(_) if !at_midnight => time.strftime("%H:%M").to_string(),
            Step::Minutes(_) | Step::Days(_) => time.strftime("%-d %b").to_string(),
            Step::Months(_) if time.month() != 1 => time.strftime("%b").to_string(),
            Step::Months(_) => time.strftime("%Y").to_string(),
        }
    }
}

/// The times between two others that are named: their place as a share of the way, and their name.
pub(super) fn ticks(since: Time, until: Time, zone: &TimeZone) -> Vec<(f64, String)> {
    let length = until.since(since);
    if length.is_zero() {
        return Vec::new();
    }
    let fits = |step: &Step| step.times_in(length) < MOST;
    let step = Step::ALL
        .into_iter()
        .find(fits)
        .unwrap_or(Step::Months(12 * (Step::Months(12).times_in(length) / MOST + 1)));
    // By the clock on the wall: with a change to summer time in between, midnight is still midnight.
    let Some(first) = step.before(parts::zoned(since, zone).datetime()) else {
        return Vec::new();
    };
    let times = (0..=MOST + 2).filter_map(|number| first.checked_add(step.span(number)?).ok());
    times.filter_map(|time| Some((place(time, since, length, zone)?, step.label(time)))).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a share of the width")]
fn place(time: DateTime, since: Time, length: Duration, zone: &TimeZone) -> Option<f64> {
    let at: Zoned = time.to_zoned(zone.clone()).ok()?;
    let at = parts::time_of(&at);
    let share = whole_micros(at.since(since)) as f64 / whole_micros(length) as f64;
    (at >= since && share <= 1.0).then_some(share)
}

/// A stretch of time in words: `15 Nov 14:00–14:15`, or its days if it is longer than one.
pub(super) fn stretch(since: Time, length: Duration, zone: &TimeZone) -> String {
    let begin = parts::zoned(since, zone);
    let end = parts::zoned(since + length, zone);
    let format = if length < MINUTE { "%H:%M:%S" } else { "%H:%M" };
    if begin.date() == end.date() {
        return format!("{} {}–{}", begin.strftime("%-d %b"), begin.strftime(format), end.strftime(format));
    }
    format!("{} – {}", begin.strftime("%-d %b %H:%M"), end.strftime("%-d %b %H:%M"))
}

#[cfg(test)]
mod tests {
    use flyball_core::time::HOUR;

    use super::*;

    /// 2026-11-15 00:00 UTC.
    const NOW: Time = Time::from_millis(1_794_700_800_000);

    fn names(since: Time, until: Time, zone: &TimeZone) -> String {
        ticks(since, until, zone).into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn times_are_round_by_the_clock_on_the_wall() {
        let utc = TimeZone::UTC;
        assert_eq!(names(NOW - HOUR, NOW, &utc), "23:00 | 23:15 | 23:30 | 23:45 | 15 Nov");
        assert_eq!(
            names(NOW - 24 * HOUR + Duration::from_micros(1), NOW, &utc),
            "06:00 | 12:00 | 18:00 | 15 Nov"
        );
        assert_eq!(names(NOW - 7 * 24 * HOUR, NOW, &utc), "8 Nov | 10 Nov | 12 Nov | 14 Nov");
        assert_eq!(names(NOW - 30 * 24 * HOUR, NOW, &utc), "19 Oct | 26 Oct | 2 Nov | 9 Nov");
        assert_eq!(names(NOW - 365 * 24 * HOUR, NOW, &utc), "2026 | Apr | Jul | Oct");
        assert_eq!(names(NOW - 20 * 365 * 24 * HOUR, NOW, &utc), "2010 | 2014 | 2018 | 2022 | 2026");
        let kathmandu =
            TimeZone::fixed(jiff::tz::offset(5).saturating_add(jiff::SignedDuration::from_mins(45)));
        assert_eq!(ticks(NOW - HOUR, NOW, &kathmandu).first().unwrap().1, "04:45");
    }

    #[test]
    fn no_time_has_no_names() {
        assert_eq!(ticks(NOW, NOW, &TimeZone::UTC), []);
        assert_eq!(ticks(NOW, NOW - MINUTE, &TimeZone::UTC), []);
        for (since, until) in [(i64::MIN, i64::MAX), (0, 1), (i64::MAX - 1, i64::MAX)]
            .map(|(since, until)| (Time::from_micros(since), Time::from_micros(until)))
        {
            assert!(ticks(since, until, &TimeZone::UTC).len() <= 9);
        }
    }

    #[test]
    fn a_stretch_is_named_by_its_two_ends() {
        let utc = TimeZone::UTC;
        assert_eq!(stretch(NOW, 15 * MINUTE, &utc), "15 Nov 00:00–00:15");
        assert_eq!(stretch(NOW, Duration::from_secs(20), &utc), "15 Nov 00:00:00–00:00:20");
        assert_eq!(stretch(NOW, 24 * HOUR, &utc), "15 Nov 00:00 – 16 Nov 00:00");
    }
}
