//! Findings about errors that are raised, caught or ignored, and about results that nobody reads.

use super::super::piece::{Kind, Piece};
use super::super::units::{Shape, Unit, block_end};
use super::spot::{Spot, Step};

/// Which errors a handler catches: names, and nothing that runs.
pub(super) fn caught(_: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let parts = |unit: &Unit| -> Option<(Vec<Piece>, Vec<Piece>)> {
        let at = unit.pieces.iter().position(|piece| piece.is_any(&["as", ":"]))?;
        let (errors, rest) = unit.pieces.split_at(at);
        unit.begins("except").then(|| (errors.to_vec(), rest.to_vec()))
    };
    let (Some((_, old_rest)), Some((errors, rest))) = (parts(old), parts(new)) else { return false };
    let is_part = |piece: &Piece| piece.is_name() || piece.is_any(&["except", ".", ",", "(", ")"]);
    let is_named = errors.iter().any(Piece::is_name);
    let calls = errors.windows(2).any(|pair| matches!(pair, [name, open] if name.is_name() && open.is("(")));
    is_named && !calls && errors.iter().all(is_part) && rest == old_rest
}

/// `raise … from err`, with the name of the error that is handled.
pub(super) fn cause(spot: &Spot<'_>) -> Vec<Step> {
    if let Some((old, new)) = spot.pair() {
        let is_handled = |name: &Piece| {
            let handles = |unit: &Unit| {
                let named = unit.pieces.windows(2);
                unit.begins("except")
                    && named
                        .into_iter()
                        .any(|pair| matches!(pair, [word, bound] if word.is("as") && bound == name))
            };
            name.is("None") || spot.scene.new.iter().take(spot.new_at).any(handles)
        };
        let Some(from) = new.pieces.len().checked_sub(2) else { return Vec::new() };
        let is_cause = match new.pieces.split_at(from) {
            (raised, [word, name]) => raised == old.pieces && word.is("from") && is_handled(name),
            _ => false,
        };
        if old.begins("raise") && is_cause {
            return vec![(1, 1)];
        }
    }
    names_handled(spot).then_some((1, 1)).into_iter().collect()
}

/// The head of the handler around the finding gets a name for its error.
fn names_handled(spot: &Spot<'_>) -> bool {
    let (Some(old), Some(new)) = (spot.before().first(), spot.after().first()) else { return false };
    let Some(end) = block_end(spot.before(), 1).filter(|_| old.begins("except")) else { return false };
    let body = spot.before().get(1..end).unwrap_or_default();
    let [start @ .., word, name, colon] = new.pieces.as_slice() else { return false };
    let is_known = body.iter().any(|unit| unit.has(&name.text));
    let before = [start.to_vec(), vec![colon.clone()]].concat();
    word.is("as")
        && name.is_name()
        && !is_known
        && start.len() > 1
        && before == old.pieces
        && body.iter().any(|unit| unit.begins("raise") && spot.subject.covers(unit))
}

/// In Go: the error of a call is returned, or ignored in so many words.
pub(super) fn checked(spot: &Spot<'_>) -> Vec<Step> {
    let Some((old, first)) = spot.pair() else { return Vec::new() };
    let starts = |pieces: &[Piece], words: &[&str]| {
        let (start, rest) = pieces.split_at(words.len().min(pieces.len()));
        start.iter().zip(words).all(|(piece, word)| piece.is(word) || (*word == "err" && piece.is_name()))
            && rest == old.pieces
    };
    if starts(&first.pieces, &["_", "="]) {
        return vec![(1, 1)];
    }
    let error = first.pieces.iter().find(|piece| piece.is_name());
    let is_error = |piece: &Piece| error.is_some_and(|error| error == piece);
    let is_checked = |condition: &[Piece]| matches!(condition, [name, not, nil] if is_error(name) && not.is("!=") && nil.is("nil"));
    // `if err := g(); err != nil` in one statement, or in two.
    let (block, is_checked) = match (first.pieces.iter().position(|piece| piece.is(";")), spot.after()) {
        (Some(end), [_, block @ ..]) => {
            let (call, condition) = first.pieces.split_at(end);
            (block, starts(call, &["if", "err", ":="]) && is_checked(condition.get(1..).unwrap_or_default()))
        }
        (None, [_, head, block @ ..]) => {
            let condition = head.pieces.get(1..).unwrap_or_default();
            (block, starts(&first.pieces, &["err", ":="]) && head.begins("if") && is_checked(condition))
        }
        _ => return Vec::new(),
    };
    let [open, returned, close, ..] = block else { return Vec::new() };
    let is_zero = |piece: &Piece| piece.is_any(&["nil", "0", "false", "\"", ","]);
    let is_returned = match returned.pieces.as_slice() {
        [word, values @ .., last] => word.is("return") && is_error(last) && values.iter().all(is_zero),
        _ => false,
    };
    let is_block = open.shape == Shape::Open && close.shape == Shape::Close;
    if is_checked && is_returned && is_block {
        vec![(1, spot.after().len() - block.len() + 3)]
    } else {
        Vec::new()
    }
}

/// A result that must be used is used: passed on, awaited, or ignored in so many words.
pub(super) fn result_is_used(_: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let prefixes: [&[&str]; 3] = [&["let", "_", "="], &["await"], &["void"]];
    let has_prefix = prefixes.iter().any(|prefix| {
        let (start, rest) = new.pieces.split_at(prefix.len().min(new.pieces.len()));
        start.iter().map(|piece| piece.text.as_str()).eq(prefix.iter().copied()) && rest == old.pieces
    });
    let is_passed_on = match new.pieces.as_slice() {
        [call @ .., question, end] => {
            question.kind == Kind::Control
                && question.is("?")
                && [call.to_vec(), vec![end.clone()]].concat() == old.pieces
        }
        _ => false,
    };
    has_prefix || is_passed_on
}

/// `f = open(a)` becomes `with open(a) as f:` around what follows.
pub(super) fn context_manager(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let old = spot.statement()?;
        let [name, equals, call @ ..] = old.pieces.as_slice() else { return None };
        let new = spot.after();
        let [with, inside @ .., word, bound, colon] = new.first()?.pieces.as_slice() else { return None };
        let is_head = with.is("with") && word.is("as") && colon.is(":") && bound == name && equals.is("=");
        let end = block_end(new, 1)?;
        let body = new.get(2..end - 1)?;
        let rest = spot.before().get(1..)?;
        let is_body = rest.get(..body.len())? == body;
        let closes = rest.get(body.len()).is_some_and(|unit| {
            let texts: Vec<&str> = unit.pieces.iter().map(|piece| piece.text.as_str()).collect();
            texts == [name.text.as_str(), ".", "close", "(", ")"]
        });
        (is_head && inside == call && is_body).then_some((1 + body.len() + usize::from(closes), end))
    };
    step().into_iter().collect()
}

/// `try`, `except A` and `pass` are `with contextlib.suppress(A)`.
pub(super) fn ignored(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let old = spot.statement().filter(|old| old.begins("try"))?;
        let end = block_end(spot.before(), 1)?;
        let [handler, _, pass, close, rest @ ..] = spot.before().get(end..)? else { return None };
        let [except, errors @ .., _] = handler.pieces.as_slice() else { return None };
        let new = spot.after();
        let [with, module, _, suppress, open, caught @ .., _, _] = new.first()?.pieces.as_slice() else {
            return None;
        };
        let is_ignored = except.is("except") && pass.begins("pass") && close.shape == Shape::Close;
        let is_whole =
            !rest.first().is_some_and(|next| ["except", "else", "finally"].iter().any(|it| next.begins(it)));
        let is_head = with.is("with") && module.is("contextlib") && suppress.is("suppress") && open.is("(");
        let is_same = |errors: &[Piece]| errors == caught && !errors.is_empty();
        // Several are a list in one and arguments in the other.
        let is_caught =
            is_same(errors) || matches!(errors, [open, inside @ .., _] if open.is("(") && is_same(inside));
        let is_body = spot.before().get(1..end)? == new.get(1..end)?;
        (old.pieces.len() == 2 && is_ignored && is_whole && is_head && is_caught && is_body)
            .then_some((end + 4, end))
    };
    step().into_iter().collect()
}
