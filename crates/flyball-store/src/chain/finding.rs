//! What an audit finds, and what it proves.

use std::path::PathBuf;

use flyball_core::time::Time;

/// Where something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Witness {
    /// The journal of the session.
    Journal,
    Index,
    /// The file of anchors.
    Anchors,
    /// A digest that was signed earlier.
    Digest,
    Export,
}

impl Witness {
    /// Its name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Witness::Journal => "journal",
            Witness::Index => "index",
            Witness::Anchors => "anchors",
            Witness::Digest => "digest",
            Witness::Export => "export",
        }
    }
}

/// What happened to the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// An event is not what was recorded.
    Changed,
    /// Events are missing between others.
    Removed,
    /// An event is at another place than it was recorded at.
    Reordered,
    /// An event was added that no hook recorded there.
    Inserted,
    /// The last events are missing.
    CutOff,
    /// Nothing is left of a session.
    SessionMissing,
    /// The journal of a session is gone, but flyball did not delete it.
    JournalMissing,
    /// A session began again, although its journal was not cleaned up.
    BeganAnew,
    /// The anchors themselves were changed.
    AnchorsBroken,
}

impl FindingKind {
    /// Its name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FindingKind::Changed => "changed",
            FindingKind::Removed => "removed",
            FindingKind::Reordered => "reordered",
            FindingKind::Inserted => "inserted",
            FindingKind::CutOff => "end_cut_off",
            FindingKind::SessionMissing => "session_missing",
            FindingKind::JournalMissing => "journal_missing",
            FindingKind::BeganAnew => "began_anew",
            FindingKind::AnchorsBroken => "anchors_broken",
        }
    }
}

/// An event beside the place of a finding, or the one that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRef {
    /// Its number in the session.
    pub seq: u64,
    pub id: String,
    pub at: Time,
}

/// One thing that is wrong with the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    pub witness: Witness,
    /// The client; empty if it is about no session.
    pub client: String,
    pub session: String,
    /// The number of the first event that it is about; 0 if it is about none.
    pub from: u64,
    /// The number of the last.
    pub to: u64,
    /// The event itself, where it is there.
    pub event: Option<EventRef>,
    /// The last one before it.
    pub before: Option<EventRef>,
    /// The first one after it.
    pub after: Option<EventRef>,
    /// When the witness recorded it.
    pub claimed_at: Option<Time>,
    /// How it was detected, in words.
    pub detail: String,
}

impl Finding {
    /// A finding about events; the caller fills in client and session.
    #[must_use]
    pub fn new(what: FindingKind, witness: Witness, (from, to): (u64, u64)) -> Finding {
        Finding {
            kind: what,
            witness,
            client: String::new(),
            session: String::new(),
            from,
            to,
            event: None,
            before: None,
            after: None,
            claimed_at: None,
            detail: String::new(),
        }
    }

    /// The same, with how it was detected.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Finding {
        self.detail = detail.into();
        self
    }
}

/// Events that were forgotten as the settings say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forgotten {
    pub client: String,
    pub session: String,
    /// The number of the last one.
    pub to: u64,
    /// When it was forgotten.
    pub at: Time,
}

/// The result of an audit.
#[derive(Debug, Default)]
pub struct Audit {
    pub findings: Vec<Finding>,
    /// Sessions with at least one proven event.
    pub sessions: u64,
    /// Events that are proven to be what was recorded, at their place.
    pub proven: u64,
    /// Events from before there were chains, of which nothing can be proven.
    pub unchained: u64,
    /// The time of the first proven event.
    pub since: Option<Time>,
    /// What was forgotten as the settings say.
    pub forgotten: Vec<Forgotten>,
    /// Files that could not be read, with the reason.
    pub skipped: Vec<(PathBuf, String)>,
}

impl Audit {
    /// Whether there was nothing to audit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let has_events = self.proven > 0 || self.unchained > 0;
        !has_events && self.findings.is_empty() && self.forgotten.is_empty() && self.skipped.is_empty()
    }
}
