//! Proves that the record is whole: links from record to record, anchors beside them, and findings
//! where they break.

mod anchors;
mod finding;
mod link;
mod witness;

pub(crate) use anchors::{Anchor, AnchorLine, Anchors, AnchorsRead};
pub use finding::{Audit, EventRef, Finding, FindingKind, Forgotten, Witness};
pub use link::Link;
pub(crate) use witness::{ChainSession, ChainWitness, Item};
