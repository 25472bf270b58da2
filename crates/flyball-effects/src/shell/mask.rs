//! Hides from the parser what it stumbles over, without moving anything.
//!
//! shuck 0.2.8 cuts some broken lines in the middle of a letter outside ASCII and panics, and
//! counts wrong behind an escape in double quotes. So it is given a source of the same length in
//! which such letters and `\\`, `\"`, `\$` and escaped backticks are marks without a meaning:
//! they have none inside quotes, outside quotes or in here-documents. All text is cut from the
//! original.

use std::borrow::Cow;

/// Replaces one hidden byte.
const MARK: u8 = 0x7f;

/// `source` with marks for what the parser must not see.
pub(super) fn masked(source: &str) -> Cow<'_, str> {
    if source.is_ascii() && !source.contains('\\') {
        return Cow::Borrowed(source);
    }
    let mut bytes = source.bytes().peekable();
    let mut text = String::with_capacity(source.len());
    while let Some(byte) = bytes.next() {
        let is_pair =
            byte == b'\\' && bytes.next_if(|next| matches!(next, b'\\' | b'"' | b'$' | b'`')).is_some();
        // Two bytes were taken, so two marks leave every offset where it was.
        if is_pair {
            text.push(char::from(MARK));
        }
        text.push(char::from(if is_pair || !byte.is_ascii() { MARK } else { byte }));
    }
    Cow::Owned(text)
}

/// The original of `text`, which the parser cut from `original`; `None` if the parser changed it.
pub(super) fn unmasked<'a>(text: &'a str, original: &'a str) -> Option<&'a str> {
    if !text.as_bytes().contains(&MARK) {
        return Some(text);
    }
    (text.len() == original.len()).then_some(original)
}
