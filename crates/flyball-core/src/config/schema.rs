//! The JSON Schema of a config file, computed from the registry.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};

use super::check::MODE;
use super::document::LOCK;
use super::section::Mode;
use super::slot::{Slot, Slots};
use crate::engine::Registry;

/// The JSON Schema of a config file. The same registry gives the same bytes.
#[must_use]
pub fn schema(registry: Registry) -> Json {
    let mut generator = generator();
    let slots = Slots::from_registry(registry);
    let mut root = table("The configuration of flyball. Everything has a default: an empty file works.");
    for slot in slots.iter() {
        let mut section = section_schema(slot, &mut generator);
        if let Some(entries) = take_collected(slot, &mut section) {
            property(&mut root, entries.0, entries.1);
        }
        place(&mut root, slot.id, section);
    }
    property(&mut root, LOCK, lock_schema());
    root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    root.insert("title".to_owned(), json!("flyball.toml"));
    root.insert("$defs".to_owned(), Json::Object(generator.take_definitions(true)));
    sorted(Json::Object(root))
}

/// The names of a section's own keys.
pub(super) fn section_keys(slot: &Slot) -> impl Iterator<Item = String> {
    let schema = (slot.spec.schema)(&mut generator());
    let properties = schema.get("properties").and_then(Json::as_object).cloned().unwrap_or_default();
    let collected = slot.spec.collects.map(|collection| collection.name);
    properties.into_iter().map(|(key, _)| key).filter(move |key| Some(key.as_str()) != collected)
}

pub(super) fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}

fn table(about: &str) -> Map<String, Json> {
    let table =
        json!({ "type": "object", "description": about, "additionalProperties": false, "properties": {} });
    if let Json::Object(table) = table { table } else { Map::new() }
}

fn section_schema(slot: &Slot, generator: &mut SchemaGenerator) -> Map<String, Json> {
    let mut schema = match (slot.spec.schema)(generator).to_value() {
        Json::Object(schema) => schema,
        _ => Map::new(),
    };
    // The name of the Rust type, which people never see elsewhere.
    schema.remove("title");
    schema.remove("default");
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("description".to_owned(), json!(slot.summary));
    // An editor that knows the schema then marks a misspelt key.
    schema.insert("additionalProperties".to_owned(), json!(false));
    if let Some(default) = slot.mode {
        property(&mut schema, MODE, mode_schema(default, generator));
    }
    schema
}

fn mode_schema(default: Mode, generator: &mut SchemaGenerator) -> Json {
    let mut schema = generator.subschema_for::<Mode>().to_value();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), json!("Whether its verdicts count."));
        schema.insert("default".to_owned(), json!(default.name()));
    }
    schema
}

fn lock_schema() -> Json {
    json!({
        "type": "array",
        "items": { "type": "string" },
        "default": [],
        "description": "Sections and keys that weaker layers may only make stricter. Not allowed in a project's file.",
    })
}

/// The array that is at the top of the file although its type is part of the section.
fn take_collected(slot: &Slot, section: &mut Map<String, Json>) -> Option<(&'static str, Json)> {
    let name = slot.spec.collects?.name;
    let properties = section.get_mut("properties")?.as_object_mut()?;
    Some((name, properties.remove(name)?))
}

fn property(table: &mut Map<String, Json>, name: &str, schema: Json) {
    let properties = table.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.insert(name.to_owned(), schema);
    }
}

/// Puts a section at the place that the dots of its id give. Another section may be above or below it.
fn place(table: &mut Map<String, Json>, id: &str, section: Map<String, Json>) {
    let (first, rest) = id.split_once('.').map_or((id, None), |(first, rest)| (first, Some(rest)));
    let mut below = take_property(table, first);
    match rest {
        Some(rest) => {
            let mut below = below.unwrap_or_else(|| self::table(&format!("The sections of `{first}`.")));
            place(&mut below, rest, section);
            property(table, first, Json::Object(below));
        }
        None => {
            let mut section = section;
            // Sections below this one may have been placed before it.
            let sections = below.as_mut().and_then(|below| below.remove("properties"));
            for (name, schema) in sections.as_ref().and_then(Json::as_object).into_iter().flatten() {
                property(&mut section, name, schema.clone());
            }
            property(table, first, Json::Object(section));
        }
    }
}

fn take_property(table: &mut Map<String, Json>, name: &str) -> Option<Map<String, Json>> {
    match table.get_mut("properties")?.as_object_mut()?.remove(name)? {
        Json::Object(schema) => Some(schema),
        _ => None,
    }
}

/// The same value with the keys of each object in order, whatever the map is made of.
fn sorted(value: Json) -> Json {
    match value {
        Json::Object(map) => {
            let mut entries: Vec<(String, Json)> = map.into_iter().collect();
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            Json::Object(entries.into_iter().map(|(key, value)| (key, sorted(value))).collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(sorted).collect()),
        scalar => scalar,
    }
}
