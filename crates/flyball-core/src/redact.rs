//! Strikes out secrets before anything is stored, and keeps what is stored within bounds.
//!
//! Three ways to know one, cheapest first: something beside it gives it away (`named`), it has the shape of a token
//! or looks drawn by lot beside a word that says so (`token`), it is a value of a secret file or variable (`values`).
//!
//! Runs at every event, so it looks at each byte once or twice and compiles nothing. In doubt it strikes out:
//! a lost word is a nuisance, a stored password an accident.

mod name;
mod named;
mod option;
mod random;
mod scan;
mod shape;
mod shorten;
#[cfg(test)]
mod tests;
mod token;
mod values;
mod webhook;

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::config::Payloads;

use scan::{MARK, Scan, Span};
use shorten::shorten;
pub use values::Values;

/// How often a text is looked at again after something was struck out.
const PASSES: usize = 4;

/// Payloads up to this size are stored whole.
const WHOLE_BYTES: usize = 16 * 1024;

/// The values that this process knows to be secrets. One for the whole process, and not handed from function to function:
/// a process answers one event, and no caller of [`redact`] may forget them.
static KNOWN: OnceLock<Values> = OnceLock::new();

/// Makes [`redact`] strike these out, too, from now on; only the first call counts.
pub fn know(values: Values) {
    // A second set could only come from a second event, and a process has one.
    drop(KNOWN.set(values));
}

/// What is stored of a payload (JSON text) under that setting.
#[must_use]
pub fn payload_for_store(payload: &str, setting: Payloads) -> Option<String> {
    match setting {
        Payloads::None => None,
        Payloads::Full => Some(payload.to_owned()),
        Payloads::Redacted if payload.len() <= WHOLE_BYTES => Some(redact(payload).into_owned()),
        // Shortened first, for speed; so `shorten` must not cut through a token.
        // Values are not cut if they are struck out before.
        Payloads::Redacted => Some(redact(&shorten(&without_known(payload))).into_owned()),
    }
}

/// The text without keys, tokens and passwords. JSON stays JSON.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let text = without_known(text);
    let Some(mut clean) = redact_once(&text) else {
        return text;
    };
    // Striking out one secret may reveal another; a hostile text can nest several.
    for _ in 0..PASSES {
        let Some(cleaner) = redact_once(&clean) else { break };
        clean = cleaner;
    }
    Cow::Owned(clean)
}

fn without_known(text: &str) -> Cow<'_, str> {
    KNOWN.get().map_or(Cow::Borrowed(text), |values| values.strike(text))
}

/// The text without what is a secret by itself: known values, tokens, private keys. What only a name gives away stays,
/// because an agent that works on source code has to see the code. JSON stays JSON.
#[must_use]
pub fn strike_values(text: &str) -> Cow<'_, str> {
    let text = without_known(text);
    let scan = Scan::new(&text);
    let mut spans = secrets(|from| scan.next_named(from));
    // Looked for with all the others, because it also notes where the lines of a key are.
    spans.retain(|span| scan.is_private_key(span.start));
    spans.extend(secrets(|from| scan.next_token(from)));
    let clean = marked(&text, spans);
    clean.map_or(text, Cow::Owned)
}

/// Whether a variable of this name has a secret as its value.
#[must_use]
pub fn is_secret_name(name: &str) -> bool {
    name::is_secret(name.as_bytes())
}

/// Whether [`strike_values`] would strike something out.
#[must_use]
pub fn holds_value(text: &str) -> bool {
    strike_values(text) != text
}

/// The text with a mark for each secret in it, if there is any.
fn redact_once(text: &str) -> Option<String> {
    let scan = Scan::new(text);
    let mut spans = secrets(|from| scan.next_named(from));
    spans.extend(secrets(|from| scan.next_token(from)));
    marked(text, spans)
}

/// The text with a mark for each of these spans, if there is any.
fn marked(text: &str, mut spans: Vec<Span>) -> Option<String> {
    if spans.is_empty() {
        return None;
    }
    spans.sort_unstable_by_key(|span| span.start);
    let mut clean = String::with_capacity(text.len());
    let mut copied = 0;
    for span in spans {
        if span.start >= copied {
            clean.push_str(text.get(copied..span.start).unwrap_or_default());
            clean.push_str(MARK);
        }
        // Both searches may find the same one, or a part of it.
        copied = copied.max(span.end);
    }
    clean.push_str(text.get(copied..).unwrap_or_default());
    Some(clean)
}

/// All that a search finds, in order.
fn secrets(next: impl Fn(usize) -> Option<Span>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    while let Some(span) = next(spans.last().map_or(0, |last| last.end)) {
        spans.push(span);
    }
    spans
}
