//! Findings about what a function returns and how.

use super::super::units::{Shape, Unit, head_of};
use super::spot::{Spot, Step};
use flyball_effects::lex::Language;

fn ends_block(unit: Option<&Unit>) -> bool {
    unit.is_some_and(|unit| unit.shape == Shape::Close)
}

/// The last `return` of a function, where it says nothing.
pub(super) fn useless(spot: &Spot<'_>) -> Vec<Step> {
    let Some(old) = spot.statement().filter(|old| old.begins("return")) else { return Vec::new() };
    if !ends_block(spot.before().get(1)) {
        return Vec::new();
    }
    let value = old.pieces.get(1..).unwrap_or_default();
    if spot.is(Language::Rust) {
        let value =
            value.strip_suffix(value.last().filter(|it| it.is(";")).map(std::slice::from_ref).unwrap_or(&[]));
        let is_value = spot.after().first().is_some_and(|new| value == Some(new.pieces.as_slice()));
        return if is_value { vec![(1, 1)] } else { Vec::new() };
    }
    if value.is_empty() { vec![(1, 0)] } else { Vec::new() }
}

/// `x = a` and `return x` are `return a`.
pub(super) fn assigned(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let [assign, returned, ..] = spot.before() else { return None };
        let [name, equals, value @ ..] = assign.pieces.as_slice() else { return None };
        let [word, last] = returned.pieces.as_slice() else { return None };
        let [new_word, new_value @ ..] = spot.after().first()?.pieces.as_slice() else { return None };
        let is_about = spot.subject.covers(assign) || spot.subject.covers(returned);
        let is_pair = equals.is("=") && word.is("return") && name == last && name.is_name();
        (is_about && is_pair && new_word.is("return") && new_value == value).then_some((2, 1))
    };
    step().into_iter().collect()
}

/// A function that returns something in other places says at its end that it returns nothing.
pub(super) fn missing(spot: &Spot<'_>) -> Vec<Step> {
    let is_return = spot.after().first().is_some_and(|new| new.begins("return") && new.pieces.len() == 1);
    let head = head_of(spot.scene.old, spot.old_at);
    let is_function = head.and_then(|head| spot.scene.old.get(head)).is_some_and(|head| head.has("def"));
    let is_about = head.is_some_and(|head| {
        let body = spot.scene.old.get(head..spot.old_at).unwrap_or_default();
        body.iter().any(|unit| spot.subject.covers(unit))
    });
    if is_return && is_function && is_about && ends_block(spot.before().first()) {
        vec![(0, 1)]
    } else {
        Vec::new()
    }
}

/// `f = lambda a: b` is a function that returns `b`.
pub(super) fn lambda(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let [name, equals, word, rest @ ..] = spot.statement()?.pieces.as_slice() else { return None };
        let colon = super::super::piece::find_outside(rest, &[":"])?;
        let (arguments, value) = (rest.get(..colon)?, rest.get(colon + 1..)?);
        let [head, open, returned, close, ..] = spot.after() else { return None };
        let [def, new_name, bracket, new_arguments @ .., end, new_colon] = head.pieces.as_slice() else {
            return None;
        };
        let [new_word, new_value @ ..] = returned.pieces.as_slice() else { return None };
        let is_lambda = equals.is("=") && word.is("lambda");
        let is_function = def.is("def") && bracket.is("(") && end.is(")") && new_colon.is(":");
        let is_block = open.shape == Shape::Open && close.shape == Shape::Close && new_word.is("return");
        let is_same = name == new_name && arguments == new_arguments && value == new_value;
        (is_lambda && is_function && is_block && is_same).then_some((1, 4))
    };
    step().into_iter().collect()
}
