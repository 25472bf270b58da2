//! OTLP/JSON: names in camel case, ids in hexadecimal, 64-bit numbers as text, enums as numbers
//! (<https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>).

use flyball_core::encoding::hex;
use serde_json::{Map, Value};

use crate::message::{Message, Wire};

impl Message {
    /// The message as OTLP/JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let fields = self.0.iter().map(|field| (field.name.to_owned(), value(&field.value)));
        Value::Object(fields.collect::<Map<String, Value>>())
    }
}

fn value(wire: &Wire) -> Value {
    match wire {
        Wire::Text(text) => Value::from(text.as_str()),
        Wire::Id(bytes) => Value::from(hex(bytes)),
        Wire::Flag(flag) => Value::from(*flag),
        Wire::Number(number) => Value::from(*number),
        Wire::Int(number) | Wire::SignedFixed(number) => Value::from(number.to_string()),
        Wire::Fixed(number) => Value::from(number.to_string()),
        Wire::Double(number) => Value::from(*number),
        Wire::Fixeds(all) => all.iter().map(|number| Value::from(number.to_string())).collect(),
        Wire::Doubles(all) => all.iter().copied().map(Value::from).collect(),
        Wire::One(message) => message.json(),
        Wire::Many(all) => all.iter().map(Message::json).collect(),
    }
}
