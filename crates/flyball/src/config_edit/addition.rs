//! What is to be added to a `flyball.toml`, or changed in it.

use serde_json::json;

/// Beyond this a list is written over several lines.
const LONGEST_LINE: usize = 100;

/// One value to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The section it belongs to: `guard.packages`.
    pub(crate) section: String,
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) on_existing: OnExisting,
}

/// What happens if the key has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnExisting {
    /// A list grows; anything else must be the same.
    Add,
    /// The new value takes the place of the old one.
    Replace,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    List(Vec<String>),
    Flag(bool),
    Number(u32),
    /// Tables of one kind, each with its keys in order.
    Tables(Vec<Vec<(String, Value)>>),
    /// A share, in percent: 50 is written as `0.5`.
    Share(u8),
}

/// All that is to be added: section by section, each before those below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Additions(pub(crate) Vec<Entry>);

impl Additions {
    /// Sets a value that must not be another one already.
    pub(crate) fn set(&mut self, section: &str, key: &str, value: Value) {
        self.add(Entry {
            section: section.to_owned(),
            key: key.to_owned(),
            value,
            on_existing: OnExisting::Add,
        });
    }

    /// Sets a value, whatever it is now.
    pub(crate) fn replace(&mut self, section: &str, key: &str, value: Value) {
        self.add(Entry {
            section: section.to_owned(),
            key: key.to_owned(),
            value,
            on_existing: OnExisting::Replace,
        });
    }

    /// Puts one more text into a list, unless it is there.
    pub(crate) fn push(&mut self, section: &str, key: &str, text: &str) {
        let known = self.0.iter_mut().find(|entry| entry.section == section && entry.key == key);
        match known.map(|entry| &mut entry.value) {
            Some(Value::List(list)) if list.iter().any(|it| it == text) => {}
            Some(Value::List(list)) => list.push(text.to_owned()),
            Some(_) | None => self.set(section, key, Value::List(vec![text.to_owned()])),
        }
    }

    fn add(&mut self, entry: Entry) {
        let of_section = |known: &Entry| known.section == entry.section;
        let below = format!("{}.", entry.section);
        let behind = self.0.iter().rposition(of_section).map(|last| last + 1);
        let before = || self.0.iter().position(|known| known.section.starts_with(&below));
        let family = |known: &Entry| known.section.split('.').next() == entry.section.split('.').next();
        let beside = || self.0.iter().rposition(family).map(|last| last + 1);
        let at = behind.or_else(before).or_else(beside).unwrap_or(self.0.len());
        self.0.insert(at, entry);
    }

    /// As it would stand in a file of its own.
    pub(crate) fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut section = "";
        for entry in &self.0 {
            if entry.section != section {
                section = &entry.section;
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
        self.line_as(&self.key)
    }

    fn line_as(&self, key: &str) -> String {
        format!("{key} = {}\n", self.value.render_after(key.len() + 3))
    }

    /// The line as it may stand in its own section, in the one above it with a dot, and so on.
    pub(super) fn dotted_lines(&self) -> Vec<String> {
        let mut key = self.key.clone();
        let mut lines = vec![self.line()];
        for name in self.section.rsplit('.') {
            key = format!("{name}.{key}");
            lines.push(self.line_as(&key));
        }
        lines
    }
}

impl Value {
    /// The value in one line.
    pub(crate) fn inline(&self) -> String {
        match self {
            Value::Text(text) => quoted(text),
            Value::Flag(flag) => flag.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Tables(tables) => {
                format!("[{}]", tables.iter().map(|table| inline_table(table)).collect::<Vec<_>>().join(", "))
            }
            Value::Share(percent) => share(*percent),
            Value::List(list) => {
                format!("[{}]", list.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The value as it stands behind this many characters of its line.
    pub(super) fn render_after(&self, behind: usize) -> String {
        let inline = self.inline();
        match self {
            Value::List(list) if behind + inline.len() >= LONGEST_LINE => {
                let items: String = list.iter().map(|item| format!("    {},\n", quoted(item))).collect();
                format!("[\n{items}]")
            }
            Value::Tables(_) => self.multiline(),
            Value::List(_) | Value::Text(_) | Value::Flag(_) | Value::Number(_) | Value::Share(_) => inline,
        }
    }

    /// The value with one table to a line.
    pub(crate) fn multiline(&self) -> String {
        match self {
            Value::Tables(tables) => {
                let lines: String =
                    tables.iter().map(|table| format!("    {},\n", inline_table(table))).collect();
                format!("[\n{lines}]")
            }
            Value::List(_) | Value::Text(_) | Value::Flag(_) | Value::Number(_) | Value::Share(_) => {
                self.inline()
            }
        }
    }

    /// The same for the parser.
    pub(crate) fn to_toml(&self) -> toml::Value {
        match self {
            Value::Text(text) => text.clone().into(),
            Value::Flag(flag) => (*flag).into(),
            Value::Number(number) => i64::from(*number).into(),
            Value::Share(percent) => (f64::from(*percent) / 100.0).into(),
            Value::List(list) => list.clone().into(),
            Value::Tables(tables) => {
                let table = |table: &Vec<(String, Value)>| {
                    table.iter().map(|(key, value)| (key.clone(), value.to_toml())).collect::<toml::Table>()
                };
                toml::Value::Array(tables.iter().map(|it| toml::Value::Table(table(it))).collect())
            }
        }
    }
}

/// `{ key = value, … }`
fn inline_table(table: &[(String, Value)]) -> String {
    let entries = table.iter().map(|(key, value)| format!("{key} = {}", value.inline()));
    format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
}

/// A share as a number: `0.5`, `0.07`, `1.0`.
fn share(percent: u8) -> String {
    let hundredths = format!("{}.{:02}", percent / 100, percent % 100);
    hundredths.strip_suffix('0').unwrap_or(&hundredths).to_owned()
}

/// A text in quotes. JSON escapes are TOML escapes; only TOML wants DEL escaped as well.
pub(super) fn quoted(text: &str) -> String {
    json!(text).to_string().replace('\u{7f}', "\\u007f")
}
