//! What flyball reaches of the world: what policies see through core's traits.

#![forbid(unsafe_code)]

pub mod approvals;
pub mod config;
pub mod content_store;
mod git;
pub mod interrupt;
pub mod machine;
pub mod past;
pub mod project;
mod real_path;
#[path = "workshop/scratch.rs"]
pub mod scratch;
pub mod upload;
mod workshop;
