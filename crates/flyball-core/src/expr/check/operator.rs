//! Operators between two operands.

use std::ops::Range;

use super::super::ast::{Arithmetic, Comparison, Operator};
use super::super::error::Error;
use super::super::node::Node;
use super::super::schema::{Leaf, Shape, Type};
use super::{Checked, Checker};

impl Checker<'_> {
    pub(super) fn binary(
        &mut self,
        operator: Operator,
        operands: [Checked; 2],
        span: &Range<usize>,
    ) -> Result<Checked, Error> {
        let (node, ty) = match operator {
            Operator::Arithmetic(arithmetic) => arithmetic_node(arithmetic, &operands),
            Operator::Comparison(comparison) => comparison_node(comparison, &operands),
            Operator::In => membership_node(&operands),
        }
        .ok_or_else(|| misfit(operator, &operands, span))?;
        Ok(self.push(node, ty))
    }
}

fn arithmetic_node(operator: Arithmetic, [left, right]: &[Checked; 2]) -> Option<(Node, Type)> {
    let ty = left.ty.unify(right.ty)?;
    let (left, right) = (left.at, right.at);
    // Unified and not compared, so that items of `[]`, whose type is open, are accepted.
    if ty.unify(Type::INT).is_some() {
        return Some((Node::Arithmetic { operator, left, right }, Type::INT));
    }
    let joins = operator == Arithmetic::Add && ty == Type::STRING;
    joins.then_some((Node::Join { left, right }, ty))
}

fn comparison_node(comparison: Comparison, [left, right]: &[Checked; 2]) -> Option<(Node, Type)> {
    let ty = left.ty.unify(right.ty)?;
    let fits = match comparison {
        Comparison::Equal | Comparison::NotEqual => ty.is_comparable(),
        Comparison::Less | Comparison::LessOrEqual | Comparison::Greater | Comparison::GreaterOrEqual => {
            ty.unify(Type::INT).is_some() || ty.unify(Type::STRING).is_some()
        }
    };
    fits.then_some((Node::Compare { comparison, left: left.at, right: right.at }, Type::BOOL))
}

fn membership_node([item, of]: &[Checked; 2]) -> Option<(Node, Type)> {
    let fits = match of.ty.shape() {
        Shape::List(element) => element.unify(item.ty)?.is_comparable(),
        Shape::Leaf(Leaf::Map(_)) => item.ty.unify(Type::STRING).is_some(),
        Shape::Leaf(Leaf::Bool | Leaf::Int | Leaf::String | Leaf::Record(_) | Leaf::Unknown) => false,
    };
    fits.then_some((Node::In { item: item.at, of: of.at }, Type::BOOL))
}

/// Why two operands do not fit.
fn misfit(operator: Operator, [left, right]: &[Checked; 2], span: &Range<usize>) -> Error {
    let found = format!("found {} and {}", left.ty, right.ty);
    let sign = operator.text();
    match operator {
        Operator::Arithmetic(Arithmetic::Add)
        | Operator::Comparison(
            Comparison::Less | Comparison::LessOrEqual | Comparison::Greater | Comparison::GreaterOrEqual,
        ) => Error::new(format!("`{sign}` needs two ints or two strings, {found}"), span),
        Operator::Arithmetic(
            Arithmetic::Subtract | Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Remainder,
        ) => Error::new(format!("`{sign}` needs two ints, {found}"), span),
        Operator::Comparison(Comparison::Equal | Comparison::NotEqual) => {
            incomparable(sign, [left.ty, right.ty], span)
        }
        Operator::In => no_member([left.ty, right.ty], span),
    }
}

fn incomparable(sign: &str, [left, right]: [Type; 2], span: &Range<usize>) -> Error {
    if left.is_comparable() && right.is_comparable() {
        return Error::new(format!("`{sign}` cannot compare {left} with {right}"), span);
    }
    Error::new("records and maps cannot be compared", span).help("compare their fields")
}

fn no_member([item, of]: [Type; 2], span: &Range<usize>) -> Error {
    match of.shape() {
        Shape::List(_) => Error::new(format!("`in` cannot find {item} in {of}"), span),
        Shape::Leaf(Leaf::Map(_)) => Error::new(format!("the keys of a map are strings, found {item}"), span),
        Shape::Leaf(Leaf::String) => {
            Error::new("`in` needs a list or a map on its right, found string", span)
                .help("use `contains(…)` to search a string")
        }
        Shape::Leaf(Leaf::Bool | Leaf::Int | Leaf::Record(_) | Leaf::Unknown) => {
            Error::new(format!("`in` needs a list or a map on its right, found {of}"), span)
        }
    }
}
