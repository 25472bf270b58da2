//! From a record back to the event: its payload, decoded by the client's own decoder.

use flyball_clients::{CallerContext, find};
use flyball_core::event::{Event, EventData, EventKind};
use flyball_core::path::AbsolutePath;
use flyball_core::record::Record;

/// The marks in a payload for a removed secret, and for the removed rest of a long text.
// Written by `flyball_core::redact`; a mark that changes there must change here.
const REDACTED: &str = "[redacted]";
const CUT: [&str; 2] = ["… [+", "\"…\":\"[+"];

/// Whether an event is judged on all that the client had sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exactness {
    Exact,
    /// Secrets were redacted, or long texts cut, before it was stored.
    Altered,
}

/// Why an event cannot be judged again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unjudged {
    /// Its payload was not stored.
    NoPayload,
    /// Its payload cannot be read.
    Unreadable,
}

impl Unjudged {
    /// Why, in a few words.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Unjudged::NoPayload => "no payload was stored (`store.payloads`)",
            Unjudged::Unreadable => "the stored payload cannot be read",
        }
    }
}

/// The event that a record describes.
pub(crate) fn parse_event(record: &Record) -> Result<(Event, Exactness), Unjudged> {
    let Some(client) = find(&record.client) else {
        return Ok((unknown_client_event(record), Exactness::Exact));
    };
    // A record that a command added to a session is not an event of the client.
    if record.payload.is_none() && record.kind == EventKind::Unknown {
        return Ok((unknown_client_event(record), Exactness::Exact));
    }
    let payload = record.payload.as_deref().ok_or(Unjudged::NoPayload)?;
    let caller = CallerContext {
        // Variables of this process are not those of the recorded call; only the folder is known.
        variable: &|_| None,
        folder: &|| AbsolutePath::new(&*record.project),
        declared_client: Some(client.id()),
        declared_event: Some(&record.native),
    };
    let event = client.decode(payload, &caller).map_err(|_| Unjudged::Unreadable)?;
    // A text that merely looks like a mark counts too: wrongly inexact is harmless, wrongly exact is not.
    let is_altered = payload.contains(REDACTED) || CUT.iter().any(|mark| payload.contains(mark));
    Ok((event, if is_altered { Exactness::Altered } else { Exactness::Exact }))
}

/// The event of a client whose protocol we do not speak: only that it happened is known.
fn unknown_client_event(record: &Record) -> Event {
    let cwd = AbsolutePath::from_root(&*record.project);
    Event {
        native: record.native.clone(),
        agent: record.agent.clone(),
        ..Event::new(&record.client, record.session.clone(), cwd, EventData::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use flyball_core::config::Payloads;
    use flyball_core::redact::payload_for_store;
    use serde_json::json;

    use super::*;

    fn record(payload: Option<String>) -> Record {
        let fields = json!({
            "id": "4k7q2m8x", "at": 1, "client": "claude-code", "session": "s", "project": "/p",
            "kind": "before_tool", "native": "PreToolUse", "call": 1, "stance": "silent", "micros": 1,
            "payload": payload,
        });
        serde_json::from_value(fields).unwrap()
    }

    fn exactness(command: &str) -> Result<Exactness, Unjudged> {
        let payload = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p",
            "tool_name": "Bash", "tool_input": { "command": command },
        });
        let stored = payload_for_store(&payload.to_string(), Payloads::Redacted);
        parse_event(&record(stored)).map(|(_, exactness)| exactness)
    }

    #[test]
    fn what_the_store_left_out_is_noticed() {
        assert_eq!(exactness("ls"), Ok(Exactness::Exact));
        assert_eq!(exactness("TOKEN=ghp_0123456789abcdefghij0123456789abcdef ls"), Ok(Exactness::Altered));
        assert_eq!(exactness(&"x ".repeat(20_000)), Ok(Exactness::Altered));
        assert_eq!(parse_event(&record(None)), Err(Unjudged::NoPayload));
        assert_eq!(parse_event(&record(Some("{".to_owned()))), Err(Unjudged::Unreadable));
    }
}
