//! Format, lint, fix and verify: what linters are, what they find, and what is done about it.
//!
//! Nothing here starts a program or opens a file: that is done by the
//! [`Workshop`](flyball_core::workshop::Workshop) that the pipeline is given. The path of one
//! edited file:
//!
//! 1. [`settings`] says which [`linter`]s there are: the built-in [`catalogue`] and the user's own.
//! 2. [`pipeline`] formats the file, runs the checks, and reads their [`output`] into [`finding`]s.
//! 3. [`scope`] leaves out what was there before; the [`fixer`] may fix the rest, under guard.
//! 4. [`report`] is the result; [`formats`] renders it for machines.
//!
//! [`chat`] has the protocols of model servers.

#![forbid(unsafe_code)]

pub mod builtin;
pub mod catalogue;
pub mod chat;
pub mod finding;
pub mod fixer;
pub mod formats;
pub mod installers;
pub mod linter;
pub mod output;
pub mod phases;
pub mod pipeline;
pub mod providers;
pub mod report;
mod same_problem;
pub mod samples;
pub mod scope;
pub mod settings;
pub mod version;
