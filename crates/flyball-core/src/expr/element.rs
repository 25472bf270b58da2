//! What the types of the standard library are to a program.

use std::collections::BTreeMap;

use super::value::{Element, Map, Scope, Sequence, Value};

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
