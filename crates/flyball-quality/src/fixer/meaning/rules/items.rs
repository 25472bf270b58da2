//! What an import brings, language by language.

use flyball_effects::lex::Language;

use super::super::piece::Piece;
use super::super::strings;
use super::super::units::{Shape, Unit};

/// One name that an import brings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item {
    pub(super) module: String,
    pub(super) name: String,
    /// The name that it has in this file.
    pub(super) bound: String,
    /// Whether it is only for the type checker of a script.
    pub(super) is_type: bool,
}

/// What a unit imports; nothing if it is no import.
pub(super) fn items(unit: &Unit, language: Option<Language>) -> Vec<Item> {
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
