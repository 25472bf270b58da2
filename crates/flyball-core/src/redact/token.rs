//! Secrets that give themselves away: tokens of known shapes, and what looks drawn by lot beside a word that says so.
//!
//! No token is short, so only long words are looked at. They are found by their middle: in ordinary text most
//! bytes are never read.

use super::random::is_random;
use super::scan::{LONGEST, MARK, Scan, Span, is_word};
use super::shape::token_end;

/// The shortest word that can be a token, or a part of one.
const SHORTEST: usize = 15;

/// How far back a word is looked for that says what follows.
const NEAR: usize = 32;

/// How far back a token in base64 may begin.
const BASE64_NEAR: usize = 64;

/// Words after which something drawn by lot is a secret.
const ANNOUNCING: &[&[u8]] = &[
    b"token",
    b"secret",
    b"password",
    b"passwd",
    b"passphrase",
    b"api key",
    b"api_key",
    b"api-key",
    b"apikey",
    b"access key",
    b"access_key",
    b"credential",
    b"credentials",
    b"bearer",
    b"private key",
    b"pat",
];

/// Parts of a prefix after which something drawn by lot is a secret: `acme_live_…`.
const PREFIXES: &[&[u8]] = &[
    b"sk", b"rk", b"key", b"apikey", b"token", b"tok", b"secret", b"pat", b"live", b"auth", b"priv", b"pwd",
    b"cred",
];

impl Scan<'_> {
    /// The first such secret at or after a place.
    pub(super) fn next_token(&self, from: usize) -> Option<Span> {
        let mut at = from;
        loop {
            let word = self.next_long_word(at)?;
            if let Some(span) = self.token_in(&word, from) {
                return Some(span);
            }
            at = word.end;
        }
    }

    /// The next word of at least [`SHORTEST`] bytes.
    fn next_long_word(&self, from: usize) -> Option<Span> {
        let mut start = from;
        loop {
            let window = self.bytes.get(start..start + SHORTEST)?;
            // From the end: a byte that belongs to no word rules out all that begins before it.
            match window.iter().rposition(|byte| !belongs(*byte)) {
                Some(at) => start += at + 1,
                None => return Some(start..self.run(start + SHORTEST, belongs)),
            }
        }
    }

    fn token_in(&self, word: &Span, from: usize) -> Option<Span> {
        if self.is_in_key(word) {
            return Some(word.clone());
        }
        let bytes = self.bytes.get(word.clone())?;
        let mut found = self.shaped(word).filter(|span| span.start >= from);
        // Only what has a known prefix can do without a digit.
        if found.is_none() && bytes.iter().any(u8::is_ascii_digit) {
            found = self.formed(word).or_else(|| self.announced(word));
        }
        if found.is_none() && self.at(word.end) == b'/' && bytes.contains(&b'.') {
            found = self.webhook(word.start);
        }
        found.filter(|span| span.start >= from && !self.starts_with(span.start, MARK.as_bytes()))
    }

    /// Whether it is in a line of a private key.
    fn is_in_key(&self, word: &Span) -> bool {
        let (start, end) = self.key.get();
        start <= word.start && word.end <= end
    }

    /// A token of a known shape at the beginning of the word or of one of its parts.
    fn shaped(&self, word: &Span) -> Option<Span> {
        let token = |start: usize| {
            let end = token_end(self.bytes.get(start..)?)?;
            Some(start..start + end)
        };
        if matches!(self.before(word.start), b'+' | b'/' | b'%' | b'\\' | b'[' | b';') {
            let starts = self.starts_before(word.start).chain(self.after_escape(word.start));
            if let Some(found) = starts.into_iter().find_map(token) {
                return Some(found);
            }
        }
        let mut before = 0_u8;
        for (at, byte) in self.bytes.get(word.clone())?.iter().enumerate() {
            let is_start = !before.is_ascii_alphanumeric() && byte.is_ascii_alphanumeric();
            before = *byte;
            if is_start && let Some(found) = token(word.start + at) {
                return Some(found);
            }
        }
        None
    }

    /// Where a token may begin of which the word is only a part, because base64 has characters that end a word.
    fn starts_before(&self, word: usize) -> impl Iterator<Item = usize> {
        let is_base64 = |byte: &&u8| is_word(**byte) || matches!(byte, b'+' | b'/' | b'-' | b'%');
        let is_part = matches!(self.before(word), b'+' | b'/' | b'%');
        let near = if is_part { word.saturating_sub(BASE64_NEAR) } else { word };
        let back = self.bytes.get(near..word).unwrap_or_default();
        let length = back.iter().rev().take_while(is_base64).count();
        let starts = (word - length..word).filter(|at| !is_word(self.before(*at)));
        starts.flat_map(|at| [Some(at), self.after_escape(at)]).flatten()
    }

    /// Where the text begins if the word starts with the rest of an escape: `\n`, `\u001b`, `%3D`, `[31m`.
    fn after_escape(&self, start: usize) -> Option<usize> {
        let letter = self.at(start);
        match self.before(start) {
            b'\\' if matches!(letter, b'n' | b'r' | b't' | b'b' | b'f') => Some(start + 1),
            b'\\' if letter == b'u' => Some(start + 5),
            b'%' => Some(start + 2),
            b'[' | b';' => {
                let end = self.run(start, |byte| byte.is_ascii_digit());
                (self.at(end) == b'm').then_some(end + 1)
            }
            _ => None,
        }
    }

    /// A token without a prefix of its own, known by its parts.
    fn formed(&self, word: &Span) -> Option<Span> {
        let start = self.after_escape(word.start).unwrap_or(word.start);
        let bytes = self.bytes.get(start..word.end)?;
        let parts = Parts::of(bytes);
        let is_token = parts.is_bot()
            || parts.is_with_digest()
            || parts.is_infrastructure()
            || is_mail_key(bytes)
            || is_application_secret(bytes);
        if is_token {
            return Some(start..word.end);
        }
        self.telegram(start, word.end).or_else(|| self.refresh_token(start, word.end)).or_else(|| {
            // Of a social network, with its `=` and `+` as in an address.
            let zeros = self.run(start, |byte| byte == b'A') - start;
            let end = self.run(start, |byte| is_word(byte) || matches!(byte, b'%' | b'-'));
            let has_escape = self.bytes.get(start..end)?.contains(&b'%');
            (zeros >= 16 && has_escape && end - start >= 60).then_some(start..end)
        })
    }

    /// `123456789:AA…`, the token of a bot, also right behind `bot`.
    fn telegram(&self, start: usize, end: usize) -> Option<Span> {
        let is_secret = (34..=36).contains(&(end - start)) && self.before(start) == b':';
        let before = self.bytes.get(start.saturating_sub(16)..start.checked_sub(1)?)?;
        let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        (is_secret && (8..=11).contains(&digits)).then_some(start - 1 - digits..end)
    }

    /// `1//0…` and `4/0A…`, tokens and codes that are changed into others.
    fn refresh_token(&self, start: usize, end: usize) -> Option<Span> {
        let before = self.bytes.get(..start)?;
        let is_long = end - start >= 30 && self.at(start) == b'0';
        let prefix = [&b"1//"[..], b"4/"].into_iter().find(|prefix| before.ends_with(prefix))?;
        let starts = self.starts_word(start - prefix.len());
        (is_long && starts && !self.is_path_before(start - prefix.len())).then_some(start - prefix.len()..end)
    }

    fn is_path_before(&self, at: usize) -> bool {
        self.before(at) == b'/'
    }

    /// What follows the name of a scheme, or looks drawn by lot and its prefix or the word before it says that it is a
    /// secret.
    fn announced(&self, word: &Span) -> Option<Span> {
        let is_base64 =
            |byte: &&u8| is_word(**byte) || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'.' | b'~');
        // Base64 has characters that end a word: the whole of it counts.
        let back = self.bytes.get(word.start.saturating_sub(LONGEST)..word.start)?;
        let start =
            word.start - back.iter().rev().take_while(|byte| is_base64(byte) && **byte != b'=').count();
        let start = self.run(start, |byte| byte == b'-');
        let ahead = self.bytes.get(word.end..)?;
        let end = word.end + ahead.iter().take(LONGEST).take_while(is_base64).count();
        let start = self.after_escape(start).unwrap_or(start);
        let text = self.bytes.get(start..end).filter(|text| !matches!(text, [b'/' | b'.' | b'~', ..]))?;
        let is_secret = self.has_scheme(start, text)
            || (text.len() <= LONGEST
                && is_random(text)
                && (has_secret_prefix(text) || self.is_announced(start)));
        is_secret.then_some(start..end)
    }

    /// Whether the name of a scheme is before this text, and the text is not just the next word.
    fn has_scheme(&self, start: usize, text: &[u8]) -> bool {
        let follows = |scheme: &[u8]| {
            let at = start.checked_sub(scheme.len());
            let before = at.and_then(|at| self.bytes.get(at..start)).unwrap_or_default();
            before.eq_ignore_ascii_case(scheme)
        };
        (follows(b"bearer ") && text.iter().any(u8::is_ascii_digit)) || (follows(b"basic ") && is_login(text))
    }

    /// Whether the word before this place says that a secret follows: `token: `, `the password is '`.
    fn is_announced(&self, start: usize) -> bool {
        let before = self.bytes.get(start.saturating_sub(NEAR)..start).unwrap_or_default();
        let trim = |text: &mut &[u8]| {
            while let [rest @ .., last] = *text
                && !is_word(*last)
                && !matches!(last, b'\n' | b',' | b')' | b']' | b'}')
            {
                *text = rest;
            }
        };
        let mut text = before;
        trim(&mut text);
        for filler in [&b" is"[..], b" was", b" to", b" set"] {
            if let Some(rest) = text.strip_suffix(filler) {
                text = rest;
                trim(&mut text);
            }
        }
        text.len() < before.len()
            && ANNOUNCING.iter().any(|word| {
                let at = text.len().checked_sub(word.len());
                at.is_some_and(|at| {
                    let is_word_start =
                        at.checked_sub(1).is_none_or(|at| !text.get(at).is_some_and(u8::is_ascii_alphabetic));
                    is_word_start && text.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(word))
                })
            })
    }
}

/// Whether a token may have this byte, or one of its parts.
const fn belongs(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.' | b'~')
}

/// Whether it is `user:password` in base64.
fn is_login(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let digit = |byte: &u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let mut decoded = text.chunks_exact(4).flat_map(|chunk| {
        let bits = chunk.iter().map(|byte| digit(byte).unwrap_or_default());
        let bits = bits.fold(0_u32, |bits, digit| bits << 6 | u32::from(digit));
        let [_, first, second, third] = bits.to_be_bytes();
        [first, second, third]
    });
    let is_text = decoded.clone().all(|byte| byte >= b' ' || byte == 0);
    is_text && decoded.any(|byte| byte == b':')
}

/// Whether a text starts like `acme_live_` or `api-key-`.
fn has_secret_prefix(text: &[u8]) -> bool {
    let prefix = text.split(|byte| matches!(byte, b'_' | b'-')).take(3);
    let count = text.iter().take(24).filter(|byte| matches!(byte, b'_' | b'-')).count();
    prefix.take(count).any(|part| PREFIXES.iter().any(|known| part.eq_ignore_ascii_case(known)))
}

/// A word cut at its dots.
struct Parts<'a> {
    first: &'a [u8],
    second: &'a [u8],
    /// All behind the second dot.
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    fn of(word: &'a [u8]) -> Parts<'a> {
        let mut parts = word.splitn(3, |byte| *byte == b'.');
        let mut next = || parts.next().unwrap_or_default();
        Parts { first: next(), second: next(), rest: next() }
    }

    /// The token of a chat bot: its number in base64, a time, a signature.
    fn is_bot(&self) -> bool {
        matches!(self.first, [b'M' | b'N' | b'O', ..])
            && (23..=28).contains(&self.first.len())
            && (6..=7).contains(&self.second.len())
            && (27..=40).contains(&self.rest.len())
            && !self.rest.contains(&b'.')
    }

    /// `pat…` and a digest, of a table in the cloud.
    fn is_with_digest(&self) -> bool {
        self.first.len() == 17
            && self.first.starts_with(b"pat")
            && self.second.len() == 64
            && self.second.iter().all(u8::is_ascii_hexdigit)
    }

    /// `….atlasv1.…`, of a program that builds infrastructure.
    fn is_infrastructure(&self) -> bool {
        self.second == b"atlasv1" && self.first.len() >= 10 && self.rest.len() >= 40
    }
}

/// 32 hexadecimal digits and the data centre: `…-us12`.
fn is_mail_key(word: &[u8]) -> bool {
    let Some((key, centre)) = word.split_at_checked(32) else { return false };
    let digits = centre.strip_prefix(b"-us").unwrap_or_default();
    key.iter().all(u8::is_ascii_hexdigit)
        && (1..=2).contains(&digits.len())
        && digits.iter().all(u8::is_ascii_digit)
}

/// Three characters, a digit, `Q~`, and more: the secret of an application in a directory.
fn is_application_secret(word: &[u8]) -> bool {
    matches!(word, [_, _, _, digit, b'Q', b'~', rest @ ..] if digit.is_ascii_digit() && (28..=36).contains(&rest.len()))
}
