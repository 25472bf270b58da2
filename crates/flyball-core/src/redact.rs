//! Strikes out secrets before anything is stored, and keeps what is stored within bounds.
//!
//! Runs at every event, so it looks at each byte once and compiles nothing. In doubt it strikes out:
//! a lost word is a nuisance, a stored password an accident.

mod name;
mod scan;
mod shape;
mod shorten;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::config::Payloads;

use scan::{MARK, Scan};
use shorten::shorten;

/// How often a text is looked at again after something was struck out.
const PASSES: usize = 4;

/// Payloads up to this size are stored whole.
const WHOLE_BYTES: usize = 16 * 1024;

/// What is stored of a payload (JSON text) under that setting.
#[must_use]
pub fn payload_for_store(payload: &str, setting: Payloads) -> Option<String> {
    match setting {
        Payloads::None => None,
        Payloads::Full => Some(payload.to_owned()),
        Payloads::Redacted if payload.len() <= WHOLE_BYTES => Some(redact(payload).into_owned()),
        // Shortened first, for speed; so `shorten` must not cut through a token.
        Payloads::Redacted => Some(redact(&shorten(payload)).into_owned()),
    }
}

/// The text without keys, tokens and passwords. JSON stays JSON.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    let Some(mut clean) = redact_once(text) else {
        return Cow::Borrowed(text);
    };
    // Striking out one secret may reveal another; a hostile text can nest several.
    for _ in 0..PASSES {
        let Some(cleaner) = redact_once(&clean) else { break };
        clean = cleaner;
    }
    Cow::Owned(clean)
}

/// The text with a mark for each secret in it, if there is any.
fn redact_once(text: &str) -> Option<String> {
    let scan = Scan::new(text);
    let mut clean = String::new();
    let mut copied = 0;
    while let Some(secret) = scan.next_secret(copied) {
        clean.push_str(text.get(copied..secret.start).unwrap_or_default());
        clean.push_str(MARK);
        copied = secret.end;
    }
    clean.push_str(text.get(copied..).filter(|_| copied > 0)?);
    Some(clean)
}
