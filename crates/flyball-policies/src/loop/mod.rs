//! The loop pack: an agent may stop when its work is reviewed and tested.
//!
//! - [`workflow`] tracks the active orchestration workflow, its manifest, and its agents;
//! - [`feedback`] is the loop itself: implement, review, test;
//! - [`gate`] covers edits that no domain of the loop has;
//! - [`iterations`] limits one task, and how often a pattern is tried again;
//! - [`completion`] and [`output`] check what a subagent answers and leaves behind;
//! - [`compaction`] denies new subagents when the context is nearly full;
//! - [`session`] reminds, and carries open findings over a compaction.
//!
//! `gate` is not a domain of `feedback`, because the two accept different proof. The gate takes any test command that the
//! agent ran, and any agent that ended after the edit; it blocks twice and then releases. `feedback` takes only results
//! on the exact content, counts iterations, and ends with a decision of a person. What they share is below: edits and
//! stamps in `events`, blocking in `crate::blocking`, names of roles in `crate::globs`.

pub mod adviser;
mod author;
pub mod compaction;
pub mod completion;
mod definition;
mod events;
pub mod feedback;
pub mod gate;
pub mod iterations;
pub mod limits;
pub mod manifest;
pub mod output;
mod own_tasks;
mod pins;
mod run;
pub mod session;
mod started;
mod test_run;
mod test_task;
pub mod workflow;

#[cfg(test)]
mod test_workshop;
