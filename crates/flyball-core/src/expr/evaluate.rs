//! Runs a program.
//!
//! It recurses as deep as the source nested, and counts its work: a condition is written by
//! a trusted person, but over text that an agent chose.

mod call;
mod work;

use regex_lite::Regex;

use super::ast::{Arithmetic, Comparison, Logic};
use super::error::Failure;
use super::function::MacroName;
use super::kind::Kind;
use super::limits::NESTING_LIMIT;
use super::node::{Node, NodeIndex};
use super::value::Scope;
use super::value::{List, Text, Value};
use work::{Work, scanned, written};

/// One run of one program over one event.
pub(super) struct Evaluation<'a> {
    nodes: &'a [Node],
    scope: &'a (dyn Scope + 'a),
    variables: Vec<Value<'a>>,
    /// What it compiled so far: a macro matches one pattern against many items.
    patterns: Vec<Regex>,
    work: Work,
    depth: usize,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(nodes: &'a [Node], scope: &'a (dyn Scope + 'a)) -> Self {
        Self { nodes, scope, variables: Vec::new(), patterns: Vec::new(), work: Work::default(), depth: 0 }
    }

    pub(super) fn run(mut self) -> Result<Value<'a>, Failure> {
        let last = self.nodes.len().checked_sub(1).and_then(|last| u32::try_from(last).ok());
        self.value(NodeIndex(last.ok_or(Failure::Damaged)?))
    }

    fn node(&self, at: NodeIndex) -> Result<&'a Node, Failure> {
        let index = usize::try_from(at.0).map_err(|_| Failure::Damaged)?;
        self.nodes.get(index).ok_or(Failure::Damaged)
    }

    fn value(&mut self, at: NodeIndex) -> Result<Value<'a>, Failure> {
        self.work.spend(1)?;
        // Only a damaged program is deeper than the sources that are accepted.
        if self.depth > NESTING_LIMIT {
            return Err(Failure::Damaged);
        }
        self.depth += 1;
        let value = self.compute(at);
        self.depth -= 1;
        value
    }

    fn compute(&mut self, at: NodeIndex) -> Result<Value<'a>, Failure> {
        match self.node(at)? {
            Node::Bool(value) => Ok(Value::Bool(*value)),
            Node::Int(value) => Ok(Value::Int(*value)),
            Node::Text(text) => Ok(Value::from(text.as_str())),
            Node::List(items) => self.list_literal(items),
            Node::Variable(slot) => self.variable(*slot),
            Node::Field { of, name, kind } => self.field(*of, name, *kind),
            Node::Item { of, index } => self.item(*of, *index),
            Node::Key { of, key } => self.key(*of, *key),
            Node::Has(of) => self.has(*of),
            Node::Not(of) => Ok(Value::Bool(!self.bool(*of)?)),
            Node::Negate(of) => self.int(*of)?.checked_neg().map(Value::Int).ok_or(Failure::Overflow),
            Node::Logic { logic, operands } => self.logic(*logic, operands),
            Node::Choose { condition, then, otherwise } => {
                let chosen = if self.bool(*condition)? { then } else { otherwise };
                self.value(*chosen)
            }
            Node::Arithmetic { operator, left, right } => {
                let (left, right) = (self.int(*left)?, self.int(*right)?);
                calculate(*operator, left, right).map(Value::Int)
            }
            Node::Join { left, right } => self.join(*left, *right),
            Node::Compare { comparison, left, right } => self.compare(*comparison, *left, *right),
            Node::In { item, of } => self.contains(*item, *of),
            Node::Call { function, of, argument } => self.call(*function, *of, *argument),
            Node::Matches { of, pattern } => self.matches(*of, pattern),
            Node::Each { function, list, body } => self.each(*function, *list, *body),
        }
    }

    fn list_literal(&mut self, items: &[NodeIndex]) -> Result<Value<'a>, Failure> {
        let items = items.iter().map(|item| self.value(*item));
        Ok(Value::from(items.collect::<Result<Vec<_>, _>>()?))
    }

    fn variable(&self, slot: u32) -> Result<Value<'a>, Failure> {
        let slot = usize::try_from(slot).map_err(|_| Failure::Damaged)?;
        self.variables.get(slot).cloned().ok_or(Failure::Damaged)
    }

    fn field(&mut self, of: Option<NodeIndex>, name: &str, kind: Kind) -> Result<Value<'a>, Failure> {
        // Different from CEL, which fails here: conditions are asked about every kind of event.
        let Some(value) = self.find_field(of, name)? else { return Ok(kind.empty()) };
        let found = value.kind();
        // Programs come from a cache, and scopes are code of ours: a mismatch is a bug, not a wrong event.
        if found == kind {
            return Ok(value);
        }
        Err(Failure::Mismatch { field: name.to_owned(), expected: kind, found })
    }

    fn find_field(&mut self, of: Option<NodeIndex>, name: &str) -> Result<Option<Value<'a>>, Failure> {
        let record = match of {
            None => self.scope,
            Some(of) => match self.value(of)? {
                Value::Record(record) => record,
                other => return Err(mismatch(name, Kind::Record, &other)),
            },
        };
        Ok(record.field(name))
    }

    fn key(&mut self, of: NodeIndex, key: NodeIndex) -> Result<Value<'a>, Failure> {
        let key = self.text(key)?;
        let found = self.find_key(of, &key)?;
        found.ok_or_else(|| Failure::NoSuchKey { key: key.to_string() })
    }

    fn find_key(&mut self, of: NodeIndex, key: &str) -> Result<Option<Value<'a>>, Failure> {
        match self.value(of)? {
            Value::Map(map) => Ok(map.get(key)),
            other => Err(mismatch(key, Kind::Map, &other)),
        }
    }

    fn has(&mut self, of: NodeIndex) -> Result<Value<'a>, Failure> {
        let node = self.node(of)?;
        let found = if let Node::Field { of, name, .. } = node {
            self.find_field(*of, name)?
        } else if let Node::Key { of, key } = node {
            let key = self.text(*key)?;
            self.find_key(*of, &key)?
        } else {
            return Err(Failure::Damaged);
        };
        Ok(Value::Bool(found.is_some_and(|value| value.is_filled())))
    }

    fn item(&mut self, of: NodeIndex, index: NodeIndex) -> Result<Value<'a>, Failure> {
        let list = self.list(of)?;
        let index = self.int(index)?;
        let found = usize::try_from(index).ok().and_then(|index| list.get(index));
        found.ok_or_else(|| Failure::OutOfRange { index, count: list.count() })
    }

    fn bool(&mut self, at: NodeIndex) -> Result<bool, Failure> {
        match self.value(at)? {
            Value::Bool(value) => Ok(value),
            other => Err(mismatch("operand", Kind::Bool, &other)),
        }
    }

    fn int(&mut self, at: NodeIndex) -> Result<i64, Failure> {
        match self.value(at)? {
            Value::Int(value) => Ok(value),
            other => Err(mismatch("operand", Kind::Int, &other)),
        }
    }

    fn text(&mut self, at: NodeIndex) -> Result<Text<'a>, Failure> {
        match self.value(at)? {
            Value::String(text) => Ok(text),
            other => Err(mismatch("operand", Kind::String, &other)),
        }
    }

    fn list(&mut self, at: NodeIndex) -> Result<List<'a>, Failure> {
        match self.value(at)? {
            Value::List(list) => Ok(list),
            other => Err(mismatch("operand", Kind::List, &other)),
        }
    }

    /// An operand that decides wins over one that fails, in whichever order they come.
    fn logic(&mut self, logic: Logic, operands: &[NodeIndex]) -> Result<Value<'a>, Failure> {
        let mut decision = Decision::new(logic);
        for operand in operands {
            if decision.add(self.bool(*operand))? {
                break;
            }
        }
        decision.finish().map(Value::Bool)
    }

    fn join(&mut self, left: NodeIndex, right: NodeIndex) -> Result<Value<'a>, Failure> {
        let (left, right) = (self.text(left)?, self.text(right)?);
        // Charged by length: nested macros could double a text again and again.
        self.work.spend(written(left.len().saturating_add(right.len())))?;
        Ok(Value::from([&*left, &*right].concat()))
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: NodeIndex,
        right: NodeIndex,
    ) -> Result<Value<'a>, Failure> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let result = match comparison {
            Comparison::Equal => self.equal(&left, &right)?,
            Comparison::NotEqual => !self.equal(&left, &right)?,
            Comparison::Less => self.order(&left, &right)?.is_lt(),
            Comparison::LessOrEqual => self.order(&left, &right)?.is_le(),
            Comparison::Greater => self.order(&left, &right)?.is_gt(),
            Comparison::GreaterOrEqual => self.order(&left, &right)?.is_ge(),
        };
        Ok(Value::Bool(result))
    }

    fn equal(&mut self, left: &Value<'a>, right: &Value<'a>) -> Result<bool, Failure> {
        // A comparison ends at the shorter one.
        self.work.spend(size_to_compare(left).min(size_to_compare(right)))?;
        Ok(left == right)
    }

    fn order(&mut self, left: &Value<'a>, right: &Value<'a>) -> Result<std::cmp::Ordering, Failure> {
        match (left, right) {
            (Value::Int(left), Value::Int(right)) => Ok(left.cmp(right)),
            (Value::String(left), Value::String(right)) => {
                self.work.spend(scanned(left.len().min(right.len())))?;
                Ok((**left).cmp(&**right))
            }
            (left, _) => Err(mismatch("operand", Kind::Int, left)),
        }
    }

    fn contains(&mut self, item: NodeIndex, of: NodeIndex) -> Result<Value<'a>, Failure> {
        let item = self.value(item)?;
        let list = match (self.value(of)?, &item) {
            (Value::List(list), _) => list,
            (Value::Map(map), Value::String(key)) => return Ok(Value::Bool(map.get(key).is_some())),
            (other, _) => return Err(mismatch("operand", Kind::List, &other)),
        };
        for candidate in list.iter() {
            self.work.spend(1)?;
            if self.equal(&item, &candidate)? {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }

    fn each(&mut self, function: MacroName, list: NodeIndex, body: NodeIndex) -> Result<Value<'a>, Failure> {
        let list = self.list(list)?;
        match function {
            MacroName::Exists => self.decide(Logic::Any, &list, body),
            MacroName::All => self.decide(Logic::All, &list, body),
            MacroName::ExistsOne => Ok(Value::Bool(self.filter(&list, body)?.len() == 1)),
            MacroName::Filter => Ok(Value::from(self.filter(&list, body)?)),
            MacroName::Map => {
                let items = list.iter().map(|item| self.with(item, |this| this.value(body)));
                Ok(Value::from(items.collect::<Result<Vec<_>, _>>()?))
            }
        }
    }

    /// `exists` and `all` are `||` and `&&` over the items.
    fn decide(&mut self, logic: Logic, list: &List<'a>, body: NodeIndex) -> Result<Value<'a>, Failure> {
        let mut decision = Decision::new(logic);
        for item in list.iter() {
            if decision.add(self.with(item, |this| this.bool(body)))? {
                break;
            }
        }
        decision.finish().map(Value::Bool)
    }

    fn filter(&mut self, list: &List<'a>, body: NodeIndex) -> Result<Vec<Value<'a>>, Failure> {
        let mut matching = Vec::new();
        for item in list.iter() {
            // Unlike in `exists`, a failure ends it: without the failed item the result would be incomplete.
            if self.with(item.clone(), |this| this.bool(body))? {
                matching.push(item);
            }
        }
        Ok(matching)
    }

    fn with<T>(&mut self, item: Value<'a>, run: impl FnOnce(&mut Self) -> T) -> T {
        self.variables.push(item);
        let result = run(self);
        self.variables.pop();
        result
    }
}

/// Operands that are decided together: the first that decides ends it, a failure waits for one
/// that does.
struct Decision {
    deciding: bool,
    failure: Option<Failure>,
    is_decided: bool,
}

impl Decision {
    fn new(logic: Logic) -> Self {
        let deciding = match logic {
            Logic::All => false,
            Logic::Any => true,
        };
        Self { deciding, failure: None, is_decided: false }
    }

    /// Whether the rest need not be looked at.
    fn add(&mut self, operand: Result<bool, Failure>) -> Result<bool, Failure> {
        match operand {
            Ok(value) => self.is_decided = value == self.deciding,
            Err(failure) if failure.is_final() => return Err(failure),
            // As in CEL: `error || true` is true, so that the order of operands does not matter.
            Err(failure) => _ = self.failure.get_or_insert(failure),
        }
        Ok(self.is_decided)
    }

    fn finish(self) -> Result<bool, Failure> {
        match self.failure {
            Some(failure) if !self.is_decided => Err(failure),
            Some(_) | None => Ok(self.is_decided == self.deciding),
        }
    }
}

fn calculate(operator: Arithmetic, left: i64, right: i64) -> Result<i64, Failure> {
    let result = match operator {
        Arithmetic::Add => left.checked_add(right),
        Arithmetic::Subtract => left.checked_sub(right),
        Arithmetic::Multiply => left.checked_mul(right),
        Arithmetic::Divide | Arithmetic::Remainder if right == 0 => {
            return Err(Failure::DivisionByZero);
        }
        Arithmetic::Divide => left.checked_div(right),
        Arithmetic::Remainder => left.checked_rem(right),
    };
    result.ok_or(Failure::Overflow)
}

fn size_to_compare(value: &Value<'_>) -> u32 {
    match value {
        Value::String(text) => scanned(text.len()),
        Value::List(list) => {
            list.iter().map(|item| size_to_compare(&item).saturating_add(1)).fold(0, u32::saturating_add)
        }
        Value::Bool(_) | Value::Int(_) | Value::Map(_) | Value::Record(_) => 0,
    }
}

fn mismatch(field: &str, expected: Kind, found: &Value<'_>) -> Failure {
    Failure::Mismatch { field: field.to_owned(), expected, found: found.kind() }
}
