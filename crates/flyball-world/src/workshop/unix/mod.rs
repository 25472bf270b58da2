//! Children on Unix: in process groups of their own, all waited for by one thread, ended by signals.

mod child;
mod memory;
mod pipes;
pub(super) mod run;
pub(crate) mod signals;
