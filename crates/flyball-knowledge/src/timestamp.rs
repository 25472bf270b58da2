//! Times in files: UTC, in ISO 8601.

use flyball_core::far_date::FarDate;
use flyball_core::time::Time;
use jiff::Timestamp;

/// `2026-02-09T12:00:00.000Z`.
#[must_use]
pub fn iso(time: Time) -> String {
    match FarDate::of(time) {
        Some(far) => format!("{}T{}.{:03}Z", far.date(), far.clock(), time.as_millis() % 1_000),
        None => timestamp(time).strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
    }
}

/// `2026-02-09T12:00:00Z`.
#[must_use]
pub fn iso_seconds(time: Time) -> String {
    match FarDate::of(time) {
        Some(far) => format!("{}T{}Z", far.date(), far.clock()),
        None => timestamp(time).strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
    }
}

/// `2026-02-09`.
#[must_use]
pub fn date(time: Time) -> String {
    FarDate::of(time).map_or_else(|| timestamp(time).strftime("%Y-%m-%d").to_string(), FarDate::date)
}

/// In whole milliseconds, from any time with a zone; `None` if it is not a valid time.
#[must_use]
pub fn parse(text: &str) -> Option<Time> {
    let timestamp: Timestamp = text.trim().parse().ok()?;
    u64::try_from(timestamp.as_millisecond()).ok().map(Time::from_millis)
}

fn timestamp(time: Time) -> Timestamp {
    Timestamp::from_microsecond(time.as_micros()).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_and_read_again() {
        let at = Time::from_millis(1_770_638_400_123);
        assert_eq!(iso(at), "2026-02-09T12:00:00.123Z");
        assert_eq!(iso_seconds(at), "2026-02-09T12:00:00Z");
        assert_eq!(date(at), "2026-02-09");
        assert_eq!(parse(&iso(at)), Some(at));
        assert_eq!(parse("2026-02-09T13:00:00.123+01:00"), Some(at));
        assert_eq!(parse("yesterday"), None);
        assert_eq!(iso(Time::MAX), "294247-01-10T04:00:54.775Z");
        let year_12000 = Time::from_micros(316_516_204_800_000_000);
        assert_eq!(
            (date(year_12000), iso_seconds(year_12000)),
            ("12000-01-01".into(), "12000-01-01T00:00:00Z".into())
        );
    }
}
