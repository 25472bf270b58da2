//! The present settings, and the changes to them.

use serde_json::Value as Json;
use toml_edit::Value;

use crate::config_edit::addition::Additions;
use crate::config_edit::{default_value, to_json};

/// The settings of a config file, and the changes that were asked for.
pub(super) struct SettingsDraft {
    written: toml::Table,
    pub(super) changes: Additions,
}

impl SettingsDraft {
    /// The settings of this text; others have their default.
    pub(super) fn parse(text: &str) -> SettingsDraft {
        // A file that cannot be parsed is refused before the wizard starts.
        SettingsDraft { written: text.parse().unwrap_or_default(), changes: Additions::default() }
    }

    /// A switch as it is now.
    pub(super) fn flag(&self, section: &str, key: &str) -> bool {
        self.get(section, key).as_bool().unwrap_or_default()
    }

    /// A number as it is now.
    pub(super) fn number(&self, section: &str, key: &str) -> u32 {
        let number = self.get(section, key).as_u64();
        number.and_then(|number| u32::try_from(number).ok()).unwrap_or_default()
    }

    /// A text as it is now.
    pub(super) fn text(&self, section: &str, key: &str) -> Option<String> {
        self.get(section, key).as_str().map(str::to_owned)
    }

    /// A list of texts as it is now.
    pub(super) fn list(&self, section: &str, key: &str) -> Vec<String> {
        let list = self.get(section, key);
        let texts = list.as_array().into_iter().flatten();
        texts.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    }

    /// Whether a language is switched on, which is the default.
    pub(super) fn has_language(&self, language: &str) -> bool {
        self.get("quality.languages", language).as_bool().unwrap_or(true)
    }

    /// The languages that the file names.
    pub(super) fn named_languages(&self) -> Vec<String> {
        let languages = self.table("quality.languages");
        languages.into_iter().flat_map(|table| table.keys().cloned()).collect()
    }

    /// Changes a setting. An unchanged value is not written again.
    pub(super) fn set(&mut self, section: &str, key: &str, value: impl Into<Value>) {
        let value = value.into();
        let now = self.get(section, key);
        // Else Enter on every question would freeze today's defaults in the file.
        if to_json(&value) != now {
            self.changes.replace(section, key, value);
        }
    }

    /// The value in the file, else the default.
    fn get(&self, section: &str, key: &str) -> Json {
        let written = self.table(section).and_then(|table| table.get(key));
        match written {
            Some(value) => serde_json::to_value(value).unwrap_or_default(),
            None => default_value(section, key),
        }
    }

    fn table(&self, section: &str) -> Option<&toml::Table> {
        section.split('.').try_fold(&self.written, |table, name| table.get(name)?.as_table())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_the_value_that_is_written_or_their_default() {
        let current =
            SettingsDraft::parse("[quality]\nscope = \"new\"\n[quality.project]\nafter_files = 7\n");
        assert_eq!(current.text("quality", "scope").as_deref(), Some("new"));
        assert_eq!(current.text("quality", "format").as_deref(), Some("configured"));
        assert_eq!(current.number("quality.project", "after_files"), 7);
        assert_eq!(current.list("quality.project", "folders"), ["src/", "lib/"]);
        assert!(!current.flag("quality.fixer", "enabled"));
        assert_eq!(current.text("quality.fixer", "model"), None);
        assert_eq!(current.text("guard.packages", "python").as_deref(), Some("auto"));
    }
}
