//! A protocol message as a tree that both encodings are written from.

/// A message: its fields, those at their default left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message(pub(crate) Vec<Field>);

/// One field: its number in protobuf, its name in JSON, its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) number: u32,
    pub(crate) name: &'static str,
    pub(crate) value: Wire,
}

/// A value, by the way it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wire {
    Text(String),
    /// The id of a trace or span: bytes in protobuf, hexadecimal in JSON.
    Id(Vec<u8>),
    Flag(bool),
    /// An enum or a small number.
    Number(u32),
    /// `int64`: text in JSON.
    Int(i64),
    /// `fixed64`: text in JSON.
    Fixed(u64),
    /// `sfixed64`: text in JSON.
    SignedFixed(i64),
    Double(f64),
    Fixeds(Vec<u64>),
    Doubles(Vec<f64>),
    One(Message),
    Many(Vec<Message>),
}

impl Wire {
    /// Whether a reader that finds nothing would assume this.
    fn is_default(&self) -> bool {
        match self {
            Wire::Text(text) => text.is_empty(),
            Wire::Id(bytes) => bytes.is_empty(),
            Wire::Flag(flag) => !flag,
            Wire::Number(number) => *number == 0,
            Wire::Fixed(number) => *number == 0,
            Wire::Fixeds(all) => all.is_empty(),
            Wire::Doubles(all) => all.is_empty(),
            Wire::Many(all) => all.is_empty(),
            // These stand only where their presence says something.
            Wire::Int(_) | Wire::SignedFixed(_) | Wire::Double(_) | Wire::One(_) => false,
        }
    }
}

impl Message {
    /// The message with one more field, unless it is at its default.
    pub(crate) fn with(self, number: u32, name: &'static str, value: Wire) -> Message {
        if value.is_default() { self } else { self.always(number, name, value) }
    }

    /// The message with one more field, whatever it is: one of several that may stand here.
    pub(crate) fn always(mut self, number: u32, name: &'static str, value: Wire) -> Message {
        self.0.push(Field { number, name, value });
        self
    }

    /// The message with a text.
    pub(crate) fn text(self, number: u32, name: &'static str, text: &str) -> Message {
        self.with(number, name, Wire::Text(text.to_owned()))
    }
}
