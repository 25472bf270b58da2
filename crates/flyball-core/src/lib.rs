//! The pure heart of flyball: events, verdicts, policies and how they become one answer.
//!
//! Nothing here opens a file, starts a process, reads a clock or names a client.

#![forbid(unsafe_code)]

pub mod answer;
pub mod arrivals;
pub mod call_start;
pub mod client;
mod computed;
pub mod config;
mod delegate;
pub mod diff;
mod disk;
pub mod encoding;
pub mod engine;
pub mod error;
pub mod event;
pub mod expr;
pub mod facts;
pub mod far_date;
pub mod grant;
mod lift;
mod lookup;
pub mod memory;
pub mod merge;
pub mod nearest;
pub mod outcome;
pub mod pack;
pub mod path;
pub mod policy;
mod policy_id;
pub mod record;
pub mod redact;
mod remembered;
mod ruling;
pub mod server;
mod session_texts;
pub mod shell_word;
pub mod snapshot;
pub mod text;
pub mod time;
pub mod uptime;
pub mod verdict;
pub mod walk;
pub mod workshop;
pub mod world;
#[cfg(debug_assertions)]
pub mod wrong_clock;
