//! In what clients of this dialect differ.

use flyball_core::event::{Event, Tool};
use serde_json::value::RawValue;

use super::event::NativeEvent;
use crate::wire::Object;

/// How one client reads answers, and what it supports.
pub(crate) struct Protocol {
    pub(crate) events: &'static [NativeEvent],
    /// What a tool of that name with that input does.
    pub(crate) tool: fn(&str, &Object<'_>) -> Tool,
    /// The fields, all of them texts, without which it is unknown what a tool of that name runs or writes; none for a tool that
    /// does neither.
    pub(crate) needed: fn(&str) -> &'static [&'static str],
    /// The input of a call with its main text replaced, as the client wants it.
    pub(crate) updated_input: fn(&Event, &str) -> Option<Box<RawValue>>,
    /// How long a text may be before the client hides it, in UTF-16 units.
    pub(crate) longest_text: usize,
    /// Added to the reason where a person has to decide and the client cannot ask.
    pub(crate) nobody_to_ask: &'static str,
    /// How what a tool returned is replaced.
    pub(crate) output: OutputSupport,
    /// Whether the client passes signals on to its terminal.
    pub(crate) terminal: TerminalSupport,
    /// What exit codes mean to it.
    pub(crate) exit: ExitCodes,
}

/// Whether a client has a field for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TerminalSupport {
    Supported,
    /// It has not; what it does not know may make it drop the whole document.
    Unsupported,
}

/// How a client takes another result of a tool in place of the real one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputSupport {
    /// In a field, in the form of the real one.
    Field,
    /// As the reason of a block, which it shows to the model instead of the result.
    Reason,
    /// Not at all.
    #[cfg_attr(not(test), expect(dead_code, reason = "for clients to come"))]
    Unsupported,
}

/// How a client takes the end of a hook that could not answer. A hook that is missing or killed lets everything pass:
/// that is any code but the one that refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExitCodes {
    /// Stops what was about to happen; the reason is read from stderr.
    pub(crate) refuses: u8,
    /// Lets it happen; the user is shown stderr.
    pub(crate) passes: u8,
}

impl Protocol {
    /// The row of an event.
    pub(crate) fn event(&self, name: &str) -> Option<&'static NativeEvent> {
        self.events.iter().find(|event| event.name == name)
    }
}
