//! Reads one layer's text into its sections, each value with its place.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::diagnostic::Problem;
use super::layer::{Layer, LayerText, Standing};
use super::messages;
use super::slot::{Slot, Slots};
use crate::nearest::nearest;

/// The key that lists what weaker layers may not change.
pub(super) const LOCK: &str = "lock";

/// A value with its place.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;
/// The keys of a section.
pub(super) type Table<'a> = DeTable<'a>;

/// The content of one file, section by section.
pub(super) struct Document<'a> {
    pub(super) layer: Layer,
    pub(super) standing: Standing,
    /// By the id of the slot.
    pub(super) sections: BTreeMap<&'static str, Spanned<Table<'a>>>,
    /// The entries of `[[rule]]` and the like, by the name of the array.
    pub(super) collected: BTreeMap<&'static str, Vec<Value<'a>>>,
    pub(super) locks: Vec<Spanned<String>>,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Document<'a> {
    /// Reads a layer's text, whose spans begin at `base`.
    pub(super) fn read(base: usize, text: LayerText<'a>, slots: &Slots) -> Document<'a> {
        let mut document = Document {
            layer: text.layer,
            standing: text.standing,
            sections: BTreeMap::new(),
            collected: BTreeMap::new(),
            locks: Vec::new(),
            problems: Vec::new(),
        };
        match DeTable::parse(text.text) {
            // Shifted, so that a span also identifies its file once layers are merged.
            Ok(root) => document.split(shifted_table(root.into_inner(), base), &TablePosition::root(), slots),
            Err(error) => {
                let Problem { span, message, help } = messages::syntax_problem(&error, text.text);
                document.problems.push(Problem { span: shifted(&span, base), message, help });
            }
        }
        document
    }

    /// Puts each key into the section it is in, or descends into the next table.
    fn split(&mut self, table: Table<'a>, at: &TablePosition, slots: &Slots) {
        for (key, value) in table {
            let name = at.join(&key);
            // Before keys: a section may be inside of another one.
            if slots.is_at_or_above(&name) {
                let owner = slots.get(&name).copied();
                self.descend(value, TablePosition { name, owner }, slots);
            } else if let Some(owner) = at.owner {
                self.take_key(&owner, key, value);
            } else if name == LOCK {
                self.take_locks(value);
            } else if let Some((_, collection)) = slots.find_collection(&name) {
                self.collect(collection.name, value);
            } else {
                self.problems.push(unknown_section(&key, &value, (&name, slots)));
            }
        }
    }

    fn descend(&mut self, value: Value<'a>, at: TablePosition, slots: &Slots) {
        let span = value.span();
        let DeValue::Table(table) = value.into_inner() else {
            let message = format!("`{}` is a section: expected a table", at.name);
            let help = format!("write `[{}]`, and its keys below", at.name);
            return self.problems.push(Problem::new(span, message).with_help(help));
        };
        if let Some(slot) = at.owner {
            self.section(&slot, span);
        }
        self.split(table, &at, slots);
    }

    fn take_key(&mut self, slot: &Slot, key: Spanned<DeString<'a>>, value: Value<'a>) {
        // The type of the section has this field, but it is not written here.
        if let Some(collection) = slot.spec.collects.filter(|it| it.name == key.get_ref().as_ref()) {
            let problem = Problem::new(key.span(), format!("unknown key `{}`", collection.name));
            return self
                .problems
                .push(problem.with_help(format!("each entry starts with `[[{}]]`", collection.name)));
        }
        self.section(slot, key.span()).insert(key, value);
    }

    fn section(&mut self, slot: &Slot, span: Range<usize>) -> &mut Table<'a> {
        self.sections.entry(slot.id).or_insert_with(|| Spanned::new(span, Table::new())).get_mut()
    }

    fn collect(&mut self, name: &'static str, value: Value<'a>) {
        let span = value.span();
        match value.into_inner() {
            DeValue::Array(entries) => self.collected.entry(name).or_default().extend(entries),
            _ => self.problems.push(
                Problem::new(span, format!("`{name}` is a list: expected an array of tables"))
                    .with_help(format!("each entry starts with `[[{name}]]`")),
            ),
        }
    }

    fn take_locks(&mut self, value: Value<'a>) {
        if self.layer == Layer::Project {
            // No layer is weaker, so it would lock nothing, and its author would believe otherwise.
            let message = "a project cannot lock anything";
            let help = "`lock` belongs in the user's or the administrator's file";
            return self.problems.push(Problem::new(value.span(), message).with_help(help));
        }
        let expected = |span| {
            Problem::new(span, "expected an array of names of sections and keys")
                .with_help("write it as `lock = [\"guard.self\"]`")
        };
        let span = value.span();
        let DeValue::Array(names) = value.into_inner() else { return self.problems.push(expected(span)) };
        for name in names {
            let span = name.span();
            match name.into_inner() {
                DeValue::String(text) => self.locks.push(Spanned::new(span, text.into_owned())),
                _ => self.problems.push(expected(span)),
            }
        }
    }
}

/// Where in the file the splitting is.
struct TablePosition {
    /// The dotted name of the table.
    name: String,
    /// The section that takes the keys here; none between sections.
    owner: Option<Slot>,
}

impl TablePosition {
    fn root() -> TablePosition {
        TablePosition { name: String::new(), owner: None }
    }

    fn join(&self, key: &Spanned<DeString<'_>>) -> String {
        let key: &str = key.get_ref();
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }
}

fn unknown_section(key: &Spanned<DeString<'_>>, value: &Value<'_>, at: (&str, &Slots)) -> Problem {
    let (name, slots) = at;
    let kind = if value.get_ref().is_table() { "section" } else { "key" };
    let problem = Problem::new(key.span(), format!("unknown {kind} `{name}`"));
    // The last part alone is what people remember of `guard.packages`.
    let by_tail = slots.iter().find(|slot| slot.id.rsplit('.').next() == Some(name));
    if let Some(slot) = by_tail {
        return problem.with_help(format!("did you mean `{}`?", slot.id));
    }
    let arrays = slots.iter().filter_map(|slot| Some(slot.spec.collects?.name));
    let parents = slots.iter().filter_map(|slot| Some(slot.id.rsplit_once('.')?.0));
    let names: Vec<&str> =
        slots.iter().map(|slot| slot.id).chain(arrays).chain(parents).chain([LOCK]).collect();
    if let Some(near) = nearest(name, names.iter().copied()) {
        return problem.with_help(format!("did you mean `{near}`?"));
    }
    let parent = name.rsplit_once('.').map_or("", |(parent, _)| parent);
    let siblings: Vec<String> = slots.below(parent).map(|slot| format!("`{}`", slot.id)).collect();
    if siblings.is_empty() {
        return problem.with_help("`flyball policies` lists the sections");
    }
    problem.with_help(format!("the sections here are {}", siblings.join(", ")))
}

fn shifted(span: &Range<usize>, base: usize) -> Range<usize> {
    span.start + base..span.end + base
}

fn shifted_table(table: Table<'_>, base: usize) -> Table<'_> {
    let moved = |(key, value): (Spanned<_>, _)| {
        let span = shifted(&key.span(), base);
        (Spanned::new(span, key.into_inner()), shifted_value(value, base))
    };
    table.into_iter().map(moved).collect()
}

fn shifted_value(value: Value<'_>, base: usize) -> Value<'_> {
    let span = shifted(&value.span(), base);
    let value = match value.into_inner() {
        DeValue::Array(entries) => DeValue::Array(
            entries.into_iter().map(|entry| shifted_value(entry, base)).collect::<DeArray<'_>>(),
        ),
        DeValue::Table(table) => DeValue::Table(shifted_table(table, base)),
        scalar => scalar,
    };
    Spanned::new(span, value)
}
