//! The clocks of this machine that nobody can set.

use std::time::Duration;

#[cfg(unix)]
use rustix::time::{ClockId, clock_gettime};

/// How long this machine has been running. Unlike [`crate::time::Time::now`] it never jumps; it begins anew when the
/// machine is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uptime {
    /// With the time that it slept.
    pub since_boot: Duration,
    /// Without it, where the system tells them apart.
    pub awake: Duration,
}

impl Uptime {
    /// Costs no system call.
    #[must_use]
    pub fn now() -> Uptime {
        let uptime = Uptime { since_boot: since_boot(), awake: awake() };
        #[cfg(debug_assertions)]
        return Uptime {
            since_boot: crate::wrong_clock::shift_since_boot(uptime.since_boot),
            awake: crate::wrong_clock::shift_awake(uptime.awake),
        };
        #[cfg(not(debug_assertions))]
        uptime
    }
}

/// The longest time between two events of a session that counts as work. A model thinks and a command runs for minutes;
/// whoever is away for longer does not work.
const LONGEST_WORK: Duration = Duration::from_mins(30);

/// How much of the time between two events counts as work, by a clock that stands still while the machine sleeps. None if
/// the machine was started in between.
#[must_use]
pub fn worked_between(earlier: Duration, later: Duration) -> Duration {
    later.saturating_sub(earlier).min(LONGEST_WORK)
}

#[cfg(unix)]
fn since_boot() -> Duration {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const SINCE_BOOT: ClockId = ClockId::Boottime;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const SINCE_BOOT: ClockId = ClockId::Monotonic;
    read(SINCE_BOOT)
}

#[cfg(unix)]
fn awake() -> Duration {
    read(ClockId::Monotonic)
}

#[cfg(unix)]
fn read(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Without a call of the kernel such a clock cannot be had elsewhere: the one that people can set is taken.
#[cfg(not(unix))]
fn since_boot() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

#[cfg(not(unix))]
fn awake() -> Duration {
    since_boot()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_only_goes_forward() {
        let first = Uptime::now();
        let second = Uptime::now();
        assert!(second >= first && first.awake > Duration::ZERO);
    }
}
