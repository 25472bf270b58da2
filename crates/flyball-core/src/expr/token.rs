//! The tokens of a source.

use std::fmt;
use std::ops::Range;

/// A token and its span.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// Without its sign, so that the smallest number can be read before it is negated.
    Int(u64),
    Text(String),
    Name(String),
    Symbol(Symbol),
    /// The end of the source, or `}}` in a template.
    End,
}

/// Operators, brackets, and the words that are not names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    OpenParenthesis,
    CloseParenthesis,
    OpenBracket,
    CloseBracket,
    Dot,
    Comma,
    Question,
    Colon,
    Not,
    Minus,
    Plus,
    Times,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    In,
    True,
    False,
}

impl Symbol {
    /// Those made of signs, the longer before what they start with.
    pub(super) const SIGNS: [Self; 22] = [
        Self::Equal,
        Self::NotEqual,
        Self::LessOrEqual,
        Self::GreaterOrEqual,
        Self::And,
        Self::Or,
        Self::OpenParenthesis,
        Self::CloseParenthesis,
        Self::OpenBracket,
        Self::CloseBracket,
        Self::Dot,
        Self::Comma,
        Self::Question,
        Self::Colon,
        Self::Not,
        Self::Minus,
        Self::Plus,
        Self::Times,
        Self::Divide,
        Self::Remainder,
        Self::Less,
        Self::Greater,
    ];

    /// Those made of letters.
    pub(super) const WORDS: [Self; 3] = [Self::In, Self::True, Self::False];

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::OpenParenthesis => "(",
            Self::CloseParenthesis => ")",
            Self::OpenBracket => "[",
            Self::CloseBracket => "]",
            Self::Dot => ".",
            Self::Comma => ",",
            Self::Question => "?",
            Self::Colon => ":",
            Self::Not => "!",
            Self::Minus => "-",
            Self::Plus => "+",
            Self::Times => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::And => "&&",
            Self::Or => "||",
            Self::In => "in",
            Self::True => "true",
            Self::False => "false",
        }
    }
}

/// How an error text names what it found.
impl fmt::Display for TokenKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(formatter, "`{value}`"),
            Self::Text(_) => formatter.write_str("a string"),
            Self::Name(name) => write!(formatter, "`{name}`"),
            Self::Symbol(symbol) => write!(formatter, "`{}`", symbol.text()),
            Self::End => formatter.write_str("the end"),
        }
    }
}
