//! Progress reports of work on the index, for a person who waits.

use crate::held_back::HeldBack;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreProgress {
    /// Waiting for another process.
    Waiting,
    /// An older index becomes a newer one.
    Upgrading,
    /// Events are counted, which an older index did not do: how many of all.
    Counting { done: u64, all: u64 },
    /// Journals are folded: how many bytes of all that is new in them.
    Folding { done: u64, all: u64 },
    /// How many events were read from a damaged index.
    Saving { done: u64 },
    /// Old events were not deleted: they are too large a part of all to go without asking.
    HeldBack(HeldBack),
    /// Old events are deleted.
    Tidying {
        /// How many so far.
        forgotten: u64,
    },
}

/// Called often: once for each transaction.
pub type OnProgress<'a> = &'a dyn Fn(StoreProgress);
