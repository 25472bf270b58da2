//! A program: a condition that was parsed and checked, in the form that is cached and run.
//!
//! The nodes lie in one flat list and point at each other by index. That loads with few
//! allocations, and reading a damaged cache cannot recurse. The format is that of this version
//! of flyball only: the cache that holds it is keyed by the version.

use serde::{Deserialize, Serialize};

use super::ast::{Arithmetic, Comparison, Logic};
use super::check::check;
use super::error::{Error, Failure};
use super::evaluate::Evaluation;
use super::function::{FunctionName, MacroName};
use super::parser::parse;
use super::pattern::Pattern;
use super::schema::{Schema, Type};
use super::scope::Scope;
use super::value::{Kind, Value};

/// Parses and checks a source that must give a value of the expected type.
pub fn compile(source: &str, schema: &Schema, expected: Type) -> Result<Program, Error> {
    let expression = parse(source)?;
    let (program, found) = check(&expression, schema)?;
    if found.unify(expected).is_some() {
        return Ok(program);
    }
    let error = Error::new(format!("expected {expected}, found {found}"), &expression.span);
    Err(if expected == Type::BOOL {
        error.help("a condition is true or false: compare the value, or test it with `has(…)`")
    } else {
        error
    })
}

/// A checked program, ready to be stored and run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// INVARIANT: a node points only at nodes before it; the last one is the whole program.
    pub(super) nodes: Vec<Node>,
    reads: Vec<String>,
}

/// Where a node stands in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct NodeIndex(pub(super) u32);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Node {
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<NodeIndex>),
    /// The variable of a macro, counted from the outermost.
    Variable(u32),
    /// A field of the event, or of a record.
    Field {
        of: Option<NodeIndex>,
        name: String,
        kind: Kind,
    },
    Item {
        of: NodeIndex,
        index: NodeIndex,
    },
    Key {
        of: NodeIndex,
        key: NodeIndex,
    },
    /// Of a `Field` or a `Key`.
    Has(NodeIndex),
    Not(NodeIndex),
    Negate(NodeIndex),
    Logic {
        logic: Logic,
        operands: Vec<NodeIndex>,
    },
    Choose {
        condition: NodeIndex,
        then: NodeIndex,
        otherwise: NodeIndex,
    },
    Arithmetic {
        operator: Arithmetic,
        left: NodeIndex,
        right: NodeIndex,
    },
    Join {
        left: NodeIndex,
        right: NodeIndex,
    },
    Compare {
        comparison: Comparison,
        left: NodeIndex,
        right: NodeIndex,
    },
    /// In a list or a map.
    In {
        item: NodeIndex,
        of: NodeIndex,
    },
    Call {
        function: FunctionName,
        of: NodeIndex,
        argument: Option<NodeIndex>,
    },
    /// `matches` with a pattern that was known when the program was compiled.
    Matches {
        of: NodeIndex,
        pattern: Pattern,
    },
    Each {
        function: MacroName,
        list: NodeIndex,
        body: NodeIndex,
    },
}

impl Program {
    pub(super) fn new(nodes: Vec<Node>, reads: Vec<String>) -> Self {
        Self { nodes, reads }
    }

    /// The value for this event.
    pub fn evaluate<'a>(&'a self, scope: &'a (dyn Scope + 'a)) -> Result<Value<'a>, Failure> {
        Evaluation::new(&self.nodes, scope).run()
    }

    /// Whether the condition holds for this event.
    pub fn holds(&self, scope: &dyn Scope) -> Result<bool, Failure> {
        match self.evaluate(scope)? {
            Value::Bool(value) => Ok(value),
            other => Err(Failure::Mismatch {
                field: "result".to_owned(),
                expected: Kind::Bool,
                found: other.kind(),
            }),
        }
    }

    /// The paths of the fields it may read, in order: `shell.commands.program`. Those that lead
    /// to others are left out.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.reads.iter().map(String::as_str)
    }

    /// Whether it may read this field, something inside it, or the record that holds it.
    pub fn reads(&self, path: &str) -> bool {
        self.fields().any(|read| is_within(read, path) || is_within(path, read))
    }
}

/// Whether a path is the outer path or leads on from it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
