//! Work that survives: plans, locks and lessons over subagents, compaction and stops.

pub mod agents;
pub mod search;
pub mod session;
pub mod stop;
