//! What is known about the value of an expression before it runs.

/// The value of an expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Value {
    /// Known only at run time.
    #[default]
    Unknown,
    Text(String),
    /// A text that a decoder makes of something that is not known.
    Encoded,
    /// An object that names a file, or a text whose leading `~` means the home.
    Path(Option<String>),
    /// These values in this order.
    List(Vec<Value>),
    /// Values by name: a hash, a dictionary, an object literal.
    Fields(Vec<(String, Value)>),
    /// What this name means in the language: `os.remove`.
    Named(String),
    /// A file opened by the act of this index.
    Handle(usize),
    /// A function of the code itself: what it does is read where it is written.
    Local,
    /// A method of a value, not called yet.
    Method(Box<Value>, String),
}

impl Value {
    /// Its text, if it has one.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) | Value::Path(Some(text)) => Some(text),
            _ => None,
        }
    }

    /// Whether it, or a part of it, went through a decoder.
    pub(super) fn is_encoded(&self) -> bool {
        match self {
            Value::Encoded => true,
            Value::List(items) => items.iter().any(Value::is_encoded),
            _ => false,
        }
    }

    /// How much memory a copy takes, roughly.
    pub(super) fn weight(&self) -> usize {
        match self {
            Value::Text(text) | Value::Path(Some(text)) | Value::Named(text) => text.len() + 1,
            Value::List(items) => items.iter().map(Value::weight).sum::<usize>() + 1,
            Value::Fields(fields) => fields.iter().map(|(name, value)| name.len() + value.weight()).sum(),
            Value::Method(receiver, name) => receiver.weight() + name.len(),
            Value::Unknown | Value::Encoded | Value::Path(None) | Value::Handle(_) | Value::Local => 1,
        }
    }
}

/// What a function is called with.
#[derive(Debug, Default)]
pub(super) struct Args {
    pub(super) items: Vec<Arg>,
}

#[derive(Debug)]
pub(super) struct Arg {
    pub(super) name: Option<String>,
    pub(super) value: Value,
}

impl Args {
    /// The arguments without a name.
    pub(super) fn positional(&self) -> impl Iterator<Item = &Value> {
        self.items.iter().filter(|arg| arg.name.is_none()).map(|arg| &arg.value)
    }

    /// The argument at this position.
    pub(super) fn at(&self, position: usize) -> Option<&Value> {
        self.positional().nth(position)
    }

    /// The argument of this name, also as a field of an options object.
    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        let own = self.items.iter().find(|arg| arg.name.as_deref() == Some(name)).map(|arg| &arg.value);
        own.or_else(|| {
            let fields = self.items.iter().filter_map(|arg| match &arg.value {
                Value::Fields(fields) => Some(fields),
                _ => None,
            });
            fields.flatten().find(|(own, _)| own == name).map(|(_, value)| value)
        })
    }

    /// The argument at this position, or the first of these names.
    pub(super) fn either(&self, position: usize, names: &[&str]) -> Option<&Value> {
        self.at(position).or_else(|| names.iter().find_map(|name| self.named(name)))
    }

    /// Whether the option `name` is on, or may be.
    pub(super) fn turns_on(&self, name: &str) -> bool {
        self.named(name).is_some_and(|value| {
            // An unknown value may be true, so only a literal no is one.
            !matches!(value, Value::Named(word) if matches!(word.as_str(), "False" | "false" | "None" | "nil" | "undefined"))
        })
    }

    /// The same arguments with a receiver in front.
    pub(super) fn with_receiver(mut self, receiver: Value) -> Self {
        self.items.insert(0, Arg { name: None, value: receiver });
        self
    }
}
