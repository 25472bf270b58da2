//! The time, as the store counts it.

use flyball_core::time::Time;

pub(super) fn now() -> Time {
    Time::now()
}
