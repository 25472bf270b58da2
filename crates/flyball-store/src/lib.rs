//! The store, in two tiers.
//!
//! *Hot*: one append-only journal per session, which is all that an event touches
//! ([`SessionJournal`]). *Cold*: an SQLite index that journals are folded into whenever someone
//! asks ([`Index`]).
//!
//! A journal survives the death of its writer at any moment. Nothing is synced to the disk within
//! an event, so a power loss may take the last events with it.

#![forbid(unsafe_code)]

mod audit;
mod chain;
mod error;
mod journal;
mod name;
pub mod outbox;
mod sqlite;

pub use audit::{Audit, AuditOrder, ExportFilter, Exported, Finding, Forgotten, Named, Stood, What, Witness};
pub use chain::Link;
pub use error::StoreError;
pub use journal::{Committed, SessionJournal};
pub use sqlite::{
    AgentSummary, Arrivals, Beat, Brief, Counts, DatabaseHealth, EvidenceFilter, Filter, FoldOrder,
    FoldReport, Found, Health, Heard, Histogram, Index, Met, Overview, Page, PayloadWish, PolicyCounts,
    PolicyCourse, PolicyPulse, RebuildReport, Said, SessionFilter, SessionSummary, Spoke, Step, StoredEvent,
    Tally, Tell, Window,
};

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use flyball_core::event::SessionId;

/// The store below one state directory.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

impl Store {
    /// The store in that directory. Touches nothing: directories and files are made when something
    /// is written.
    #[must_use]
    pub fn at(state_dir: &Path) -> Store {
        Store { root: state_dir.to_owned() }
    }

    /// The journal of one session. It is opened and locked when it is first used, and waits at most
    /// `wait`, in all, for other processes to let go of it.
    #[must_use]
    pub fn session(&self, client: &str, id: &SessionId, wait: Duration) -> Arc<SessionJournal> {
        let path = self.sessions_dir().join(name::of_session(client, id));
        Arc::new(SessionJournal::new(path, wait))
    }

    /// The index of all sessions, brought up to date if there is an order to. If another process
    /// is doing just that and does not end in time, the index is opened as it is.
    ///
    /// # Errors
    /// When the index cannot be used; each says the way out.
    pub fn open_index(&self, fold: Option<&FoldOrder<'_>>) -> Result<Index, StoreError> {
        self.open_index_telling(fold, &|_| {})
    }

    /// The same for someone who waits for it.
    ///
    /// # Errors
    /// Those of [`Store::open_index`].
    pub fn open_index_telling(
        &self,
        fold: Option<&FoldOrder<'_>>,
        tell: Tell<'_>,
    ) -> Result<Index, StoreError> {
        if let Some(order) = fold {
            match self.fold_telling(order, tell) {
                Ok(_) | Err(StoreError::Busy { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Index::open_telling(&self.index_path(), tell)
    }

    /// The directory that all of it is in.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn index_path(&self) -> PathBuf {
        self.root.join("flyball.db")
    }

    pub(crate) fn sessions_dir(&self) -> PathBuf {
        self.root.join("sessions")
    }
}
