//! How a call of Claude Code is rewritten.

use flyball_core::event::Event;
use serde_json::value::RawValue;

use super::tool::main_field;
use crate::wire;

/// The whole input: what is left out of it is gone.
pub(super) fn updated_input(event: &Event, text: &str) -> Option<Box<RawValue>> {
    let call = event.call()?;
    wire::with_text(&call.input, main_field(&call.name)?, text)
}
