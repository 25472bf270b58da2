//! How Codex is answered.

use flyball_core::event::{Change, Event, FileEdit, Tool, ToolCall};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::events::EVENTS;
use super::patch;
use super::tool::is_spawn;
use crate::dialect::{Passes, Voice};
use crate::wire;

/// Above some 2,500 tokens the client puts a text into a file and shows the model its ends.
const LIMIT: usize = 9_000;

pub(super) static VOICE: Voice = Voice {
    events: EVENTS,
    limit: LIMIT,
    updated_input,
    nobody_to_ask: "(a person has to approve this, and the client cannot ask for it here: tell the user \
                    what you want to do and why)",
    terminal: Passes::Nothing,
};

/// The input in the shape that hooks see, complete.
fn updated_input(event: &Event, text: &str) -> Option<Box<RawValue>> {
    let call = event.call()?;
    match &call.tool {
        Tool::Shell { .. } => command(text),
        Tool::SpawnAgent { .. } if is_spawn(&call.name) => wire::with_text(&call.input, "message", text),
        Tool::Edit(edits) => updated_patch(call, edits, text),
        _ => None,
    }
}

/// A patch whose only edit is a new file. One that came wrapped in a command line stays as it is.
fn updated_patch(call: &ToolCall, edits: &[FileEdit], content: &str) -> Option<Box<RawValue>> {
    match edits {
        [FileEdit { path, change: Change::Write { .. } }] if call.name == "apply_patch" => {
            command(&patch::that_adds(path, content))
        }
        _ => None,
    }
}

/// The client takes no other key here and keeps what it hides from hooks.
fn command(text: &str) -> Option<Box<RawValue>> {
    to_raw_value(&json!({ "command": text })).ok()
}
