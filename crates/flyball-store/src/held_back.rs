//! What is not deleted without asking.

/// Old events that were not deleted because they are too large a part of the record to go without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldBack {
    pub events: u64,
    /// Of how many.
    pub all: u64,
}
