//! Findings that no other rule knows: in their own statements, what their message names may change.

use std::ops::Range;

use flyball_effects::lex::Language;

use super::super::align::{Gap, gaps};
use super::super::piece::{Kind, Piece};
use super::super::source;
use super::super::units::{Unit, block_end};
use super::spot::{Spot, Step};

pub(super) fn steps(spot: &Spot<'_>) -> Vec<Step> {
    let mut steps = suggested(spot);
    if spot.pair().is_some_and(|(old, new)| is_named(spot, old, new)) {
        steps.push((1, 1));
    }
    // A statement of which every part is named: `---`.
    let is_whole = |unit: &Unit| {
        unit.is_statement() && unit.pieces.iter().all(|piece| piece.kind == Kind::Sign || names(spot, piece))
    };
    let says_all = |unit: &Unit| {
        let shown = unit.shown().replace(' ', "");
        is_whole(unit) && spot.subject.quoted.iter().any(|part| part.replace(' ', "") == shown)
    };
    let is_useless = |old: &Unit| {
        let words = ["unnecessary", "useless", "unneeded", "redundant", "remove", "no effect"];
        !old.leaves() || words.iter().any(|word| spot.subject.says(word))
    };
    if spot.statement().is_some_and(|old| (says_all(old) && is_useless(old)) || is_duplicate(spot, old)) {
        steps.push((1, 0));
    }
    let is_here = spot.before().first().is_some_and(|old| spot.subject.covers(old));
    if is_here && is_data(spot) && spot.after().first().is_some_and(says_all) {
        steps.push((0, 1));
    }
    steps
}

fn is_data(spot: &Spot<'_>) -> bool {
    matches!(spot.scene.language, Some(Language::Yaml | Language::Toml) | None)
}

/// A key of data that is there twice, with the same value.
fn is_duplicate(spot: &Spot<'_>, old: &Unit) -> bool {
    let Some(key) = old.pieces.first() else { return false };
    let before = spot.scene.old.iter().take(spot.old_at);
    let is_key = old.pieces.get(1).is_some_and(|piece| piece.is_any(&[":", "="]));
    let is_leaf = old.pieces.len() > 2 && !old.pieces.iter().any(Piece::opens);
    is_data(spot)
        && is_key
        && is_leaf
        && (spot.subject.says("duplicat") || spot.subject.says("already defined"))
        && spot.subject.quotes(key.text.trim_start_matches('"'))
        && before.into_iter().any(|unit| unit == old)
}

/// The message has what is new: ``Use `return any(…)` instead of `for` loop``.
fn suggested(spot: &Spot<'_>) -> Vec<Step> {
    let (Some(language), Some(old), Some(new)) =
        (spot.scene.language, spot.statement(), spot.after().first())
    else {
        return Vec::new();
    };
    let texts = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text.clone()).collect::<Vec<_>>();
    let (before, after) = (texts(&old.pieces), texts(&new.pieces));
    let mut steps = Vec::new();
    for part in spot.subject.quoted.iter().filter(|part| !part.contains("...")) {
        let suggestion = texts(&source::read(part, language));
        if suggestion.len() < MIN_SUGGESTED {
            continue;
        }
        // Whatever had a name or a value still has it.
        let keeps = |pieces: &[Piece]| {
            let is_value = |piece: &&Piece| matches!(piece.kind, Kind::Name | Kind::Literal);
            let constants = ["True", "False", "None", "true", "false"];
            let mut values = pieces.iter().filter(is_value).filter(|piece| !piece.is_any(&constants));
            values.all(|piece| suggestion.contains(&piece.text))
        };
        if suggestion == after {
            let is_kept = |count: &usize| spot.before().iter().take(*count).all(|unit| keeps(&unit.pieces));
            steps.extend(spans(spot).into_iter().filter(is_kept).map(|old| (old, 1)));
        }
        if replaced_part(&before, &after, &suggestion)
            .is_some_and(|part| keeps(old.pieces.get(part).unwrap_or_default()))
        {
            steps.push((1, 1));
        }
    }
    steps
}

/// What the suggestion takes the place of, if the versions are the same but for it.
fn replaced_part(before: &[String], after: &[String], suggestion: &[String]) -> Option<Range<usize>> {
    let has = |texts: &[String]| texts.windows(suggestion.len()).position(|part| part == suggestion);
    let at = has(after).filter(|_| has(before).is_none())?;
    let (start, rest) = after.split_at(at);
    let end = rest.get(suggestion.len()..).unwrap_or_default();
    let is_rest =
        before.len() >= start.len() + end.len() && before.starts_with(start) && before.ends_with(end);
    is_rest.then(|| start.len()..before.len() - end.len())
}

/// Shorter suggestions are names, not statements.
const MIN_SUGGESTED: usize = 3;

/// How many old units may be replaced: the statement, and the blocks behind it that the finding covers.
fn spans(spot: &Spot<'_>) -> Vec<usize> {
    let mut spans = vec![1];
    let mut end = 1;
    while let Some(next) = block_end(spot.before(), end) {
        let is_covered =
            spot.before().get(end..next).is_some_and(|units| units.iter().all(|it| spot.subject.covers(it)));
        if !is_covered {
            break;
        }
        spans.push(next);
        end = next;
        let goes_on = spot.before().get(end).is_some_and(|unit| {
            ["else", "elif", "except", "finally"].iter().any(|word| unit.begins(word))
                && spot.subject.covers(unit)
        });
        // What follows a loop belongs to it if the finding says so.
        let follows = spot.before().get(end).is_some_and(|unit| unit.leaves() && spot.subject.covers(unit));
        if follows {
            spans.push(end + 1);
        }
        if !goes_on {
            break;
        }
        end += 1;
    }
    spans
}

/// Whether the message names everything that differs.
fn is_named(spot: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let all = gaps(&old.pieces, &new.pieces);
    let arguments = new_arguments(spot, old, new);
    let is_argument = |at: usize| arguments.iter().any(|range| range.contains(&at));
    let removed = |gap: &Gap| old.pieces.get(gap.old.clone()).unwrap_or_default();
    let added = |gap: &Gap| new.pieces.get(gap.new.clone()).unwrap_or_default();
    let mut is_any_named = false;
    let mut permits = |piece: &Piece, is_removed: bool| {
        let is_named = names(spot, piece) || (is_removed && is_compared(spot, piece));
        is_any_named |= is_named;
        is_named || is_bracket(piece)
    };
    let is_permitted = all.iter().all(|gap| {
        if is_turned(spot, removed(gap), added(gap)) {
            return true;
        }
        let goes = removed(gap).iter().all(|piece| permits(piece, true));
        let comes =
            gap.new.clone().zip(added(gap)).all(|(at, piece)| is_argument(at) || permits(piece, false));
        goes && comes
    });
    // A name that is taken from one place and put to another changes the order.
    let is_moved = |name: &Piece| {
        name.is_name()
            && !name.is_callee
            && all.iter().any(|gap| added(gap).iter().any(|it| it.text == name.text))
    };
    let moves = all.iter().any(|gap| removed(gap).iter().any(is_moved));
    let turns = all.iter().any(|gap| is_turned(spot, removed(gap), added(gap)));
    let has_change = turns || is_any_named || !arguments.is_empty();
    !all.is_empty() && is_permitted && has_change && !moves && !calls_more(spot, old, new)
}

/// Whether a message names a piece.
fn names(spot: &Spot<'_>, piece: &Piece) -> bool {
    let subject = spot.subject;
    let text = piece.text.as_str();
    match piece.kind {
        Kind::Name | Kind::Literal if text.starts_with('-') && text.len() > 1 => subject.mentions(text),
        Kind::Name => subject.names(text),
        Kind::Literal if piece.is_text() => {
            let inside = text.trim_start_matches('"');
            !inside.is_empty() && (subject.quotes(inside) || subject.quoted.contains(&inside))
        }
        Kind::Literal => subject.quotes(text),
        Kind::Operator => {
            subject.quotes(text)
                || (text.len() > 1 && !text.starts_with(char::is_alphabetic) && subject.mentions(text))
        }
        Kind::Control if piece.is("await") => subject.quotes(text) || subject.says("await"),
        Kind::Branch | Kind::Control | Kind::Keyword => subject.quotes(text),
        Kind::Sign => !is_bracket(piece) && subject.quotes(text),
    }
}

/// What may go with the comparison that a message is about.
fn is_compared(spot: &Spot<'_>, piece: &Piece) -> bool {
    let is_comparison = piece.is_any(&["==", "!=", "===", "!==", ">", ">=", "<", "<="]);
    (is_comparison && spot.subject.says("compar"))
        || (piece.is("0") && spot.subject.says("zero"))
        || (piece.is("type") && spot.subject.says("type compar"))
}

/// `verify=False`, which a message names, may become `verify=True`.
fn is_turned(spot: &Spot<'_>, removed: &[Piece], added: &[Piece]) -> bool {
    let booleans = ["True", "False", "true", "false"];
    match (removed, added) {
        ([old], [new]) => spot.subject.quotes(&old.text) && old.is_any(&booleans) && new.is_any(&booleans),
        _ => false,
    }
}

/// Signs that come and go with what is between them.
fn is_bracket(piece: &Piece) -> bool {
    piece.kind == Kind::Sign && piece.is_any(&["(", ")", "[", "]", "{", "}", ",", ".", ":", "=", ";", "::"])
}

/// Calls that were not there must be named, and those that were there must stay unless they are.
fn calls_more(spot: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let count =
        |unit: &Unit, name: &str| unit.pieces.iter().filter(|it| it.is_callee && it.text == name).count();
    let callees = old.pieces.iter().chain(&new.pieces).filter(|piece| piece.is_callee);
    callees.into_iter().any(|callee| {
        count(old, &callee.text) != count(new, &callee.text)
            && !spot.subject.names(&callee.text)
            && !is_compared(spot, callee)
    })
}

/// Arguments that are new, and that the message names: `, encoding="utf-8"`. Their values call nothing.
fn new_arguments(spot: &Spot<'_>, old: &Unit, new: &Unit) -> Vec<Range<usize>> {
    let pieces = &new.pieces;
    let mut ranges = Vec::new();
    for (at, pair) in pieces.windows(2).enumerate() {
        let [name, equals] = pair else { continue };
        let before = at.checked_sub(1).and_then(|at| pieces.get(at));
        let is_first = before.is_some_and(|before| before.is_any(&["(", ","]));
        let was_there = old.pieces.windows(2).any(|old| old == pair);
        if !(name.is_name() && equals.is("=") && is_first) || was_there || !spot.subject.mentions(&name.text)
        {
            continue;
        }
        let value = pieces.iter().skip(at + 2).take_while(|it| !it.is_any(&[",", ")", "("]));
        let start = at - usize::from(before.is_some_and(|before| before.is(",")));
        let end = at + 2 + value.count();
        let is_closed = pieces.get(end).is_some_and(|it| it.is_any(&[",", ")"]));
        if is_closed {
            ranges.push(start..end);
        }
    }
    ranges
}
