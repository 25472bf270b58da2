//! Words of PowerShell, as words of sh.

use super::argument::{Argument, quote};
use super::calls;
use super::names::variable;
use super::reader::Reader;

/// The parts of a word: text, and what is known only at run time.
#[derive(Default)]
struct Parts {
    sh: String,
    literal: String,
    text: String,
    is_unknown: bool,
}

impl Parts {
    fn push(&mut self, letter: char) {
        self.literal.push(letter);
        self.text.push(letter);
    }

    fn flush(&mut self) {
        if !self.literal.is_empty() {
            self.sh.push_str(&quote(&std::mem::take(&mut self.literal)));
        }
    }

    fn push_sh(&mut self, sh: &str) {
        self.flush();
        self.sh.push_str(sh);
        self.is_unknown = true;
    }

    fn argument(mut self, is_bare: bool) -> Argument {
        self.flush();
        if self.is_unknown {
            Argument { sh: self.sh, text: None, is_bare: false }
        } else {
            Argument::literal(&self.text, is_bare)
        }
    }
}

/// What a backtick makes of the letter behind it.
fn escaped(letter: char) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        '0' => ' ',
        other => other,
    }
}

/// Letters that end a word without quotes.
fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ';' | '|' | '&' | '(' | ')' | '{' | '}' | '<' | '>' | ',')
}

impl Reader<'_> {
    /// The next word; `None` where there is none.
    pub(super) fn word(&mut self, splits_at_comma: bool) -> Option<Argument> {
        let mut parts = Parts::default();
        let mut is_bare = true;
        let mut is_first = true;
        while let Some(letter) = self.peek() {
            match letter {
                '\'' | '‘' | '’' => {
                    self.next();
                    is_bare = false;
                    self.single_quoted(&mut parts);
                }
                '"' | '“' | '”' => {
                    self.next();
                    is_bare = false;
                    self.double_quoted(&mut parts);
                }
                '@' if is_first && matches!(self.peek_at(1), Some('\'' | '"')) => {
                    is_bare = false;
                    self.here_string(&mut parts);
                }
                '@' if is_first && self.peek_at(1) == Some('(') => {
                    self.next();
                    let inner = self.in_brackets();
                    return Some(list_of(&inner));
                }
                '@' if is_first && self.peek_at(1) == Some('{') => {
                    self.next();
                    self.skip_block();
                    return Some(Argument::unknown("\"$ps_table\""));
                }
                '`' => {
                    self.next();
                    parts.push(self.next().map(escaped).unwrap_or('`'));
                }
                '$' => self.dollar(&mut parts),
                '(' if is_first => {
                    let inner = self.in_brackets();
                    parts.push_sh(&format!("\"$({inner})\""));
                    self.members(&mut parts);
                }
                '[' if is_first && self.is_type() => return Some(self.type_expression()),
                ',' if !splits_at_comma => {
                    self.next();
                    parts.push(',');
                }
                _ if ends_word(letter) => break,
                _ => {
                    self.next();
                    parts.push(letter);
                }
            }
            is_first = false;
        }
        (!is_first).then(|| parts.argument(is_bare))
    }

    fn single_quoted(&mut self, parts: &mut Parts) {
        while let Some(letter) = self.next() {
            if !matches!(letter, '\'' | '‘' | '’') {
                parts.push(letter);
            } else if matches!(self.peek(), Some('\'' | '‘' | '’')) {
                self.next();
                parts.push('\'');
            } else {
                return;
            }
        }
    }

    fn double_quoted(&mut self, parts: &mut Parts) {
        // Without any text it is a word all the same.
        parts.flush();
        while let Some(letter) = self.peek() {
            match letter {
                '"' | '“' | '”' => {
                    self.next();
                    if !matches!(self.peek(), Some('"')) {
                        return;
                    }
                    self.next();
                    parts.push('"');
                }
                '`' => {
                    self.next();
                    parts.push(self.next().map(escaped).unwrap_or('`'));
                }
                '$' => self.dollar(parts),
                _ => {
                    self.next();
                    parts.push(letter);
                }
            }
        }
    }

    /// `@'` to `'@` at the beginning of a line.
    fn here_string(&mut self, parts: &mut Parts) {
        self.next();
        let quote = self.next().unwrap_or('\'');
        while self.next().is_some_and(|letter| letter != '\n') {}
        let end = format!("\n{quote}@");
        let rest = self.rest();
        let (body, length) = match format!("\n{rest}").find(&end) {
            // The new line before the end belongs to it.
            Some(at) => (rest.get(..at.saturating_sub(1)).unwrap_or_default(), at + end.len() - 1),
            None => (rest, rest.len()),
        };
        let body = body.to_owned();
        self.skip_bytes(length);
        if quote == '\'' {
            body.chars().for_each(|letter| parts.push(letter));
        } else {
            let mut inner = self.inside(&body);
            while let Some(letter) = inner.peek() {
                if letter == '$' {
                    inner.dollar(parts);
                } else {
                    inner.next();
                    parts.push(letter);
                }
            }
        }
    }

    /// `$name`, `${name}`, `$env:NAME`, `$(…)`.
    fn dollar(&mut self, parts: &mut Parts) {
        self.next();
        match self.peek() {
            Some('(') => {
                let inner = self.in_brackets();
                parts.push_sh(&format!("\"$({inner})\""));
            }
            Some('{') => {
                self.next();
                let mut name = String::new();
                while let Some(letter) = self.next().filter(|letter| *letter != '}') {
                    name.push(letter);
                }
                self.named(&name, parts);
            }
            Some(letter)
                if letter == '_' || letter.is_alphanumeric() || matches!(letter, '?' | '^' | '$') =>
            {
                let mut name = String::new();
                while let Some(letter) = self.peek().filter(|letter| {
                    *letter == '_'
                        || letter.is_alphanumeric()
                        || (*letter == ':' && self.peek_at(1).is_some_and(char::is_alphabetic))
                }) {
                    self.next();
                    name.push(letter);
                }
                if name.is_empty() {
                    self.next();
                }
                self.named(&name, parts);
                self.members(parts);
            }
            _ => parts.push('$'),
        }
    }

    fn named(&self, name: &str, parts: &mut Parts) {
        match variable(name) {
            Ok(text) if text == "~" && !parts.text.is_empty() => parts.push_sh("\"$HOME\""),
            Ok(text) => text.chars().for_each(|letter| parts.push(letter)),
            Err(sh) => parts.push_sh(&sh),
        }
    }

    /// `.Name`, `.Name(…)` and `[…]` behind a value: what it gives is known only at run time, but what it does may be known.
    fn members(&mut self, parts: &mut Parts) {
        loop {
            match self.peek() {
                Some('.') if self.peek_at(1).is_some_and(|next| next.is_alphabetic() || next == '_') => {
                    self.next();
                    let name = self.identifier();
                    let object = parts.sh.clone();
                    if self.peek() == Some('(') {
                        let arguments = self.call_arguments();
                        parts.sh = calls::method(&object, &name, &arguments);
                        parts.is_unknown = true;
                    }
                }
                Some('[') => {
                    self.skip_index();
                    parts.push_sh("\"$ps_item\"");
                }
                _ => return,
            }
        }
    }
}

/// The words of `@( … )`, if they are plain.
fn list_of(inner: &str) -> Argument {
    match inner.strip_prefix("echo ") {
        Some(words) if !words.contains([';', '$', '|', '&']) => Argument::unknown(words.to_owned()),
        _ => Argument::unknown(format!("$({inner})")),
    }
}
