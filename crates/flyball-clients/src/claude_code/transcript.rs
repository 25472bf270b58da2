//! How full the context is, by the end of a transcript: a file of JSON lines that grows without bound.
//!
//! It is in the last answer of the main thread. Each line is read on its own, so that one that is torn, foreign or hostile
//! affects no other.

#[cfg(test)]
mod tests;

use flyball_core::policy::{ContextSize, PolicyError, Tail, TailReader};
use serde_json::Value;

/// How much of the end is read, each if the one before was not enough. One tool result rarely fills the first.
const STEPS: [u64; 3] = [256 * 1024, 1024 * 1024, 4 * 1024 * 1024];

pub(super) fn context_size(tails: &mut TailReader<'_>) -> Result<Option<ContextSize>, PolicyError> {
    for most in STEPS {
        let Some(tail) = tails(most)? else { return Ok(None) };
        match read(&tail) {
            Reading::Found(size) => return Ok(Some(size)),
            Reading::Unknown => return Ok(None),
            Reading::NotThere if tail.is_whole => return Ok(None),
            Reading::NotThere => {}
        }
    }
    Ok(None)
}

/// What was found at the end of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reading {
    Found(ContextSize),
    /// It was compacted, and the size after that is unknown.
    Unknown,
    /// Nothing; earlier lines may have it.
    NotThere,
}

fn read(tail: &Tail) -> Reading {
    let mut lines = tail.bytes.rsplit(|byte| *byte == b'\n').peekable();
    let mut left = None;
    while let Some(line) = lines.next() {
        let is_torn = lines.peek().is_none() && !tail.is_whole;
        match Line::read(line).filter(|_| !is_torn) {
            Some(Line::Answer(size)) => {
                return Reading::Found(ContextSize { tokens: left.unwrap_or(size.tokens), ..size });
            }
            // Older answers count what was in the context before it was compacted.
            Some(Line::Compacted { left: None }) if left.is_none() => return Reading::Unknown,
            // The latest one counts. Reading goes on for the model's name, which this line does not have.
            Some(Line::Compacted { left: tokens }) => left = left.or(tokens),
            None => {}
        }
    }
    // The model is named before the compaction, further up than anyone needs to look.
    left.map_or(Reading::NotThere, |tokens| Reading::Found(ContextSize { tokens, model: String::new() }))
}

/// A line about the context.
enum Line {
    /// The model answered, and this was in its context.
    Answer(ContextSize),
    /// The context was compacted to this size.
    Compacted { left: Option<u64> },
}

impl Line {
    fn read(line: &[u8]) -> Option<Line> {
        let line = std::str::from_utf8(line).ok()?;
        // Most lines are long and not about this; none of those is parsed.
        let is_answer = || line.contains("\"assistant\"") && line.contains("\"usage\"");
        if !is_answer() && !line.contains("\"compact_boundary\"") {
            return None;
        }
        // Not a type of ours: it would refuse a line that has a key twice.
        let line: Value = serde_json::from_str(line).ok()?;
        let is = |key: &str| line.get(key).and_then(Value::as_bool) == Some(true);
        if is("isSidechain") || is("isApiErrorMessage") {
            return None;
        }
        match text(&line, "type") {
            "assistant" => parse_usage(line.get("message")?).map(Line::Answer),
            "system" if text(&line, "subtype") == "compact_boundary" => {
                let left = line.get("compactMetadata").and_then(|it| it.get("postTokens")?.as_u64());
                Some(Line::Compacted { left })
            }
            _ => None,
        }
    }
}

fn parse_usage(message: &Value) -> Option<ContextSize> {
    let model = text(message, "model");
    // An answer that the client made up itself: no model had anything in its context.
    let usage = message.get("usage").filter(|_| model != "<synthetic>")?;
    let parts = usage.get("iterations").and_then(Value::as_array);
    let is_message = |part: &&Value| matches!(text(part, "type"), "message" | "fallback_message");
    let last = parts.and_then(|parts| parts.iter().rev().find(is_message));
    let tokens = tokens(last.unwrap_or(usage))?;
    Some(ContextSize { tokens, model: model.to_owned() })
}

/// The tokens of the input; `None` if the line has none.
fn tokens(usage: &Value) -> Option<u64> {
    // What came from the cache, or went into it, is in the context just as well.
    let keys = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let amounts = keys.iter().filter_map(|key| usage.get(key).and_then(Value::as_u64));
    amounts.reduce(u64::saturating_add)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
