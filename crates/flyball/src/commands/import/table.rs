//! Imports a config by a table: which setting of flyball each foreign key becomes, and how its value is converted.

use flyball_core::text;
use serde_json::{Map, Value as Json};
use toml_edit::Value;

use super::report::Report;
use super::source::Source;
use crate::config_edit::{default_value, to_json};

pub(super) const IS_DEFAULT: &str = "already the default";
const NOT_SET: &str = "not set";

/// Keys that are comments.
const REMARKS: &[&str] = &["$schema", "_comment"];

/// A longer list is counted instead of shown.
const MOST_SHOWN_ITEMS: usize = 12;

/// One key of a foreign config.
pub(super) struct Row {
    /// `languages.typescript.tsgo`. A part of it can be `*`, which is any name, or `one|other`.
    from: &'static str,
    /// `quality.linters.tsgo.enabled`. `*` is the name that was found for such a part.
    to: &'static str,
    convert: Convert,
}

/// How a value is converted.
pub(super) enum Convert {
    /// Not at all, nor anything below the key. Has the reason.
    Skip(&'static str),
    Flag,
    /// A switch that means the opposite.
    Inverted,
    Number {
        least: u32,
    },
    Text,
    OneOf(&'static [&'static str]),
    Texts,
    /// Several texts in one, or a list already.
    Split(fn(&str) -> Vec<String>),
    With(fn(&Found<'_>) -> Result<Value, String>),
}

pub(super) const fn row(from: &'static str, to: &'static str, convert: Convert) -> Row {
    Row { from, to, convert }
}

pub(super) const fn skip(from: &'static str, why: &'static str) -> Row {
    Row { from, to: "", convert: Convert::Skip(why) }
}

/// A value of the foreign config.
pub(super) struct Found<'a> {
    key: String,
    pub(super) value: &'a Json,
    /// The place of its row in the table.
    row: Option<usize>,
}

/// What a value becomes.
struct Setting {
    section: String,
    key: String,
    value: Value,
}

/// Imports all values, in the order of the table. `config` is flyball.toml: a default is imported only where
/// the file sets the key.
pub(super) fn import(source: &Source, table: &[Row], config: &toml::Table, report: &mut Report) {
    let mut all = Vec::new();
    collect(&source.object, "", table, &mut all);
    // Unknown keys come last, where people look for what was lost.
    all.sort_by_key(|found| found.row.unwrap_or(usize::MAX));
    for found in all {
        let what = found.describe();
        match found.convert(table) {
            Ok(new) if new.is_default() && !new.is_in(config) => {
                report.add_skipped(&source.name, &what, IS_DEFAULT);
            }
            Ok(new) => {
                report.add_carried(&source.name, &what, new.describe());
                report.additions.set(&new.section, &new.key, new.value);
            }
            Err(why) => report.add_skipped(&source.name, &what, why),
        }
    }
}

/// Finds every value that is not an object, with its row.
fn collect<'a>(object: &'a Map<String, Json>, above: &str, table: &[Row], all: &mut Vec<Found<'a>>) {
    for (name, value) in object.iter().filter(|(name, _)| !REMARKS.contains(&name.as_str())) {
        let key = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        match value {
            Json::Object(below) => collect(below, &key, table, all),
            _ => {
                let row = table.iter().position(|row| row.matches(&key));
                all.push(Found { key, value, row });
            }
        }
    }
}

impl Row {
    fn matches(&self, key: &str) -> bool {
        let mut names = key.split('.');
        let is_name = |from: &str, name: &str| from == "*" || from.split('|').any(|one| one == name);
        let is_match = self.from.split('.').all(|from| names.next().is_some_and(|name| is_name(from, name)));
        // What is skipped is skipped with everything below it.
        is_match && (matches!(self.convert, Convert::Skip(_)) || names.next().is_none())
    }

    /// The section and the key that a foreign key becomes.
    fn target(&self, key: &str) -> (String, String) {
        let pairs = self.from.split('.').zip(key.split('.'));
        let stars = pairs.filter(|(from, _)| from.contains(['*', '|'])).map(|(_, name)| name);
        let to = stars.fold(self.to.to_owned(), |to, name| to.replacen('*', name, 1));
        let (section, key) = to.rsplit_once('.').unwrap_or(("", &to));
        (section.to_owned(), key.to_owned())
    }
}

impl Found<'_> {
    pub(super) fn describe(&self) -> String {
        format!("{} = {}", self.key, preview(self.value))
    }

    /// The last part of its key.
    pub(super) fn name(&self) -> &str {
        self.key.rsplit('.').next().unwrap_or_default()
    }

    fn convert(&self, table: &[Row]) -> Result<Setting, String> {
        let Some(row) = self.row.and_then(|row| table.get(row)) else {
            let below = format!("{}.", self.key);
            let is_object = table.iter().any(|row| row.from.starts_with(&below));
            return Err(if is_object { "not an object" } else { "unknown key" }.to_owned());
        };
        let value = match &row.convert {
            Convert::Skip(why) => return Err((*why).to_owned()),
            Convert::With(convert) => convert(self)?,
            // After `With`, whose functions may give null a meaning.
            _ if self.value.is_null() => return Err(NOT_SET.to_owned()),
            Convert::Flag => flag(self.value)?.into(),
            Convert::Inverted => (!flag(self.value)?).into(),
            Convert::Number { least } => number(self.value, *least)?.into(),
            Convert::Text => one_text(self.value)?.into(),
            Convert::OneOf(known) => {
                let text = self.value.as_str().filter(|text| known.contains(text));
                text.ok_or_else(|| format!("must be one of {}", known.join(", ")))?.into()
            }
            Convert::Texts => texts(self.value)?.into_iter().collect(),
            Convert::Split(split) => {
                let list = texts(self.value).or_else(|_| one_text(self.value).map(split))?;
                list.iter().map(|item| item.trim()).filter(|item| !item.is_empty()).collect()
            }
        };
        let (section, key) = row.target(&self.key);
        Ok(Setting { section, key, value })
    }
}

impl Setting {
    fn is_default(&self) -> bool {
        let (value, default) = (to_json(&self.value), default_value(&self.section, &self.key));
        match (value.as_array(), default.as_array()) {
            (Some(one), Some(other)) => {
                // The order of a list of names does not matter to anyone.
                one.len() == other.len() && one.iter().all(|item| other.contains(item))
            }
            _ => value == default,
        }
    }

    /// Whether a config sets it to any value.
    fn is_in(&self, config: &toml::Table) -> bool {
        let section = self.section.split('.').try_fold(config, |table, name| table.get(name)?.as_table());
        section.is_some_and(|table| table.contains_key(&self.key))
    }

    fn describe(&self) -> String {
        let name = format!("{}.{}", self.section, self.key);
        match self.value.as_array() {
            Some(list) if list.len() > MOST_SHOWN_ITEMS => format!("{name}, {} entries", list.len()),
            _ => format!("{name} = {}", self.value),
        }
    }
}

/// A value in one line, cut short.
pub(super) fn preview(value: &Json) -> String {
    text::cut(&value.to_string(), 60).into_owned()
}

pub(super) fn flag(value: &Json) -> Result<bool, String> {
    let why = match value {
        Json::Bool(flag) => return Ok(*flag),
        Json::Null => NOT_SET,
        // An old setup wizard wrote this for `false`.
        Json::String(text) if matches!(text.as_str(), "False" | "false") => {
            "a text; write `false` without quotes"
        }
        Json::String(text) if matches!(text.as_str(), "True" | "true") => {
            "a text; write `true` without quotes"
        }
        _ => "neither true nor false",
    };
    Err(why.to_owned())
}

fn number(value: &Json, least: u32) -> Result<i64, String> {
    let number =
        value.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number >= least);
    number.map(i64::from).ok_or_else(|| format!("not a whole number of {least} or more"))
}

fn one_text(value: &Json) -> Result<&str, String> {
    match value.as_str() {
        Some("") => Err(NOT_SET.to_owned()),
        // An old setup wizard wrote this for `null`.
        Some("None" | "null") => Err("a text; write `null` without quotes".to_owned()),
        Some(text) => Ok(text),
        None => Err("not a text".to_owned()),
    }
}

pub(super) fn texts(value: &Json) -> Result<Vec<String>, String> {
    let texts =
        value.as_array().and_then(|list| list.iter().map(|item| item.as_str().map(str::to_owned)).collect());
    texts.ok_or_else(|| "not a list of texts".to_owned())
}

/// Every setting that a table writes is one that flyball has.
#[cfg(test)]
#[track_caller]
pub(super) fn assert_targets_exist(table: &[Row], but_for: &[&str]) {
    for row in table.iter().filter(|row| !row.to.is_empty() && !but_for.contains(&row.to)) {
        let policies = flyball_policies::REGISTRY.iter();
        let rest = policies
            .filter_map(|policy| Some((policy, row.to.strip_prefix(policy.id.as_str())?.strip_prefix('.')?)));
        let known = rest.filter_map(|(policy, rest)| {
            let name = rest.split('.').next()?;
            policy.section.settings().into_iter().find(|setting| setting.key == name)
        });
        assert_eq!(known.count(), 1, "{}", row.to);
    }
}
