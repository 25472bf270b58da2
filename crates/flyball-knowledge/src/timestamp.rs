//! Times in files: UTC, in ISO 8601.

use jiff::Timestamp;

/// `2026-02-09T12:00:00.000Z`.
#[must_use]
pub fn iso(unix_millis: u64) -> String {
    timestamp(unix_millis).strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}

/// `2026-02-09T12:00:00Z`.
#[must_use]
pub fn iso_seconds(unix_millis: u64) -> String {
    timestamp(unix_millis).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// `2026-02-09`.
#[must_use]
pub fn date(unix_millis: u64) -> String {
    timestamp(unix_millis).strftime("%Y-%m-%d").to_string()
}

/// Milliseconds since 1970, from any time with a zone; `None` if it is not a valid time.
#[must_use]
pub fn parse(text: &str) -> Option<u64> {
    let timestamp: Timestamp = text.trim().parse().ok()?;
    u64::try_from(timestamp.as_millisecond()).ok()
}

fn timestamp(unix_millis: u64) -> Timestamp {
    let millis = i64::try_from(unix_millis).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_and_read_again() {
        let at = 1_770_638_400_123;
        assert_eq!(iso(at), "2026-02-09T12:00:00.123Z");
        assert_eq!(iso_seconds(at), "2026-02-09T12:00:00Z");
        assert_eq!(date(at), "2026-02-09");
        assert_eq!(parse(&iso(at)), Some(at));
        assert_eq!(parse("2026-02-09T13:00:00.123+01:00"), Some(at));
        assert_eq!(parse("yesterday"), None);
        assert_eq!(iso(u64::MAX).len(), 24);
    }
}
