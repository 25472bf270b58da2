//! Where each value in force comes from.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;
use serde_json::Value as Json;
use toml::de::DeValue;

use super::check::MODE;
use super::compile::merge;
use super::diagnostic::Diagnostic;
use super::document::Table;
use super::layer::{LayerText, Place, Sources};
use super::merge::{Merged, dotted, to_json};
use super::slot::{Slot, Slots};
use crate::engine::Registry;

/// One value in force, and where it was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Origin {
    /// Its key, with all tables around it: `guard.self.mode`, `rule[0]`.
    pub key: String,
    /// `null` is a key that is not set and has no default.
    pub value: Json,
    /// Where it was written; nothing for a default.
    pub place: Option<Place>,
}

impl Origin {
    /// In one line: `guard.self.mode = "off"  # flyball.toml:3:1`.
    #[must_use]
    pub fn one_line(&self) -> String {
        let place = self.place.as_ref().map_or_else(|| "default".to_owned(), Place::to_string);
        if self.value.is_null() {
            return format!("# {} is not set", self.key);
        }
        format!("{} = {}  # {place}", self.key, self.value)
    }
}

/// Where each value of the configuration comes from, section by section, keys in order.
///
/// # Errors
/// When the texts cannot be compiled; see [`compile`](super::compile).
pub fn origins(layers: &[LayerText<'_>], registry: Registry) -> Result<Vec<Origin>, Vec<Diagnostic>> {
    let sources = Sources::new(layers);
    let slots = Slots::from_registry(registry);
    let merged = merge(&sources, &slots)?;
    Ok(slots.iter().flat_map(|slot| section_origins(slot, &merged, &sources)).collect())
}

fn section_origins(slot: &Slot, merged: &Merged<'_>, sources: &Sources<'_>) -> Vec<Origin> {
    let section: Vec<String> = slot.id.split('.').map(str::to_owned).collect();
    let mut found = BTreeMap::new();
    default_leaves(&(slot.spec.written)(), &section, &mut found);
    if let Some(mode) = slot.mode {
        found.insert([section.as_slice(), &[MODE.to_owned()]].concat(), (Json::from(mode.name()), None));
    }
    if let Some(collection) = slot.spec.collects {
        // The entries are listed one by one below, each with its own place.
        found.remove(&[section.as_slice(), &[collection.name.to_owned()]].concat());
    }
    if let Some(table) = merged.sections.get(slot.id) {
        written_leaves(table.get_ref(), &section, &mut found);
    }
    let place = |span: Option<Range<usize>>| span.and_then(|span| sources.place(&span));
    let mut origins: Vec<Origin> = found
        .into_iter()
        .map(|(path, (value, span))| {
            let value = if is_concealed(slot, &path) { Json::from(CONCEALED) } else { value };
            Origin { key: dotted(&path), value, place: place(span) }
        })
        .collect();
    let name = slot.spec.collects.map_or("", |collection| collection.name);
    let entries = merged.collected.get(name).into_iter().flatten().enumerate();
    origins.extend(entries.map(|(index, entry)| Origin {
        key: format!("{name}[{index}]"),
        value: to_json(entry),
        place: place(Some(entry.span())),
    }));
    origins
}

/// Replaces a value that is never shown.
const CONCEALED: &str = "(not shown)";

fn is_concealed(slot: &Slot, path: &[String]) -> bool {
    let depth = slot.id.split('.').count();
    slot.conceals.is_some_and(|key| path.get(depth).is_some_and(|part| part == key))
}

type Leaves = BTreeMap<Vec<String>, (Json, Option<Range<usize>>)>;

fn default_leaves(value: &Json, path: &[String], found: &mut Leaves) {
    match value {
        Json::Object(keys) => {
            for (key, value) in keys {
                default_leaves(value, &[path, std::slice::from_ref(key)].concat(), found);
            }
        }
        leaf => _ = found.insert(path.to_vec(), (leaf.clone(), None)),
    }
}

fn written_leaves(table: &Table<'_>, path: &[String], found: &mut Leaves) {
    for (key, value) in table {
        let path = [path, &[key.get_ref().clone().into_owned()]].concat();
        if let DeValue::Table(below) = value.get_ref() {
            written_leaves(below, &path, found);
        } else {
            // A value replaces a whole table of defaults, not only the leaf of the same path.
            found.retain(|other, _| !other.starts_with(&path));
            found.insert(path, (to_json(value), Some(key.span())));
        }
    }
}
