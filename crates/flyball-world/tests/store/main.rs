//! The store with real files and real processes: writers at once, writers that are killed, disks
//! that are full, files that are damaged.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy knows tests by their attribute, and these have helpers"
)]

mod child;
mod concurrent;
mod damage;
mod fold;
mod journal;
mod killed;
mod query;
mod retention;
mod sample;
mod trouble;
