//! Proves that the record is whole: each session's chain, in its journal and in the index, the two
//! against each other, and both against the anchors. Never on the path of an event.

mod export;
mod journal;
mod session;
mod verify;
mod walk;

pub use export::{ExportFilter, Exported};
pub use verify::{AuditOptions, Checkpoint};
