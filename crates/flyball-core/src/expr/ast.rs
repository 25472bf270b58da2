//! The tree a source is parsed into, before anything is known about types.

use std::ops::Range;

use super::error::Error;
use super::limits::NESTING_LIMIT;
use super::token::Symbol;

/// An expression and its span.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expression {
    pub(super) kind: ExpressionKind,
    pub(super) span: Range<usize>,
    height: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExpressionKind {
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Expression>),
    Name(String),
    Select {
        of: Box<Expression>,
        name: Word,
    },
    Index {
        of: Box<Expression>,
        index: Box<Expression>,
    },
    Not(Box<Expression>),
    Negate(Box<Expression>),
    /// `&&` or `||` with all its operands, because long chains of them are ordinary.
    Logic {
        logic: Logic,
        operands: Vec<Expression>,
    },
    Binary {
        operator: Operator,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Choose {
        condition: Box<Expression>,
        then: Box<Expression>,
        otherwise: Box<Expression>,
    },
    Call {
        receiver: Option<Box<Expression>>,
        name: Word,
        arguments: Vec<Expression>,
    },
}

/// A name and its span.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum Logic {
    /// `&&`
    All,
    /// `||`
    Any,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Arithmetic(Arithmetic),
    Comparison(Comparison),
    In,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    /// The operator that a symbol is between two operands, if it is one.
    pub(super) fn from_symbol(symbol: Symbol) -> Option<Self> {
        let operator = match symbol {
            Symbol::Plus => Self::Arithmetic(Arithmetic::Add),
            Symbol::Minus => Self::Arithmetic(Arithmetic::Subtract),
            Symbol::Times => Self::Arithmetic(Arithmetic::Multiply),
            Symbol::Divide => Self::Arithmetic(Arithmetic::Divide),
            Symbol::Remainder => Self::Arithmetic(Arithmetic::Remainder),
            Symbol::Equal => Self::Comparison(Comparison::Equal),
            Symbol::NotEqual => Self::Comparison(Comparison::NotEqual),
            Symbol::Less => Self::Comparison(Comparison::Less),
            Symbol::LessOrEqual => Self::Comparison(Comparison::LessOrEqual),
            Symbol::Greater => Self::Comparison(Comparison::Greater),
            Symbol::GreaterOrEqual => Self::Comparison(Comparison::GreaterOrEqual),
            Symbol::In => Self::In,
            Symbol::OpenParenthesis
            | Symbol::CloseParenthesis
            | Symbol::OpenBracket
            | Symbol::CloseBracket
            | Symbol::Dot
            | Symbol::Comma
            | Symbol::Question
            | Symbol::Colon
            | Symbol::Not
            | Symbol::And
            | Symbol::Or
            | Symbol::True
            | Symbol::False => return None,
        };
        Some(operator)
    }

    /// How tightly it binds: CEL's three levels below `&&`, from 1.
    pub(super) fn level(self) -> u8 {
        match self {
            Self::Comparison(_) | Self::In => 1,
            Self::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => 2,
            Self::Arithmetic(Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Remainder) => 3,
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Arithmetic(Arithmetic::Add) => "+",
            Self::Arithmetic(Arithmetic::Subtract) => "-",
            Self::Arithmetic(Arithmetic::Multiply) => "*",
            Self::Arithmetic(Arithmetic::Divide) => "/",
            Self::Arithmetic(Arithmetic::Remainder) => "%",
            Self::Comparison(Comparison::Equal) => "==",
            Self::Comparison(Comparison::NotEqual) => "!=",
            Self::Comparison(Comparison::Less) => "<",
            Self::Comparison(Comparison::LessOrEqual) => "<=",
            Self::Comparison(Comparison::Greater) => ">",
            Self::Comparison(Comparison::GreaterOrEqual) => ">=",
            Self::In => "in",
        }
    }
}

impl Expression {
    /// INVARIANT: no tree is higher than the limit, so that walking it may recurse.
    pub(super) fn new(kind: ExpressionKind, span: Range<usize>) -> Result<Self, Error> {
        // Stored in each node, so that this is not a walk over the whole tree every time.
        let height = 1 + kind.children().map(|child| child.height).max().unwrap_or_default();
        if height > NESTING_LIMIT {
            return Err(too_deep(&span));
        }
        Ok(Self { kind, span, height })
    }
}

pub(super) fn too_deep(span: &Range<usize>) -> Error {
    Error::new(format!("nested more than {NESTING_LIMIT} levels deep"), span)
}

impl ExpressionKind {
    fn children(&self) -> impl Iterator<Item = &Expression> {
        let (boxed, listed): ([Option<&Expression>; 3], &[Expression]) = match self {
            Self::Bool(_) | Self::Int(_) | Self::Text(_) | Self::Name(_) => ([None; 3], &[]),
            Self::List(items) => ([None; 3], items),
            Self::Logic { operands, .. } => ([None; 3], operands),
            Self::Select { of, .. } | Self::Not(of) | Self::Negate(of) => ([Some(of), None, None], &[]),
            Self::Index { of, index } => ([Some(of), Some(index), None], &[]),
            Self::Binary { left, right, .. } => ([Some(left), Some(right), None], &[]),
            Self::Choose { condition, then, otherwise } => {
                ([Some(condition), Some(then), Some(otherwise)], &[])
            }
            Self::Call { receiver, arguments, .. } => ([receiver.as_deref(), None, None], arguments),
        };
        boxed.into_iter().flatten().chain(listed)
    }
}
