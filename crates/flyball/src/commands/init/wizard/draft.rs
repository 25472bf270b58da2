//! What a setting is now, and what is to become of it.

use flyball_policies::REGISTRY;
use serde_json::Value as Json;

use crate::config_edit::addition::{Additions, Value};

/// The settings of a config file, and the changes that were asked for.
pub(super) struct SettingsDraft {
    written: toml::Table,
    pub(super) changes: Additions,
}

impl SettingsDraft {
    /// The settings of this text; what it does not say has its default.
    pub(super) fn parse(text: &str) -> SettingsDraft {
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

    /// Whether a language is switched on. All are.
    pub(super) fn has_language(&self, language: &str) -> bool {
        self.get("quality.languages", language).as_bool().unwrap_or(true)
    }

    /// The languages that the file names.
    pub(super) fn named_languages(&self) -> Vec<String> {
        let languages = self.table("quality.languages");
        languages.into_iter().flat_map(|table| table.keys().cloned()).collect()
    }

    /// Changes a setting. What is as it was stays untouched, to the byte.
    pub(super) fn set(&mut self, section: &str, key: &str, value: Value) {
        let now = self.get(section, key);
        let is_same = match &value {
            Value::Text(text) => now.as_str() == Some(text),
            Value::Flag(flag) => now.as_bool() == Some(*flag),
            Value::Number(number) => now.as_u64() == Some(u64::from(*number)),
            Value::Share(percent) => {
                now.as_f64().is_some_and(|share| (share * 100.0 - f64::from(*percent)).abs() < 0.5)
            }
            Value::List(list) => self.list(section, key) == *list,
            Value::Tables(_) => serde_json::to_value(value.to_toml()).is_ok_and(|value| value == now),
        };
        if !is_same {
            self.changes.replace(section, key, value);
        }
    }

    /// The value in the file, else the default.
    fn get(&self, section: &str, key: &str) -> Json {
        let written = self.table(section).and_then(|table| table.get(key));
        match written {
            Some(value) => serde_json::to_value(value).unwrap_or_default(),
            None => default(section, key),
        }
    }

    fn table(&self, section: &str) -> Option<&toml::Table> {
        section.split('.').try_fold(&self.written, |table, name| table.get(name)?.as_table())
    }
}

/// What a policy's setting is when nobody says anything.
fn default(section: &str, key: &str) -> Json {
    let path = format!("{section}.{key}");
    let below = |id: &str| path.strip_prefix(id).and_then(|rest| rest.strip_prefix('.')).map(str::to_owned);
    let found = REGISTRY.iter().find_map(|policy| Some((policy, below(policy.id.as_str())?)));
    let Some((policy, path)) = found else { return Json::Null };
    let mut names = path.split('.');
    let first = names.next().unwrap_or_default();
    let setting = policy.section.settings().into_iter().find(|setting| setting.key == first);
    let value = setting.map(|setting| setting.default).unwrap_or_default();
    names.fold(value, |value, name| value.get(name).cloned().unwrap_or_default())
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
