//! All policies, one folder each, and the table that lists them.
//!
//! A policy decides; it cannot open a file, start a process or name a client.

pub mod guard;
pub mod observe;
mod paths;
pub mod quality;
mod registry;
pub mod rules;

pub use registry::REGISTRY;

#[cfg(test)]
mod testing;
