//! Records in the order in which they were added: what leaves the machine is read through this.

use flyball_core::time::Time;

use crate::error::StoreError;
use crate::questions::{Queries, StoredEvent};

/// The records in order. A consumer reads the batch after its position, delivers it, and stores the position after
/// the last record that was accepted ([`crate::outbox::Outbox::acknowledge`]).
///
/// # Errors
/// Every method fails if the store cannot be read.
#[expect(clippy::missing_errors_doc, reason = "all of them fail alike; the trait says how")]
pub trait Records {
    /// Identifies this numbering of positions: a rebuilt store counts from the beginning.
    fn epoch(&self) -> Result<i64, StoreError>;

    /// The position of the last record; 0 if there is none.
    fn tip(&self) -> Result<i64, StoreError>;

    /// The position just before the first record not older than this time; the tip if there is none.
    fn position_before(&self, at: Time) -> Result<i64, StoreError>;

    /// How many records there are after one position and up to another.
    fn count_between(&self, after: i64, to: i64) -> Result<u64, StoreError>;

    /// The next records after a position, in order, also calls that came twice, without payloads.
    fn next_batch(&self, after: i64, most: usize) -> Result<Vec<StoredEvent>, StoreError>;
}

/// An opened store: it answers questions and gives its records in order. Used by one thread at a time.
pub trait ReadStore: Queries + Records + Send {}

impl<T: Queries + Records + Send> ReadStore for T {}
