//! A text with what all searches for secrets need: quotes, words, values.

use std::cell::Cell;
use std::ops::Range;

use serde::de::IgnoredAny;

pub(super) use super::name::is_word;

/// Replaces a secret.
pub(super) const MARK: &str = "[redacted]";

pub(super) type Span = Range<usize>;

/// Anything longer counts as a secret without a closer look.
pub(super) const LONGEST: usize = 500;

/// A quote as written in the text: `"`, or `\"` where the text is inside a JSON string, or `\\\"`.
#[derive(Clone, Copy)]
pub(super) struct Quote {
    pub(super) character: u8,
    /// How many backslashes are before it.
    pub(super) depth: usize,
}

/// A quote and what comes after it.
pub(super) struct Opened {
    pub(super) quote: Quote,
    pub(super) start: usize,
}

pub(super) struct Scan<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) is_json: bool,
    /// From where to where there are lines of a private key, each in a string of its own.
    pub(super) key: Cell<(usize, usize)>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Scan<'a> {
        // Nearly all that starts like JSON is JSON, but a text that is not must not pass for it:
        // quotes are read otherwise there.
        let is_json = text.trim_ascii_start().starts_with(['{', '['])
            && serde_json::from_str::<IgnoredAny>(text).is_ok();
        Scan { bytes: text.as_bytes(), is_json, key: Cell::default() }
    }

    pub(super) fn at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or_default()
    }

    pub(super) fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |before| self.at(before))
    }

    pub(super) fn starts_with(&self, at: usize, text: &[u8]) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(text))
    }

    /// The end of the run of such bytes.
    pub(super) fn run(&self, from: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| belongs(**byte)).count()
    }

    pub(super) fn skip_blanks(&self, from: usize) -> usize {
        self.run(from, |byte| matches!(byte, b' ' | b'\t'))
    }

    /// Whether a word starts here; the `n` of `\n` is no part of one.
    pub(super) fn starts_word(&self, at: usize) -> bool {
        let before = self.before(at);
        if !is_word(before) {
            return true;
        }
        let back = |many: usize| at.checked_sub(many).map_or(0, |place| self.at(place));
        (matches!(before, b'n' | b'r' | b't' | b'b' | b'f') && back(2) == b'\\')
            || (back(6) == b'\\' && back(5) == b'u')
            || (before == b'm' && self.is_colour(at))
    }

    /// Whether the code of a terminal's colour is before this place: `[1;31m`.
    fn is_colour(&self, at: usize) -> bool {
        let before = self.bytes.get(at.saturating_sub(12)..at.saturating_sub(1)).unwrap_or_default();
        let code = before.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
        before.iter().rev().nth(code) == Some(&b'[')
    }

    pub(super) fn string_end(&self, from: usize) -> usize {
        self.closing(from, Quote { character: b'"', depth: 0 })
    }

    /// Where the line ends, or the string that it is in.
    pub(super) fn line_end(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let mut backslashes = 0_usize;
        for (ahead, byte) in rest.iter().enumerate() {
            let is_escape = backslashes % 2 == 1 && self.is_json;
            let ends = match byte {
                b'\n' | b'\r' => true,
                b'n' | b'r' => is_escape,
                b'"' => self.is_json && backslashes.is_multiple_of(2),
                _ => false,
            };
            if ends {
                return from + ahead - if is_escape { backslashes } else { 0 };
            }
            backslashes = if *byte == b'\\' { backslashes + 1 } else { 0 };
        }
        self.bytes.len()
    }

    /// The text between quotes here. In JSON a bare `"` is the end of the string around, unless
    /// the name before it was in such quotes too.
    pub(super) fn quoted(&self, at: usize, name: Option<Quote>) -> Option<Span> {
        let Opened { quote, start } = self.quote(at)?;
        let is_structure = |quote: Quote| quote.character == b'"' && quote.depth.is_multiple_of(2);
        if self.is_json && is_structure(quote) && !name.is_some_and(is_structure) {
            return None;
        }
        Some(start..self.closing(start, quote))
    }

    /// The quote here.
    pub(super) fn quote(&self, at: usize) -> Option<Opened> {
        let end = self.run(at, |byte| byte == b'\\');
        let character = self.at(end);
        let is_quote = matches!(character, b'"' | b'\'' | b'`');
        is_quote.then_some(Opened { quote: Quote { character, depth: end - at }, start: end + 1 })
    }

    /// The end of the text between quotes: where the same quote comes at the same depth, or
    /// the string ends that all of it is in.
    pub(super) fn closing(&self, from: usize, quote: Quote) -> usize {
        let mut backslashes = 0_usize;
        let rest = self.bytes.get(from..).unwrap_or_default();
        for (ahead, byte) in rest.iter().enumerate() {
            if *byte == b'\\' {
                backslashes += 1;
                continue;
            }
            // Each level of JSON doubles the backslashes and adds one for a quote.
            let closes = *byte == quote.character && backslashes % (2 * (quote.depth + 1)) == quote.depth;
            let is_outer = self.is_json && *byte == b'"' && backslashes.is_multiple_of(2);
            let is_shallower = *byte == quote.character && backslashes < quote.depth;
            if closes || is_outer || is_shallower {
                let own = if closes {
                    quote.depth
                } else if is_outer {
                    0
                } else {
                    backslashes
                };
                return from + ahead - own;
            }
            backslashes = 0;
        }
        self.bytes.len()
    }

    /// The end of a value without quotes.
    pub(super) fn bare_end(&self, from: usize) -> usize {
        if self.starts_with(from, MARK.as_bytes()) {
            return from + MARK.len();
        }
        let mut at = from;
        loop {
            at = self.run(at, |byte| !ends_bare(byte) && byte != b'\\');
            let after = self.run(at, |byte| byte == b'\\');
            let is_escape = (after - at) % 2 == 1;
            if after == at || (is_escape && self.is_end_escaped(after)) {
                return at;
            }
            // What an odd backslash protects belongs to the value; the first byte of it will do.
            at = after + usize::from(is_escape && after < self.bytes.len());
        }
    }

    /// The same, no further than so many bytes.
    pub(super) fn bare_end_within(&self, from: usize, most: usize) -> usize {
        let bytes = self.bytes.get(..(from + most + 1).min(self.bytes.len())).unwrap_or_default();
        Scan { bytes, is_json: self.is_json, key: Cell::default() }.bare_end(from)
    }

    /// Whether this, after a backslash, is a quote or a blank.
    pub(super) fn is_end_escaped(&self, at: usize) -> bool {
        let byte = self.at(at);
        matches!(byte, b'"' | b'\'' | b'`' | b'\n') || (self.is_json && matches!(byte, b'n' | b'r' | b't'))
    }
}

/// Whether a value without quotes cannot go on with this.
const fn ends_bare(byte: u8) -> bool {
    matches!(
        byte,
        0..=b' '
            | b'"'
            | b'\''
            | b'`'
            | b','
            | b';'
            | b'&'
            | b'|'
            | b'('
            | b')'
            | b'<'
            | b'>'
            | b'['
            | b']'
            | b'{'
            | b'}'
    )
}

pub(super) fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}
