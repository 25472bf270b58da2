//! Times as they are recorded: microseconds, counted from the beginning of 1970 (UTC) where they are points in time.
//!
//! Policies and the file system count in milliseconds; [`from_millis`] is the one way from there to here.

pub const SECOND: i64 = 1_000_000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// A point in time, given in milliseconds since 1970.
#[must_use]
pub fn from_millis(millis: u64) -> i64 {
    i64::try_from(millis).unwrap_or(i64::MAX).saturating_mul(1_000)
}
