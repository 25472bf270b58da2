//! Merges the layers: the more specific wins, except against a lock.

use std::collections::BTreeMap;

use crate::text;
use serde::Deserialize;
use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeString, DeValue, ValueDeserializer};

use super::check::{MODE, mode_of};
use super::diagnostic::{Diagnostic, Mark, Problem};
use super::document::{Document, Table, Value};
use super::layer::{Layer, Sources};
use super::lock::{Lock, Locks};
use super::slot::{Slot, Slots, Writers};

/// The merged layers.
#[derive(Default)]
pub(super) struct Merged<'a> {
    pub(super) sections: BTreeMap<&'static str, Spanned<Table<'a>>>,
    pub(super) collected: BTreeMap<&'static str, Vec<Value<'a>>>,
    /// What was ignored, and why.
    pub(super) warnings: Vec<Diagnostic>,
}

/// What the merge looks things up in.
pub(super) struct MergeContext<'s> {
    pub(super) slots: &'s Slots,
    pub(super) locks: &'s Locks,
    pub(super) sources: &'s Sources<'s>,
}

impl<'a> Merged<'a> {
    /// Merges a weaker, more specific layer over those before it.
    pub(super) fn add_layer(&mut self, document: Document<'a>, context: &MergeContext<'_>) {
        for (id, table) in document.sections {
            let Some(slot) = context.slots.get(id) else { continue };
            let base =
                self.sections.entry(slot.id).or_insert_with(|| Spanned::new(table.span(), Table::new()));
            let mut overlay = Overlay { slot, context, layer: document.layer, warnings: &mut self.warnings };
            let path: Vec<String> = slot.id.split('.').map(str::to_owned).collect();
            overlay.apply(base.get_mut(), table.into_inner(), &path);
        }
        for (name, entries) in document.collected {
            let allowed_entries = self.allowed(name, entries, (document.layer, context));
            self.collected.entry(name).or_default().extend(allowed_entries);
        }
    }

    /// The entries that no lock excludes.
    fn allowed(
        &mut self,
        name: &str,
        entries: Vec<Value<'a>>,
        by: (Layer, &MergeContext<'_>),
    ) -> Vec<Value<'a>> {
        let (layer, context) = by;
        let Some((slot, collection)) = context.slots.find_collection(name) else { return entries };
        let section: Vec<String> = slot.id.split('.').map(str::to_owned).collect();
        let lock = context.locks.on(&[name.to_owned()], layer).or_else(|| context.locks.on(&section, layer));
        let Some(lock) = lock else { return entries };
        // A lock stops only what loosens: a project may still add rules that make it stricter.
        let (loose, allowed_entries) =
            entries.into_iter().partition(|entry| (collection.loosens)(&to_json(entry)));
        let loose: Vec<Value<'_>> = loose;
        let warn = |entry: Value<'_>| {
            ignored_warning(context.sources, &format!("[[{name}]]"), (entry.span(), Restriction::Lock(lock)))
        };
        self.warnings.extend(loose.into_iter().map(warn));
        allowed_entries
    }
}

/// One layer's section while it is merged over those before.
struct Overlay<'s, 'g> {
    slot: &'s Slot,
    context: &'s MergeContext<'g>,
    layer: Layer,
    warnings: &'s mut Vec<Diagnostic>,
}

impl Overlay<'_, '_> {
    fn apply<'a>(&mut self, base: &mut Table<'a>, upper: Table<'a>, path: &[String]) {
        for (key, value) in upper {
            let path = [path, &[key.get_ref().clone().into_owned()]].concat();
            let is_merged = match base.get(key.get_ref().as_ref()).map(Spanned::get_ref) {
                Some(below) => below.is_table(),
                // Where something is locked, each key of a new table is looked at by itself.
                None => self.restriction_at(&path).is_some(),
            };
            if is_merged && value.get_ref().is_table() {
                self.apply_table(base, (key, value), &path);
            } else if self.may_set(base, (&key, &value), &path) {
                // The old key would keep its place, and the value's origin with it.
                base.remove(key.get_ref().as_ref());
                base.insert(key, value);
            }
        }
    }

    fn apply_table<'a>(
        &mut self,
        base: &mut Table<'a>,
        upper: (Spanned<DeString<'a>>, Value<'a>),
        path: &[String],
    ) {
        let (key, value) = upper;
        let span = value.span();
        let DeValue::Table(upper) = value.into_inner() else { return };
        let (old_key, below) = base.remove_entry(key.get_ref().as_ref()).unzip();
        let is_new = below.is_none();
        let mut below = match below.map(Spanned::into_inner) {
            Some(DeValue::Table(below)) => below,
            Some(_) | None => Table::new(),
        };
        self.apply(&mut below, upper, path);
        // A new table of which a lock took every key must not appear as an empty one.
        if !(is_new && below.is_empty()) {
            base.insert(old_key.unwrap_or(key), Spanned::new(span, DeValue::Table(below)));
        }
    }

    /// What prevents this layer from setting the value at a path.
    fn restriction_at(&self, path: &[String]) -> Option<Restriction<'_>> {
        if self.slot.writers == Writers::NoProject && self.layer == Layer::Project {
            return Some(Restriction::Section(self.slot.id));
        }
        let locks = self.context.locks;
        // Also locks below: replacing a whole table would replace the locked key in it.
        locks.on(path, self.layer).or_else(|| locks.below(path, self.layer)).map(Restriction::Lock)
    }

    /// Whether this layer may set a key; if not, and it would change something, a warning is added.
    fn may_set(
        &mut self,
        base: &Table<'_>,
        entry: (&Spanned<DeString<'_>>, &Value<'_>),
        path: &[String],
    ) -> bool {
        let (key, value) = entry;
        let Some(restriction) = self.restriction_at(path) else { return true };
        let now = base.get(key.get_ref().as_ref());
        // A lock on a mode is a lower bound.
        if self.is_mode(path) && self.tightens(now, value) {
            return true;
        }
        let now = now.map_or_else(|| self.default_at(path), to_json);
        // Repeating the value that is in force is not worth a warning.
        if now != to_json(value) {
            let written = match restriction {
                Restriction::Lock(_) => format!("{} = {}", dotted(path), format_value(&to_json(value))),
                // It may be an address or a key.
                Restriction::Section(_) => dotted(path),
            };
            let warning = ignored_warning(self.context.sources, &written, (key.span(), restriction));
            self.warnings.push(warning);
        }
        false
    }

    fn is_mode(&self, path: &[String]) -> bool {
        let depth = self.slot.id.split('.').count();
        self.slot.mode.is_some() && path.len() == depth + 1 && path.last().is_some_and(|key| key == MODE)
    }

    fn tightens(&self, now: Option<&Value<'_>>, new: &Value<'_>) -> bool {
        let now = now.and_then(|value| mode_of(value).ok()).or(self.slot.mode);
        mode_of(new).is_ok_and(|new| now.is_none_or(|now| new > now))
    }

    /// The default of the value at a path of the whole file.
    fn default_at(&self, path: &[String]) -> Json {
        if let (true, Some(mode)) = (self.is_mode(path), self.slot.mode) {
            return Json::from(mode.name());
        }
        let mut inside = path.iter().skip(self.slot.id.split('.').count());
        let written = (self.slot.spec.written)();
        inside.try_fold(&written, |at, key| at.get(key)).cloned().unwrap_or_default()
    }
}

/// What prevents a layer from setting something.
#[derive(Clone, Copy)]
enum Restriction<'l> {
    Lock(&'l Lock),
    /// The whole section is not for it.
    Section(&'static str),
}

fn ignored_warning(
    sources: &Sources<'_>,
    what: &str,
    at: (std::ops::Range<usize>, Restriction<'_>),
) -> Diagnostic {
    let (span, restriction) = at;
    let lock = match restriction {
        Restriction::Lock(lock) => lock,
        Restriction::Section(id) => {
            let problem = Problem::new(span, format!("`{what}` is ignored: a project cannot set `[{id}]`"))
                .with_help("it belongs in the user's or the administrator's file");
            return Diagnostic::error(sources, problem).into_warning(None);
        }
    };
    let place = sources.place(&lock.span).map(|place| place.to_string()).unwrap_or_default();
    let problem = Problem::new(span, format!("`{what}` is ignored: locked by {place}"));
    let related = (Mark::new(sources, &lock.span), "the lock");
    Diagnostic::error(sources, problem).into_warning(Some(related))
}

/// A value as one short word for a message.
fn format_value(value: &Json) -> String {
    const LONGEST: usize = 40;
    text::cut(&value.to_string(), LONGEST).into_owned()
}

/// A value as JSON, for comparing and showing.
pub(super) fn to_json(value: &Value<'_>) -> Json {
    Json::deserialize(ValueDeserializer::from(value.clone())).unwrap_or_default()
}

/// A path as it is written in TOML.
pub(super) fn dotted(path: &[String]) -> String {
    let bare =
        |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let parts =
        path.iter().map(|key| if bare(key) { key.clone() } else { Json::from(key.as_str()).to_string() });
    parts.collect::<Vec<_>>().join(".")
}
