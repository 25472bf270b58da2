//! When processes started, as Linux counts it: in ticks since the machine did.

/// Linux counts a process's start in these for programs, whatever the kernel was built with.
pub const TICKS_PER_SECOND: f64 = 100.0;

/// An id that is not used again, unlike the number of a process.
#[must_use]
pub fn identity(number: impl std::fmt::Display, start_ticks: u64) -> String {
    format!("{number} {start_ticks}")
}

/// For how many seconds the machine runs; `None` where the system does not say.
#[must_use]
pub fn uptime() -> Option<f64> {
    std::fs::read_to_string("/proc/uptime").ok()?.split_whitespace().next()?.parse().ok()
}
