//! Says what a change does that no finding asks for.

use std::ops::Range;

use flyball_core::text;

use super::align::gaps;
use super::piece::{Kind, Piece};
use super::rules::Scene;
use super::search::Reached;
use super::strings;
use super::units::{Shape, Unit};

/// How many units ahead one that moved is looked for.
const AHEAD: usize = 12;

/// How much of a statement a message shows.
const MOST_SHOWN: usize = 60;

/// Why the versions differ behind what can be explained.
pub(super) fn reason(scene: &Scene<'_>, reached: &Reached) -> String {
    let (old, new) = (scene.old.get(reached.old), scene.new.get(reached.new));
    let ahead = |units: &[Unit], from: usize, unit: Option<&Unit>| {
        unit.is_some_and(|unit| units.iter().skip(from).take(AHEAD).any(|other| other == unit))
    };
    let is_moved = ahead(scene.new, reached.new, old) && ahead(scene.old, reached.old, new);
    match (old, new) {
        (Some(old), Some(_)) if !is_about(scene, reached) => {
            format!("it changes line {}, which no finding is about", old.line)
        }
        (Some(old), Some(new)) if is_structure(old) || is_structure(new) => {
            let line = old.line;
            format!("it moves code into another block or out of one, in line {line}")
        }
        (Some(old), Some(_)) if is_moved => format!("it moves `{}`", shown(old)),
        (Some(_), Some(new)) if ahead(scene.new, reached.new, old) => added(new),
        (Some(old), Some(_)) if ahead(scene.old, reached.old, new) => removed(old),
        (Some(old), Some(new)) => replaced(old, new),
        (Some(old), None) => removed(old),
        (None, Some(new)) => added(new),
        (None, None) => "it changes more than can be compared".to_owned(),
    }
}

fn is_structure(unit: &Unit) -> bool {
    matches!(unit.shape, Shape::Open | Shape::Close)
}

/// Whether a finding is about what is here, or just before.
fn is_about(scene: &Scene<'_>, reached: &Reached) -> bool {
    let around = reached.old.saturating_sub(1)..(reached.old + 2).min(scene.old.len());
    let units = scene.old.get(around).unwrap_or_default();
    scene.subjects.iter().any(|subject| units.iter().any(|unit| subject.covers(unit)))
}

fn shown(unit: &Unit) -> String {
    text_of(&unit.pieces)
}

fn added(unit: &Unit) -> String {
    match unit.pieces.iter().find(|piece| piece.is_callee) {
        Some(call) => format!("it adds a call of `{}`", call.text),
        None => format!("it adds `{}`", shown(unit)),
    }
}

fn removed(unit: &Unit) -> String {
    match unit.pieces.iter().find(|piece| piece.is_callee) {
        Some(call) => format!("it removes a call of `{}`", call.text),
        None => format!("it removes `{}`", shown(unit)),
    }
}

/// What differs in two statements: the place, or both if there are several.
fn replaced(old: &Unit, new: &Unit) -> String {
    let gaps = gaps(&old.pieces, &new.pieces);
    let part =
        |pieces: &[Piece], range: &Range<usize>| pieces.get(range.clone()).unwrap_or_default().to_vec();
    let before: Vec<Piece> = gaps.iter().flat_map(|gap| part(&old.pieces, &gap.old)).collect();
    let after: Vec<Piece> = gaps.iter().flat_map(|gap| part(&new.pieces, &gap.new)).collect();
    let what = what(old, &before, &after);
    let (before, after) = match gaps.as_slice() {
        [_] => (text_of(&before), text_of(&after)),
        _ => (shown(old), shown(new)),
    };
    if before == after {
        return format!("it changes {what}: the quotes or blanks of `{before}`");
    }
    match (before.is_empty(), after.is_empty()) {
        (true, _) => format!("it changes {what}: adds `{after}`"),
        (false, true) => format!("it changes {what}: removes `{before}`"),
        (false, false) => format!("it changes {what}: `{before}` → `{after}`"),
    }
}

fn text_of(pieces: &[Piece]) -> String {
    let texts: Vec<&str> = pieces.iter().map(strings::shown).collect();
    text::fit(&texts.join(" "), MOST_SHOWN).into_owned()
}

/// What a difference is part of.
fn what(unit: &Unit, before: &[Piece], after: &[Piece]) -> &'static str {
    let has = |kind: Kind| before.iter().chain(after).any(|piece| piece.kind == kind);
    let begins = |words: &[&str]| unit.pieces.first().is_some_and(|first| first.is_any(words));
    if has(Kind::Control) {
        "the control flow"
    } else if begins(&["import", "from", "use"]) {
        "an import"
    } else if begins(&["if", "elif", "while", "until", "assert"]) {
        "a condition"
    } else if begins(&["return", "yield", "raise", "throw"]) {
        "a returned value"
    } else if begins(&["except", "catch"]) {
        "which errors are caught"
    } else if has(Kind::Literal) {
        "a literal"
    } else if has(Kind::Operator) {
        "an operator"
    } else {
        "a statement"
    }
}
