//! Checks a tree against a schema, and turns it into a program.
//!
//! After this the names are known, the operands fit their operators and literal patterns are
//! valid. What is left to fail depends on the event: an index, a key, a number, a built pattern.

mod call;
mod operator;

use std::collections::BTreeSet;
use std::ops::Range;

use super::ast::{Expression, ExpressionKind, Word};
use super::error::Error;
use super::function::{find_function, find_macro};
use super::node::{Node, NodeIndex};
use super::program::{Program, is_within};
use super::schema::{Leaf, Schema, Shape, Type};
use crate::nearest::nearest;
use crate::text::quoted;

/// The program of a tree, and the type of its value.
pub(super) fn check(expression: &Expression, schema: &Schema) -> Result<(Program, Type), Error> {
    let mut checker = Checker { schema, nodes: Vec::new(), variables: Vec::new(), reads: BTreeSet::new() };
    let ty = checker.check(expression)?.ty;
    let Checker { nodes, reads, .. } = checker;
    Ok((Program::new(nodes, leaves(reads)), ty))
}

/// Those paths that lead to no other. In their order, what leads on from a path follows it.
fn leaves(paths: BTreeSet<String>) -> Vec<String> {
    let mut leaves: Vec<String> = Vec::new();
    for path in paths {
        // `.` sorts before all letters of names, so nothing comes between a path and what leads on from it.
        if leaves.last().is_some_and(|last| is_within(&path, last)) {
            leaves.pop();
        }
        leaves.push(path);
    }
    leaves
}

/// An expression that was checked: its node, its type, and which field it is or comes from.
struct Checked {
    at: NodeIndex,
    ty: Type,
    path: Option<String>,
}

/// The variable of a macro.
struct Variable {
    name: String,
    ty: Type,
    path: Option<String>,
}

struct Checker<'s> {
    schema: &'s Schema,
    nodes: Vec<Node>,
    variables: Vec<Variable>,
    reads: BTreeSet<String>,
}

impl Checker<'_> {
    fn check(&mut self, expression: &Expression) -> Result<Checked, Error> {
        match &expression.kind {
            ExpressionKind::Bool(value) => Ok(self.push(Node::Bool(*value), Type::BOOL)),
            ExpressionKind::Int(value) => Ok(self.push(Node::Int(*value), Type::INT)),
            ExpressionKind::Text(text) => Ok(self.push(Node::Text(text.clone()), Type::STRING)),
            ExpressionKind::List(items) => self.list(items),
            ExpressionKind::Name(name) => self.name(name, &expression.span),
            ExpressionKind::Select { of, name } => self.select(of, name),
            ExpressionKind::Index { of, index } => self.index(of, index),
            ExpressionKind::Not(of) => {
                let of = self.expect(of, Type::BOOL)?;
                Ok(self.push(Node::Not(of), Type::BOOL))
            }
            ExpressionKind::Negate(of) => {
                let of = self.expect(of, Type::INT)?;
                Ok(self.push(Node::Negate(of), Type::INT))
            }
            ExpressionKind::Logic { logic, operands } => {
                let operands = operands.iter().map(|operand| self.expect(operand, Type::BOOL));
                let operands = operands.collect::<Result<_, _>>()?;
                Ok(self.push(Node::Logic { logic: *logic, operands }, Type::BOOL))
            }
            ExpressionKind::Binary { operator, left, right } => {
                let (left, right) = (self.check(left)?, self.check(right)?);
                self.binary(*operator, [left, right], &expression.span)
            }
            ExpressionKind::Choose { condition, then, otherwise } => {
                let condition = self.expect(condition, Type::BOOL)?;
                let branches = [self.check(then)?, self.check(otherwise)?];
                self.choose(condition, branches, &expression.span)
            }
            ExpressionKind::Call { receiver: Some(of), name, arguments } => self.method(of, name, arguments),
            ExpressionKind::Call { receiver: None, name, arguments } => {
                self.global(name, arguments, &expression.span)
            }
        }
    }

    fn push(&mut self, node: Node, ty: Type) -> Checked {
        // A source has fewer characters than this has numbers.
        let at = NodeIndex(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        Checked { at, ty, path: None }
    }

    fn expect(&mut self, expression: &Expression, expected: Type) -> Result<NodeIndex, Error> {
        let checked = self.check(expression)?;
        match checked.ty.unify(expected) {
            Some(_) => Ok(checked.at),
            None => Err(mismatch(expected, checked.ty, &expression.span)),
        }
    }

    fn list(&mut self, items: &[Expression]) -> Result<Checked, Error> {
        let mut ty = Type::UNKNOWN;
        let mut nodes = Vec::new();
        for item in items {
            let checked = self.check(item)?;
            ty = ty.unify(checked.ty).ok_or_else(|| {
                mismatch(ty, checked.ty, &item.span).help("the items of a list have one type")
            })?;
            nodes.push(checked.at);
        }
        Ok(self.push(Node::List(nodes), ty.list()))
    }

    fn choose(
        &mut self,
        condition: NodeIndex,
        [then, otherwise]: [Checked; 2],
        span: &Range<usize>,
    ) -> Result<Checked, Error> {
        let ty = then.ty.unify(otherwise.ty).ok_or_else(|| {
            let message = format!("`?` chooses between {} and {}", then.ty, otherwise.ty);
            Error::new(message, span).help("both must have one type")
        })?;
        let node = Node::Choose { condition, then: then.at, otherwise: otherwise.at };
        Ok(self.push(node, ty))
    }

    fn name(&mut self, name: &str, span: &Range<usize>) -> Result<Checked, Error> {
        // From the innermost: a variable hides one of the same name around it, and a field.
        if let Some(slot) = self.variables.iter().rposition(|variable| variable.name == name) {
            return Ok(self.variable(slot));
        }
        let Some(field) = self.schema.field(name) else { return Err(self.unknown_name(name, span)) };
        let node = Node::Field { of: None, name: name.to_owned(), kind: field.ty.kind() };
        self.reads.insert(name.to_owned());
        Ok(Checked { path: Some(name.to_owned()), ..self.push(node, field.ty) })
    }

    fn variable(&mut self, slot: usize) -> Checked {
        let found = self.variables.get(slot);
        let (ty, path) = match found {
            Some(variable) => (variable.ty, variable.path.clone()),
            None => (Type::UNKNOWN, None),
        };
        // Macros nest less deep than the limit, so it always fits.
        let slot = u32::try_from(slot).unwrap_or(u32::MAX);
        Checked { path, ..self.push(Node::Variable(slot), ty) }
    }

    fn unknown_name(&self, name: &str, span: &Range<usize>) -> Error {
        let error = Error::new(format!("unknown name `{name}`"), span);
        let fields = || self.schema.fields().iter().map(|field| field.name);
        let known = self.variables.iter().map(|variable| variable.name.as_str()).chain(fields());
        match nearest(name, known) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None if name == "not" => error.help("write `!`"),
            None => error.help(format!("the fields are {}", quoted(fields()))),
        }
    }

    fn select(&mut self, of: &Expression, name: &Word) -> Result<Checked, Error> {
        let record = self.check(of)?;
        match record.ty.shape() {
            Shape::Leaf(Leaf::Record(schema)) => self.field(record, schema, name),
            Shape::Leaf(Leaf::Map(values)) => {
                let key = self.push(Node::Text(name.text.clone()), Type::STRING);
                let node = Node::Key { of: record.at, key: key.at };
                Ok(Checked { path: record.path, ..self.push(node, *values) })
            }
            Shape::List(_) | Shape::Leaf(Leaf::Bool | Leaf::Int | Leaf::String | Leaf::Unknown) => {
                Err(no_fields(record.ty, name))
            }
        }
    }

    fn field(&mut self, of: Checked, schema: &Schema, name: &Word) -> Result<Checked, Error> {
        let Some(field) = schema.field(&name.text) else { return Err(unknown_field(schema, name)) };
        let path = of.path.map(|path| format!("{path}.{}", name.text));
        self.reads.extend(path.clone());
        let node = Node::Field { of: Some(of.at), name: name.text.clone(), kind: field.ty.kind() };
        Ok(Checked { path, ..self.push(node, field.ty) })
    }

    fn index(&mut self, of: &Expression, index: &Expression) -> Result<Checked, Error> {
        let list = self.check(of)?;
        let (node, ty) = match list.ty.shape() {
            Shape::List(item) => (Node::Item { of: list.at, index: self.expect(index, Type::INT)? }, item),
            Shape::Leaf(Leaf::Map(values)) => {
                (Node::Key { of: list.at, key: self.expect(index, Type::STRING)? }, *values)
            }
            Shape::Leaf(Leaf::Bool | Leaf::Int | Leaf::String | Leaf::Record(_) | Leaf::Unknown) => {
                let message = format!("`[…]` needs a list or a map, found {}", list.ty);
                return Err(Error::new(message, &of.span));
            }
        };
        Ok(Checked { path: list.path, ..self.push(node, ty) })
    }
}

fn mismatch(expected: Type, found: Type, span: &Range<usize>) -> Error {
    Error::new(format!("expected {expected}, found {found}"), span)
}

fn unknown_field(schema: &Schema, name: &Word) -> Error {
    let error = Error::new(format!("unknown field `{}`", name.text), &name.span);
    let fields = || schema.fields().iter().map(|field| field.name);
    match nearest(&name.text, fields()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help(format!("the fields are {}", quoted(fields()))),
    }
}

fn no_fields(ty: Type, name: &Word) -> Error {
    let error = Error::new(format!("{ty} has no field `{}`", name.text), &name.span);
    if find_function(&name.text).is_some() {
        return error.help(format!("call it: `{}(…)`", name.text));
    }
    match ty.shape() {
        Shape::List(_) if find_macro(&name.text).is_some() => {
            error.help(format!("call it: `{}(x, …)`", name.text))
        }
        Shape::List(_) => error.help("look at its items with `exists(x, …)` or `[0]`"),
        Shape::Leaf(_) => error,
    }
}
