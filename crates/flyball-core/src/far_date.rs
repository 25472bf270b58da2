//! Dates that calendars of software do not have: years beyond 9999, by a clock that is wrong.

use crate::time::Time;

/// The first moment of the year 10000, in seconds since 1970.
const YEAR_10000: i64 = 253_402_300_800;
/// Two days less: local times before it are in the calendar wherever one is.
const FIRST: i64 = YEAR_10000 - 2 * 86_400;

/// A date and time in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FarDate {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    /// Since midnight.
    seconds: i64,
}

impl FarDate {
    /// The date of a time that is beyond the calendar; `None` for all others.
    #[must_use]
    pub fn of(time: Time) -> Option<FarDate> {
        let seconds = time.as_micros().div_euclid(1_000_000);
        if seconds < FIRST {
            return None;
        }
        // Years begin in March here, so that the leap day is the last: a cycle of 400 years has 146,097 days.
        let days = seconds.div_euclid(86_400) + 719_468;
        let (cycle, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let is_next_year = month >= 10;
        Some(FarDate {
            year: cycle * 400 + year + i64::from(is_next_year),
            month: if is_next_year { month - 9 } else { month + 3 },
            day: day - (153 * month + 2) / 5 + 1,
            seconds: seconds.rem_euclid(86_400),
        })
    }

    /// `12026-11-18`
    #[must_use]
    pub fn date(self) -> String {
        format!("{}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// `17:48:12`
    #[must_use]
    pub fn clock(self) -> String {
        let minutes = self.seconds / 60;
        format!("{:02}:{:02}:{:02}", minutes / 60, minutes % 60, self.seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn far(seconds: i64) -> Option<String> {
        let date = FarDate::of(Time::from_micros(seconds * 1_000_000))?;
        Some(format!("{} {}", date.date(), date.clock()))
    }

    #[test]
    fn years_beyond_9999_are_what_they_are() {
        assert_eq!(far(1_800_000_000), None);
        assert_eq!(far(YEAR_10000 - 1).unwrap(), "9999-12-31 23:59:59");
        assert_eq!(far(YEAR_10000).unwrap(), "10000-01-01 00:00:00");
        // 10000 is a leap year: a day before its first of March.
        assert_eq!(far(YEAR_10000 + 59 * 86_400).unwrap(), "10000-02-29 00:00:00");
        assert_eq!(far(YEAR_10000 + 366 * 86_400 + 3_661).unwrap(), "10001-01-01 01:01:01");
        // A whole cycle of 400 years.
        assert_eq!(far(YEAR_10000 + 146_097 * 86_400).unwrap(), "10400-01-01 00:00:00");
        assert!(FarDate::of(Time::MAX).unwrap().date().starts_with("294247-01-10"));
    }
}
