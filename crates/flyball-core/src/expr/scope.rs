//! What the caller implements: where the values of fields come from.
//!
//! Everything here is asked for late: a field is computed when a program reads it, an item when
//! a program looks at it. Implementations that compute something costly keep it (a `OnceCell`),
//! because a program may ask for the same field more than once.

use std::collections::BTreeMap;

use super::value::Value;

/// A record: the event itself, a record inside it, or an item of a list of records.
pub trait Scope {
    /// The field of this name, or nothing if this event has no such field; a condition then
    /// reads the empty value of the field's type. The kind must be the one in the schema.
    fn field(&self, name: &str) -> Option<Value<'_>>;
}

/// What can be an item of a list or a value of a map.
pub trait Element {
    fn value(&self) -> Value<'_>;
}

/// A list that hands out its items one by one.
pub trait Sequence {
    /// How many items there are.
    fn count(&self) -> usize;
    /// The item at an index below the count.
    fn get(&self, index: usize) -> Option<Value<'_>>;
}

/// A map from strings to values.
pub trait Map {
    /// How many keys there are.
    fn count(&self) -> usize;
    /// The value of a key.
    fn get(&self, key: &str) -> Option<Value<'_>>;
}

/// A record that the event does not have: none of its fields is there.
pub(super) struct Absent;

impl Scope for Absent {
    fn field(&self, _name: &str) -> Option<Value<'_>> {
        None
    }
}

/// A map that the event does not have.
impl Map for Absent {
    fn count(&self) -> usize {
        0
    }

    fn get(&self, _key: &str) -> Option<Value<'_>> {
        None
    }
}

impl<T: Scope> Element for T {
    fn value(&self) -> Value<'_> {
        Value::Record(self)
    }
}

impl Element for String {
    fn value(&self) -> Value<'_> {
        Value::from(self.as_str())
    }
}

impl Element for &str {
    fn value(&self) -> Value<'_> {
        Value::from(*self)
    }
}

impl Element for i64 {
    fn value(&self) -> Value<'_> {
        Value::Int(*self)
    }
}

impl Element for bool {
    fn value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl<T: Element> Element for Vec<T> {
    fn value(&self) -> Value<'_> {
        Value::list(self)
    }
}

impl<T: Element> Sequence for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn get(&self, index: usize) -> Option<Value<'_>> {
        self.as_slice().get(index).map(Element::value)
    }
}

impl<T: Element> Sequence for &[T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn get(&self, index: usize) -> Option<Value<'_>> {
        <[T]>::get(self, index).map(Element::value)
    }
}

impl<T: Element> Map for BTreeMap<String, T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn get(&self, key: &str) -> Option<Value<'_>> {
        Self::get(self, key).map(Element::value)
    }
}
