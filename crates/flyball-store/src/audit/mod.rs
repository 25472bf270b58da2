//! Proves that the record is whole: each session's chain, in its journal and in the index, the two
//! against each other, and both against the anchors. Never on the path of an event.

mod anchors;
mod export;
mod finding;
mod journal;
mod session;
mod verify;
mod walk;

pub(crate) use anchors::{Anchor, Anchors};
pub use export::{ExportFilter, Exported};
pub use finding::{Audit, Finding, Forgotten, Named, What, Witness};
pub use verify::{AuditOrder, Stood};
pub(crate) use walk::Item;
