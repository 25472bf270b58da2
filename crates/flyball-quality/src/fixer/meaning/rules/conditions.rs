//! Findings about comparisons and about how conditions are nested.

use super::super::piece::{Kind, Piece, depths};
use super::super::units::{Shape, Unit, block_end};
use super::spot::{Spot, Step};

fn texts(pieces: &[Piece]) -> Vec<&str> {
    pieces.iter().map(|piece| piece.text.as_str()).collect()
}

/// `==` becomes `===`, `== None` becomes `is None`, `not a in b` becomes `a not in b`: never the opposite.
pub(super) fn equality(spot: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let before = texts(&old.pieces);
    let after = texts(&new.pieces);
    if spot.is_script() {
        let is_stricter =
            |(old, new): (&&str, &&str)| old == new || matches!((*old, *new), ("==", "===") | ("!=", "!=="));
        return before.len() == after.len() && before.iter().zip(&after).all(is_stricter);
    }
    if spot.subject.says("constant literal") {
        return by_value(&before) == after;
    }
    let moved = with_membership(&before);
    [before, moved].iter().any(|texts| identity(texts) == after || truth(texts) == after)
}

/// Compares by `==` what was compared by `is`.
fn by_value<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let mut result = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let is_negated = texts.get(at + 1) == Some(&"not");
        let is_second = *text == "not" && at.checked_sub(1).and_then(|at| texts.get(at)) == Some(&"is");
        match *text {
            "is" if is_negated => result.push("!="),
            "is" => result.push("=="),
            "not" if is_second => {}
            other => result.push(other),
        }
    }
    result
}

/// Compares with constants by `is`.
fn identity<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let is_constant = |at: Option<usize>| {
        at.and_then(|at| texts.get(at)).is_some_and(|text| ["None", "True", "False"].contains(text))
    };
    let mut result = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let is_compared = is_constant(Some(at + 1)) || is_constant(at.checked_sub(1));
        match *text {
            "==" if is_compared => result.push("is"),
            "!=" if is_compared => result.extend(["is", "not"]),
            other => result.push(other),
        }
    }
    result
}

/// The same, without `True` and `False`.
fn truth<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let mut result: Vec<&str> = Vec::new();
    let mut rest = texts.iter().copied().peekable();
    while let Some(text) = rest.next() {
        let is_truth = rest.peek().is_some_and(|next| ["True", "False"].contains(next));
        if ["==", "!="].contains(&text) && is_truth {
            let is_true = rest.next() == Some("True");
            if is_true != (text == "==") {
                let start = operand_start(&result);
                result.insert(start, "not");
            }
        } else {
            result.push(text);
        }
    }
    identity(&result)
}

/// Where the value begins that ends here.
fn operand_start(texts: &[&str]) -> usize {
    let mut at = texts.len();
    let mut depth = 0usize;
    while let Some(text) = at.checked_sub(1).and_then(|at| texts.get(at)) {
        let is_bracket = [")", "]", "(", "["].contains(text);
        if [")", "]"].contains(text) {
            depth += 1;
        } else if ["(", "["].contains(text) {
            let Some(less) = depth.checked_sub(1) else { break };
            depth = less;
        } else if depth == 0 && !is_bracket {
            let is_path =
                *text == "." || text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            if !is_path || ["if", "elif", "while", "and", "or", "not", "return", "assert"].contains(text) {
                break;
            }
        }
        at -= 1;
    }
    at
}

/// `not a in b` as `a not in b`.
fn with_membership<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let mut result = texts.to_vec();
    let mut at = 0;
    while at < result.len() {
        if result.get(at) == Some(&"not") && result.get(at.wrapping_sub(1)) != Some(&"is") {
            let opens = result.get(at + 1) == Some(&"(");
            let ends = ["and", "or", ":", "if", "else", ",", "not"];
            let behind = result.iter().enumerate().skip(at + 1 + usize::from(opens));
            let found = behind
                .take_while(|(_, text)| !ends.contains(text))
                .find(|(_, text)| ["in", "is"].contains(text));
            if let Some((operator, text)) = found.map(|(at, text)| (at, *text)) {
                let close = result.iter().enumerate().skip(operator).find(|(_, text)| **text == ")");
                if let (true, Some((close, _))) = (opens, close) {
                    result.remove(close);
                }
                result.insert(if text == "in" { operator } else { operator + 1 }, "not");
                result.remove(at);
                if opens {
                    result.remove(at);
                }
            }
        }
        at += 1;
    }
    result
}

/// What is between `if` and the block.
fn condition<'u>(spot: &Spot<'_>, unit: &'u Unit) -> Option<&'u [Piece]> {
    let pieces = unit.pieces.as_slice();
    let first = pieces.first().filter(|piece| piece.is("if"))?;
    debug_assert_eq!(first.kind, Kind::Branch, "`if` is a branch");
    let [_, inside @ ..] = pieces else { return None };
    match inside {
        [open, inside @ .., close] if spot.is_script() && open.is("(") && close.is(")") => Some(inside),
        [inside @ .., colon] if colon.is(":") => Some(inside),
        _ if unit.has("let") || unit.has(":=") => None,
        _ => Some(inside),
    }
}

/// Two conditions, one inside the other, are one with `and`.
pub(super) fn nested(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let old = spot.before();
        let outer = condition(spot, spot.statement()?)?;
        let inner = condition(spot, old.get(2)?)?;
        let (end, inner_end) = (block_end(old, 1)?, block_end(old, 3)?);
        let has_else = old.get(end).is_some_and(|unit| unit.begins("else") || unit.begins("elif"));
        let new = spot.after();
        let joined = condition(spot, new.first()?)?;
        let new_end = block_end(new, 1)?;
        let and = if new.first()?.has("and") { "and" } else { "&&" };
        let same_body = old.get(4..inner_end)? == new.get(2..new_end)?;
        let is_joined = both(outer, inner, and).iter().any(|both| *both == texts(joined));
        (inner_end + 1 == end && !has_else && same_body && is_joined).then_some((end, new_end))
    };
    step().into_iter().collect()
}

/// The ways to write that two conditions hold.
fn both<'p>(outer: &'p [Piece], inner: &'p [Piece], and: &'p str) -> Vec<Vec<&'p str>> {
    let forms = |part: &'p [Piece]| {
        let binds_less = |(piece, depth): (&Piece, usize)| {
            depth == 0 && piece.is_any(&["or", "||", "if", "lambda", "?", "=", "??"])
        };
        let mut bracketed = vec!["("];
        bracketed.extend(texts(part));
        bracketed.push(")");
        let mut forms = vec![bracketed];
        if !part.iter().zip(depths(part)).any(binds_less) {
            forms.push(texts(part));
        }
        forms
    };
    let mut all = Vec::new();
    for left in forms(outer) {
        for right in forms(inner) {
            all.push([left.clone(), vec![and], right].concat());
        }
    }
    all
}

/// A single statement behind a condition gets braces.
pub(super) fn braces(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let old = spot.statement()?;
        let [head, open, body, close, ..] = spot.after() else { return None };
        let is_head = head.begins("else") && head.pieces.len() == 1
            || (head.pieces.last()?.is(")")
                && head.pieces.first()?.is_any(&["if", "else", "for", "while"])
                && depths(&head.pieces).iter().skip(1).filter(|depth| **depth == 0).count() <= 3);
        let is_block = open.shape == Shape::Open && close.shape == Shape::Close;
        let pieces = [head.pieces.clone(), body.pieces.clone()].concat();
        (is_head && is_block && pieces == old.pieces).then_some((1, 4))
    };
    step().into_iter().collect()
}

/// Behind a block that is always left, `else` changes nothing.
pub(super) fn useless_else(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let at = spot.old_at;
        let unit = spot.statement()?;
        let is_close = |at: usize| spot.scene.old.get(at).is_some_and(|unit| unit.shape == Shape::Close);
        let leaves = spot.scene.old.get(at.checked_sub(2)?)?.leaves() && is_close(at - 1);
        let new = spot.after();
        if !leaves {
            return None;
        }
        let is_alone = unit.begins("else") && unit.pieces.iter().all(|piece| piece.is_any(&["else", ":"]));
        if is_alone {
            let end = block_end(spot.before(), 1)?;
            let body = spot.before().get(2..end - 1)?;
            return (new.get(..body.len())? == body).then_some((end, body.len()));
        }
        let rest: Vec<&str> = match texts(&unit.pieces).as_slice() {
            ["elif", rest @ ..] | ["else", "if", rest @ ..] => [&["if"], rest].concat(),
            _ => return None,
        };
        (texts(&new.first()?.pieces) == rest).then_some((1, 1))
    };
    step().into_iter().collect()
}
