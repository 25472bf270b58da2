//! The time, as the store counts it.

use jiff::Timestamp;

/// The time, in microseconds since 1970.
pub(super) fn now() -> i64 {
    Timestamp::now().as_microsecond()
}
