//! The hot tier: one append-only file per session.
//!
//! Each line is a record with its checksum and the place of every policy's state, so that
//! the last line has it all, and an event costs the same at the end of a long session as at its
//! beginning. A line that was cut short by a crash is skipped. Each record is linked to the one
//! before it ([`crate::Link`]).

mod line;
mod locked;
mod read;
mod repair;
mod session;
mod shorten;
mod spool;
mod tail;

pub(crate) use line::checksum;
pub(crate) use locked::LockWaiter;
pub(crate) use read::{Entry, JournalFile, Line, Reader, RecordLine, inode, is_between_lines};
pub(crate) use repair::{JournalRepair, find_damage, repair};
pub(crate) use session::append_all_waiting;
pub use session::{Committed, SessionJournal};
pub(crate) use shorten::{ShortenedJournal, remove, shorten};
pub(crate) use spool::count_waiting;
