//! The nodes of a program.

use serde::{Deserialize, Serialize};

use super::ast::{Arithmetic, Comparison, Logic};
use super::function::{FunctionName, MacroName};
use super::kind::Kind;
use super::pattern::Pattern;

/// The index of a node in its program.
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
