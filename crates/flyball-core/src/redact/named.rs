//! Secrets that something beside them gives away: a name, an option, an address, the header of a key.

use super::name::{Kind, ends_with, is_filler, is_secret, kind};
use super::option::{Form, form, may_be_secret};
use super::random::is_random;
use super::scan::{LONGEST, MARK, Opened, Quote, Scan, Span, find, is_word};
use super::webhook::{is_host, secret_after};

/// How far back the program of an option is looked for, so that the time stays linear.
const NEAR: usize = 200;

/// How long a private key is at most.
const LONGEST_KEY: usize = 16 * 1024;

/// Names that only in an address, between `?` or `&` and `=`, are those of secrets.
const QUERY_NAMES: &[&[u8]] =
    &[b"sig", b"signature", b"x_amz_credential", b"x_goog_credential", b"sas", b"hmac"];

/// The same, if the value looks like one.
const QUERY_PERHAPS: &[&[u8]] =
    &[b"code", b"key", b"auth", b"jwt", b"sid", b"session", b"sessionid", b"ticket"];

/// Schemes of `Authorization` with a list behind them.
const LISTS: &[&[u8]] = &[b"aws4-", b"digest", b"oauth", b"hawk", b"signature", b"hmac", b"mac"];

impl<'a> Scan<'a> {
    /// The first such secret at or after a place.
    pub(super) fn next_named(&self, from: usize) -> Option<Span> {
        let mut at = from;
        loop {
            let rest = self.bytes.get(at..)?;
            let ahead = rest.iter().position(|byte| gives_away(*byte))?;
            match self.named_at(at + ahead, *rest.get(ahead)?) {
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
    /// of an option or a key, a letter of a word that is said before it.
    fn named_at(&self, at: usize, byte: u8) -> Option<Span> {
        match (self.before(at), byte) {
            (_, b':' | b'=') => self.in_address(at).or_else(|| self.assigned(at)),
            (b'-', b'-') => None,
            (_, b'-') if self.at(at + 1) == b'-' => self.private_key(at).or_else(|| self.long_option(at)),
            (b' ' | b'"' | b'\'', b'-') if self.at(at + 1).is_ascii_alphabetic() => self.short_option(at),
            (b's' | b'S', b'w' | b'W') => self.said_password(at),
            (b'B' | b'b', b'Y' | b'y') => self.identified_by(at),
            _ => None,
        }
    }

    fn in_address(&self, at: usize) -> Option<Span> {
        if !self.starts_with(at, b"://") {
            return None;
        }
        self.url_password(at).or_else(|| self.webhook(at + 3))
    }

    /// The password in `scheme://user:password@host`, or a long user name without one.
    fn url_password(&self, at: usize) -> Option<Span> {
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

    /// The secret part of an address whose host starts here.
    pub(super) fn webhook(&self, start: usize) -> Option<Span> {
        let host = self.run(start, |byte| is_word(byte) || matches!(byte, b'.' | b'-'));
        let name = self.bytes.get(start..host).filter(|name| is_host(name))?;
        let belongs = |byte: u8| {
            is_word(byte) || matches!(byte, b'/' | b'.' | b'-' | b'~' | b'%' | b'@' | b':' | b'+' | b'=')
        };
        let end = self.run(host, belongs);
        let path = self.bytes.get(host..end)?;
        let known = secret_after(name, path)?;
        (known < path.len()).then_some(host + known..end)
    }

    /// A block from `-----BEGIN … PRIVATE KEY` to its end, or to that of the string around it.
    fn private_key(&self, at: usize) -> Option<Span> {
        if !self.is_private_key(at) {
            return None;
        }
        let limit = if self.is_json { self.string_end(at) } else { self.bytes.len() };
        let block = self.bytes.get(at..limit)?;
        let end = find(block, b"-----END").or_else(|| find(block, b"---- END")).and_then(|last| {
            let close = find(block.get(last + 8..)?, b"----")?;
            Some(self.run(at + last + 8 + close, |byte| byte == b'-'))
        });
        if end.is_none() && self.is_json {
            self.note_key(limit);
        }
        Some(at..end.unwrap_or(limit))
    }

    /// Whether the header of a private key is here.
    pub(super) fn is_private_key(&self, at: usize) -> bool {
        let is_header = self.starts_with(at, b"-----BEGIN ") || self.starts_with(at, b"---- BEGIN ");
        // Only near: `BEGIN` of a certificate must not reach the key behind it.
        let near = || self.bytes.get(at..(at + 60).min(self.bytes.len())).unwrap_or_default();
        is_header && find(near(), b"PRIVATE KEY").is_some()
    }

    /// Remembers that a key goes on behind this place, in other strings: some tools report a file line by line.
    fn note_key(&self, from: usize) {
        let rest = self.bytes.get(from..(from + LONGEST_KEY).min(self.bytes.len())).unwrap_or_default();
        if let Some(end) = find(rest, b"-----END") {
            self.key.set((from, from + end));
        }
    }

    /// The value of `--password value`, also as two elements of an array.
    fn long_option(&self, at: usize) -> Option<Span> {
        if !self.starts_word(at) {
            return None;
        }
        let end = self.run(at + 2, |byte| is_word(byte) || byte == b'-');
        let option = self.bytes.get(at..end)?;
        if is_secret(option) {
            return self.value_after(end);
        }
        let found = form(self.command_before(at), option)?;
        self.secret_part(found.form, self.value_after(end)?)
    }

    /// The password of programs that take it by a letter, as `curl -u user:password`, or by a word after one dash,
    /// as `keytool -storepass password`.
    fn short_option(&self, at: usize) -> Option<Span> {
        let end = self.run(at + 1, |byte| is_word(byte) || byte == b'-');
        let glued = self.bytes.get(at..end)?;
        if glued.len() > 3 && (is_secret(glued) || is_pass_option(glued)) {
            return self.value_after(end).and_then(|span| self.without_source(span));
        }
        if !may_be_secret(self.at(at + 1)) {
            return None;
        }
        let found = form(self.command_before(at), glued)?;
        let start = at + found.length;
        let is_glued = !matches!(self.at(start), b' ' | b'\t' | b'"' | b'\'' | b'\\') || {
            // A quote glued to the letter: `-p"a b"`. Behind the letter of an array's element comes a comma.
            self.quote(start).is_some_and(|opened| self.at(self.skip_blanks(opened.start)) != b',')
        };
        let span = match (found.form, is_glued) {
            (_, true) => {
                let span = self.quoted(start, None).unwrap_or_else(|| start..self.bare_end(start));
                (!self.is_variable(&span)).then_some(span)
            }
            (Form::Glued, false) => None,
            _ => self.value_after(start),
        };
        self.secret_part(found.form, span?)
    }

    /// The words of the command before this place.
    fn command_before(&self, at: usize) -> &'a [u8] {
        let line = self.bytes.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
        let start = line.iter().rposition(|byte| matches!(byte, b'|' | b';' | b'&' | b'(' | b'\n'));
        line.get(start.map_or(0, |start| start + 1)..).unwrap_or_default()
    }

    /// The value after an option that ends here, also as the next element of an array.
    fn value_after(&self, end: usize) -> Option<Span> {
        if let Some(Opened { quote, start }) = self.quote(end) {
            let comma = self.skip_blanks(start);
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

    /// The secret in the value of an option.
    fn secret_part(&self, form: Form, span: Span) -> Option<Span> {
        let value = self.bytes.get(span.clone())?;
        let after = |separator: u8| {
            let at = value.iter().position(|byte| *byte == separator)?;
            let part = span.start + at + 1..span.end;
            // `-u 1000:1000` and `$USER:$PASSWORD` are none.
            (!self.is_variable(&part)).then_some(part)
        };
        match form {
            Form::Value | Form::Glued => Some(span),
            Form::AfterColon => after(b':'),
            Form::AfterPercent => after(b'%'),
            Form::Cookies => after(b'='),
        }
    }

    /// The password in `pass:password`, as `openssl` takes it; `env:NAME` and `file:path` only say where it is.
    fn without_source(&self, span: Span) -> Option<Span> {
        let value = self.bytes.get(span.clone())?;
        match value {
            [b'p', b'a', b's', b's', b':', ..] => Some(span.start + 5..span.end),
            _ if [&b"env:"[..], b"file:", b"fd:", b"stdin"]
                .iter()
                .any(|source| value.starts_with(source)) =>
            {
                None
            }
            _ => Some(span),
        }
    }

    /// The password in `machine host login name password password`, and in `PASSWORD 'password'` of SQL.
    fn said_password(&self, at: usize) -> Option<Span> {
        let name = self.bytes.get(at.checked_sub(4)?..at + 4)?;
        let is_name = [&b"password"[..], b"PASSWORD", b"Password"].contains(&name);
        let start = self.skip_blanks(at + 4);
        if !is_name || start == at + 4 || !self.starts_word(at - 4) {
            return None;
        }
        if let Some(span) = self.quoted(start, None) {
            return (!self.is_variable(&span)).then_some(span);
        }
        let line = self.command_before(at - 4).trim_ascii_end();
        // The name that is between `login` and `password`.
        let name = line.iter().rev().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let is_login = line.get(..line.len() - name)?.trim_ascii_end().ends_with(b"login");
        let is_line = is_login || find(line, b"machine ").is_some();
        is_line.then(|| start..self.bare_end(start))
    }

    /// The password in `IDENTIFIED BY 'password'` of SQL.
    fn identified_by(&self, at: usize) -> Option<Span> {
        let before = self.bytes.get(at.checked_sub(12)?..at - 1)?;
        let start = self.skip_blanks(at + 1);
        before.eq_ignore_ascii_case(b"identified ").then(|| self.quoted(start, None))?
    }

    /// The value after a separator, if the name before it is that of a secret.
    fn assigned(&self, at: usize) -> Option<Span> {
        let (name, name_quote) = self.name_before(at);
        let kind = kind(name);
        if kind == Kind::Nothing {
            return self.query_value(at, name);
        }
        // `==`, `=>` and `:=` are separators too, but of code.
        let end = self.run(at + 1, |byte| matches!(byte, b'=' | b'>' | b':'));
        let is_code = end > at + 1;
        let start = self.skip_blanks(end);
        let value = Value { name, kind, start, is_spaced: start > end, is_colon: self.at(at) == b':' };
        if let Some(span) = self.quoted(start, name_quote) {
            return (!self.is_variable(&span) && self.is_quoted_secret(&value, &span)).then_some(span);
        }
        // A quoted name is a key of JSON or code, and its value without quotes is a number or an expression.
        if name_quote.is_some() || is_code {
            return None;
        }
        self.bare_secret(&value).or_else(|| self.query_value(at, name))
    }

    /// Whether a text between quotes is a secret under that name.
    fn is_quoted_secret(&self, value: &Value<'_>, span: &Span) -> bool {
        let Some(text) = self.bytes.get(span.clone()) else { return false };
        match value.kind {
            Kind::Perhaps => is_random(text),
            Kind::Cookie => is_cookie(text),
            Kind::Directory => !is_path(text),
            // The name of a constant: `pass = "REVIEW_APPROVED"`.
            Kind::Pass => {
                !is_filler(text) && !text.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
            }
            _ => true,
        }
    }

    /// The secret in a value without quotes.
    fn bare_secret(&self, value: &Value<'_>) -> Option<Span> {
        let start = value.start;
        let span = start..self.bare_end_within(start, LONGEST);
        match value.kind {
            Kind::Authorization => self.credentials(value),
            Kind::Cookie if value.is_colon => self.cookies(value),
            Kind::KeyLines => self.key_lines(start),
            Kind::Perhaps => is_random(self.bytes.get(span.clone())?).then_some(span),
            Kind::Directory => {
                let text = self.bytes.get(span.clone())?;
                let is_secret = !is_path(text) && !self.is_innocent(value, &span);
                is_secret.then_some(span)
            }
            // `pass: 12 tests`, but `db_pass: secret`.
            Kind::Pass if value.is_colon || value.is_spaced => {
                let is_name =
                    value.name.len() > 4 && matches!(value.name.get(value.name.len() - 5), Some(b'_' | b'-'));
                (is_name && !self.is_innocent(value, &span)).then_some(span)
            }
            Kind::Secret | Kind::Password | Kind::Pass => {
                let span = start..self.bare_end(start);
                // A type after a colon, as in `token: str = "…"`, may be followed by the secret itself.
                if self.is_innocent(value, &span) { self.default_of_type(start) } else { Some(span) }
            }
            Kind::Cookie | Kind::Nothing => None,
        }
    }

    /// The value of a query parameter that gives access: the name is between `?` or `&` and `=`.
    fn query_value(&self, at: usize, name: &[u8]) -> Option<Span> {
        if self.at(at) != b'=' {
            return None;
        }
        let length = name.iter().rev().take(32).take_while(|byte| is_word(**byte) || **byte == b'-').count();
        let (before, mut own) = name.split_at_checked(name.len() - length)?;
        let mut is_query = matches!(before.last(), Some(b'?' | b'&')) || before.ends_with(b"&amp;");
        if let Some(rest) = own.strip_prefix(b"u0026").filter(|_| before.ends_with(b"\\")) {
            (own, is_query) = (rest, true);
        }
        let is_named =
            |names: &[&[u8]]| names.iter().any(|known| own.len() == known.len() && ends_with(own, known));
        if !is_query {
            return None;
        }
        let span = at + 1..self.bare_end(at + 1);
        let value = self.bytes.get(span.clone())?;
        let is_secret = is_named(QUERY_NAMES)
            || [&b"_signature"[..], b"_credential"].iter().any(|end| ends_with(own, end))
            || (is_named(QUERY_PERHAPS) && is_opaque(value));
        (is_secret && !self.is_variable(&span)).then_some(span)
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
    fn credentials(&self, value: &Value<'_>) -> Option<Span> {
        let start = value.start;
        let scheme = self.run(start, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let next = self.skip_blanks(scheme);
        let is_list = |text: &[u8]| {
            LISTS
                .iter()
                .any(|list| text.get(..list.len()).is_some_and(|head| head.eq_ignore_ascii_case(list)))
        };
        if next > scheme && self.bytes.get(start..scheme).is_some_and(is_list) {
            return Some(next..self.header_end(value));
        }
        // A program puts it in: `Bearer {token}`.
        if next > scheme && matches!(self.at(next), b'{' | b'<') {
            return None;
        }
        // `Bearer` and `Basic` may stay; without a scheme the first word is the secret.
        let start = if next > scheme && self.bare_end(next) > next { next } else { start };
        Some(start..self.bare_end(start))
    }

    /// The values of the cookies in a header.
    fn cookies(&self, value: &Value<'_>) -> Option<Span> {
        if !is_cookie(self.bytes.get(value.start..)?) {
            return None;
        }
        let end = self.header_end(value);
        let text = self.bytes.get(value.start..end)?;
        // What is set is one cookie, with attributes behind it that may stay.
        let is_set = ends_with(value.name, b"set_cookie");
        let own = text.iter().position(|byte| *byte == b';').filter(|_| is_set);
        let first = text.iter().position(|byte| *byte == b'=')? + 1;
        Some(value.start + first..own.map_or(end, |own| value.start + own))
    }

    /// Where a header ends: at the quote that its name starts after, or with the line.
    fn header_end(&self, value: &Value<'_>) -> usize {
        let name = value.name.iter().rev().take_while(|byte| is_word(**byte) || **byte == b'-').count();
        let before = value.name.get(..value.name.len() - name).unwrap_or_default();
        let line = self.line_end(value.start);
        let Some((character @ (b'"' | b'\'' | b'`'), text)) = before.split_last() else { return line };
        let depth = text.iter().rev().take_while(|byte| **byte == b'\\').count();
        self.closing(value.start, Quote { character: *character, depth }).min(line)
    }

    /// The lines of a private key in the format of PuTTY, whose number is here.
    fn key_lines(&self, start: usize) -> Option<Span> {
        let number = self.run(start, |byte| byte.is_ascii_digit());
        let limit = if self.is_json { self.string_end(number) } else { self.bytes.len() };
        let block = self.bytes.get(number..limit)?;
        let end = find(block, b"Private-").map_or(limit, |end| number + end);
        // Not into the escape of the line's end.
        (number > start).then_some(number..end)
    }

    /// `$NAME`, `${NAME}`, `$(command)`, `{{ name }}`: its value is not in the text.
    pub(super) fn is_variable(&self, span: &Span) -> bool {
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
    fn is_innocent(&self, of: &Value<'_>, span: &Span) -> bool {
        let Some(value) = self.bytes.get(span.clone()).filter(|value| value.len() <= LONGEST) else {
            return false;
        };
        let is_number = value
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'%'));
        // People choose numbers as passwords, but a `token: 5` is a count.
        let is_password = of.kind == Kind::Password;
        if value.is_empty() || is_filler(value) || self.is_variable(span) || (is_number && !is_password) {
            return true;
        }
        // `NAME=value` without spaces is a shell's assignment: its value is text, not an expression.
        let is_environment = !of.is_spaced
            && of.name.last().is_some_and(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
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

/// A value that has a name.
struct Value<'a> {
    /// All of the text that ends in its name.
    name: &'a [u8],
    kind: Kind,
    start: usize,
    /// Whether there is a blank before it.
    is_spaced: bool,
    /// Whether it is separated by a colon.
    is_colon: bool,
}

/// The bytes that a secret may be known by. A table, because each byte of each event is looked up in it.
static GIVES_AWAY: [bool; 256] = table(b":=-wWyY");

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler: out of bounds does not compile")]
const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}

fn gives_away(byte: u8) -> bool {
    GIVES_AWAY.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Options of key tools that no name of a secret ends.
fn is_pass_option(option: &[u8]) -> bool {
    [&b"-passin"[..], b"-passout", b"-storepass", b"-keypass"].contains(&option)
}

/// Whether it looks like `name=value`.
fn is_cookie(text: &[u8]) -> bool {
    let name = text.iter().take_while(|byte| is_word(**byte) || matches!(byte, b'-' | b'.' | b'%')).count();
    name > 0 && text.get(name) == Some(&b'=')
}

fn is_path(text: &[u8]) -> bool {
    matches!(text, [b'/' | b'~' | b'.' | b'$', ..] | [_, b':', b'\\' | b'/', ..])
}

/// Whether a value of a query is more than a word or a number.
fn is_opaque(value: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    value.len() >= 20 || (value.len() >= 8 && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic))
}
