//! Makes a long JSON text short, in one pass.

use super::name::is_word;

/// How many characters of a long string remain.
const HEAD_CHARS: usize = 2_000;

/// A text that is still longer than this ends at its next comma.
pub(super) const MOST_BYTES: usize = 64 * 1024;

/// The same JSON with long strings cut; if that is not enough, cut after a member.
pub(super) fn shorten(json: &str) -> String {
    let bytes = json.as_bytes();
    let mut out = String::with_capacity(MOST_BYTES);
    let mut open = Vec::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'"' => {
                let end = string_after(bytes, at + 1);
                if end - at > HEAD_CHARS {
                    out.push_str(json.get(copied..=at).unwrap_or_default());
                    push_head(&mut out, json.get(at + 1..end).unwrap_or_default());
                    copied = end;
                }
                at = end;
            }
            b'{' => open.push('}'),
            b'[' => open.push(']'),
            b'}' | b']' => _ = open.pop(),
            // Only at a comma outside of strings: once the open brackets are closed there, it is valid JSON.
            b',' if out.len() + at - copied > MOST_BYTES => {
                out.push_str(json.get(copied..at).unwrap_or_default());
                return closed(out, &open, bytes.len() - at);
            }
            _ => {}
        }
        at += 1;
    }
    out.push_str(json.get(copied..).unwrap_or_default());
    out
}

/// The quote that ends the string which starts here.
fn string_after(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) {
            // Whatever is escaped cannot end the string.
            Some(ahead) if rest.get(ahead) == Some(&b'\\') => at += ahead + 2,
            Some(ahead) => return at + ahead,
            None => return bytes.len(),
        }
    }
}

/// Writes the head of a string and how much is missing. Does not cut through an escape sequence,
/// nor through a word: half a token would not be known for one.
fn push_head(out: &mut String, text: &str) {
    let mut cut = 0;
    let mut kept = 0;
    let mut units = Units { text };
    while kept < HEAD_CHARS
        && let Some(unit) = units.next()
    {
        kept += 1;
        cut += unit.len();
        // Half a pair is no character.
        if kept == HEAD_CHARS && is_high_surrogate(unit) {
            cut -= unit.len();
        }
    }
    let missing = text.get(cut..).unwrap_or_default();
    if missing.is_empty() {
        return out.push_str(text);
    }
    let head = text.get(..cut).unwrap_or_default();
    let word =
        head.bytes().rev().take(500).take_while(|byte| is_word(*byte) || matches!(byte, b'-' | b'.')).count();
    // An escape sequence looks like a part of the word after it.
    let back = if word < 500 && !head.get(..cut - word).unwrap_or("\\").ends_with('\\') { word } else { 0 };
    out.push_str(head.get(..cut - back).unwrap_or_default());
    let missing = back + missing.chars().count();
    out.push_str(&format!("… [+{missing} chars]"));
}

/// The characters of a JSON string, each escape sequence as one.
struct Units<'a> {
    text: &'a str,
}

impl<'a> Units<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let first = self.text.chars().next()?;
        let len = match first {
            '\\' if self.text.as_bytes().get(1) == Some(&b'u') => 6,
            '\\' => 1 + self.text.chars().nth(1).map_or(0, char::len_utf8),
            other => other.len_utf8(),
        };
        let (unit, rest) = self.text.split_at_checked(len).unwrap_or((self.text, ""));
        self.text = rest;
        Some(unit)
    }
}

fn is_high_surrogate(unit: &str) -> bool {
    let hex = unit.strip_prefix("\\u").and_then(|hex| u32::from_str_radix(hex, 16).ok());
    hex.is_some_and(|code| (0xd800..0xdc00).contains(&code))
}

/// Ends a text that was left after a member, with what is missing as its last.
fn closed(mut out: String, open: &[char], missing: usize) -> String {
    out.push_str(&match open.last() {
        Some('}') => format!(",\"…\":\"[+{missing} bytes]\""),
        _ => format!(",\"… [+{missing} bytes]\""),
    });
    out.extend(open.iter().rev());
    out
}
