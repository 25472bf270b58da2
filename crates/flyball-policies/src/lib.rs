//! All policies, one folder each, and the table that lists them.
//!
//! A policy decides; it cannot open a file, start a process or name a client.

#![forbid(unsafe_code)]

mod below_root;
mod blocking;
mod built_folders;
mod client_defaults;
pub mod client_files;
mod client_settings;
mod client_timeout;
mod code_files;
mod config_entries;
mod digest;
mod globs;
pub mod guard;
mod literal;
pub mod r#loop;
pub mod memory;
mod models;
pub mod notify;
pub mod observe;
mod period;
pub mod quality;
mod registry;
pub mod rules;
pub mod seatbelt;
mod stamp;
pub mod task;
mod test_files;
pub mod undo;
mod worktree_updates;

pub(crate) use flyball_core::shell_word;
pub use registry::REGISTRY;

#[cfg(test)]
mod programs;
#[cfg(test)]
mod test_project;
#[cfg(test)]
mod testing;
