//! The store with real files and real processes: writers at once, writers that are killed, disks
//! that are full, files that are damaged.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "clippy knows tests by their attribute, and these have helpers"
)]

mod board;
mod chain;
mod child;
mod concurrent;
mod conformance;
mod damage;
mod errors;
mod fold;
mod journal;
mod killed;
mod memory;
mod migration;
mod mutation;
mod pulse;
mod query;
mod read_only;
mod repair;
mod retention;
mod sample;
