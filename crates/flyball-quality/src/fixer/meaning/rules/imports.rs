//! Imports: they go when they are unused, come with what uses them, and move when their order is wrong.

use std::collections::{BTreeMap, BTreeSet};

use flyball_effects::lex::Language;

use super::super::piece::Piece;
use super::super::topics::{Subject, Topic};
use super::super::units::{Unit, block_end, head_of};
use super::items::{Item, items};
use super::spot::{Scene, Step};

/// The imports of both versions, and the names that the rest of each uses.
#[derive(Debug, Default)]
pub(super) struct Imports {
    old: BTreeMap<Item, usize>,
    new: BTreeMap<Item, usize>,
    /// What findings about the order let move.
    movable: BTreeSet<Item>,
    used_before: BTreeSet<String>,
    used_after: BTreeSet<String>,
}

impl Imports {
    pub(super) fn new(scene: &Scene<'_>) -> Imports {
        let Scene { old, new, language, subjects } = *scene;
        let count = |units: &[Unit]| {
            let mut counts = BTreeMap::new();
            for item in units.iter().flat_map(|unit| items(unit, language)) {
                *counts.entry(item).or_default() += 1;
            }
            counts
        };
        let used = |units: &[Unit]| -> BTreeSet<String> {
            let rest = units.iter().filter(|unit| items(unit, language).is_empty());
            rest.flat_map(|unit| &unit.pieces).flat_map(words).collect()
        };
        Imports {
            old: count(old),
            new: count(new),
            movable: movable(old, language, subjects),
            used_before: used(old),
            used_after: used(new),
        }
    }

    pub(super) fn steps(&self, scene: &Scene<'_>, old_at: usize, new_at: usize) -> Vec<Step> {
        let here = |units: &[Unit], at: usize| -> Vec<Item> {
            units.get(at).map(|unit| items(unit, scene.language)).unwrap_or_default()
        };
        let (old, new) = (here(scene.old, old_at), here(scene.new, new_at));
        let goes = |item: &Item| self.may_go(scene, old_at, item);
        let comes = |item: &Item| self.may_come(scene, item);
        let mut steps = Vec::new();
        if !old.is_empty() && !new.is_empty() {
            let lost = old.iter().filter(|item| !new.contains(item));
            let gained = new.iter().filter(|item| !old.contains(item));
            if lost.into_iter().all(goes) && gained.into_iter().all(comes) {
                steps.push((1, 1));
            }
        }
        if !old.is_empty() && old.iter().all(goes) {
            steps.push((1, 0));
        }
        if !new.is_empty() && is_place(scene, new_at) && new.iter().all(comes) {
            steps.push((0, 1));
        }
        if old_at < scene.old.len() {
            let inside = |at: usize, item: &Item| self.may_go(scene, at, item);
            steps.extend(type_checking(scene, scene.old, old_at, &inside).map(|count| (count, 0)));
        }
        steps.extend(type_checking(scene, scene.new, new_at, &|_, item| comes(item)).map(|count| (0, count)));
        steps
    }

    fn may_go(&self, scene: &Scene<'_>, at: usize, item: &Item) -> bool {
        let Some(unit) = scene.old.get(at) else { return false };
        let all = items(unit, scene.language);
        let names = |item: &Item| [item.bound.clone(), item.name.clone()];
        let permits = |topic: Topic| match topic {
            Topic::ImportOrder => self.is_moved(item),
            _ => false,
        };
        self.is_left_over(item)
            || scene.subjects.iter().any(|subject| {
                let is_unused = matches!(
                    subject.topic,
                    Topic::UnusedImport | Topic::UnusedVariable | Topic::Import | Topic::Named
                ) && subject.covers(unit);
                let all: Vec<String> = all.iter().flat_map(names).collect();
                let is_chosen = subject.chooses(all.iter().map(String::as_str));
                let is_about = names(item).iter().any(|name| subject.is_about(name));
                let is_open = !is_chosen && subject.topic == Topic::UnusedImport;
                let is_replaced = subject.topic != Topic::UnusedImport
                    && self.new.keys().any(|new| {
                        new.bound == item.bound && !self.old.contains_key(new) && self.may_come(scene, new)
                    });
                permits(subject.topic) || (is_unused && (is_about || is_open || is_replaced))
            })
    }

    fn may_come(&self, scene: &Scene<'_>, item: &Item) -> bool {
        let Imports { old, .. } = self;
        let replaces =
            |module: &str| old.keys().any(|before| before.module == module && before.bound == item.bound);
        self.is_fresh(item)
            || scene.subjects.iter().any(|subject| match subject.topic {
                Topic::ImportOrder => self.is_moved(item),
                Topic::UndefinedName => subject.is_about(&item.bound),
                Topic::UnusedImport => {
                    // `import a as a` says that it is for others.
                    subject.says("alias") && item.name == item.bound && replaces(&item.module)
                }
                Topic::Import | Topic::Named => {
                    let is_same_name = old.keys().any(|before| before.bound == item.bound);
                    let is_named = subject.quotes(&item.module) && !item.module.is_empty();
                    let from_star =
                        old.keys().any(|before| before.name == "*" && before.module == item.module);
                    let is_builtin =
                        subject.says("node:") && item.module.strip_prefix("node:").is_some_and(replaces);
                    let is_typed =
                        subject.says("type") && old.contains_key(&Item { is_type: false, ..item.clone() });
                    let is_typed = is_typed && item.is_type;
                    is_typed || (is_same_name && is_named) || (from_star && subject.quotes("*")) || is_builtin
                }
                _ => false,
            })
    }
    fn is_moved(&self, item: &Item) -> bool {
        self.movable.contains(item) && self.old.get(item) == self.new.get(item)
    }

    /// Whether the change itself uses it for the first time.
    fn is_fresh(&self, item: &Item) -> bool {
        let is_bound = self.old.keys().any(|old| old.bound == item.bound);
        !is_bound && !self.used_before.contains(&item.bound) && self.used_after.contains(&item.bound)
    }

    /// Whether the change itself removed its last use.
    fn is_left_over(&self, item: &Item) -> bool {
        self.used_before.contains(&item.bound) && !self.used_after.contains(&item.bound)
    }
}

/// The imports that a finding about their order is about: its own, or the block that is not sorted.
fn movable(units: &[Unit], language: Option<Language>, subjects: &[Subject<'_>]) -> BTreeSet<Item> {
    let items: Vec<Vec<Item>> = units.iter().map(|unit| items(unit, language)).collect();
    let mut movable = BTreeSet::new();
    for subject in subjects.iter().filter(|subject| subject.topic == Topic::ImportOrder) {
        let is_block = subject.says("sort") || subject.says("order");
        let mut start = 0;
        for run in items.chunk_by(|one, other| one.is_empty() == other.is_empty()) {
            let here = |at: usize| units.get(start + at).is_some_and(|unit| subject.covers(unit));
            let is_covered = (0..run.len()).any(here);
            let own = run.iter().enumerate().filter(|(at, _)| here(*at) || (is_block && is_covered));
            movable.extend(own.flat_map(|(_, items)| items.clone()));
            start += run.len();
        }
    }
    movable
}

/// The names in a piece; a format string shows some too.
fn words(piece: &Piece) -> Vec<String> {
    let shows = piece.is_text() && piece.text.contains('{');
    if shows {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        return piece.text.split(|letter| !is_word(letter)).map(str::to_owned).collect();
    }
    if piece.is_name() { vec![piece.text.clone()] } else { Vec::new() }
}

/// How many units the block of imports that only type checkers read has, if all of them may change.
fn type_checking(
    scene: &Scene<'_>,
    units: &[Unit],
    at: usize,
    permits: &dyn Fn(usize, &Item) -> bool,
) -> Option<usize> {
    units.get(at).filter(|unit| unit.begins("if") && unit.has("TYPE_CHECKING"))?;
    let end = block_end(units, at + 1)?;
    let may_change = |at: usize, unit: &Unit| {
        let items = items(unit, scene.language);
        !items.is_empty() && items.iter().all(|item| permits(at, item))
    };
    let mut inside = units.iter().enumerate().take(end - 1).skip(at + 2);
    inside.all(|(at, unit)| may_change(at, unit)).then_some(end - at)
}

/// Imports are at the top, or beside others.
fn is_place(scene: &Scene<'_>, at: usize) -> bool {
    let is_import = |at: usize| scene.new.get(at).is_some_and(|unit| !items(unit, scene.language).is_empty());
    let head = head_of(scene.new, at).and_then(|head| scene.new.get(head));
    head.is_none_or(|head| head.has("TYPE_CHECKING"))
        || at.checked_sub(1).is_some_and(is_import)
        || is_import(at + 1)
}
