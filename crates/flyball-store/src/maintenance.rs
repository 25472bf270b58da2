//! Options and reports of folding, rebuilding and examining the store.

use std::path::PathBuf;
use std::time::Duration;

use flyball_core::config::StoreSettings;
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::time::Time;

use crate::database::RowDamage;
use crate::error::StoreError;
use crate::held_back::HeldBack;
use crate::progress::{OnProgress, StoreProgress};
use crate::steady::SteadyTime;

#[derive(Clone, Copy, Debug)]
pub struct FoldOptions<'a> {
    /// What is stored, and for how long.
    pub settings: &'a StoreSettings,
    /// By the clock of this machine.
    pub now: Time,
    /// By the clock that nobody can set.
    pub steady: SteadyTime,
    /// Whether a person has agreed to delete all that is old.
    pub consent: Consent,
    /// How long to wait for another process that is folding.
    pub wait: Duration,
}

impl<'a> FoldOptions<'a> {
    /// The options of a fold that runs now.
    #[must_use]
    pub fn now(settings: &'a StoreSettings, wait: Duration) -> FoldOptions<'a> {
        FoldOptions { settings, now: Time::now(), steady: SteadyTime::now(), consent: Consent::None, wait }
    }
}

/// What a person has agreed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consent {
    /// Nobody was asked: a little at a time is deleted, and nothing of what would be a large part.
    #[default]
    None,
    /// The clock is right, and all that is too old by it may go.
    DeleteAllOld,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoldReport {
    /// Journals that had something new.
    pub journals: u64,
    /// Records that are new in the index.
    pub records: u64,
    /// Lines that could not be read and were skipped.
    pub corrupt: u64,
    /// Journals that could not be read at all, with the reason.
    pub skipped: Vec<(PathBuf, String)>,
    /// Old events that were deleted.
    pub forgotten: u64,
    /// Journals that were shortened to the state of their session.
    pub shortened: u64,
    /// Journals of sessions long gone that were deleted.
    pub removed: u64,
    /// What a person has to agree to before it is deleted.
    pub held_back: Option<HeldBack>,
}

/// A fold in progress.
pub(crate) struct FoldRun<'a> {
    pub(crate) options: &'a FoldOptions<'a>,
    pub(crate) on_progress: OnProgress<'a>,
    /// Whether the index was just built anew: its events came into it now, and are older.
    pub(crate) is_rebuilt: bool,
    /// What was done so far.
    pub(crate) report: FoldReport,
}

impl<'a> FoldRun<'a> {
    pub(crate) fn new(options: &'a FoldOptions<'a>, on_progress: OnProgress<'a>) -> FoldRun<'a> {
        FoldRun { options, on_progress, is_rebuilt: false, report: FoldReport::default() }
    }

    pub(crate) fn report_tidying(&self) {
        (self.on_progress)(StoreProgress::Tidying { forgotten: self.report.forgotten });
    }
}

/// The result of repairing a damaged store.
#[derive(Debug, Default)]
pub struct RebuildReport {
    /// What was moved aside, under its new name.
    pub moved: Vec<PathBuf>,
    /// Whether the index was built again.
    pub is_index_new: bool,
    /// Journals whose session can be recorded again.
    pub repaired: Vec<PathBuf>,
    /// Records that could be read from the old database.
    pub saved: u64,
    /// What came from the journals.
    pub fold: FoldReport,
}

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
    /// What was not deleted when it was last looked for what is old.
    pub held_back: Option<HeldBack>,
    /// The time that deleting goes by, if the clock was ahead of what can be.
    pub clock_doubted: Option<Time>,
    /// Events that wait beside a journal that cannot be used.
    pub waiting: u64,
    /// Rows of the index with a text that is not valid UTF-8, or a value of a wrong type.
    pub broken_rows: u64,
    /// Events in the index that differ from their record or from the journal.
    pub differing_events: u64,
    /// Events that were in the index, that nobody told it to forget, and that the journals still have.
    pub missing_events: u64,
    /// Whether the counts in the index are not those of its events.
    pub is_miscounted: bool,
}

impl Health {
    /// Without the journals.
    pub(crate) fn new(database: DatabaseHealth, database_bytes: u64, log_bytes: u64) -> Health {
        Health {
            database,
            database_bytes,
            log_bytes,
            journals: 0,
            journal_bytes: 0,
            unfolded_bytes: 0,
            corrupt_lines: 0,
            unreadable: Vec::new(),
            held_back: None,
            clock_doubted: None,
            waiting: 0,
            broken_rows: 0,
            differing_events: 0,
            missing_events: 0,
            is_miscounted: false,
        }
    }

    /// Whether [`Store::repair`](crate::Store::repair) has something to do.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.is_index_damaged() || self.unreadable.iter().any(|(_, error)| error.is_damage())
    }

    /// Whether the index has to be built again.
    pub(crate) fn is_index_damaged(&self) -> bool {
        let is_unusable = matches!(&self.database, DatabaseHealth::Unusable(error) if error.is_damage());
        is_unusable || self.has_odd_rows() || self.is_miscounted
    }

    /// Whether a row is broken, wrong or missing; then counts are wrong, too.
    #[must_use]
    pub fn has_odd_rows(&self) -> bool {
        self.broken_rows + self.differing_events + self.missing_events > 0
    }

    pub(crate) fn add_rows(&mut self, rows: &RowDamage) {
        self.broken_rows = rows.broken;
        self.differing_events = rows.differing;
        self.missing_events = rows.missing;
        self.is_miscounted = rows.is_miscounted;
    }
}

#[derive(Debug)]
pub enum DatabaseHealth {
    Missing,
    /// Its own check finds nothing wrong.
    Sound {
        schema: u32,
    },
    Unusable(StoreError),
}

/// How often a session was stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionTally {
    /// What was denied, each call once.
    pub denied: DenialCounts,
    /// Calls that the user was asked about.
    pub asks: u64,
}

impl SessionTally {
    pub(crate) fn count(&mut self, outcome: Outcome) {
        self.denied.add(outcome, 1);
        self.asks += u64::from(outcome == Outcome::Asked);
    }
}
