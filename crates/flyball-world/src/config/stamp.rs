//! Detects whether a file changed, without reading it.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// The state of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Stamp {
    Absent,
    /// There may be a file, but it cannot be examined.
    Hidden,
    Present {
        size: u64,
        inode: u64,
        modified: i128,
        changed: i128,
    },
}

impl Stamp {
    /// The stamp of what is at a path, and what else is known of it.
    pub(super) fn read(path: &Path) -> (Stamp, Option<Metadata>) {
        match fs::metadata(path) {
            Ok(metadata) => (Stamp::present(&metadata), Some(metadata)),
            // Only these prove that there is no file: otherwise its rules must not be dropped silently.
            Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                (Stamp::Absent, None)
            }
            Err(_) => (Stamp::Hidden, None),
        }
    }

    fn present(metadata: &Metadata) -> Stamp {
        use flyball_system::MetadataExt as _;
        let nanos = |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        Stamp::Present {
            size: metadata.len(),
            inode: metadata.ino(),
            modified: nanos(metadata.mtime(), metadata.mtime_nsec()),
            // Also changes where someone sets the time of a file back, or who may write it.
            changed: nanos(metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Whether the file could still change without the stamp showing it: file systems count
    /// time in ticks of some milliseconds.
    pub(super) fn is_fresh(&self, now: SystemTime) -> bool {
        const TICK: Duration = Duration::from_millis(20);
        match self {
            Stamp::Absent | Stamp::Hidden => false,
            Stamp::Present { changed, .. } => {
                let age = since_epoch(now) - changed;
                // Unsigned, because the clock of a network file system may be ahead of ours.
                age.unsigned_abs() < TICK.as_nanos()
            }
        }
    }
}

fn since_epoch(time: SystemTime) -> i128 {
    let nanos = |duration: Duration| i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanos(after),
        Err(before) => -nanos(before.duration()),
    }
}
