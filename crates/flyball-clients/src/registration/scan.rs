//! Reads JSON into a tree of spans: where each value, key and member is, and nothing more.
//!
//! It accepts exactly what the grammar (RFC 8259) accepts, so that we never write into a file
//! that the client cannot read.

use std::ops::Range;

use super::error::{Error, Problem};

/// Bytes of the scanned text.
pub(super) type Span = Range<usize>;

/// How deep containers may nest. The clients' own readers stop here too, and it keeps every
/// walk over the tree within the stack.
const MAX_DEPTH: usize = 128;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    List,
    Text,
    Number,
    Bool,
    Null,
}

impl Kind {
    /// The kind in a sentence.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::List => "a list",
            Self::Text => "a text",
            Self::Number => "a number",
            Self::Bool => "true or false",
            Self::Null => "null",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// What a container holds; empty for everything else.
    pub(super) members: Vec<Member>,
}

impl Node {
    /// The text between a container's brackets.
    pub(super) fn inside(&self) -> Span {
        self.span.start + 1..self.span.end.saturating_sub(1)
    }

    /// The node and everything below it, in the order of the text.
    pub(super) fn walk(&self) -> Vec<&Self> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(node) = open.pop() {
            found.push(node);
            open.extend(node.members.iter().rev().map(|member| &member.value));
        }
        found
    }
}

/// One element of a list, or one key and value of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// The key with its quotes; a list's elements have none.
    pub(super) key: Option<Span>,
    pub(super) value: Node,
}

impl Member {
    pub(super) fn start(&self) -> usize {
        self.key.as_ref().unwrap_or(&self.value.span).start
    }

    pub(super) fn end(&self) -> usize {
        self.value.span.end
    }
}

/// The text of a span.
pub(super) fn slice(text: &str, span: Span) -> &str {
    text.get(span).unwrap_or_default()
}

/// Scans a whole document; a byte order mark before it is skipped.
pub(super) fn scan(text: &str) -> Result<Node, Error> {
    // Its length in UTF-8.
    let mark = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut scanner = Scanner { text, at: mark, depth: 0 };
    scanner.space()?;
    let root = scanner.value()?;
    scanner.space()?;
    if scanner.at < text.len() {
        return Err(scanner.error(scanner.at..text.len(), Problem::ExtraText));
    }
    Ok(root)
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Scanner<'_> {
    fn value(&mut self) -> Result<Node, Error> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => return self.container(Kind::Object),
            Some(b'[') => return self.container(Kind::List),
            Some(b'"') => self.string().map(|()| Kind::Text)?,
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| Kind::Number)?,
            _ if self.eat_word("true") || self.eat_word("false") => Kind::Bool,
            _ if self.eat_word("null") => Kind::Null,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { kind, span: start..self.at, members: Vec::new() })
    }

    fn container(&mut self, kind: Kind) -> Result<Node, Error> {
        let start = self.at;
        self.at += 1;
        self.depth += 1;
        // Checked before the recursion; an error ends the scan, so `depth` need not be restored.
        if self.depth > MAX_DEPTH {
            let problem = Problem::TooDeep { limit: MAX_DEPTH };
            return Err(self.error(start..self.at, problem));
        }
        let members = self.members(kind, start)?;
        self.depth -= 1;
        Ok(Node { kind, span: start..self.at, members })
    }

    fn members(&mut self, kind: Kind, start: usize) -> Result<Vec<Member>, Error> {
        let (opener, close, more) = match kind {
            Kind::Object => ('{', b'}', "`,` or `}`"),
            _ => ('[', b']', "`,` or `]`"),
        };
        let mut members = Vec::new();
        let mut comma = None;
        loop {
            self.space()?;
            if self.peek() == Some(close) {
                if let Some(comma) = comma {
                    return Err(self.error(comma..comma + 1, Problem::TrailingComma));
                }
                self.at += 1;
                return Ok(members);
            }
            if !members.is_empty() && comma.is_none() && self.peek().is_some() {
                return Err(self.unexpected(more));
            }
            if self.peek().is_none() {
                return Err(self.error(start..start + 1, Problem::Unclosed { opener }));
            }
            members.push(self.member(kind)?);
            self.space()?;
            comma = (self.peek() == Some(b',')).then_some(self.at);
            self.at += usize::from(comma.is_some());
        }
    }

    fn member(&mut self, kind: Kind) -> Result<Member, Error> {
        let mut key = None;
        if kind == Kind::Object {
            let start = self.at;
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            self.string()?;
            key = Some(start..self.at);
            self.space()?;
            if self.peek() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.at += 1;
            self.space()?;
        }
        let value = self.value()?;
        Ok(Member { key, value })
    }

    fn string(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(self.error(start..start + 1, Problem::Unclosed { opener: '"' })),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(0..=0x1f) => {
                    return Err(self.error(self.at..self.at + 1, Problem::ControlCharacter));
                }
                // Byte by byte: no byte of a longer character equals a quote or a backslash in UTF-8.
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<(), Error> {
        let rest = self.rest();
        let length = match rest.as_bytes().get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if is_four_hex_digits(rest.as_bytes().get(2..6)) => 6,
            _ => {
                let escape: String = rest.chars().take(2).collect();
                let span = self.at..self.at + escape.len();
                return Err(self.error(span, Problem::Escape { escape }));
            }
        };
        self.at += length;
        Ok(())
    }

    fn number(&mut self) -> Result<(), Error> {
        self.at += usize::from(self.peek() == Some(b'-'));
        // After a leading zero, digits are an error: they are not the comma that must follow.
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Error> {
        let count = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += count;
        if count == 0 {
            return Err(self.unexpected("a digit"));
        }
        Ok(())
    }

    fn space(&mut self) -> Result<(), Error> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        let rest = self.rest();
        // Recognised only to give a better error than an unexpected `/`.
        if ["//", "/*", "#"].iter().any(|mark| rest.starts_with(mark)) {
            let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
            return Err(self.error(self.at..self.at + length, Problem::Comment));
        }
        Ok(())
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn unexpected(&self, expected: &'static str) -> Error {
        let (found, length) = match self.rest().chars().next() {
            Some(found) => (format!("`{found}`"), found.len_utf8()),
            None => ("the end of the file".to_owned(), 0),
        };
        let problem = Problem::Unexpected { expected, found };
        self.error(self.at..self.at + length, problem)
    }

    fn error(&self, span: Span, problem: Problem) -> Error {
        Error::new(self.text, span, problem)
    }
}

fn is_four_hex_digits(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}
