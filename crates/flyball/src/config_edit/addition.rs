//! Values to add to a `flyball.toml`, or to change in it.

use toml_edit::Value;

/// One value to add.
#[derive(Clone, Debug)]
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
    Replace,
}

/// Everything to add: section by section, each before its subsections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Additions(pub(crate) Vec<Entry>);

impl Additions {
    /// Sets a value; if the key already has a different one, merging fails.
    pub(crate) fn set(&mut self, section: &str, key: &str, value: impl Into<Value>) {
        self.add(section, key, value.into(), OnExisting::Add);
    }

    /// Sets a value, whatever it is now.
    pub(crate) fn replace(&mut self, section: &str, key: &str, value: impl Into<Value>) {
        self.add(section, key, value.into(), OnExisting::Replace);
    }

    /// Whether a value is set.
    pub(crate) fn has(&self, section: &str, key: &str) -> bool {
        self.0.iter().any(|entry| entry.section == section && entry.key == key)
    }

    /// Adds a text to a list, unless it is there.
    pub(crate) fn push(&mut self, section: &str, key: &str, text: &str) {
        let known = self.0.iter_mut().find(|entry| entry.section == section && entry.key == key);
        match known.map(|entry| &mut entry.value) {
            Some(Value::Array(list)) if list.iter().any(|it| it.as_str() == Some(text)) => {}
            Some(Value::Array(list)) => list.push(text),
            _ => self.set(section, key, Value::from_iter([text])),
        }
    }

    fn add(&mut self, section: &str, key: &str, value: Value, on_existing: OnExisting) {
        let of_section = |known: &Entry| known.section == section;
        let below = format!("{section}.");
        let after = self.0.iter().rposition(of_section).map(|last| last + 1);
        let before = || self.0.iter().position(|known| known.section.starts_with(&below));
        let family = |known: &Entry| known.section.split('.').next() == section.split('.').next();
        let beside = || self.0.iter().rposition(family).map(|last| last + 1);
        let at = after.or_else(before).or_else(beside).unwrap_or(self.0.len());
        let entry = Entry { section: section.to_owned(), key: key.to_owned(), value, on_existing };
        self.0.insert(at, entry);
    }
}
