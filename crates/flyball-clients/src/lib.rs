//! The clients that call flyball: one folder each, and nothing outside of it knows their names.
//!
//! A client's payload becomes an [`Event`](flyball_core::event::Event), an
//! [`Answer`](flyball_core::answer::Answer) becomes what the client honours. Nothing here opens a
//! file, starts a process or reads the environment: that is handed in.

#![forbid(unsafe_code)]

mod claude_code;
mod client;
mod codex;
mod dialect;
mod evidence;
mod exchange;
mod foreign;
pub mod history;
mod identify;
pub mod install;
pub mod registration;
mod registry;
pub mod stranger;
mod wire;

pub use claude_code::showcase;
pub use client::{AgentLine, Client};
pub use exchange::{CallerContext, DecodeError, Output};
pub use identify::{Caller, identify};
pub use registry::{CLIENTS, FACTS, context_size, find, recent_conversation};
