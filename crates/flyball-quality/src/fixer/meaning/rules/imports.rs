//! Imports: they go when they are unused, come with what uses them, and move when their order is wrong.

use std::collections::{BTreeMap, BTreeSet};

use flyball_effects::lex::Language;

use super::super::piece::Piece;
use super::super::strings;
use super::super::topics::{Subject, Topic};
use super::super::units::{Shape, Unit, block_end, head_of};
use super::{Scene, Step};

/// One name that an import brings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    module: String,
    name: String,
    /// The name that it has in this file.
    bound: String,
    /// Whether it is only for the type checker of a script.
    is_type: bool,
}

/// The imports of both versions, and the names that the rest of each uses.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    old: BTreeMap<Item, usize>,
    new: BTreeMap<Item, usize>,
    /// What findings about the order let move.
    movable: BTreeSet<Item>,
    used_before: BTreeSet<String>,
    used_after: BTreeSet<String>,
}

impl Imports {
    pub(crate) fn new(
        versions: [&[Unit]; 2],
        language: Option<Language>,
        subjects: &[Subject<'_>],
    ) -> Imports {
        let [old, new] = versions;
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

pub(super) fn steps(scene: &Scene<'_>, old_at: usize, new_at: usize) -> Vec<Step> {
    let here = |units: &[Unit], at: usize| -> Vec<Item> {
        units.get(at).map(|unit| items(unit, scene.language)).unwrap_or_default()
    };
    let (old, new) = (here(scene.old, old_at), here(scene.new, new_at));
    let goes = |item: &Item| may_go(scene, old_at, item);
    let comes = |item: &Item| may_come(scene, item);
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
        let inside = |at: usize, item: &Item| may_go(scene, at, item);
        steps.extend(type_checking(scene, scene.old, old_at, &inside).map(|count| (count, 0)));
    }
    steps.extend(type_checking(scene, scene.new, new_at, &|_, item| comes(item)).map(|count| (0, count)));
    steps
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

fn may_go(scene: &Scene<'_>, at: usize, item: &Item) -> bool {
    let Some(unit) = scene.old.get(at) else { return false };
    let all = items(unit, scene.language);
    let names = |item: &Item| [item.bound.clone(), item.name.clone()];
    let permits = |topic: Topic| match topic {
        Topic::ImportOrder => scene.imports.is_moved(item),
        _ => false,
    };
    scene.imports.is_left_over(item)
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
                && scene.imports.new.keys().any(|new| {
                    new.bound == item.bound && !scene.imports.old.contains_key(new) && may_come(scene, new)
                });
            permits(subject.topic) || (is_unused && (is_about || is_open || is_replaced))
        })
}

fn may_come(scene: &Scene<'_>, item: &Item) -> bool {
    let Imports { old, .. } = &scene.imports;
    let replaces =
        |module: &str| old.keys().any(|before| before.module == module && before.bound == item.bound);
    scene.imports.is_fresh(item)
        || scene.subjects.iter().any(|subject| match subject.topic {
            Topic::ImportOrder => scene.imports.is_moved(item),
            Topic::UndefinedName => subject.is_about(&item.bound),
            Topic::UnusedImport => {
                // `import a as a` says that it is for others.
                subject.says("alias") && item.name == item.bound && replaces(&item.module)
            }
            Topic::Import | Topic::Named => {
                let is_same_name = old.keys().any(|before| before.bound == item.bound);
                let is_named = subject.quotes(&item.module) && !item.module.is_empty();
                let from_star = old.keys().any(|before| before.name == "*" && before.module == item.module);
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

/// What a unit imports; nothing if it is no import.
fn items(unit: &Unit, language: Option<Language>) -> Vec<Item> {
    if unit.shape != Shape::Statement {
        return Vec::new();
    }
    let pieces = unit.pieces.as_slice();
    let next_is = |texts: &[&str]| pieces.get(1).is_some_and(|piece| piece.is_any(texts));
    match language {
        Some(Language::Python) if unit.begins("import") => {
            python_modules(pieces.get(1..).unwrap_or_default())
        }
        Some(Language::Python) if unit.begins("from") && unit.has("import") => python_names(pieces),
        Some(Language::Script | Language::Component) if unit.begins("import") && !next_is(&["(", "."]) => {
            script(pieces)
        }
        Some(Language::Go) if unit.begins("import") => go(pieces),
        Some(Language::Rust) if unit.begins("use") || (unit.begins("pub") && next_is(&["use"])) => {
            let start = pieces.iter().position(|piece| piece.is("use")).unwrap_or(0) + 1;
            let is_part = |piece: &&Piece| !piece.is(";");
            let tree: Vec<&Piece> = pieces.iter().skip(start).filter(is_part).collect();
            let prefix = if start > 1 { "pub " } else { "" };
            rust(prefix, &tree)
        }
        Some(Language::Jvm | Language::Swift) if unit.begins("import") => vec![whole(pieces)],
        Some(Language::CSharp) if unit.begins("using") => vec![whole(pieces)],
        Some(Language::Php) if unit.begins("use") => vec![whole(pieces)],
        _ => Vec::new(),
    }
}

fn text(pieces: &[&Piece]) -> String {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

fn whole(pieces: &[Piece]) -> Item {
    let pieces: Vec<&Piece> = pieces.iter().skip(1).collect();
    let last = pieces.iter().rev().find(|piece| piece.is_name()).map_or(String::new(), |it| it.text.clone());
    Item { module: text(&pieces), name: last.clone(), bound: last, is_type: false }
}

/// The parts between commas, without brackets.
fn parts(pieces: &[Piece]) -> Vec<Vec<&Piece>> {
    let parts = pieces.split(|piece| piece.is(","));
    let parts = parts.map(|part| part.iter().filter(|piece| !piece.is_any(&["(", ")", "{", "}"])).collect());
    parts.filter(|part: &Vec<&Piece>| !part.is_empty()).collect()
}

/// `a as b`: what it is and how it is called.
fn alias(part: &[&Piece]) -> (String, String) {
    let at = part.iter().position(|piece| piece.is("as"));
    let name = text(part.get(..at.unwrap_or(part.len())).unwrap_or_default());
    let bound = at.and_then(|at| part.get(at + 1)).map_or_else(|| name.clone(), |piece| piece.text.clone());
    (name, bound)
}

fn python_modules(pieces: &[Piece]) -> Vec<Item> {
    let item = |part: Vec<&Piece>| {
        let (module, bound) = alias(&part);
        let first = bound.split('.').next().unwrap_or_default().to_owned();
        Item { name: module.clone(), module, bound: first, is_type: false }
    };
    parts(pieces).into_iter().map(item).collect()
}

fn python_names(pieces: &[Piece]) -> Vec<Item> {
    let at = pieces.iter().position(|piece| piece.is("import")).unwrap_or(0);
    let module: String = pieces.iter().take(at).skip(1).map(|piece| piece.text.as_str()).collect();
    let item = |part: Vec<&Piece>| {
        let (name, bound) = alias(&part);
        Item { module: module.clone(), name, bound, is_type: false }
    };
    parts(pieces.get(at + 1..).unwrap_or_default()).into_iter().map(item).collect()
}

fn script(pieces: &[Piece]) -> Vec<Item> {
    let Some(from) = pieces.iter().rposition(Piece::is_text) else { return Vec::new() };
    let module = pieces.get(from).map_or("", strings::content).to_owned();
    let names = pieces.get(1..from).unwrap_or_default();
    let names =
        names.iter().rposition(|piece| piece.is("from")).and_then(|at| names.get(..at)).unwrap_or_default();
    if names.is_empty() {
        return vec![Item { name: String::new(), bound: module.clone(), module, is_type: false }];
    }
    let is_whole_type = names.first().is_some_and(|piece| piece.is("type"));
    let braces = names.iter().position(|piece| piece.is("{")).unwrap_or(names.len());
    let mut items = Vec::new();
    for (range, is_default) in [(0..braces, true), (braces..names.len(), false)] {
        for part in parts(names.get(range).unwrap_or_default()) {
            let is_type = is_whole_type || part.first().is_some_and(|piece| piece.is("type"));
            let part: Vec<&Piece> = part.into_iter().filter(|piece| !piece.is("type")).collect();
            let (name, bound) = alias(&part);
            let name = if is_default && name != "*" { "default".to_owned() } else { name };
            if !part.is_empty() {
                items.push(Item { module: module.clone(), name, bound, is_type });
            }
        }
    }
    items
}

fn go(pieces: &[Piece]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut alias = None;
    for piece in pieces.iter().skip(1) {
        if piece.is_text() {
            let module = strings::content(piece).to_owned();
            let last = module.rsplit('/').next().unwrap_or_default().to_owned();
            items.push(Item {
                bound: alias.take().unwrap_or_else(|| last.clone()),
                name: last,
                module,
                is_type: false,
            });
        } else if piece.is_name() || piece.is(".") {
            alias = Some(piece.text.clone());
        }
    }
    items
}

/// `a::{b, c as d}` as its leaves.
fn rust(prefix: &str, tree: &[&Piece]) -> Vec<Item> {
    let Some(open) = tree.iter().position(|piece| piece.is("{")) else {
        let (name, bound) = alias(tree);
        let path = format!("{prefix}{name}");
        let last = |path: &str| {
            let mut parts = path.rsplit("::");
            let last = parts.next().unwrap_or_default();
            if last == "self" { parts.next().unwrap_or_default().to_owned() } else { last.to_owned() }
        };
        let bound = if bound == name { last(&path) } else { bound };
        return vec![Item { name: last(&path), module: path, bound, is_type: false }];
    };
    let head = format!("{prefix}{}", text(tree.get(..open).unwrap_or_default()));
    let mut items = Vec::new();
    let mut depth = 0usize;
    let mut part: Vec<&Piece> = Vec::new();
    for piece in tree.get(open + 1..).unwrap_or_default() {
        match piece.text.as_str() {
            "{" => depth += 1,
            "}" if depth == 0 => break,
            "}" => depth -= 1,
            "," if depth == 0 => {
                items.extend(rust(&head, &std::mem::take(&mut part)));
                continue;
            }
            _ => {}
        }
        part.push(piece);
    }
    if !part.is_empty() {
        items.extend(rust(&head, &part));
    }
    items
}
