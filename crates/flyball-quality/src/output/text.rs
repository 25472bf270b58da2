//! Makes terminal output readable.

use std::borrow::Cow;

use flyball_core::text;
use serde_json::Value;

use super::{RawFinding, RawOutput, Unreadable};

/// How much of an unreadable output is shown.
const SHOWN: usize = 80;

/// The text without colours and other escapes of terminals.
pub(super) fn strip_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        match letter {
            '\u{1b}' => skip_escape(&mut rest),
            _ => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

/// What follows an escape character: `[…letter`, `]…bell`, or one letter.
fn skip_escape(rest: &mut std::str::Chars<'_>) {
    match rest.next() {
        // A control sequence ends with a letter of this range, whatever its parameters are.
        Some('[') => _ = rest.find(|letter| ('@'..='~').contains(letter)),
        Some(']') => {
            // It ends with a bell, or with an escape and a backslash.
            if rest.find(|letter| matches!(letter, '\u{7}' | '\u{1b}')) == Some('\u{1b}') {
                rest.next();
            }
        }
        Some(_) | None => {}
    }
}

/// A message in one paragraph.
pub(super) fn paragraph(message: &str) -> String {
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// What a linter says to do, if it says anything.
pub(super) fn advice(text: &str) -> Option<String> {
    Some(paragraph(text)).filter(|text| !text.is_empty())
}

/// The beginning of a text, in backticks, to show what was there instead.
pub(super) fn excerpt(text: &str) -> String {
    let text = paragraph(&strip_escapes(text));
    if text.is_empty() {
        return "nothing".to_owned();
    }
    format!("`{}`", text::cut(&text, SHOWN))
}

/// The text as one JSON value.
pub(super) fn parse_json(form: &'static str, text: &str) -> Result<Value, Unreadable> {
    let text = text.trim_start_matches('\u{feff}').trim();
    serde_json::from_str(text).map_err(|error| {
        // After a whole value, what follows it is the error, not the value.
        let rest = serde_json::Deserializer::from_str(text);
        let mut values = rest.into_iter::<serde::de::IgnoredAny>();
        let ended = matches!(values.next(), Some(Ok(_))).then(|| values.byte_offset());
        let odd = ended.and_then(|end| text.get(end..)).unwrap_or(text);
        Unreadable { form, why: format!("{error}: {}", excerpt(odd)) }
    })
}

/// Anything printed, as one finding about the whole file.
pub(super) fn whole(code: &str, output: RawOutput<'_>) -> Vec<RawFinding> {
    let message = paragraph(&strip_escapes(output.text));
    if message.is_empty() {
        return Vec::new();
    }
    vec![RawFinding { code: code.to_owned(), message, ..RawFinding::default() }]
}
