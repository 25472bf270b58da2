//! What was read from the store for the screen.

use std::time::Duration;

use flyball_core::outcome::DenialCounts;
use flyball_store::{SessionSummary, StoredEvent};
use jiff::Zoned;

/// A session and what it waits for.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) summary: SessionSummary,
    pub(super) waits_for: String,
}

/// One stretch of the last hour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) events: u64,
    pub(super) denied: DenialCounts,
    pub(super) p50: Option<Duration>,
    pub(super) p99: Option<Duration>,
}

#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) now: Zoned,
    pub(super) sessions: Vec<Session>,
    pub(super) events: Vec<StoredEvent>,
    pub(super) hour: Vec<Stretch>,
    /// Of the whole hour.
    pub(super) total: Stretch,
    /// The lines of the explanation that is open.
    pub(super) explanation: Vec<String>,
}
