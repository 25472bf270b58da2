//! The store, in two tiers.
//!
//! *Hot*: one append-only journal per session, which is all that an event touches
//! ([`SessionJournal`]). *Cold*: an index that journals are folded into before a query
//! ([`Store::open`]).
//!
//! Two interfaces: everything that reads uses [`Queries`]; everything that leaves the machine reads [`Records`] in order
//! and acknowledges how far it got ([`outbox`]). Which database answers both is chosen in this file, and nothing outside
//! that database's folder names it.
//!
//! A journal survives the death of its writer at any moment. Nothing is synced to the disk within
//! an event, so a power loss may take the last events with it.

#![forbid(unsafe_code)]

mod aside;
mod audit;
mod chain;
mod error;
mod fingerprint;
mod health;
mod held_back;
mod journal;
mod maintenance;
mod name;
mod open;
pub mod outbox;
mod progress;
mod questions;
mod read_only;
mod rebuild;
mod recorded;
mod records;
mod session_tally;
mod sqlite;
mod steady;
mod store;

// The database that answers. No other line names it.
use sqlite as database;

pub use audit::{AuditOptions, Checkpoint, ExportFilter, Exported};
pub use chain::{Audit, EventRef, Finding, FindingKind, Forgotten, Link, Witness};
pub use error::StoreError;
pub use held_back::HeldBack;
pub use journal::{Committed, SessionJournal};
pub use maintenance::{
    Consent, DatabaseHealth, FoldOptions, FoldReport, Health, RebuildReport, SessionTally,
};
pub use progress::{OnProgress, StoreProgress};
pub use questions::{
    AgentSummary, AnnotatedPage, Arrivals, Buckets, CallSubject, Counts, EventSummary, EvidenceFilter,
    Filter, Found, Histogram, KindCount, Overview, Page, PayloadMode, PolicyActivity, PolicyCounts,
    PolicyReach, PolicyTimeline, Queries, SessionFilter, SessionKey, SessionSummary, StoredEvent, TimeBucket,
    VerdictCount, VerdictQuery, Window,
};
pub use records::{ReadStore, Records};
pub use steady::SteadyTime;
pub use store::{JournalAccess, Store};
