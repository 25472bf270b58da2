//! Attributes: names with values.

use flyball_core::text;

use crate::message::{Message, Wire};

/// The longest text of an attribute, in characters.
const LONGEST: usize = 4_096;

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(String),
    Int(i64),
    Flag(bool),
    Texts(Vec<String>),
}

/// Attributes in the order they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Attributes(Vec<(String, Value)>);

impl Attributes {
    /// Adds a text, if there is any.
    pub(crate) fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.0.push((name.to_owned(), Value::Text(cut(text))));
        }
    }

    /// Adds texts, if there are any.
    pub(crate) fn texts(&mut self, name: &str, texts: impl Iterator<Item = String>) {
        let texts: Vec<String> = texts.map(|text| cut(&text)).collect();
        if !texts.is_empty() {
            self.0.push((name.to_owned(), Value::Texts(texts)));
        }
    }

    /// Adds a flag, if it is set.
    pub(crate) fn flag(&mut self, name: &str, flag: bool) {
        if flag {
            self.0.push((name.to_owned(), Value::Flag(true)));
        }
    }

    pub(crate) fn int(&mut self, name: &str, number: u64) {
        self.0.push((name.to_owned(), Value::Int(i64::try_from(number).unwrap_or(i64::MAX))));
    }

    /// Each as a `KeyValue`.
    pub(crate) fn wire(&self) -> Wire {
        Wire::Many(self.0.iter().map(|(name, value)| pair(name, value)).collect())
    }
}

/// Texts as attributes: the series of a metric, the resource.
pub(crate) fn texts<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Attributes {
    let mut attributes = Attributes::default();
    pairs.for_each(|(name, text)| attributes.text(name, text));
    attributes
}

/// A text as `AnyValue`.
pub(crate) fn text(text: &str) -> Message {
    any(&Value::Text(cut(text)))
}

fn pair(name: &str, value: &Value) -> Message {
    Message::default().text(1, "key", name).always(2, "value", Wire::One(any(value)))
}

fn any(value: &Value) -> Message {
    let message = Message::default();
    match value {
        // Always, even if empty or false: without a field, the value would be no value at all.
        Value::Text(text) => message.always(1, "stringValue", Wire::Text(text.clone())),
        Value::Flag(flag) => message.always(2, "boolValue", Wire::Flag(*flag)),
        Value::Int(number) => message.always(3, "intValue", Wire::Int(*number)),
        Value::Texts(all) => {
            let values = all.iter().map(|text| any(&Value::Text(text.clone()))).collect();
            message.always(
                5,
                "arrayValue",
                Wire::One(Message::default().with(1, "values", Wire::Many(values))),
            )
        }
    }
}

fn cut(text: &str) -> String {
    text::head(text, LONGEST).to_owned()
}
