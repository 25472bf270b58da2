//! What a tool printed or returned, as text, out of the many shapes of a tool's response.

use std::time::Duration;

use flyball_core::event::{Outcome, SpawnedAgent, Tool};
use flyball_core::redact::strike_values;
use serde_json::value::RawValue;

use super::protocol::OutputSupport;
use crate::wire::{self, Object};

/// The field with the id of a command that goes on in the background.
const BACKGROUND: &str = "backgroundTaskId";

/// What came of a successful call.
pub(super) fn outcome(payload: &Object, tool: &Tool) -> Outcome {
    outcome_from_response(payload.raw("tool_response"), tool, took(payload))
}

/// What the tool returned without secrets, in the form in which the client takes it; `None` if it takes none.
pub(crate) fn struck_output(support: OutputSupport, payload: &str, tool: &Tool) -> Option<String> {
    let payload = Object::read(payload).ok()?;
    let response = payload.raw("tool_response")?;
    match support {
        OutputSupport::Field => Some(strike_values(response.get()).into_owned()),
        OutputSupport::Reason => {
            let text = response_text(response, tool);
            (!text.is_empty()).then(|| strike_values(&text).into_owned())
        }
        OutputSupport::Unsupported => None,
    }
}

fn took(payload: &Object) -> Option<Duration> {
    payload.number("duration_ms").map(Duration::from_millis)
}

/// What came of a call, by the tool's response.
pub(crate) fn outcome_from_response(
    response: Option<&RawValue>,
    tool: &Tool,
    took: Option<Duration>,
) -> Outcome {
    let text = response.map(|response| response_text(response, tool)).unwrap_or_default();
    let spawned = response.filter(|_| matches!(tool, Tool::SpawnAgent { .. })).and_then(spawned);
    let exited_well = matches!(tool, Tool::Shell { .. }) && response.is_some_and(exited_well);
    Outcome { text, took, exited_well, spawned }
}

/// Whether a command goes on in the background, whoever put it there.
pub(super) fn goes_on(payload: &Object) -> bool {
    let response = payload.raw("tool_response").map(|response| Object::from_value(Some(response)));
    response.is_some_and(|response| response.non_empty(BACKGROUND).is_some())
}

/// Whether a command came to its own end with 0. A client that does not say whether it was interrupted calls every
/// command that ended a success.
fn exited_well(response: &RawValue) -> bool {
    let response = Object::from_value(Some(response));
    // Moved to the background, or ended with a code other than 0 that the client takes for a normal result.
    let other_endings = [BACKGROUND, "returnCodeInterpretation"];
    response.flag("interrupted") == Some(false)
        && other_endings.iter().all(|key| response.non_empty(key).is_none())
}

/// The subagent that a call started. Only one that is done has answered.
fn spawned(response: &RawValue) -> Option<SpawnedAgent> {
    let response = Object::from_value(Some(response));
    // An agent in the background is reported at once, with a status like `async_launched`.
    let is_running = response.text("status").is_some_and(|status| status.ends_with("_launched"));
    Some(SpawnedAgent { id: response.non_empty("agentId")?, is_running })
}

/// What came of a failed call. A client without an event for failures has the error in the tool's response.
pub(super) fn failure(payload: &Object, tool: &Tool) -> Outcome {
    let took = took(payload);
    match payload.raw("tool_response") {
        Some(response) if !payload.has("error") => failed_outcome(response_text(response, tool), took),
        _ => failed_outcome(payload.string("error"), took),
    }
}

/// The outcome of a call that failed with this text.
pub(crate) fn failed_outcome(text: String, took: Option<Duration>) -> Outcome {
    Outcome { text, took, ..Outcome::default() }
}

fn response_text(response: &RawValue, tool: &Tool) -> String {
    let json = response.get();
    match json.as_bytes().first() {
        Some(b'"') => wire::text(response).unwrap_or_default().into_owned(),
        Some(b'[') => blocks(response).unwrap_or_else(|| json.to_owned()),
        Some(b'{') => {
            text_in_object(&Object::from_value(Some(response)), tool).unwrap_or_else(|| json.to_owned())
        }
        _ => String::new(),
    }
}

fn text_in_object(response: &Object, tool: &Tool) -> Option<String> {
    // The response to an edit repeats the file, before and after: nothing that it printed.
    if matches!(tool, Tool::Edit(_)) {
        return Some(response.string("error"));
    }
    // From the most specific shape to the least: an object may have several of these keys.
    streams(response)
        .or_else(|| content(response))
        .or_else(|| ["result", "error", "message"].iter().find_map(|key| response.non_empty(key)))
        .or_else(|| response.object("file").non_empty("content"))
        .or_else(|| names(response))
}

/// What a command printed.
fn streams(response: &Object) -> Option<String> {
    let printed = (response.text("stdout"), response.text("stderr"));
    match printed {
        (None, None) => None,
        (Some(text), None) | (None, Some(text)) => Some(text.into_owned()),
        (Some(out), Some(err)) if err.is_empty() => Some(out.into_owned()),
        (Some(out), Some(err)) if out.is_empty() => Some(err.into_owned()),
        (Some(out), Some(err)) => Some(format!("{out}\n{err}")),
    }
}

fn content(response: &Object) -> Option<String> {
    let content = response.raw("content")?;
    wire::text(content).map(std::borrow::Cow::into_owned).or_else(|| blocks(content))
}

/// The texts of a list of content blocks; `None` if it is not such a list.
fn blocks(content: &RawValue) -> Option<String> {
    let texts: Vec<String> = wire::list(content)
        .into_iter()
        .filter_map(|block| Object::from_value(Some(block)).non_empty("text"))
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The files that a search found.
fn names(response: &Object) -> Option<String> {
    response.raw("filenames")?;
    let names = response.list("filenames").into_iter().filter_map(wire::text);
    Some(names.collect::<Vec<_>>().join("\n"))
}
