//! Findings about annotations, defaults and the words that declare something.

use super::super::align::{Gap, gaps};
use super::super::piece::{Kind, Piece, depths, find_outside};
use super::super::units::{Shape, Unit};
use super::spot::{Spot, Step};
use flyball_effects::lex::Language;

/// Annotations differ, and nothing else; none of them calls anything new.
pub(super) fn annotated(spot: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    if spot.is_script() {
        return is_typed(spot, old, new);
    }
    let calls = |pieces: &[Piece]| pieces.iter().filter(|piece| piece.is_callee).count();
    spot.is(Language::Python)
        && calls(&new.pieces) <= calls(&old.pieces)
        && without_annotations(&old.pieces) == without_annotations(&new.pieces)
}

/// A statement of Python without its annotations.
fn without_annotations(pieces: &[Piece]) -> Vec<Piece> {
    let depths = depths(pieces);
    let is_function = pieces.iter().take(2).any(|piece| piece.is("def"));
    let own = usize::from(is_function);
    let mut result: Vec<Piece> = Vec::new();
    let mut is_inside = false;
    for (at, (piece, depth)) in pieces.iter().zip(&depths).enumerate() {
        let is_last = at + 1 == pieces.len();
        let begins = if is_function {
            (*depth == own && piece.is(":")) || (*depth == 0 && piece.is("->"))
        } else {
            *depth == 0 && piece.is(":") && is_target(&result)
        };
        let ends = (is_function && is_last)
            || (*depth == own && piece.is_any(&[",", "="]))
            || (is_function && *depth == 0 && piece.is(")"));
        if ends {
            is_inside = false;
        } else if begins {
            is_inside = true;
        }
        if !is_inside {
            result.push(piece.clone());
        }
    }
    result
}

/// Whether an annotation can follow: a name or a field.
fn is_target(pieces: &[Piece]) -> bool {
    pieces.last().is_some_and(|piece| piece.is_name() || piece.is("]"))
        && !pieces.iter().any(|piece| {
            matches!(piece.kind, Kind::Branch | Kind::Control | Kind::Operator)
                || piece.is_any(&["=", "class", "lambda", "with"])
        })
}

/// In TypeScript: `any` becomes another type, or a type is added behind a name or a list of parameters.
fn is_typed(spot: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let is_type = |piece: &Piece| {
        piece.is_name()
            || piece.is_any(&[
                "|",
                "&",
                "<",
                ">",
                "[",
                "]",
                "{",
                "}",
                ".",
                ",",
                ":",
                ";",
                "null",
                "undefined",
            ])
            || (piece.is_text() && !piece.text.contains("${"))
    };
    let all = gaps(&old.pieces, &new.pieces);
    let opens = spot.after().get(1).is_some_and(|next| next.shape == Shape::Open);
    !all.is_empty()
        && all.iter().all(|gap| {
            let before = old.pieces.get(gap.old.clone()).unwrap_or_default();
            let after = new.pieces.get(gap.new.clone()).unwrap_or_default();
            let last = gap.new.start.checked_sub(1).and_then(|at| new.pieces.get(at));
            let next = new.pieces.get(gap.new.end);
            let is_replaced = matches!(before, [any] if any.is("any")) && !after.is_empty();
            let is_behind = last.is_some_and(|last| last.is_name() || last.is(")"));
            let is_before = next.map_or(opens, |next| next.is_any(&["=", ",", ")", "=>"]));
            let is_value = new.pieces.iter().take(gap.new.start).fold(0i32, |depth, piece| {
                depth + i32::from(piece.is_any(&["{", "["])) - i32::from(piece.is_any(&["}", "]"]))
            }) > 0;
            let is_added = before.is_empty()
                && after.first().is_some_and(|piece| piece.is(":"))
                && is_behind
                && is_before
                && !is_value;
            after.iter().all(is_type) && (is_replaced || is_added)
        })
}

/// `const` instead of `let` or `var`, `let` instead of `var`; in Rust no `mut`, or no `&`.
pub(super) fn declared(spot: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    if spot.is(Language::Rust) {
        let word = if spot.subject.says("reference") { "&" } else { "mut" };
        let goes = |gap: &Gap| {
            let removed = old.pieces.get(gap.old.clone()).unwrap_or_default();
            gap.new.is_empty() && removed.iter().all(|piece| piece.is(word))
        };
        return gaps(&old.pieces, &new.pieces).iter().all(goes);
    }
    let rank = |piece: &Piece| ["var", "let", "const"].iter().position(|word| piece.is(word));
    let gaps = gaps(&old.pieces, &new.pieces);
    let [gap] = gaps.as_slice() else { return false };
    let one = |pieces: &[Piece], at: usize, count: usize| {
        (count == 1).then(|| pieces.get(at).and_then(rank)).flatten()
    };
    let before = one(&old.pieces, gap.old.start, gap.old.len());
    let after = one(&new.pieces, gap.new.start, gap.new.len());
    before.zip(after).is_some_and(|(before, after)| before < after)
}

/// `def f(a=[])` becomes `def f(a=None)`, and the body begins with `if a is None: a = []`.
pub(super) fn mutable_default(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let (old, new) = spot.pair()?;
        let (before, after) = (without_annotations(&old.pieces), without_annotations(&new.pieces));
        let (name, default) = changed_default(&before, &after)?;
        let docs = |units: &[Unit]| units.iter().skip(2).take_while(|unit| unit.shape == Shape::Doc).count();
        let (old_docs, new_docs) = (docs(spot.before()), docs(spot.after()));
        let same_docs = spot.before().get(1..2 + old_docs)? == spot.after().get(1..2 + new_docs)?;
        let [head, open, assign, close, ..] = spot.after().get(2 + new_docs..)? else { return None };
        let texts =
            |unit: &Unit| -> Vec<String> { unit.pieces.iter().map(|piece| piece.text.clone()).collect() };
        let is_asked = texts(head) == ["if", name.text.as_str(), "is", "None", ":"];
        let is_set = match assign.pieces.as_slice() {
            [target, equals, value @ ..] => *target == name && equals.is("=") && value == default,
            _ => false,
        };
        let is_block = open.shape == Shape::Open && close.shape == Shape::Close;
        (old.begins("def") && same_docs && is_asked && is_set && is_block)
            .then_some((2 + old_docs, 6 + new_docs))
    };
    step().into_iter().collect()
}

/// The parameter that has `None` as its default now, and its old default.
fn changed_default(before: &[Piece], after: &[Piece]) -> Option<(Piece, Vec<Piece>)> {
    let at = before.iter().zip(after).position(|(old, new)| old != new)?;
    let none = after.get(at).filter(|piece| piece.is("None"))?;
    debug_assert_eq!(none.kind, Kind::Literal, "`None` is a literal");
    let rest = before.get(at..)?;
    let length = find_outside(rest, &[","]).unwrap_or_else(|| closing(rest));
    let is_same = rest.get(length..)? == after.get(at + 1..)?;
    let [.., name, equals] = before.get(..at)? else { return None };
    (is_same && equals.is("=")).then(|| (name.clone(), rest.get(..length).unwrap_or_default().to_vec()))
}

/// Where the bracket closes that was open before these.
fn closing(pieces: &[Piece]) -> usize {
    let mut depth = 0i32;
    let closes = pieces.iter().position(|piece| {
        depth += i32::from(piece.opens()) - i32::from(piece.closes());
        depth < 0
    });
    closes.unwrap_or(pieces.len())
}
