//! How much one evaluation may do.

use super::super::error::Failure;

/// Steps of one evaluation. This many nodes take some 20 ms; text is charged for in proportion, so
/// that nothing takes much longer than a second.
const STEPS: u32 = 1_000_000;

/// The steps that are left.
pub(super) struct Work {
    left: u32,
}

impl Default for Work {
    fn default() -> Self {
        Self { left: STEPS }
    }
}

impl Work {
    pub(super) fn spend(&mut self, steps: u32) -> Result<(), Failure> {
        let left = self.left.checked_sub(steps);
        self.left = left.unwrap_or_default();
        left.map(|_| ()).ok_or(Failure::TooMuchWork)
    }
}

/// The steps of searching this many bytes.
pub(super) fn scanned(bytes: usize) -> u32 {
    steps(bytes / 1024)
}

/// The steps of writing this many bytes. This also bounds the memory of an evaluation, to 64 MB of
/// text.
pub(super) fn written(bytes: usize) -> u32 {
    steps(bytes / 64)
}

/// The steps of matching a regular expression against this many bytes.
pub(super) fn matched(bytes: usize) -> u32 {
    steps(bytes / 16)
}

/// As many steps, or more than there are.
pub(super) fn steps(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
