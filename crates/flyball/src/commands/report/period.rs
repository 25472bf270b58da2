//! The period of a report.

use std::time::Duration;

use flyball_core::time::Time;

use jiff::civil::Date;
use jiff::{ToSpan, Zoned};

use super::options::Arguments;
use crate::arguments;
use crate::outcome::Failed;
use crate::show::time::{self, Bound};

/// The default period.
const DAYS: u16 = 7;

/// The first moment, and the one after the last.
pub(super) fn from_arguments(options: &Arguments, now: &Zoned) -> Result<(Time, Time), Failed> {
    if options.week {
        return last_week(now).ok_or_else(|| Failed::new("the clock is out of range", ""));
    }
    let until = match &options.until {
        Some(text) => arguments::time(text, Bound::End, now)?,
        None => time::of(now) + Duration::from_micros(1),
    };
    let since = match &options.since {
        Some(text) => arguments::time(text, Bound::Start, now)?,
        None => days_before(until, options.days.unwrap_or(DAYS), now),
    };
    if since >= until {
        return Err(Failed::new("the period ends before it begins", "`--since` must be before `--until`"));
    }
    Ok((since, until))
}

/// Midnight before so many days, the day of `until` among them.
fn days_before(until: Time, days: u16, now: &Zoned) -> Time {
    let day = time::local(until, now).date();
    let first = day.checked_sub((i64::from(days) - 1).days()).unwrap_or(Date::MIN);
    midnight(first, now).unwrap_or_default()
}

/// Monday to Sunday, before the week that `now` is in.
fn last_week(now: &Zoned) -> Option<(Time, Time)> {
    let since_monday = i64::from(now.date().weekday().to_monday_zero_offset());
    let monday = now.date().checked_sub(since_monday.days()).ok()?;
    let before = monday.checked_sub(7.days()).ok()?;
    Some((midnight(before, now)?, midnight(monday, now)?))
}

fn midnight(date: Date, now: &Zoned) -> Option<Time> {
    Some(time::of(&date.to_zoned(now.time_zone().clone()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Time {
        Time::from_micros(text.parse::<jiff::Timestamp>().unwrap().as_microsecond())
    }

    #[test]
    fn a_week_goes_from_monday_to_sunday_on_the_clock_of_the_wall() {
        let expected = (at("2026-11-01T23:00:00Z"), at("2026-11-08T23:00:00Z"));
        for day in ["2026-11-09T00:00:00", "2026-11-12T12:00:00", "2026-11-15T23:59:59"] {
            let now: Zoned = format!("{day}[Europe/Berlin]").parse().unwrap();
            assert_eq!(last_week(&now), Some(expected), "{day}");
        }
    }

    #[test]
    fn today_is_one_of_the_last_seven_days() {
        let now: Zoned = "2026-11-15T12:00:00[Europe/Berlin]".parse().unwrap();
        let until = time::of(&now);
        assert_eq!(days_before(until, 7, &now), at("2026-11-08T23:00:00Z"));
        assert_eq!(days_before(until, 1, &now), at("2026-11-14T23:00:00Z"));
    }
}
