//! String literals: reading them with the escapes of CEL, and writing them.

use std::fmt;

use super::error::Error;

/// A string literal that was read: its text, and how many bytes it took.
pub(super) struct StringLiteral {
    pub(super) text: String,
    pub(super) length: usize,
}

/// Reads the string literal that `rest` starts with, if it starts with one; `offset` is where
/// `rest` begins in the source.
pub(super) fn read_string(rest: &str, offset: usize) -> Option<Result<StringLiteral, Error>> {
    let unprefixed = rest.trim_start_matches(['r', 'R', 'b', 'B']);
    let prefix = rest.get(..rest.len() - unprefixed.len())?;
    let quote = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quote| unprefixed.starts_with(quote))?;
    let raw = match prefix {
        "" => false,
        "r" | "R" => true,
        _ if prefix.len() <= 2 => return Some(Err(no_bytes(prefix, offset))),
        _ => return None,
    };
    let body = unprefixed.strip_prefix(quote)?;
    let reader = Reader { body, quote, raw, offset: offset + prefix.len() + quote.len() };
    Some(
        reader
            .read()
            .map(|(text, length)| StringLiteral { text, length: prefix.len() + quote.len() + length }),
    )
}

fn no_bytes(prefix: &str, offset: usize) -> Error {
    Error::new("byte strings are not part of the language", &(offset..offset + prefix.len()))
        .help("remove the prefix")
}

struct Reader<'s> {
    body: &'s str,
    quote: &'s str,
    raw: bool,
    /// Where the body begins in the source.
    offset: usize,
}

impl Reader<'_> {
    /// The text, and the length of the body with its closing quote.
    fn read(&self) -> Result<(String, usize), Error> {
        let mut text = String::new();
        let mut rest = self.body;
        loop {
            if let Some(after) = rest.strip_prefix(self.quote) {
                return Ok((text, self.body.len() - after.len()));
            }
            let mut characters = rest.chars();
            match characters.next() {
                None => return Err(self.unterminated(rest)),
                // Only strings in three quotes may span lines, as in CEL.
                Some('\n' | '\r') if self.quote.len() == 1 => return Err(self.unterminated(rest)),
                Some('\\') if !self.raw => {
                    let (character, after) = self.escape(characters.as_str())?;
                    text.push(character);
                    rest = after;
                }
                Some(character) => {
                    text.push(character);
                    rest = characters.as_str();
                }
            }
        }
    }

    fn unterminated(&self, rest: &str) -> Error {
        let start = self.offset - self.quote.len();
        let end = self.offset + self.body.len() - rest.len();
        Error::new("the string is not closed", &(start..end)).help(format!("add `{}`", self.quote))
    }

    /// The character that an escape means, and what follows it; `rest` is what follows
    /// the backslash.
    fn escape<'s>(&self, rest: &'s str) -> Result<(char, &'s str), Error> {
        let first = rest.chars().next().ok_or_else(|| self.unterminated(rest))?;
        decode(first, rest).ok_or_else(|| {
            let start = self.offset + self.body.len() - rest.len() - 1;
            let span = start..start + 1 + first.len_utf8();
            Error::new(format!("unknown escape `\\{first}`"), &span)
                .help("write `\\\\` for a backslash, or use a raw string: `r'…'`")
        })
    }
}

fn decode(first: char, rest: &str) -> Option<(char, &str)> {
    let simple = |character| Some((character, rest.get(1..)?));
    match first {
        'a' => simple('\u{07}'),
        'b' => simple('\u{08}'),
        'f' => simple('\u{0c}'),
        'n' => simple('\n'),
        'r' => simple('\r'),
        't' => simple('\t'),
        'v' => simple('\u{0b}'),
        '\\' | '?' | '"' | '\'' | '`' => simple(first),
        'x' | 'X' => decode_digits(rest, 1..3, 16),
        'u' => decode_digits(rest, 1..5, 16),
        'U' => decode_digits(rest, 1..9, 16),
        // Three octal digits up to `\377`, as in CEL.
        '0'..='3' => decode_digits(rest, 0..3, 8),
        _ => None,
    }
}

fn decode_digits(rest: &str, digits: std::ops::Range<usize>, radix: u32) -> Option<(char, &str)> {
    let after = rest.get(digits.end..)?;
    let digits = rest.get(digits)?;
    // The parser of numbers would also take a sign.
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let code = u32::from_str_radix(digits, radix).ok()?;
    Some((char::from_u32(code)?, after))
}

/// Writes text as a literal that reads back as the same text.
pub(super) fn write_quoted(output: &mut impl fmt::Write, text: &str) -> fmt::Result {
    output.write_char('"')?;
    for character in text.chars() {
        match character {
            '"' => output.write_str("\\\"")?,
            '\\' => output.write_str("\\\\")?,
            '\n' => output.write_str("\\n")?,
            '\r' => output.write_str("\\r")?,
            '\t' => output.write_str("\\t")?,
            control if control.is_control() => write!(output, "\\u{:04x}", u32::from(control))?,
            other => output.write_char(other)?,
        }
    }
    output.write_char('"')
}
