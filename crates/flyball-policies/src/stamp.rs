//! Whether a file has changed, by its metadata.

use flyball_core::policy::Stat;

/// The time of the last change, the inode and the length: while they are the same, so is the content.
pub(crate) type Stamp = (u64, u64, u64);

pub(crate) fn stamp(stat: &Stat) -> Stamp {
    (stat.changed_nanos, stat.inode, stat.bytes)
}
