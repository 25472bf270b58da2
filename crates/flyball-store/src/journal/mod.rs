//! The hot tier: one append-only file per session.
//!
//! Each line is a record with its checksum and the whereabouts of every policy's state, so that
//! the last line tells all, and an event costs the same at the end of a long session as at its
//! beginning. A line that was cut short by a crash is stepped over. Each record is linked to the one
//! before it ([`super::Link`]).

mod line;
mod locked;
mod session;
mod shorten;
mod tail;

pub(crate) use line::{HEADER, Header, checksum, unframed};
pub(crate) use locked::Patience;
pub use session::{Committed, SessionJournal};
pub(crate) use shorten::{Kept, remove, shorten};
