//! What is ordered of the store and what comes of it: folding, rebuilding, an examination.

use std::path::PathBuf;
use std::time::Duration;

use flyball_core::config::StoreSettings;
use flyball_core::verdict::Stance;

use crate::error::StoreError;

/// What folding has to know.
#[derive(Clone, Copy, Debug)]
pub struct FoldOptions<'a> {
    /// What is kept, and for how long.
    pub settings: &'a StoreSettings,
    /// The time, in microseconds since 1970.
    pub now: i64,
    /// How long to wait for another process that is folding.
    pub wait: Duration,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoldReport {
    /// Journals that had something new.
    pub journals: u64,
    /// Records that are new in the index.
    pub records: u64,
    /// Lines that could not be read and were stepped over.
    pub corrupt: u64,
    /// Journals that could not be read at all, with the reason.
    pub skipped: Vec<(PathBuf, String)>,
    /// Old events that were deleted.
    pub forgotten: u64,
    /// Journals that were shortened to the state of their session.
    pub shortened: u64,
    /// Journals of sessions long gone that were deleted.
    pub removed: u64,
}

/// What became of a damaged store.
#[derive(Debug, Default)]
pub struct RebuildReport {
    /// What was moved aside, under its new name.
    pub moved: Vec<PathBuf>,
    /// Records that could be read from the old database.
    pub saved: u64,
    /// What came from the journals.
    pub fold: FoldReport,
}

/// How the store is.
#[derive(Debug)]
pub struct Health {
    pub database: DatabaseHealth,
    /// Its size, in bytes.
    pub database_bytes: u64,
    /// The size of its write-ahead log.
    pub log_bytes: u64,
    /// How many journals there are.
    pub journals: u64,
    pub journal_bytes: u64,
    /// How much of it is not in the index yet.
    pub unfolded_bytes: u64,
    /// Lines of journals that cannot be read: events that were cut short by a crash or a full disk.
    pub corrupt_lines: u64,
    /// Journals that cannot be read at all.
    pub unreadable: Vec<(PathBuf, StoreError)>,
}

/// How the database is.
#[derive(Debug)]
pub enum DatabaseHealth {
    /// There is none yet.
    Missing,
    /// SQLite finds nothing wrong with it.
    Sound { schema: u32 },
    /// It cannot be used, and why.
    Unusable(StoreError),
}

/// How often a session was stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionTally {
    /// Calls that were denied, each once.
    pub denials: u64,
    /// Calls that the user was asked about.
    pub asks: u64,
}

impl SessionTally {
    pub(crate) fn count(&mut self, stance: Stance) {
        match stance {
            Stance::Deny => self.denials += 1,
            Stance::Ask => self.asks += 1,
            Stance::Silent | Stance::Allow => {}
        }
    }
}
