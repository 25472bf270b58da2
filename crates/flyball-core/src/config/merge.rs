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
use super::layer::{Layer, Place, Sources, Standing};
use super::lock::{Lock, Locks};
use super::slot::{Slot, Slots, Writers};

/// The merged layers.
#[derive(Default)]
pub(super) struct Merged<'a> {
    pub(super) sections: BTreeMap<&'static str, Spanned<Table<'a>>>,
    pub(super) collected: BTreeMap<&'static str, Vec<Value<'a>>>,
    /// What was ignored, and why.
    pub(super) warnings: Vec<Diagnostic>,
    /// What is not in force because nobody accepted it.
    pub(super) not_in_force: Vec<NotInForce>,
}

/// A value that is not in force because no person has accepted its text, and it would loosen, start or send something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInForce {
    /// Its key, with all tables around it.
    pub key: String,
    pub place: Place,
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
            let mut overlay = Overlay {
                slot,
                context,
                layer: document.layer,
                standing: document.standing,
                warnings: &mut self.warnings,
                not_in_force: &mut self.not_in_force,
            };
            let path: Vec<String> = slot.id.split('.').map(str::to_owned).collect();
            overlay.apply(base.get_mut(), table.into_inner(), &path);
        }
        for (name, entries) in document.collected {
            let entries = match document.standing {
                Standing::Accepted => entries,
                Standing::Proposed => self.acceptable(name, entries, context),
            };
            let allowed_entries = self.allowed(name, entries, (document.layer, context));
            self.collected.entry(name).or_default().extend(allowed_entries);
        }
    }

    /// The entries of a text that nobody accepted that only make it stricter, and are new.
    fn acceptable(
        &mut self,
        name: &'static str,
        entries: Vec<Value<'a>>,
        context: &MergeContext<'_>,
    ) -> Vec<Value<'a>> {
        // The present text of a file repeats most of what was accepted.
        let known: Vec<Json> = self.collected.get(name).into_iter().flatten().map(to_json).collect();
        let has_id_of = |json: &Json| {
            json.get("id").is_some_and(|id| known.iter().any(|known| known.get("id") == Some(id)))
        };
        let mut acceptable = Vec::new();
        for entry in entries {
            let json = to_json(&entry);
            let loosens = context
                .slots
                .find_collection(name)
                .is_some_and(|(_, collection)| (collection.loosens)(&json));
            if known.contains(&json) {
                continue;
            } else if loosens || has_id_of(&json) {
                // A changed entry would replace an accepted one.
                self.not_in_force.extend(NotInForce::at(
                    context.sources,
                    format!("[[{name}]]"),
                    &entry.span(),
                ));
            } else {
                acceptable.push(entry);
            }
        }
        acceptable
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
    standing: Standing,
    warnings: &'s mut Vec<Diagnostic>,
    not_in_force: &'s mut Vec<NotInForce>,
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
            } else if let Some(value) = self.settable(base, (&key, value), &path) {
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
        let lock =
            locks.on(path, self.layer).or_else(|| locks.below(path, self.layer)).map(Restriction::Lock);
        let proposed = || (self.standing == Standing::Proposed).then_some(Restriction::NotAccepted);
        lock.or_else(proposed)
    }

    /// What this layer may set a key to: the value, the part of it that tightens, or nothing. What it may not set is
    /// reported if it would change something.
    fn settable<'a>(
        &mut self,
        base: &Table<'a>,
        entry: (&Spanned<DeString<'a>>, Value<'a>),
        path: &[String],
    ) -> Option<Value<'a>> {
        let (key, value) = entry;
        let Some(restriction) = self.restriction_at(path) else { return Some(value) };
        let now = base.get(key.get_ref().as_ref());
        // A lock on a mode is a lower bound.
        if self.is_mode(path) && self.may_raise_mode() && self.tightens(now, &value) {
            return Some(value);
        }
        let in_force = now.map_or_else(|| self.default_at(path), to_json);
        let written = to_json(&value);
        // Repeating the value that is in force is not worth a warning.
        if in_force == written {
            return None;
        }
        let shown = match restriction {
            Restriction::Lock(_) => format!("{} = {}", dotted(path), format_value(&written)),
            // It may be an address or a key.
            Restriction::Section(_) => dotted(path),
            Restriction::NotAccepted => {
                let inside = path.get(self.slot.id.split('.').count()..).unwrap_or_default();
                let tightened = self.slot.spec.tightened(inside, (now, &in_force), value);
                if tightened.loses {
                    self.not_in_force.extend(NotInForce::at(self.context.sources, dotted(path), &key.span()));
                }
                return tightened.value;
            }
        };
        self.warnings.push(ignored_warning(self.context.sources, &shown, (key.span(), restriction)));
        None
    }

    fn may_raise_mode(&self) -> bool {
        self.standing == Standing::Accepted || self.slot.spec.raisable
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
    /// No person has accepted the text.
    NotAccepted,
}

impl NotInForce {
    fn at(sources: &Sources<'_>, key: String, span: &std::ops::Range<usize>) -> Option<NotInForce> {
        Some(NotInForce { key, place: sources.place(span)? })
    }
}

fn ignored_warning(
    sources: &Sources<'_>,
    what: &str,
    at: (std::ops::Range<usize>, Restriction<'_>),
) -> Diagnostic {
    let (span, restriction) = at;
    let lock = match restriction {
        Restriction::Lock(lock) => lock,
        Restriction::NotAccepted => {
            let problem = Problem::new(span, format!("`{what}` is ignored: nobody has accepted it"));
            return Diagnostic::error(sources, problem).into_warning(None);
        }
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
