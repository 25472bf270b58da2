//! What a client wrote down of its sessions, as events: for those who judge them again.

use flyball_core::event::{Event, EventKind};
use flyball_core::time::Time;

/// Reads the transcript of a session, line by line.
pub trait History: Send {
    /// What the next line tells. A line that is torn, foreign or hostile costs nothing but itself.
    fn read(&mut self, line: &[u8]) -> Line;
}

/// What one line of a transcript tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Entries(Vec<HistoryEntry>),
    /// Nothing that policies judge.
    Skipped,
    /// Nobody knows: it cannot be read.
    Unreadable,
}

/// One thing that a transcript tells.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryEntry {
    Happened {
        at: Time,
        event: Box<Event>,
    },
    /// What became of something that happened before.
    Resolved {
        event: EventRef,
        outcome: EventOutcome,
    },
}

/// An event that was told before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRef {
    pub kind: EventKind,
    /// The id of its call; without one the latest of that kind is meant.
    pub call: Option<String>,
}

/// What became of an event then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventOutcome {
    /// The call was made.
    Ran,
    /// It was made, or tried, and failed.
    Failed,
    /// A hook stood in its way.
    DeniedByHook,
    /// The user, or a rule of the client's, refused it.
    Refused,
    /// A hook told the model so many characters (UTF-16 units).
    Injected(usize),
}
