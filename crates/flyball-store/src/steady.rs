//! The time of this machine that nobody can set.

use std::time::Duration;

use flyball_core::uptime::Uptime;

use crate::journal::checksum;

/// Where Linux has the id of this start of the machine.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// A moment by a clock that never jumps: which start of the machine, and how long after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SteadyTime {
    /// A number for this start of the machine; 0 where the system has none.
    pub boot: i64,
    pub since_boot: Duration,
}

impl SteadyTime {
    #[must_use]
    pub fn now() -> SteadyTime {
        SteadyTime { boot: boot(), since_boot: Uptime::now().since_boot }
    }

    /// How long it is since an earlier moment; `None` if the machine was started in between. Where starts have no
    /// numbers, a clock that is ahead of this one is that of an earlier start.
    pub(crate) fn since(self, earlier: SteadyTime) -> Option<Duration> {
        self.since_boot.checked_sub(earlier.since_boot).filter(|_| self.boot == earlier.boot)
    }

    pub(crate) fn micros(self) -> i64 {
        i64::try_from(self.since_boot.as_micros()).unwrap_or(i64::MAX)
    }

    pub(crate) fn from_micros(boot: i64, micros: i64) -> SteadyTime {
        SteadyTime { boot, since_boot: Duration::from_micros(u64::try_from(micros).unwrap_or_default()) }
    }
}

fn boot() -> i64 {
    #[cfg(debug_assertions)]
    if let Some(boot) = flyball_core::wrong_clock::boot() {
        return boot;
    }
    // Elsewhere there is no such file: `SteadyTime::since` does without.
    let id = std::fs::read(BOOT_ID).unwrap_or_default();
    if id.is_empty() { 0 } else { checksum(&id).cast_signed() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_moments_of_one_start_can_be_compared() {
        let at = |boot, seconds| SteadyTime { boot, since_boot: Duration::from_secs(seconds) };
        assert_eq!(at(1, 9).since(at(1, 4)), Some(Duration::from_secs(5)));
        assert_eq!(at(1, 9).since(at(2, 4)), None);
        assert_eq!(at(0, 4).since(at(0, 9)), None, "it was started since");
        assert_eq!(SteadyTime::now().boot, SteadyTime::now().boot);
    }
}
