//! Finds secrets in a text, in one pass.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::name::{ends_with, is_filler, is_secret, is_word};
use super::shape::{SHAPES, Shape};

/// Replaces a secret.
pub(super) const MARK: &str = "[redacted]";

type Span = Range<usize>;

/// Anything longer counts as a secret without a closer look.
const LONGEST: usize = 500;

/// A quote as written in the text: `"`, or `\"` where the text is inside a JSON string, or `\\\"`.
#[derive(Clone, Copy)]
struct Quote {
    character: u8,
    /// How many backslashes are before it.
    depth: usize,
}

pub(super) struct Scan<'a> {
    bytes: &'a [u8],
    is_json: bool,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Scan<'a> {
        // Nearly all that starts like JSON is JSON, but a text that is not must not pass for it:
        // quotes are read otherwise there.
        let is_json = text.trim_ascii_start().starts_with(['{', '['])
            && serde_json::from_str::<IgnoredAny>(text).is_ok();
        Scan { bytes: text.as_bytes(), is_json }
    }

    /// The first secret at or after a place.
    pub(super) fn next_secret(&self, from: usize) -> Option<Span> {
        let mut at = from;
        loop {
            let rest = self.bytes.get(at..)?;
            let ahead = rest.iter().position(|byte| gives_away(*byte))?;
            let found = self.secret_at(at + ahead, *rest.get(ahead)?);
            match found {
                Some(span)
                    if span.start >= from
                        && !span.is_empty()
                        && !self.starts_with(span.start, MARK.as_bytes()) =>
                {
                    return Some(span);
                }
                _ => at += ahead + 1,
            }
        }
    }

    /// A secret that something at this place gives away: a separator after its name, the dashes
    /// of an option or a key, the rarest byte of how it begins.
    fn secret_at(&self, at: usize, byte: u8) -> Option<Span> {
        match (self.before(at), byte) {
            (_, b':' | b'=') => self.url_password(at).or_else(|| self.assigned(at)),
            // INVARIANT: has the rarest byte of each of `SHAPES` with the byte before it.
            (b'p' | b'o' | b'u' | b's' | b'r' | b'b' | b'k' | b'm' | b'f', b'_')
            | (b'k' | b't' | b'i' | b'b' | b'a' | b'p' | b'r' | b's', b'-')
            | (b'9' | b'G', b'.')
            | (b'A' | b'K' | b'S', b'I')
            | (b'y', b'J') => self.shaped(at),
            (b' ', b'-') if matches!(self.at(at + 1), b'u' | b'p') => self.short_option(at),
            (b's', b'.') => self.webhook(at),
            (b'-', b'-') => None,
            (_, b'-') if self.at(at + 1) == b'-' => self.private_key(at).or_else(|| self.option_value(at)),
            (_, b'B' | b'b') => self.bearer(at),
            _ => None,
        }
    }

    fn at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or_default()
    }

    fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |before| self.at(before))
    }

    fn starts_with(&self, at: usize, text: &[u8]) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(text))
    }

    /// The end of the run of such bytes.
    fn run(&self, from: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| belongs(**byte)).count()
    }

    fn skip_blanks(&self, from: usize) -> usize {
        self.run(from, |byte| matches!(byte, b' ' | b'\t'))
    }

    /// Whether a word starts here; the `n` of `\n` is no part of one.
    fn starts_word(&self, at: usize) -> bool {
        let before = self.before(at);
        if !is_word(before) {
            return true;
        }
        let back = |many: usize| at.checked_sub(many).map_or(0, |place| self.at(place));
        (matches!(before, b'n' | b'r' | b't' | b'b' | b'f') && back(2) == b'\\')
            || (back(6) == b'\\' && back(5) == b'u')
    }

    /// A token whose rarest byte is here.
    fn shaped(&self, at: usize) -> Option<Span> {
        let starts = |shape: &&Shape| {
            let start = at.checked_sub(shape.rarest);
            start.is_some_and(|start| self.starts_with(start, shape.prefix) && self.starts_word(start))
        };
        let shape = SHAPES.iter().find(starts)?;
        let at = at - shape.rarest;
        let start = at + shape.prefix.len();
        let end = self.run(start, |byte| is_word(byte) || byte == b'-' || (shape.dots > 0 && byte == b'.'));
        let rest = self.bytes.get(start..end)?;
        // No word is that long, and to look at it again from each of its parts would take for ever.
        if rest.len() > LONGEST {
            return Some(at..end);
        }
        let dots = rest.iter().filter(|byte| **byte == b'.').count();
        let fits = rest.len() >= shape.least
            && dots >= shape.dots
            && (!shape.digit || rest.iter().any(u8::is_ascii_digit));
        fits.then_some(at..end)
    }

    /// The token after a `Bearer` that no header's name announced.
    fn bearer(&self, at: usize) -> Option<Span> {
        if !self.bytes.get(at..at + 7)?.eq_ignore_ascii_case(b"bearer ") || !self.starts_word(at) {
            return None;
        }
        let start = at + 7;
        let end =
            self.run(start, |byte| is_word(byte) || matches!(byte, b'-' | b'.' | b'+' | b'/' | b'=' | b'~'));
        let is_token = end - start >= 16 && self.bytes.get(start..end)?.iter().any(u8::is_ascii_digit);
        is_token.then_some(start..end)
    }

    /// The password in `scheme://user:password@host`, or a long user name without one.
    fn url_password(&self, at: usize) -> Option<Span> {
        if !self.starts_with(at, b"://") {
            return None;
        }
        let start = at + 3;
        let limit = (start + LONGEST).min(self.bytes.len());
        let ends = |byte: &u8| *byte <= b' ' || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\');
        let end = self.bytes.get(start..limit)?.iter().position(ends).map_or(limit, |ahead| start + ahead);
        let address = self.bytes.get(start..end)?;
        let slash =
            address.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(address.len());
        let Some(colon) = address.iter().take(slash).position(|byte| *byte == b':') else {
            let user = address.get(..slash)?.iter().rposition(|byte| *byte == b'@')?;
            // Tokens are long; `git@` and other user names are not.
            return (user >= 20).then_some(start..start + user);
        };
        let after = address.get(colon + 1..)?;
        // A port, not a password that has a slash in it.
        let is_port = after.get(..slash - colon - 1)?.iter().all(u8::is_ascii_digit) && slash < address.len();
        if is_port {
            return None;
        }
        let before_at = after.iter().rposition(|byte| *byte == b'@')?;
        let span = start + colon + 1..start + colon + 1 + before_at;
        (!self.is_variable(&span)).then_some(span)
    }

    /// A block from `-----BEGIN … PRIVATE KEY` to its end, or to that of the string around it.
    fn private_key(&self, at: usize) -> Option<Span> {
        if !self.starts_with(at, b"-----BEGIN ") {
            return None;
        }
        // Only near: `BEGIN` of a certificate must not reach the key behind it.
        find(self.bytes.get(at..(at + 60).min(self.bytes.len()))?, b"PRIVATE KEY")?;
        let limit = if self.is_json { self.string_end(at) } else { self.bytes.len() };
        let block = self.bytes.get(at..limit)?;
        let end = find(block, b"-----END").and_then(|last| {
            let close = find(block.get(last + 8..)?, b"-----")?;
            Some(at + last + 8 + close + 5)
        });
        Some(at..end.unwrap_or(limit))
    }

    fn string_end(&self, from: usize) -> usize {
        self.closing(from, Quote { character: b'"', depth: 0 })
    }

    /// The value of `--password value`, also as two elements of an array.
    fn option_value(&self, at: usize) -> Option<Span> {
        if !self.starts_word(at) {
            return None;
        }
        let end = self.run(at + 2, |byte| is_word(byte) || byte == b'-');
        if !is_secret(self.bytes.get(at..end)?) {
            return None;
        }
        if let Some((quote, after)) = self.quote(end) {
            let comma = self.skip_blanks(after);
            return self.quoted(self.skip_blanks(comma + 1), Some(quote)).filter(|_| self.at(comma) == b',');
        }
        let start = self.skip_blanks(end);
        // An option without a value, followed by another option.
        if start == end || self.at(start) == b'-' {
            return None;
        }
        let span = self.quoted(start, None).unwrap_or_else(|| start..self.bare_end(start));
        (!self.is_variable(&span)).then_some(span)
    }

    /// The password of programs that take it by a letter: `curl -u user:password`,
    /// `sshpass -p password`, `docker login -p password`, `mysql -ppassword`.
    fn short_option(&self, at: usize) -> Option<Span> {
        const NEAR: usize = 200;
        // The program is looked for only a little way back, so that the time stays linear.
        let line = self.bytes.get(at.saturating_sub(NEAR)..at)?;
        let follows = |program: &[u8]| find(line, program).is_some();
        let start = self.skip_blanks(at + 2);
        let span = self.quoted(start, None).unwrap_or_else(|| start..self.bare_end(start));
        let span = match self.at(at + 1) {
            b'u' if follows(b"curl") => {
                let colon = self.bytes.get(span.clone())?.iter().position(|byte| *byte == b':')?;
                span.start + colon + 1..span.end
            }
            b'p' if follows(b"sshpass") || follows(b"docker login") => span,
            // For mysql `-p value` names a database; only what is glued to the letter is the password.
            b'p' if follows(b"mysql") && start == at + 2 => span,
            _ => return None,
        };
        (!self.is_variable(&span)).then_some(span)
    }

    /// The path of a chat webhook, which is all that its owner has to know.
    fn webhook(&self, at: usize) -> Option<Span> {
        const ADDRESS: &[u8] = b".slack.com/services/";
        let start = at + ADDRESS.len();
        self.starts_with(at, ADDRESS).then(|| start..self.run(start, |byte| is_word(byte) || byte == b'/'))
    }

    /// The value after a separator, if the name before it is that of a secret.
    fn assigned(&self, at: usize) -> Option<Span> {
        let (name, name_quote) = self.name_before(at);
        if !is_secret(name) {
            return None;
        }
        // `==`, `=>` and `:=` are separators too, but of code.
        let end = self.run(at + 1, |byte| matches!(byte, b'=' | b'>' | b':'));
        let is_code = end > at + 1;
        let start = self.skip_blanks(end);
        if let Some(span) = self.quoted(start, name_quote) {
            return (!self.is_variable(&span)).then_some(span);
        }
        // A quoted name is a key of JSON or code, and its value without quotes is a number or an expression.
        if name_quote.is_some() || is_code {
            return None;
        }
        if ends_with(name, b"authorization") {
            return Some(self.credentials(start));
        }
        let span = start..self.bare_end(start);
        // A type after a colon, as in `token: str = "…"`, may be followed by the secret itself.
        if self.is_innocent(name, &span, start > end) { self.default_of_type(span.start) } else { Some(span) }
    }

    /// The name before a separator, and the quote after it if there is one.
    fn name_before(&self, at: usize) -> (&'a [u8], Option<Quote>) {
        let text = self.bytes.get(..at).unwrap_or_default().trim_ascii_end();
        // As in `config["password"] = …`.
        let text = text.strip_suffix(b"]").unwrap_or(text);
        let Some((character @ (b'"' | b'\'' | b'`'), text)) = text.split_last() else {
            return (text, None);
        };
        let depth = text.iter().rev().take_while(|byte| **byte == b'\\').count();
        let name = text.get(..text.len() - depth).unwrap_or_default();
        (name, Some(Quote { character: *character, depth }))
    }

    /// What follows `Authorization:`, without the scheme.
    fn credentials(&self, start: usize) -> Span {
        let scheme = self.run(start, |byte| byte.is_ascii_alphabetic());
        let next = self.skip_blanks(scheme);
        // `Bearer` and `Basic` may stay; without a scheme the first word is the secret.
        let start = if next > scheme && self.bare_end(next) > next { next } else { start };
        start..self.bare_end(start)
    }

    /// The text between quotes here. In JSON a bare `"` is the end of the string around, unless
    /// the name before it was in such quotes too.
    fn quoted(&self, at: usize, name: Option<Quote>) -> Option<Span> {
        let (quote, start) = self.quote(at)?;
        let is_structure = |quote: Quote| quote.character == b'"' && quote.depth.is_multiple_of(2);
        if self.is_json && is_structure(quote) && !name.is_some_and(is_structure) {
            return None;
        }
        Some(start..self.closing(start, quote))
    }

    /// The quote here, and what comes after it.
    fn quote(&self, at: usize) -> Option<(Quote, usize)> {
        let end = self.run(at, |byte| byte == b'\\');
        let character = self.at(end);
        let is_quote = matches!(character, b'"' | b'\'' | b'`');
        is_quote.then_some((Quote { character, depth: end - at }, end + 1))
    }

    /// The end of the text between quotes: where the same quote comes at the same depth, or
    /// the string ends that all of it is in.
    fn closing(&self, from: usize, quote: Quote) -> usize {
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
    fn bare_end(&self, from: usize) -> usize {
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

    /// Whether this, after a backslash, is a quote or a blank.
    fn is_end_escaped(&self, at: usize) -> bool {
        let byte = self.at(at);
        matches!(byte, b'"' | b'\'' | b'`' | b'\n') || (self.is_json && matches!(byte, b'n' | b'r' | b't'))
    }

    /// `$NAME`, `${NAME}`, `$(command)`, `{{ name }}`: its value is not in the text.
    fn is_variable(&self, span: &Span) -> bool {
        let Some(value) = self.bytes.get(span.clone()) else { return false };
        let name = |text: &[u8]| {
            !text.is_empty()
                && text.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        };
        match value {
            [b'$', b'{', inside @ .., b'}'] => name(inside),
            [b'$'] => matches!(self.at(span.end), b'(' | b'{'),
            [b'$', rest @ ..] => name(rest),
            _ => false,
        }
    }

    /// Whether a value without quotes is plainly no secret: a number, a type, an expression.
    fn is_innocent(&self, name: &[u8], span: &Span, is_spaced: bool) -> bool {
        let Some(value) = self.bytes.get(span.clone()).filter(|value| value.len() <= LONGEST) else {
            return false;
        };
        let is_number = value
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'%'));
        // People choose numbers as passwords, but a `token: 5` is a count.
        let is_password = [&b"password"[..], b"passwd", b"passphrase"].iter().any(|end| ends_with(name, end));
        if value.is_empty() || is_filler(value) || self.is_variable(span) || (is_number && !is_password) {
            return true;
        }
        // `NAME=value` without spaces is a shell's assignment: its value is text, not an expression.
        let is_environment =
            !is_spaced && name.last().is_some_and(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        !is_environment && self.is_expression(value, span.end)
    }

    /// `self.token`, `get_token()`, `Option<String>`, `new_password`.
    fn is_expression(&self, value: &[u8], end: usize) -> bool {
        let is_path = value
            .iter()
            .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b':' | b'?' | b'!'));
        let goes_on = matches!(self.at(end), b'(' | b'[' | b'<' | b'{');
        let is_call =
            goes_on && value.iter().all(|byte| is_word(*byte) || matches!(byte, b'.' | b':' | b'!'));
        is_call || (is_path && (value.contains(&b'.') || is_secret(value)))
    }

    /// The text in `: str = "text"`, given the place of the type.
    fn default_of_type(&self, from: usize) -> Option<Span> {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let is_type =
            |byte: &&u8| is_word(**byte) || matches!(byte, b' ' | b'<' | b'>' | b'[' | b']' | b'|' | b'.');
        let end = from + rest.iter().take(LONGEST).take_while(is_type).count();
        self.quoted(self.skip_blanks(end + 1), None).filter(|_| self.at(end) == b'=')
    }
}

/// Whether a secret may be known by this byte.
const fn gives_away(byte: u8) -> bool {
    matches!(byte, b':' | b'=' | b'-' | b'_' | b'.' | b'I' | b'J' | b'B' | b'b')
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

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}
