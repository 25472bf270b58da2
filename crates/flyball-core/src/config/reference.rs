//! The config reference, in Markdown, computed from the schema.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};

use super::document::LOCK;
use super::schema::schema;
use super::slot::{Slot, Slots};
use crate::engine::Registry;
use crate::text;

/// The config reference: every section, key, type, default and meaning.
#[must_use]
pub fn reference(registry: Registry) -> String {
    let schema = schema(registry);
    let book = ReferenceWriter { root: &schema };
    let slots = Slots::from_registry(registry);
    let mut page = String::from("# Configuration reference\n\nGenerated from the types; do not edit.\n");
    for slot in slots.iter() {
        book.write_slot(&mut page, slot, &slots);
    }
    if let Some(lock) = schema.get("properties").and_then(|it| it.get(LOCK)) {
        let about = "A key at the top of the user's or the administrator's file.";
        write_section(&mut page, (LOCK, about), &[book.row(LOCK, lock)]);
    }
    page
}

struct Row {
    key: String,
    kind: String,
    default: String,
    meaning: String,
}

fn write_section(page: &mut String, heading: (&str, &str), rows: &[Row]) {
    let (name, about) = heading;
    // Writing to a string cannot fail.
    let _ = write!(page, "\n## `{name}`\n\n");
    if !about.is_empty() {
        let _ = write!(page, "{}\n\n", cell(about));
    }
    page.push_str("| key | type | default | meaning |\n|---|---|---|---|\n");
    for Row { key, kind, default, meaning } in rows {
        let _ = writeln!(page, "| `{key}` | {kind} | {default} | {meaning} |");
    }
}

struct ReferenceWriter<'a> {
    root: &'a Json,
}

impl<'a> ReferenceWriter<'a> {
    fn write_slot(&self, page: &mut String, slot: &Slot, slots: &Slots) {
        let mut parts = slot.id.split('.');
        let Some(section) = parts.try_fold(self.root, |at, part| at.get("properties")?.get(part)) else {
            return;
        };
        // Sections below this one have their own heading.
        let is_own = |key: &str| !slots.is_at_or_above(&format!("{}.{key}", slot.id));
        write_section(page, (&format!("[{}]", slot.id), slot.summary), &self.rows(section, "", &is_own));
        let Some(name) = slot.spec.collects.map(|collection| collection.name) else { return };
        let Some(array) = self.root.get("properties").and_then(|it| it.get(name)) else { return };
        let rows = array.get("items").map(|entry| self.rows(self.resolve(entry), "", &|_| true));
        let about = text(array, "description");
        write_section(page, (&format!("[[{name}]]"), about), &rows.unwrap_or_default());
    }

    /// The rows of a table's keys, `mode` first, and of the tables in it.
    fn rows(&self, table: &'a Json, prefix: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<Row> {
        let properties = table.get("properties").and_then(Json::as_object);
        let mut keys: Vec<(&String, &Json)> = properties.into_iter().flatten().collect();
        keys.retain(|(key, _)| wanted(key));
        keys.sort_by_key(|(key, _)| (*key != super::check::MODE, key.as_str()));
        keys.into_iter()
            .flat_map(|(key, schema)| self.rows_of_key(&format!("{prefix}{key}"), schema))
            .collect()
    }

    fn rows_of_key(&self, key: &str, schema: &'a Json) -> Vec<Row> {
        let resolved = self.resolve(schema);
        let mut rows = vec![self.row(key, schema)];
        rows.extend(self.rows(resolved, &format!("{key}."), &|_| true));
        if let Some(items) = resolved.get("items") {
            rows.extend(self.rows(self.resolve(items), &format!("{key}[]."), &|_| true));
        }
        if let Some(values) = resolved.get("additionalProperties").filter(|it| it.is_object()) {
            rows.extend(self.rows(self.resolve(values), &format!("{key}.*."), &|_| true));
        }
        rows
    }

    fn row(&self, key: &str, schema: &'a Json) -> Row {
        // The text of the field says more than that of its type.
        let own = text(schema, "description");
        let meaning = if own.is_empty() { text(self.resolve(schema), "description") } else { own };
        let default = schema.get("default").filter(|it| !it.is_null());
        Row {
            key: key.to_owned(),
            kind: self.kind(schema),
            default: default
                .map_or_else(|| "–".to_owned(), |value| format!("`{}`", cell(&value.to_string()))),
            meaning: cell(meaning),
        }
    }

    /// What a schema's `$ref` points at; itself where it has none.
    fn resolve(&self, schema: &'a Json) -> &'a Json {
        let schema = optional(schema).unwrap_or(schema);
        let name = text(schema, "$ref").strip_prefix("#/$defs/");
        name.and_then(|name| self.root.get("$defs")?.get(name)).unwrap_or(schema)
    }

    fn kind(&self, schema: &'a Json) -> String {
        let schema = self.resolve(schema);
        let variants = ["oneOf", "anyOf"].iter().find_map(|key| schema.get(*key)?.as_array());
        if let Some(variants) = variants {
            let kinds: Vec<String> = variants.iter().map(|variant| self.kind(variant)).collect();
            return kinds.join(", ");
        }
        if let Some(value) = schema.get("const") {
            return format!("`{value}`");
        }
        if let Some(values) = schema.get("enum").and_then(Json::as_array) {
            return text::quoted(values.iter().map(Json::to_string));
        }
        let names: Vec<&str> = match schema.get("type") {
            Some(Json::Array(names)) => names.iter().filter_map(Json::as_str).collect(),
            Some(name) => name.as_str().into_iter().collect(),
            None => Vec::new(),
        };
        let name = names.into_iter().find(|name| *name != "null").unwrap_or("any");
        self.named_kind(name, schema)
    }

    fn named_kind(&self, name: &str, schema: &'a Json) -> String {
        match name {
            "object" => "table".to_owned(),
            "integer" => "whole number".to_owned(),
            "array" => {
                let items = schema.get("items").map_or_else(|| "any".to_owned(), |items| self.kind(items));
                format!("array of {items}")
            }
            other => other.to_owned(),
        }
    }
}

/// The schema inside of "this or nothing".
fn optional(schema: &Json) -> Option<&Json> {
    let variants = schema.get("anyOf")?.as_array()?;
    let is_null = |variant: &Json| text(variant, "type") == "null";
    match variants.as_slice() {
        [some, null] if is_null(null) => Some(some),
        _ => None,
    }
}

fn text<'a>(schema: &'a Json, key: &str) -> &'a str {
    schema
        .as_object()
        .and_then(|map: &Map<String, Json>| map.get(key))
        .and_then(Json::as_str)
        .unwrap_or_default()
}

/// A text as a cell of a table.
fn cell(text: &str) -> String {
    text::one_line(text).replace('|', "\\|")
}
