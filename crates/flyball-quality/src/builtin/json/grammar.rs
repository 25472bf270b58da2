//! Which tokens may follow which. It keeps a stack of its own, so no depth is too great for it.

use std::collections::BTreeSet;

use flyball_core::text;

use super::dialect::Dialect;
use super::token::{Fault, Kind, Shape, Token, Tokens};

/// What a text consists of, up to the first thing that is wrong.
pub(super) struct Parsed<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) duplicates: Vec<Fault>,
    pub(super) fault: Option<Fault>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    /// A value, or the end of the array that has just begun.
    ValueOrClose,
    Key,
    KeyOrClose,
    Colon,
    CommaOrClose,
    Nothing,
}

struct Reader {
    dialect: Dialect,
    expected: Expected,
    /// What is open, with the keys that objects have so far.
    open: Vec<(Shape, BTreeSet<String>)>,
    duplicates: Vec<Fault>,
}

pub(super) fn parse(content: &str, dialect: Dialect) -> Parsed<'_> {
    let mut reader = Reader { dialect, expected: Expected::Value, open: Vec::new(), duplicates: Vec::new() };
    let mut tokens = Vec::new();
    let mut fault = None;
    for token in Tokens::new(content) {
        match token.and_then(|token| reader.take(&token).map(|()| token)) {
            Ok(token) => tokens.push(token),
            Err(wrong) => {
                fault = Some(wrong);
                break;
            }
        }
    }
    // A file of comments only has no value either.
    let is_blank = tokens.iter().all(Token::is_comment);
    let fault = fault.or_else(|| reader.unfinished(content, is_blank));
    Parsed { tokens, duplicates: reader.duplicates, fault }
}

impl Reader {
    fn take(&mut self, token: &Token<'_>) -> Result<(), Fault> {
        if token.is_comment() {
            return match self.dialect {
                Dialect::Commented => Ok(()),
                Dialect::Strict => Err(Fault::new(token.start, "remove the comment: JSON does not allow it")),
            };
        }
        self.expected = match (self.expected, token.kind) {
            (Expected::Value | Expected::ValueOrClose, Kind::Text | Kind::Word) => self.after_value(),
            (Expected::Value | Expected::ValueOrClose, Kind::Open(shape)) => self.begin(shape),
            (Expected::Key | Expected::KeyOrClose, Kind::Text) => self.key(token),
            (Expected::Colon, Kind::Colon) => Expected::Value,
            (Expected::CommaOrClose, Kind::Comma) => self.after_comma(),
            (Expected::CommaOrClose | Expected::KeyOrClose | Expected::ValueOrClose, Kind::Close(shape))
                if self.open.last().is_some_and(|(open, _)| *open == shape) =>
            {
                self.open.pop();
                self.after_value()
            }
            _ => return Err(self.unexpected(token)),
        };
        Ok(())
    }

    fn begin(&mut self, shape: Shape) -> Expected {
        self.open.push((shape, BTreeSet::new()));
        match shape {
            Shape::Object => Expected::KeyOrClose,
            Shape::Array => Expected::ValueOrClose,
        }
    }

    fn key(&mut self, token: &Token<'_>) -> Expected {
        // Keys that are written differently may be the same: `"a"` and `"\u0061"`.
        let key = serde_json::from_str(token.text).unwrap_or_else(|_| token.text.to_owned());
        let is_new = self.open.last_mut().is_none_or(|(_, keys)| keys.insert(key));
        if !is_new {
            let message = format!("remove the duplicate key {}: most readers use the last one", token.text);
            self.duplicates.push(Fault::new(token.start, message));
        }
        Expected::Colon
    }

    fn after_value(&self) -> Expected {
        if self.open.is_empty() { Expected::Nothing } else { Expected::CommaOrClose }
    }

    fn after_comma(&self) -> Expected {
        match (self.open.last().map(|(shape, _)| *shape), self.dialect) {
            (Some(Shape::Object), Dialect::Strict) => Expected::Key,
            (Some(Shape::Object), Dialect::Commented) => Expected::KeyOrClose,
            (Some(Shape::Array), Dialect::Commented) => Expected::ValueOrClose,
            (Some(Shape::Array), Dialect::Strict) | (None, _) => Expected::Value,
        }
    }

    fn unexpected(&self, token: &Token<'_>) -> Fault {
        let is_trailing = matches!(self.expected, Expected::Key | Expected::Value)
            && matches!(token.kind, Kind::Close(shape) if self.open.last().is_some_and(|(open, _)| *open == shape));
        // After a colon a value is missing, not a comma too many.
        let after_colon =
            self.expected == Expected::Value && matches!(self.open.last(), Some((Shape::Object, _)));
        let found = shown(token.text);
        let message = match self.expected {
            Expected::Nothing => "remove the second value: a file has only one".to_owned(),
            Expected::Key | Expected::Value if is_trailing && !after_colon => {
                format!("remove the comma before {found}: JSON does not allow it")
            }
            expected => format!("expected {}, found {found}", self.describe_expected(expected)),
        };
        Fault::new(token.start, message)
    }

    fn describe_expected(&self, expected: Expected) -> &'static str {
        let in_object = matches!(self.open.last(), Some((Shape::Object, _)));
        match expected {
            Expected::Value => "a value",
            Expected::ValueOrClose => "a value or `]`",
            Expected::Key => "a key in double quotes",
            Expected::KeyOrClose => "a key in double quotes or `}`",
            Expected::Colon => "`:`",
            Expected::CommaOrClose if in_object => "`,` or `}`",
            Expected::CommaOrClose => "`,` or `]`",
            Expected::Nothing => "nothing more",
        }
    }

    /// What is missing at the end.
    fn unfinished(&self, content: &str, is_blank: bool) -> Option<Fault> {
        match self.expected {
            Expected::Nothing => None,
            _ if is_blank => Some(Fault::new(0, "the file has no value")),
            expected => {
                // Where the text ends, not on an empty line below it.
                let end = content.trim_end().len();
                Some(Fault::new(
                    end,
                    format!("expected {}, but the file ends", self.describe_expected(expected)),
                ))
            }
        }
    }
}

/// A token for a message.
fn shown(text: &str) -> String {
    format!("`{}`", text::cut(text, 30))
}
