//! Moments and spans of time, as people read and write them. The clock is handed in.

use std::time::Duration;

use flyball_core::far_date::FarDate;
use flyball_core::time::{Time, whole_micros};
use jiff::civil::{self, DateTime};
use jiff::{SignedDuration, Timestamp, Zoned};

/// What people may write for a moment, for messages and help.
pub(crate) const FORMS: &str = "write how long ago (`90s`, `30m`, `2h`, `3d`, `1w`), a day (`2026-11-14`), a time (`14:30`) or both (`2026-11-14T14:30`)";

/// Which end of a day is meant where only the day is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Its first moment: for `--since`.
    Start,
    /// Its last moment: for `--until`.
    End,
}

/// The moment that someone wrote.
pub(crate) fn parse(text: &str, bound: Bound, now: &Zoned) -> Option<Time> {
    let text = text.trim();
    if let Some(back) = span(text) {
        return Some(from_timestamp(now.timestamp().checked_sub(back).ok()?));
    }
    // With an offset it is one moment; everything below is by the user's clock.
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(from_timestamp(moment));
    }
    // The parser takes a date for its midnight, which is not what `--until` means.
    let is_day = text.len() == "2026-11-14".len() && text.parse::<jiff::civil::Date>().is_ok();
    let moment = match text.parse::<DateTime>() {
        Ok(moment) if is_day && bound == Bound::End => moment.date().to_datetime(civil::Time::MAX),
        Ok(moment) => moment,
        Err(_) => now.date().to_datetime(text.parse().ok()?),
    };
    Some(of(&moment.to_zoned(now.time_zone().clone()).ok()?))
}

/// `2h`: a whole number and one letter.
fn span(text: &str) -> Option<SignedDuration> {
    let unit = text.chars().next_back()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return None,
    };
    let amount: u32 = text.strip_suffix(unit)?.parse().ok()?;
    Some(SignedDuration::from_secs(i64::from(amount) * seconds))
}

/// A moment on the wall clock of today, or with its day if that was another one.
pub(crate) fn clock(at: Time, now: &Zoned) -> String {
    if let Some(far) = FarDate::of(at) {
        return format!("{} {}", far.date(), far.clock());
    }
    let moment = local(at, now);
    let form = if moment.date() == now.date() {
        "%H:%M:%S"
    } else if moment.year() == now.year() {
        "%m-%d %H:%M:%S"
    } else {
        "%Y-%m-%d %H:%M:%S"
    };
    moment.strftime(form).to_string()
}

/// A moment in full, with its offset.
pub(crate) fn full(at: Time, now: &Zoned) -> String {
    if let Some(far) = FarDate::of(at) {
        let millis = at.as_millis() % 1_000;
        return format!("{} {}.{millis:03} +00:00", far.date(), far.clock());
    }
    local(at, now).strftime("%Y-%m-%d %H:%M:%S%.3f %:z").to_string()
}

/// The day of a moment, in UTC.
pub(crate) fn date(at: Time) -> String {
    match FarDate::of(at) {
        Some(far) => far.date(),
        None => {
            Timestamp::from_microsecond(at.as_micros()).unwrap_or_default().strftime("%Y-%m-%d").to_string()
        }
    }
}

/// How long ago, in one unit.
pub(crate) fn ago(at: Time, now: &Zoned) -> String {
    let seconds = of(now).since(at).as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// How long something took.
pub(crate) fn took(duration: Duration) -> String {
    let micros = whole_micros(duration);
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{}.{} ms", micros / 1_000, micros % 1_000 / 100),
        _ => format!("{}.{} s", micros / 1_000_000, micros % 1_000_000 / 100_000),
    }
}

/// The moment of a clock on a wall.
pub(crate) fn of(zoned: &Zoned) -> Time {
    from_timestamp(zoned.timestamp())
}

fn from_timestamp(timestamp: Timestamp) -> Time {
    Time::from_micros(timestamp.as_microsecond())
}

/// A moment where the user is.
pub(crate) fn local(at: Time, now: &Zoned) -> Zoned {
    // Only a damaged record could hold a moment outside of the calendar.
    Timestamp::from_microsecond(at.as_micros())
        .unwrap_or(Timestamp::UNIX_EPOCH)
        .to_zoned(now.time_zone().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Zoned {
        "2026-11-14T12:00:00+01:00[Europe/Berlin]".parse().unwrap()
    }

    fn at(text: &str) -> Time {
        from_timestamp(text.parse().unwrap())
    }

    #[test]
    fn moments_are_read_as_people_write_them() {
        let cases = [
            ("90s", Bound::Start, "2026-11-14T10:58:30Z"),
            ("2h", Bound::Start, "2026-11-14T09:00:00Z"),
            ("1w", Bound::End, "2026-11-07T11:00:00Z"),
            ("2026-11-13", Bound::Start, "2026-11-12T23:00:00Z"),
            ("2026-11-13", Bound::End, "2026-11-13T22:59:59.999999Z"),
            ("2026-11-13T08:30", Bound::End, "2026-11-13T07:30:00Z"),
            ("2026-11-13 08:30:05", Bound::Start, "2026-11-13T07:30:05Z"),
            ("2026-11-13T08:30:00Z", Bound::Start, "2026-11-13T08:30:00Z"),
            ("08:30", Bound::Start, "2026-11-14T07:30:00Z"),
        ];
        for (text, bound, expected) in cases {
            assert_eq!(parse(text, bound, &now()), Some(at(expected)), "{text}");
        }
        for text in ["", "2", "h", "two hours", "2026-13-01", "-5m", "25:00"] {
            assert_eq!(parse(text, Bound::Start, &now()), None, "{text}");
        }
    }

    #[test]
    fn moments_are_shown_no_longer_than_needed() {
        assert_eq!(clock(at("2026-11-14T10:58:30Z"), &now()), "11:58:30");
        assert_eq!(clock(at("2026-11-13T10:58:30Z"), &now()), "11-13 11:58:30");
        assert_eq!(clock(at("2025-07-13T10:58:30Z"), &now()), "2025-07-13 12:58:30");
        assert_eq!(full(at("2026-11-14T10:58:30.25Z"), &now()), "2026-11-14 11:58:30.250 +01:00");
    }

    #[test]
    fn ages_and_durations_have_one_unit() {
        let cases = [
            ("2026-11-14T11:00:00Z", "0 s"),
            ("2026-11-14T10:58:30Z", "1 min"),
            ("2026-11-13T10:58:30Z", "24 h"),
        ];
        for (at, expected) in cases {
            assert_eq!(ago(super::tests::at(at), &now()), expected);
        }
        assert_eq!(ago(at("2026-10-14T10:58:30Z"), &now()), "31 days");
        assert_eq!(ago(at("2027-10-14T10:58:30Z"), &now()), "0 s");
        assert_eq!(
            [85, 1_240, 2_560_000].map(|micros| took(Duration::from_micros(micros))),
            ["85 µs", "1.2 ms", "2.5 s"]
        );
    }
}
