//! How Claude Code is answered.

use flyball_core::event::Event;
use serde_json::value::RawValue;

use super::events::EVENTS;
use super::tool::main_field;
use crate::dialect::{Passes, Voice};
use crate::wire;

/// Above 10,000 the client puts a text into a file and shows the model a preview.
const LIMIT: usize = 9_900;

pub(super) static VOICE: Voice =
    Voice { events: EVENTS, limit: LIMIT, updated_input, nobody_to_ask: "", terminal: Passes::On };

/// The whole input: what is left out of it is gone.
fn updated_input(event: &Event, text: &str) -> Option<Box<RawValue>> {
    let call = event.call()?;
    wire::with_text(&call.input, main_field(&call.name)?, text)
}
