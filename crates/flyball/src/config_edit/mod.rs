//! Adds values to the text of a `flyball.toml`, or changes them. Order, comments and unknown keys survive.

use flyball_policies::REGISTRY;
use serde_json::Value as Json;
use toml_edit::{DocumentMut, Item, TomlError, Value};

use self::addition::{Additions, Entry, OnExisting};

pub(crate) mod addition;
mod array;
mod section;
#[cfg(test)]
mod tests;

/// The text with all additions, or why they cannot be made.
pub(crate) fn merge(text: &str, additions: &Additions) -> Result<String, String> {
    if additions.0.is_empty() {
        return Ok(text.to_owned());
    }
    // Editors on Windows write a byte order mark and CRLF: both are taken away for the parser and put back.
    let (mark, body) = text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
    let broken = |problem: TomlError| format!("the file is not valid TOML: {}", problem.message());
    let mut document: DocumentMut = body.replace("\r\n", "\n").parse().map_err(broken)?;
    let mut is_changed = false;
    for entry in &additions.0 {
        is_changed |= apply(&mut document, entry)?;
    }
    if !is_changed {
        return Ok(text.to_owned());
    }
    let after = document.to_string();
    let after = if body.contains("\r\n") { after.replace('\n', "\r\n") } else { after };
    Ok(format!("{mark}{after}"))
}

impl Additions {
    /// The additions as the text of a new file; empty if they contradict each other.
    pub(crate) fn to_toml(&self) -> String {
        merge("", self).unwrap_or_default()
    }
}

/// Makes one change; false if the file has it already.
fn apply(document: &mut DocumentMut, entry: &Entry) -> Result<bool, String> {
    if let Some(old) = find(document, entry) {
        return change(old, entry);
    }
    let section = section::open(document, &entry.section)
        .ok_or_else(|| format!("[{}] is an inline table or not a table", entry.section))?;
    section.insert(&entry.key, Item::Value(laid_out(&entry.key, &entry.value)));
    Ok(true)
}

fn find<'d>(document: &'d mut DocumentMut, entry: &Entry) -> Option<&'d mut Item> {
    let mut names = entry.section.split('.').chain([entry.key.as_str()]);
    names.try_fold(document.as_item_mut(), |item, name| item.as_table_like_mut()?.get_mut(name))
}

fn change(item: &mut Item, entry: &Entry) -> Result<bool, String> {
    // By value, not by text: quotes and layout of the person are no difference.
    if item.clone().into_value().is_ok_and(|now| to_json(&now) == to_json(&entry.value)) {
        return Ok(false);
    }
    let is_set = |to: &str| format!("`{}.{}` is already set to {to}", entry.section, entry.key);
    let Some(now) = item.as_value_mut() else { return Err(is_set("a table")) };
    let texts = array::texts(&entry.value);
    match (now.as_array_mut(), texts, entry.on_existing) {
        (Some(list), Some(texts), OnExisting::Add) => return Ok(array::extend(list, &texts)),
        (_, _, OnExisting::Add) => return Err(is_set(now.to_string().trim())),
        (list, texts, OnExisting::Replace) => {
            let edited = list.zip(texts).and_then(|(list, texts)| array::replaced(list, &texts));
            // Spaces and the comment behind the value belong to the person.
            let decor = now.decor().clone();
            *now = edited.map_or_else(|| laid_out(&entry.key, &entry.value), Value::Array);
            *now.decor_mut() = decor;
        }
    }
    Ok(true)
}

/// The value of an entry, laid out to follow its key.
fn laid_out(key: &str, value: &Value) -> Value {
    let mut value = value.clone();
    array::lay_out(&mut value, key.chars().count() + " = ".len());
    value
}

/// The value without its layout, to be compared.
pub(crate) fn to_json(value: &Value) -> Json {
    let table = toml::from_str::<Json>(&format!("value = {}", value.clone().decorated("", "")));
    table.ok().and_then(|table| table.get("value").cloned()).unwrap_or_default()
}

/// The default of a setting: `quality.fixer`, `model`. Null if it has none.
pub(crate) fn default_value(section: &str, key: &str) -> Json {
    let path = format!("{section}.{key}");
    let below = |id: &str| path.strip_prefix(id)?.strip_prefix('.').map(str::to_owned);
    let found = REGISTRY.iter().find_map(|policy| Some((policy, below(policy.id.as_str())?)));
    let Some((policy, path)) = found else { return Json::Null };
    let mut names = path.split('.');
    let first = names.next().unwrap_or_default();
    let setting = policy.section.settings().into_iter().find(|setting| setting.key == first);
    let value = setting.map(|setting| setting.default).unwrap_or_default();
    names.fold(value, |value, name| value.get(name).cloned().unwrap_or_default())
}
