//! How a call of Codex is rewritten.

use flyball_core::event::{Change, Event, FileEdit, Tool, ToolCall};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::patch;
use super::tool::is_spawn;
use crate::wire;

/// The input in the shape that hooks see, complete.
pub(super) fn updated_input(event: &Event, text: &str) -> Option<Box<RawValue>> {
    let call = event.call()?;
    match &call.tool {
        Tool::Shell { .. } => command(text),
        // For other tools the client wants the full object of arguments.
        Tool::SpawnAgent { .. } if is_spawn(&call.name) => wire::with_text(&call.input, "message", text),
        Tool::Edit(edits) => updated_patch(call, edits, text),
        _ => None,
    }
}

/// A patch whose only edit is a new file. One that came wrapped in a command line stays as it is.
fn updated_patch(call: &ToolCall, edits: &[FileEdit], content: &str) -> Option<Box<RawValue>> {
    match edits {
        [FileEdit { path, change: Change::Write { .. } }] if call.name == "apply_patch" => {
            command(&patch::render_addition(path, content))
        }
        _ => None,
    }
}

/// The client takes no other key here and keeps what it hides from hooks.
fn command(text: &str) -> Option<Box<RawValue>> {
    to_raw_value(&json!({ "command": text })).ok()
}
