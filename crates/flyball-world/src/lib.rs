//! What flyball reaches of the world: the store, and what policies see through core's traits.

#![forbid(unsafe_code)]

pub mod approvals;
pub mod config;
mod git;
pub mod kept;
pub mod machine;
pub mod store;
