//! A client's transcripts as events, for replays.

use flyball_core::event::{Event, EventKind};
use flyball_core::time::Time;

/// Reads the transcript of a session, line by line.
pub trait History: Send {
    /// Reads the next line. A line that is torn, foreign or hostile affects no other.
    fn read(&mut self, line: &[u8]) -> Line;
}

/// The content of one line of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Entries(Vec<HistoryEntry>),
    /// Nothing that policies judge.
    Skipped,
    /// It cannot be read.
    Unreadable,
}

/// One entry of a transcript.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryEntry {
    Happened {
        at: Time,
        event: Box<Event>,
    },
    /// The outcome of an earlier event.
    Resolved {
        event: EventRef,
        outcome: EventOutcome,
    },
}

/// A reference to an earlier event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRef {
    pub kind: EventKind,
    /// The id of its call; without one the latest of that kind is meant.
    pub call: Option<String>,
}

/// The outcome of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventOutcome {
    /// The call was made.
    Ran,
    /// It was made, or tried, and failed.
    Failed,
    /// A hook blocked it.
    DeniedByHook,
    /// The user, or a rule of the client's, refused it.
    Refused,
    /// A hook added this much context for the model, in UTF-16 units.
    Injected(usize),
}
