//! How much memory jobs use, with all that they started, looked at while they run.
//!
//! The system's own limits (`ulimit -v`) are on the address space, of which node and Go programs reserve hundreds of
//! gigabytes that they never use; and a limit on one process does not count its children.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::processes::{Processes, proportional_bytes};

/// A job that ends sooner is never looked at. Programs that do nothing wrong do not use much in so short a time.
const FIRST: Duration = Duration::from_millis(150);
/// How often is looked at most.
const INTERVAL: Duration = Duration::from_millis(100);
/// Looking takes at most one part in this many of the time: there may be thousands of processes.
const SHARE: u32 = 50;

/// When the jobs of a call are looked at.
pub(super) struct MemoryWatch {
    next: Option<Instant>,
    processes: Processes,
}

impl MemoryWatch {
    pub(super) fn new() -> MemoryWatch {
        MemoryWatch { next: None, processes: Processes::default() }
    }

    /// When to look next, given when the oldest job with a limit was started.
    pub(super) fn due(&self, oldest: Instant) -> Instant {
        let first = oldest + FIRST;
        self.next.map_or(first, |next| next.max(first))
    }

    /// Looks at the processes of the system.
    pub(super) fn look(&mut self) {
        let started = Instant::now();
        self.processes = Processes::read();
        let now = Instant::now();
        self.next = Some(now + INTERVAL.max((now - started) * SHARE));
    }

    /// Whether a group of processes and what they started used more than this when last looked at.
    pub(super) fn is_over(&self, group: Pid, limit: u64) -> bool {
        let tree = self.processes.tree(group.as_raw_nonzero().get());
        let resident: u64 = tree.iter().map(|process| process.resident).sum();
        // What processes share is counted once for each of them. To count it once takes long, so only if it matters.
        resident > limit && tree.iter().map(proportional_bytes).sum::<u64>() > limit
    }
}
