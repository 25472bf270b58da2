//! Parses a source into a tree, with the grammar and the precedence of CEL.

use std::ops::Range;

use super::ast::{Expression, ExpressionKind, Logic, Operator, Word, too_deep};
use super::error::Error;
use super::lexer::{Ending, Lexer};
use super::limits::{NESTING_LIMIT, SOURCE_LIMIT};
use super::token::{Symbol, Token, TokenKind};

/// Words that CEL reserves, so that conditions stay valid in CEL.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

/// Parses a whole source.
pub(super) fn parse(source: &str) -> Result<Expression, Error> {
    check_length(source)?;
    parse_part(source, 0, Ending::Text).map(|(expression, _)| expression)
}

/// Parses from `start` to the ending, and returns where the source goes on behind it.
pub(super) fn parse_part(source: &str, start: usize, ending: Ending) -> Result<(Expression, usize), Error> {
    let mut lexer = Lexer::new(source, start, ending);
    let current = lexer.next()?;
    let mut parser = Parser { lexer, current, nesting: 0 };
    let expression = parser.expression()?;
    match parser.current.kind {
        TokenKind::End => Ok((expression, parser.current.span.end)),
        TokenKind::Int(_) | TokenKind::Text(_) | TokenKind::Name(_) | TokenKind::Symbol(_) => {
            Err(parser.expected("an operator"))
        }
    }
}

pub(super) fn check_length(source: &str) -> Result<(), Error> {
    if source.len() <= SOURCE_LIMIT {
        return Ok(());
    }
    let message = format!("longer than {} KB", SOURCE_LIMIT / 1024);
    let start = source.floor_char_boundary(SOURCE_LIMIT);
    Err(Error::new(message, &(start..source.len())))
}

struct Parser<'s> {
    lexer: Lexer<'s>,
    current: Token,
    nesting: usize,
}

impl Parser<'_> {
    /// `a ? b : c`, or anything that binds tighter.
    fn expression(&mut self) -> Result<Expression, Error> {
        self.nested(|parser| {
            let condition = parser.any()?;
            if !parser.take(Symbol::Question)? {
                return Ok(condition);
            }
            // As in CEL's grammar, a `?` in the middle needs parentheses.
            let then = parser.any()?;
            parser.require(Symbol::Colon)?;
            let otherwise = parser.expression()?;
            let span = condition.span.start..otherwise.span.end;
            let kind = ExpressionKind::Choose {
                condition: Box::new(condition),
                then: Box::new(then),
                otherwise: Box::new(otherwise),
            };
            Expression::new(kind, span)
        })
    }

    fn any(&mut self) -> Result<Expression, Error> {
        self.chain(Symbol::Or, Logic::Any, Self::all)
    }

    fn all(&mut self) -> Result<Expression, Error> {
        self.chain(Symbol::And, Logic::All, |parser| parser.binary(0))
    }

    fn chain(
        &mut self,
        symbol: Symbol,
        logic: Logic,
        operand: fn(&mut Self) -> Result<Expression, Error>,
    ) -> Result<Expression, Error> {
        let first = operand(self)?;
        let mut span = first.span.clone();
        let mut operands = Vec::new();
        while self.take(symbol)? {
            let next = operand(self)?;
            span.end = next.span.end;
            operands.push(next);
        }
        if operands.is_empty() {
            return Ok(first);
        }
        // One flat node: nested pairs would hit the nesting limit in a long chain.
        operands.insert(0, first);
        Expression::new(ExpressionKind::Logic { logic, operands }, span)
    }

    /// Operators that bind tighter than `level`, to the left.
    fn binary(&mut self, level: u8) -> Result<Expression, Error> {
        let mut left = self.unary()?;
        while let Some(operator) = self.operator().filter(|operator| operator.level() > level) {
            self.advance()?;
            // Only tighter operators on the right, which makes equal ones group to the left.
            let right = self.binary(operator.level())?;
            let span = left.span.start..right.span.end;
            let kind = ExpressionKind::Binary { operator, left: Box::new(left), right: Box::new(right) };
            left = Expression::new(kind, span)?;
        }
        Ok(left)
    }

    fn operator(&self) -> Option<Operator> {
        match self.current.kind {
            TokenKind::Symbol(symbol) => Operator::from_symbol(symbol),
            TokenKind::Int(_) | TokenKind::Text(_) | TokenKind::Name(_) | TokenKind::End => None,
        }
    }

    fn unary(&mut self) -> Result<Expression, Error> {
        let start = self.current.span.start;
        if self.take(Symbol::Not)? {
            let operand = self.nested(Self::unary)?;
            let span = start..operand.span.end;
            return Expression::new(ExpressionKind::Not(Box::new(operand)), span);
        }
        if !self.take(Symbol::Minus)? {
            return self.member();
        }
        if let TokenKind::Int(value) = self.current.kind {
            let number = self.negative(value, start)?;
            return self.suffixes(number);
        }
        let operand = self.nested(Self::unary)?;
        let span = start..operand.span.end;
        Expression::new(ExpressionKind::Negate(Box::new(operand)), span)
    }

    /// A number behind a minus is one literal: the smallest one has no positive twin.
    fn negative(&mut self, value: u64, start: usize) -> Result<Expression, Error> {
        let span = start..self.current.span.end;
        let value = 0_i64.checked_sub_unsigned(value).ok_or_else(|| too_large(&span))?;
        self.advance()?;
        Expression::new(ExpressionKind::Int(value), span)
    }

    fn member(&mut self) -> Result<Expression, Error> {
        let primary = self.primary()?;
        self.suffixes(primary)
    }

    /// `.name`, `.name(…)` and `[…]`, as many as follow.
    fn suffixes(&mut self, mut of: Expression) -> Result<Expression, Error> {
        loop {
            of = if self.take(Symbol::Dot)? {
                self.selection(of)?
            } else if self.take(Symbol::OpenBracket)? {
                self.index(of)?
            } else {
                return Ok(of);
            };
        }
    }

    fn selection(&mut self, of: Expression) -> Result<Expression, Error> {
        let start = of.span.start;
        // Behind a dot CEL allows reserved words, so they are checked in `name` only.
        let (of, name) = (Box::new(of), self.word()?);
        if !self.take(Symbol::OpenParenthesis)? {
            let span = start..name.span.end;
            return Expression::new(ExpressionKind::Select { of, name }, span);
        }
        let arguments = self.arguments()?;
        let end = self.require(Symbol::CloseParenthesis)?.end;
        Expression::new(ExpressionKind::Call { receiver: Some(of), name, arguments }, start..end)
    }

    fn index(&mut self, of: Expression) -> Result<Expression, Error> {
        let start = of.span.start;
        let index = Box::new(self.expression()?);
        let end = self.require(Symbol::CloseBracket)?.end;
        Expression::new(ExpressionKind::Index { of: Box::new(of), index }, start..end)
    }

    fn arguments(&mut self) -> Result<Vec<Expression>, Error> {
        let mut arguments = Vec::new();
        if self.is_at(Symbol::CloseParenthesis) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.take(Symbol::Comma)? {
                return Ok(arguments);
            }
        }
    }

    fn primary(&mut self) -> Result<Expression, Error> {
        let span = self.current.span.clone();
        match self.current.kind.clone() {
            TokenKind::Int(value) => {
                let value = i64::try_from(value).map_err(|_| too_large(&span))?;
                self.literal(ExpressionKind::Int(value))
            }
            TokenKind::Text(text) => self.literal(ExpressionKind::Text(text)),
            TokenKind::Symbol(Symbol::True) => self.literal(ExpressionKind::Bool(true)),
            TokenKind::Symbol(Symbol::False) => self.literal(ExpressionKind::Bool(false)),
            TokenKind::Symbol(Symbol::OpenParenthesis) => self.parenthesised(),
            TokenKind::Symbol(Symbol::OpenBracket) => self.list(),
            TokenKind::Name(_) => self.name(),
            TokenKind::Symbol(_) | TokenKind::End => Err(self.expected("a value")),
        }
    }

    fn literal(&mut self, kind: ExpressionKind) -> Result<Expression, Error> {
        let span = self.current.span.clone();
        self.advance()?;
        Expression::new(kind, span)
    }

    fn parenthesised(&mut self) -> Result<Expression, Error> {
        let start = self.current.span.start;
        self.advance()?;
        let mut inner = self.expression()?;
        // With the parentheses, so that errors underline what was written.
        inner.span = start..self.require(Symbol::CloseParenthesis)?.end;
        Ok(inner)
    }

    fn list(&mut self) -> Result<Expression, Error> {
        let start = self.current.span.start;
        self.advance()?;
        let mut items = Vec::new();
        // A comma may follow the last item, as in CEL.
        while !self.is_at(Symbol::CloseBracket) {
            items.push(self.expression()?);
            if !self.take(Symbol::Comma)? {
                break;
            }
        }
        let end = self.require(Symbol::CloseBracket)?.end;
        Expression::new(ExpressionKind::List(items), start..end)
    }

    fn name(&mut self) -> Result<Expression, Error> {
        let name = self.word()?;
        check_reserved(&name)?;
        let span = name.span.clone();
        if !self.take(Symbol::OpenParenthesis)? {
            return Expression::new(ExpressionKind::Name(name.text), span);
        }
        let arguments = self.arguments()?;
        let end = self.require(Symbol::CloseParenthesis)?.end;
        Expression::new(ExpressionKind::Call { receiver: None, name, arguments }, span.start..end)
    }

    fn word(&mut self) -> Result<Word, Error> {
        let TokenKind::Name(text) = self.current.kind.clone() else {
            return Err(self.expected("a name"));
        };
        let span = self.current.span.clone();
        self.advance()?;
        Ok(Word { text, span })
    }

    /// Counts how deep the parser itself recurses: parentheses leave no trace in the tree.
    fn nested(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<Expression, Error>,
    ) -> Result<Expression, Error> {
        self.nesting += 1;
        // Before it recurses; an error ends the parse, so the counter need not be restored.
        if self.nesting > NESTING_LIMIT {
            return Err(too_deep(&self.current.span));
        }
        let expression = parse(self)?;
        self.nesting -= 1;
        Ok(expression)
    }

    fn advance(&mut self) -> Result<Token, Error> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.current, next))
    }

    fn is_at(&self, symbol: Symbol) -> bool {
        self.current.kind == TokenKind::Symbol(symbol)
    }

    fn take(&mut self, symbol: Symbol) -> Result<bool, Error> {
        let found = self.is_at(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn require(&mut self, symbol: Symbol) -> Result<Range<usize>, Error> {
        if self.is_at(symbol) {
            return Ok(self.advance()?.span);
        }
        Err(self.expected(&format!("`{}`", symbol.text())))
    }

    fn expected(&self, what: &str) -> Error {
        let Token { kind, span } = &self.current;
        let error = Error::new(format!("expected {what}, found {kind}"), span);
        match kind {
            TokenKind::Name(name) if name == "and" => error.help("write `&&`"),
            TokenKind::Name(name) if name == "or" => error.help("write `||`"),
            TokenKind::Int(_)
            | TokenKind::Text(_)
            | TokenKind::Name(_)
            | TokenKind::Symbol(_)
            | TokenKind::End => error,
        }
    }
}

fn check_reserved(name: &Word) -> Result<(), Error> {
    let error = |message| Error::new(message, &name.span);
    match name.text.as_str() {
        "null" => Err(error("`null` is not part of the language".to_owned())
            .help("a field that is missing is empty: test it with `has(…)`")),
        text if RESERVED.contains(&text) => Err(error(format!("`{text}` is a reserved word"))),
        _ => Ok(()),
    }
}

fn too_large(span: &Range<usize>) -> Error {
    Error::new("the number does not fit into 64 bits", span)
}
