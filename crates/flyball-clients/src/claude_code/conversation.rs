//! The latest messages and tool calls, from the end of a transcript, as plain text; the oldest are dropped.
//!
//! Each line is read on its own, so that one that is torn, foreign or hostile affects no other. Secrets are removed
//! before anything is cut: half of one is not recognised.

#[cfg(test)]
mod tests;

use flyball_core::policy::{PolicyError, Tail, TailReader};
use flyball_core::redact::redact;
use flyball_core::text;
use serde_json::Value;

/// How much of the end is read, each if the one before did not fill the room.
const STEPS: [u64; 3] = [256 * 1024, 1024 * 1024, 4 * 1024 * 1024];

/// How much of one message, call or result is used: its beginning and its end.
const MESSAGE_CHARS: usize = 3_000;
const CALL_CHARS: usize = 400;
const OUTPUT_CHARS: usize = 800;

/// The latest messages and tool calls, in at most `most` characters. `None` if there is no transcript.
pub(super) fn read_recent(tails: &mut TailReader<'_>, most: usize) -> Result<Option<String>, PolicyError> {
    let mut recent = None;
    for step in STEPS {
        let Some(tail) = tails(step)? else { break };
        let (text, is_full) = read_end(&tail, most);
        recent = Some(text);
        if is_full || tail.is_whole {
            break;
        }
    }
    Ok(recent)
}

/// The end of the conversation, and whether it fills the room.
fn read_end(tail: &Tail, most: usize) -> (String, bool) {
    let mut lines = tail.bytes.rsplit(|byte| *byte == b'\n').peekable();
    let (mut entries, mut room) = (Vec::new(), most);
    while let Some(line) = lines.next() {
        // Read backwards, the last one is where the tail was cut off, in the middle of a line.
        let is_torn = lines.peek().is_none() && !tail.is_whole;
        let Some(entry) = describe_line(line).filter(|_| !is_torn) else { continue };
        let length = entry.chars().count() + 1;
        if length > room {
            // An entry longer than all of the room is shown by its end rather than not at all.
            if entries.is_empty() {
                entries.push(entry.chars().skip(length.saturating_sub(room)).collect());
            }
            return (join_reversed(entries), true);
        }
        room -= length;
        entries.push(entry);
    }
    (join_reversed(entries), false)
}

fn join_reversed(mut entries: Vec<String>) -> String {
    entries.reverse();
    entries.join("\n")
}

/// One line of the transcript as text, if it belongs to the main thread.
fn describe_line(line: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(line).ok()?;
    // Most lines are bookkeeping, some of it long; none of that is parsed.
    if !line.contains("\"user\"") && !line.contains("\"assistant\"") {
        return None;
    }
    let line: Value = serde_json::from_str(line).ok()?;
    let is = |key: &str| line.get(key).and_then(Value::as_bool) == Some(true);
    // Other agents' threads, and what the client wrote itself in the name of the user or the model.
    if ["isSidechain", "isMeta", "isApiErrorMessage", "isCompactSummary"].into_iter().any(is) {
        return None;
    }
    let who = match text(&line, "type") {
        "user" => "user",
        "assistant" => "agent",
        _ => return None,
    };
    let content = line.get("message")?.get("content")?;
    let parts: Vec<String> = match content {
        Value::String(message) => format_entry(who, message, MESSAGE_CHARS).into_iter().collect(),
        Value::Array(parts) => parts.iter().filter_map(|part| describe_part(who, part)).collect(),
        _ => return None,
    };
    (!parts.is_empty()).then(|| parts.join("\n"))
}

/// One part of a message as text. Thinking is left out.
fn describe_part(who: &str, part: &Value) -> Option<String> {
    match text(part, "type") {
        "text" => format_entry(who, text(part, "text"), MESSAGE_CHARS),
        "tool_use" => {
            let input = part.get("input").map(Value::to_string).unwrap_or_default();
            format_entry(&format!("agent calls {}", text(part, "name")), &input, CALL_CHARS)
        }
        "tool_result" => {
            let is_error = part.get("is_error").and_then(Value::as_bool) == Some(true);
            let who = if is_error { "failed" } else { "result" };
            format_entry(who, &output(part.get("content")?), OUTPUT_CHARS)
        }
        _ => None,
    }
}

fn output(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(|part| text(part, "text")).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

/// `who: what`, without secrets, in about `most` characters of its beginning and its end.
fn format_entry(who: &str, what: &str, most: usize) -> Option<String> {
    // INVARIANT: before it is cut, because half of a secret is not recognised.
    let what = redact(what);
    let what = what.trim();
    if what.is_empty() {
        return None;
    }
    let length = what.chars().count();
    if length <= most {
        return Some(format!("{who}: {what}"));
    }
    let half = most / 2;
    let start = text::head(what, half);
    let end: String = what.chars().skip(length - half).collect();
    Some(format!("{who}: {start} […] {end}"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
