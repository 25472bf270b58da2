//! What holds for the section of every policy, for the test that walks the registry.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::check::MODE;
use super::layer::Sources;
use super::reader::Reader;
use super::schema::generator;
use super::slot::{Slot, Slots};
use crate::engine::Registry;

/// The laws that sections break, a line each; none in a registry that can be shipped.
#[must_use]
pub fn broken_laws(registry: Registry) -> Vec<String> {
    let slots = Slots::from_registry(registry);
    let broken = slots.iter().flat_map(|slot| broken_by(slot).map(move |law| format!("{}: {law}", slot.id)));
    broken.collect()
}

fn broken_by(slot: &Slot) -> impl Iterator<Item = &'static str> {
    let schema = (slot.spec.schema)(&mut generator());
    let is_closed = schema.get("additionalProperties").and_then(|it| it.as_bool()) == Some(false);
    let has_key = |key: &str| schema.get("properties").and_then(|it| it.get(key)).is_some();
    let needs_keys = schema.get("required").and_then(|it| it.as_array()).is_some_and(|keys| !keys.is_empty());
    let lacks_array = slot.spec.collects.is_some_and(|collection| !has_key(collection.name));
    let laws = [
        (!is_closed, "a misspelt key would pass: add `deny_unknown_fields`"),
        (needs_keys, "a key has no default: add `serde(default)` to the section"),
        (has_key(MODE), "`mode` is every policy's key and cannot be one of its own"),
        (lacks_array, "the array it collects is not a field of its type"),
        (!empty_is_default(slot), "an empty section is not the same as none"),
    ];
    laws.into_iter().filter(|(is_broken, _)| *is_broken).map(|(_, law)| law)
}

fn empty_is_default(slot: &Slot) -> bool {
    let empty = Reader::from(Spanned::new(0..0, DeValue::Table(DeTable::new())));
    (slot.spec.compile)(empty, &Sources::new(&[])).is_ok_and(|settings| settings == (slot.spec.default)())
}
