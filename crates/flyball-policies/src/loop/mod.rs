//! The loop pack: an agent may stop when the work is proven, and not before.
//!
//! - [`workflow`] knows which orchestration workflow is active, its manifest, and who took part;
//! - [`feedback`] is the loop itself: implement, review, test;
//! - [`gate`] is the net below it, for edits that no domain of the loop covers;
//! - [`iterations`] bounds one task, and how often a pattern is tried again;
//! - [`completion`] and [`output`] look at what a subagent leaves behind;
//! - [`compaction`] keeps work from being started in a context that is full;
//! - [`session`] reminds, and carries things over compaction.

pub mod adviser;
pub mod compaction;
pub mod completion;
mod events;
pub mod feedback;
pub mod gate;
pub mod iterations;
pub mod limits;
pub mod manifest;
pub mod output;
mod run;
pub mod session;
pub mod workflow;

#[cfg(test)]
mod test_workshop;
