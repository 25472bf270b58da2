//! Guards: what an agent may not do. They fail closed.

#[path = "agents-first/mod.rs"]
pub mod agents_first;
pub mod commands;
pub mod denials;
pub mod gaming;
pub(crate) mod granted;
#[path = "self/mod.rs"]
pub mod own;
pub mod packages;
pub mod permissions;
pub mod protected;
pub mod secret_files;
pub mod secrets;
pub mod tools;
pub(crate) mod touch;
mod variables;
