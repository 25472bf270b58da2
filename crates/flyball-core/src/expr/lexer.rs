//! Cuts a source into tokens.

use std::ops::Range;

use super::error::Error;
use super::literal::read_string;
use super::token::{Symbol, Token, TokenKind};

/// What a source ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The end of the text: the source is a condition.
    Text,
    /// `}}`: the source is a part of a template, opened by the `{{` right before it.
    Braces,
}

/// Returns the tokens of a source one by one.
pub(super) struct Lexer<'s> {
    source: &'s str,
    position: usize,
    /// The span of the `{{`, if the source is a part of a template.
    opened: Range<usize>,
    ending: Ending,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(source: &'s str, start: usize, ending: Ending) -> Self {
        Self { source, position: start, opened: start.saturating_sub(2)..start, ending }
    }

    pub(super) fn next(&mut self) -> Result<Token, Error> {
        self.skip_blank();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return self.end_of_text() };
        if self.ending == Ending::Braces && rest.starts_with("}}") {
            return Ok(self.token(TokenKind::End, 2));
        }
        // Before names: `r'…'` begins like one.
        if let Some(literal) = read_string(rest, self.position) {
            let literal = literal?;
            return Ok(self.token(TokenKind::Text(literal.text), literal.length));
        }
        if first.is_ascii_digit() {
            return self.number();
        }
        if is_name(first) {
            return Ok(self.name());
        }
        match Symbol::SIGNS.into_iter().find(|symbol| rest.starts_with(symbol.text())) {
            Some(symbol) => Ok(self.token(TokenKind::Symbol(symbol), symbol.text().len())),
            None => Err(self.unexpected(first)),
        }
    }

    fn rest(&self) -> &'s str {
        self.source.get(self.position..).unwrap_or_default()
    }

    fn token(&mut self, kind: TokenKind, length: usize) -> Token {
        let start = self.position;
        self.position += length;
        Token { kind, span: start..self.position }
    }

    fn skip_blank(&mut self) {
        loop {
            let trimmed = self.rest().trim_start_matches([' ', '\t', '\n', '\r', '\u{0c}']);
            self.position = self.source.len() - trimmed.len();
            if !trimmed.starts_with("//") {
                return;
            }
            self.position += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn end_of_text(&mut self) -> Result<Token, Error> {
        match self.ending {
            Ending::Text => Ok(self.token(TokenKind::End, 0)),
            Ending::Braces => Err(Error::new("`{{` is not closed", &self.opened)
                .help("add `}}`, or write `{{{{` for the braces themselves")),
        }
    }

    fn name(&mut self) -> Token {
        let rest = self.rest();
        let length = rest.find(|character| !is_name(character)).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        let kind = match Symbol::WORDS.into_iter().find(|symbol| symbol.text() == name) {
            Some(symbol) => TokenKind::Symbol(symbol),
            None => TokenKind::Name(name.to_owned()),
        };
        self.token(kind, length)
    }

    fn number(&mut self) -> Result<Token, Error> {
        let rest = self.rest();
        let mut length = rest.find(|character| !is_name(character)).unwrap_or(rest.len());
        // Taken in only for the error: `1.5` shall not be read as `1` and a field.
        let fraction = rest.get(length..).and_then(|after| after.strip_prefix('.'));
        if let Some(fraction) = fraction.filter(|after| after.starts_with(|next: char| next.is_ascii_digit()))
        {
            length += 1 + fraction.find(|character| !is_name(character)).unwrap_or(fraction.len());
        }
        let digits = rest.get(..length).unwrap_or_default();
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        let token = self.token(TokenKind::End, length);
        match value {
            Ok(value) => Ok(Token { kind: TokenKind::Int(value), span: token.span }),
            Err(_) => Err(Error::new(format!("`{digits}` is not a number"), &token.span)
                .help("numbers are whole and fit into 64 bits, as in `42` or `0xff`")),
        }
    }

    fn unexpected(&self, found: char) -> Error {
        let span = self.position..self.position + found.len_utf8();
        let error = Error::new(format!("unexpected `{found}`"), &span);
        match found {
            '=' => error.help("write `==` to compare"),
            '&' => error.help("write `&&`"),
            '|' => error.help("write `||`"),
            '{' | '}' => error.help("map literals are not part of the language"),
            _ => error,
        }
    }
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}
