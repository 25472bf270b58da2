//! The knowledge in a project's files: rules, reports, plans and lessons.
//!
//! Nothing here opens a file by itself: what is read comes through the [`World`](flyball_core::policy::World), what is
//! written goes through the [`Workshop`](flyball_core::workshop::Workshop), so hooks and commands share all of it.
//!
//! Memory: [`node`]s are the AGENTS.md and CLAUDE.md files that cover a file; [`report`]s are what went wrong and waits
//! for a person; [`entry`] writes what was accepted into a node; [`similar`] finds duplicates.
//!
//! Tasks: a [`plan`] has phases, a [`lock`] says which session works on it, [`lesson`]s are what was learned on the way,
//! and a [`role`] decides what of all this a subagent gets.

#![forbid(unsafe_code)]

pub mod claim;
pub mod entry;
pub mod layout;
pub mod lesson;
pub mod lock;
pub mod markdown;
pub mod node;
pub mod plan;
pub mod polarity;
pub mod report;
pub mod role;
pub mod similar;
pub mod timestamp;
pub mod tokens;
