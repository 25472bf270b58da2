//! The machine behind core's traits: files, processes, git, config and the network.

#![forbid(unsafe_code)]

pub mod approvals;
pub mod config;
pub mod content_store;
pub mod executable;
pub mod git;
pub mod grants;
pub mod interrupt;
#[cfg(target_os = "linux")]
mod left_running;
pub mod limits;
pub mod machine;
pub mod past;
pub mod process_start;
#[cfg(unix)]
mod processes;
pub mod project;
mod real_path;
mod regular_file;
#[path = "workshop/scratch.rs"]
pub mod scratch;
pub mod secret_values;
pub mod snapshots;
pub mod state_files;
mod unknown;
pub mod upload;
pub mod users;
mod workshop;
