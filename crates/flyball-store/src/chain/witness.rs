//! What an index knows of the chains, for an audit.

use flyball_core::time::Time;

use super::finding::EventRef;
use super::link::Link;
use crate::error::StoreError;
use crate::journal::JournalFile;

/// A session of which the index has events.
#[derive(Clone, Debug)]
pub(crate) struct ChainSession {
    pub(crate) row: i64,
    pub(crate) client: String,
    pub(crate) session: String,
    pub(crate) last_at: Time,
    /// Whether the index lists wrong counts of events and denials.
    pub(crate) is_miscounted: bool,
}

/// An event as one witness has it.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) name: EventRef,
    /// None from before there were chains.
    pub(crate) link: Option<Link>,
    /// The record as it was hashed; none if it is gone.
    pub(crate) text: Option<String>,
    pub(crate) payload: Option<String>,
}

impl Item {
    /// Whether its link continues that one.
    pub(crate) fn fits(&self, before: Option<Link>) -> bool {
        self.link.is_some() && self.link == self.link_at(before, self.name.seq)
    }

    /// The link that it would have at that place.
    pub(crate) fn link_at(&self, before: Option<Link>, seq: u64) -> Option<Link> {
        let text = self.text.as_ref()?;
        Some(Link::compute(before, seq, text.as_bytes(), self.payload.as_ref().map(String::as_bytes)))
    }
}

/// An index whose chains can be audited: its sessions and their events as they were when it was opened.
pub(crate) trait ChainWitness {
    /// The mark of the last anchor that the index knows of.
    fn anchors_end(&self) -> Result<Option<i64>, StoreError>;

    /// Up to where a journal is in the index.
    fn folded(&self, journal: &JournalFile) -> u64;

    /// The sessions that there are events of, and how many events there are.
    fn chain_sessions(&self) -> Result<(Vec<ChainSession>, u64), StoreError>;

    /// Gives the events of a session in the order of their numbers, each with the columns of the index
    /// that differ from its record.
    fn walk_session(
        &self,
        session: i64,
        visit: &mut dyn FnMut(Item, Option<&'static str>),
    ) -> Result<(), StoreError>;
}
