//! Maps a place in the value of a TOML string back to the characters that were written.

use std::ops::Range;

/// The bytes of `raw`, a string as written with its quotes, that make up the bytes `inside` of
/// its value; all of `raw` if it is not a string.
#[must_use]
pub(super) fn within(raw: &str, inside: &Range<usize>) -> Range<usize> {
    let Some(literal) = Literal::parse(raw) else { return 0..raw.len() };
    let pieces = pieces(literal);
    let piece_at = |offset: usize| pieces.iter().find(|piece| piece.value.contains(&offset));
    let end_of_value = literal.start + literal.body.len();
    let start = piece_at(inside.start).map_or(end_of_value, |piece| piece.written.start);
    let last = inside.end.checked_sub(1).filter(|last| *last >= inside.start);
    let end = match last {
        Some(last) => piece_at(last).map_or(end_of_value, |piece| piece.written.end),
        None => start,
    };
    start..end.max(start)
}

/// The text between the quotes.
#[derive(Clone, Copy)]
struct Literal<'a> {
    /// Where the body begins, in bytes of the literal.
    start: usize,
    body: &'a str,
    /// Whether a backslash means something.
    escapes: bool,
}

impl<'a> Literal<'a> {
    fn parse(raw: &'a str) -> Option<Literal<'a>> {
        // The longer quotes first: three begin with one.
        let kinds = [("\"\"\"", true), ("'''", false), ("\"", true), ("'", false)];
        let (quotes, escapes) = kinds.into_iter().find(|(quotes, _)| raw.starts_with(quotes))?;
        let body = raw.strip_prefix(quotes)?.strip_suffix(quotes)?;
        // A line break right behind the opening quotes of a multi-line string is not part of it.
        let trimmed = if quotes.len() == 3 {
            body.strip_prefix("\r\n").or_else(|| body.strip_prefix('\n')).unwrap_or(body)
        } else {
            body
        };
        Some(Literal { start: quotes.len() + body.len() - trimmed.len(), body: trimmed, escapes })
    }
}

/// One character of the value, and what was written for it.
struct Piece {
    value: Range<usize>,
    written: Range<usize>,
}

fn pieces(literal: Literal<'_>) -> Vec<Piece> {
    let (mut pieces, mut value, mut rest) = (Vec::new(), 0, literal.body);
    while let Some(first) = rest.chars().next() {
        let at = literal.start + literal.body.len() - rest.len();
        let (written, length) = if first == '\\' && literal.escapes {
            escape(rest)
        } else {
            (first.len_utf8(), first.len_utf8())
        };
        pieces.push(Piece { value: value..value + length, written: at..at + written });
        value += length;
        // At least one byte, so that a broken escape cannot stop the loop.
        rest = rest.get(written.max(1)..).unwrap_or_default();
    }
    pieces
}

/// How many bytes the escape at the start of `rest` takes, and how many its value has.
fn escape(rest: &str) -> (usize, usize) {
    let Some(kind) = rest.chars().nth(1) else { return (rest.len(), 0) };
    let code = |digits: usize| {
        let point = rest.get(2..2 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        let length = point.and_then(char::from_u32).map_or(0, char::len_utf8);
        ((2 + digits).min(rest.len()), length)
    };
    match kind {
        'x' => code(2),
        'u' => code(4),
        'U' => code(8),
        // At the end of a line a backslash swallows all space up to the next character.
        space if space.is_ascii_whitespace() => {
            let swallowed = rest.get(1..).unwrap_or_default();
            (1 + swallowed.len() - swallowed.trim_ascii_start().len(), 0)
        }
        other => (1 + other.len_utf8(), 1),
    }
}
