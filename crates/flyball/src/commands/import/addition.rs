//! What an import adds to `flyball.toml`.

use serde_json::json;

/// Beyond this a list is written over several lines.
const LONGEST_LINE: usize = 100;

/// One value to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The section it belongs to: `guard.packages`.
    pub(super) section: &'static str,
    pub(super) key: String,
    pub(super) value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    List(Vec<String>),
}

/// All that is to be added, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Additions(pub(super) Vec<Entry>);

impl Additions {
    /// Sets a value.
    pub(super) fn set(&mut self, section: &'static str, key: &str, value: Value) {
        self.0.push(Entry { section, key: key.to_owned(), value });
    }

    /// Puts one more text into a list, unless it is there.
    pub(super) fn push(&mut self, section: &'static str, key: &str, text: &str) {
        let known = self.0.iter_mut().find(|entry| entry.section == section && entry.key == key);
        match known.map(|entry| &mut entry.value) {
            Some(Value::List(list)) if list.iter().any(|it| it == text) => {}
            Some(Value::List(list)) => list.push(text.to_owned()),
            Some(Value::Text(_)) | None => self.set(section, key, Value::List(vec![text.to_owned()])),
        }
    }

    /// As it would stand in a file of its own.
    pub(super) fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut section = "";
        for entry in &self.0 {
            if entry.section != section {
                section = entry.section;
                let gap = if text.is_empty() { "" } else { "\n" };
                text.push_str(&format!("{gap}[{section}]\n"));
            }
            text.push_str(&entry.line());
        }
        text
    }
}

impl Entry {
    /// `key = value` with its end of line.
    pub(super) fn line(&self) -> String {
        let line = format!("{} = {}\n", self.key, self.value.inline());
        match &self.value {
            Value::List(list) if line.len() > LONGEST_LINE => {
                let items: String = list.iter().map(|item| format!("    {},\n", quoted(item))).collect();
                format!("{} = [\n{items}]\n", self.key)
            }
            Value::List(_) | Value::Text(_) => line,
        }
    }
}

impl Value {
    /// The value in one line.
    pub(super) fn inline(&self) -> String {
        match self {
            Value::Text(text) => quoted(text),
            Value::List(list) => {
                format!("[{}]", list.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A text in quotes. JSON escapes are TOML escapes; only TOML wants DEL escaped as well.
pub(super) fn quoted(text: &str) -> String {
    json!(text).to_string().replace('\u{7f}', "\\u007f")
}
