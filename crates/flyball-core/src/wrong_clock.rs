//! Clocks that are wrong, for tests that run flyball as a process. Only test builds have this module: in a program that
//! people use, no variable changes the time.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// Seconds to add to each clock.
static WALL: AtomicI64 = AtomicI64::new(0);
static SINCE_BOOT: AtomicI64 = AtomicI64::new(0);
static AWAKE: AtomicI64 = AtomicI64::new(0);
/// Another number is another start of the machine; 0 is the real one.
static BOOT: AtomicI64 = AtomicI64::new(0);

/// Sets the clocks of this process from a text such as `wall=+315360000 boot=2 since_boot=60 awake=60`: how many seconds
/// each is off, and which start of the machine this is. Unknown words are ignored.
pub fn set(text: &str) {
    for word in text.split_whitespace() {
        let Some((name, number)) = word.split_once('=') else { continue };
        let Ok(number) = number.parse::<i64>() else { continue };
        let place = match name {
            "wall" => &WALL,
            "since_boot" => &SINCE_BOOT,
            "awake" => &AWAKE,
            "boot" => &BOOT,
            _ => continue,
        };
        place.store(number, Ordering::Relaxed);
    }
}

/// Which start of the machine this is said to be, if a test says so.
#[must_use]
pub fn boot() -> Option<i64> {
    Some(BOOT.load(Ordering::Relaxed)).filter(|boot| *boot != 0)
}

/// A time of the clock, in microseconds.
pub(crate) fn shift_micros(micros: i64) -> i64 {
    micros.saturating_add(WALL.load(Ordering::Relaxed).saturating_mul(1_000_000))
}

pub(crate) fn shift_since_boot(since_boot: Duration) -> Duration {
    shift(since_boot, &SINCE_BOOT)
}

pub(crate) fn shift_awake(awake: Duration) -> Duration {
    shift(awake, &AWAKE)
}

fn shift(duration: Duration, by: &AtomicI64) -> Duration {
    let by = by.load(Ordering::Relaxed);
    let change = Duration::from_secs(by.unsigned_abs());
    if by < 0 { duration.saturating_sub(change) } else { duration.saturating_add(change) }
}
