//! All policies, one folder each, and the table that lists them.
//!
//! A policy decides; it cannot open a file, start a process or name a client.

mod digest;
mod globs;
pub mod guard;
mod hold;
mod literal;
pub mod r#loop;
pub mod memory;
mod models;
pub mod notify;
pub mod observe;
mod paths;
mod patience;
mod period;
pub mod quality;
mod registry;
pub mod rules;
pub mod task;
mod test_files;
mod tree;
mod usual;

pub use registry::REGISTRY;

#[cfg(test)]
mod programs;
#[cfg(test)]
mod stage;
#[cfg(test)]
mod testing;
