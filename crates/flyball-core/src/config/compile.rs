//! From the texts of the layers to the configuration in force.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::active::Config;
use super::check::check;
use super::diagnostic::{Diagnostic, Problem};
use super::document::{Document, Table, Value};
use super::layer::{Layer, LayerText, Sources, Standing};
use super::lock::Locks;
use super::merge::{MergeContext, Merged, NotInForce};
use super::otlp::OtlpSettings;
use super::section::{Mode, Section};
use super::settings::{EngineSettings, StoreSettings};
use super::slot::{ENGINE, OTLP, STORE, Slot, Slots, TRUST};
use crate::engine::Registry;

/// A configuration that can be put in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Compiled {
    pub config: Config,
    /// Values of weaker layers that were ignored.
    pub warnings: Vec<Diagnostic>,
    /// Values that are not in force because nobody accepted them.
    pub not_in_force: Vec<NotInForce>,
}

/// Compiles the layers' texts.
///
/// # Errors
/// All that is wrong with all of them, strongest layer first, in the order of the lines. Which
/// layers are to blame is in [`Diagnostic::layer`].
pub fn compile(layers: &[LayerText<'_>], registry: Registry) -> Result<Compiled, Vec<Diagnostic>> {
    let sources = Sources::new(layers);
    let slots = Slots::from_registry(registry);
    let merged = merge(&sources, &slots)?;
    let (mut sections, mut problems) = (BTreeMap::new(), Vec::new());
    for slot in slots.iter() {
        match compile_section(slot, &merged, &sources) {
            Ok(section) => _ = sections.insert(slot.id.to_owned(), section),
            // On with the other sections: a person wants to fix all errors in one go.
            Err(more) => problems.extend(more),
        }
    }
    if !problems.is_empty() {
        return Err(diagnostics(&sources, problems));
    }
    Ok(Compiled { config: assemble(sections), warnings: merged.warnings, not_in_force: merged.not_in_force })
}

/// Checks each layer by itself and merges them.
pub(super) fn merge<'a>(sources: &Sources<'a>, slots: &Slots) -> Result<Merged<'a>, Vec<Diagnostic>> {
    let mut documents: Vec<Document<'a>> =
        sources.with_bases().map(|(base, text)| Document::read(base, text, slots)).collect();
    let mut locks = Locks::default();
    let mut problems = Vec::new();
    for document in &mut documents {
        problems.append(&mut document.problems);
        // A lock of a text that nobody accepted could take what an accepted text of a weaker layer tightens out of force.
        let added = std::mem::take(&mut document.locks);
        if document.standing == Standing::Accepted {
            problems.extend(locks.add(document.layer, added, slots));
        }
        problems.extend(document_problems(document, slots, sources));
    }
    if !problems.is_empty() {
        return Err(diagnostics(sources, problems));
    }
    let mut merged = Merged::default();
    let context = MergeContext { slots, locks: &locks, sources };
    // Strongest and least specific first: the last one wins where there is no lock.
    documents.into_iter().for_each(|document| merged.add_layer(document, &context));
    Ok(merged)
}

/// What is wrong with the sections of one file. Values that another layer overrides are checked
/// too: a mistake does not wait until the other layer is gone.
fn document_problems(document: &Document<'_>, slots: &Slots, sources: &Sources<'_>) -> Vec<Problem> {
    let written = slots.iter().filter_map(|slot| {
        let entries = slot.spec.collects.and_then(|it| document.collected.get(it.name)).cloned();
        let table = document.sections.get(slot.id).cloned();
        let table = with_entries(slot, table, entries.unwrap_or_default())?;
        check(slot, table, sources).err()
    });
    written.flatten().collect()
}

fn compile_section(slot: &Slot, merged: &Merged<'_>, sources: &Sources<'_>) -> Result<Section, Vec<Problem>> {
    let entries = slot.spec.collects.and_then(|it| merged.collected.get(it.name)).cloned();
    let table = merged.sections.get(slot.id).cloned();
    match with_entries(slot, table, entries.unwrap_or_default()) {
        Some(table) => check(slot, table, sources),
        None => Ok(default_section(slot)),
    }
}

/// The section's table with the entries of the array that it collects; nothing where neither
/// is written.
fn with_entries<'a>(
    slot: &Slot,
    table: Option<Spanned<Table<'a>>>,
    entries: Vec<Value<'a>>,
) -> Option<Spanned<Table<'a>>> {
    let Some((collection, first)) = slot.spec.collects.zip(entries.first()) else { return table };
    let span = first.span();
    let mut table = table.unwrap_or_else(|| Spanned::new(span.clone(), Table::new()));
    let array = DeValue::Array(entries.into_iter().collect::<DeArray<'_>>());
    table.get_mut().insert(Spanned::new(span.clone(), collection.name.into()), Spanned::new(span, array));
    Some(table)
}

fn default_section(slot: &Slot) -> Section {
    Section { mode: slot.mode.unwrap_or(Mode::Enforce), settings: (slot.spec.default)().into() }
}

fn assemble(mut sections: BTreeMap<String, Section>) -> Config {
    // What remains are the sections of policies, by their ids. What is trusted is needed before this.
    sections.remove(TRUST);
    let engine: Option<EngineSettings> = sections.remove(ENGINE).and_then(|section| section.parse().ok());
    let store: Option<StoreSettings> = sections.remove(STORE).and_then(|section| section.parse().ok());
    let otlp: Option<OtlpSettings> = sections.remove(OTLP).and_then(|section| section.parse().ok());
    Config {
        engine: engine.unwrap_or_default(),
        store: store.unwrap_or_default(),
        otlp: otlp.unwrap_or_default(),
        sections,
    }
}

impl Config {
    /// The configuration without any file.
    #[must_use]
    pub fn defaults(registry: Registry) -> Config {
        let slots = Slots::from_registry(registry);
        assemble(slots.iter().map(|slot| (slot.id.to_owned(), default_section(slot))).collect())
    }
}

/// The folders whose projects these texts trust. A text that cannot be read names none.
#[must_use]
pub fn trusted_folders(texts: &[LayerText<'_>]) -> Vec<String> {
    let folders = |text: &LayerText<'_>| {
        let table = DeTable::parse(text.text).ok()?.into_inner();
        let list = table.get(TRUST)?.get_ref().get("projects")?.get_ref().as_array()?;
        Some(list.iter().filter_map(|name| Some(name.get_ref().as_str()?.to_owned())).collect::<Vec<_>>())
    };
    texts.iter().filter_map(folders).flatten().collect()
}

pub(super) fn diagnostics(sources: &Sources<'_>, mut problems: Vec<Problem>) -> Vec<Diagnostic> {
    problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    problems.dedup();
    problems.into_iter().map(|problem| Diagnostic::error(sources, problem)).collect()
}

/// The layers that errors are in.
#[must_use]
pub fn broken_layers(diagnostics: &[Diagnostic]) -> Vec<Layer> {
    Layer::ALL.iter().copied().filter(|layer| diagnostics.iter().any(|it| it.layer() == *layer)).collect()
}
