//! A program: a condition that was parsed and checked, in the form that is cached and run.
//!
//! The nodes are in one flat list and point at each other by index. That loads with few
//! allocations, and reading a damaged cache cannot recurse. The format is that of this version
//! of flyball only: the cache that holds it is keyed by the version.

use serde::{Deserialize, Serialize};

use super::error::Failure;
use super::evaluate::Evaluation;
use super::kind::Kind;
use super::node::Node;
use super::value::{Scope, Value};

/// A checked program, ready to be stored and run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// INVARIANT: a node points only at nodes before it; the last one is the whole program.
    pub(super) nodes: Vec<Node>,
    reads: Vec<String>,
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
        // Both ways: whoever reads a record may look at any field inside of it.
        self.fields().any(|read| is_within(read, path) || is_within(path, read))
    }
}

/// Whether a path is the outer path or leads on from it.
pub(super) fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
