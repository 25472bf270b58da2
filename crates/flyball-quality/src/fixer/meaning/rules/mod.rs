//! What each topic permits. A rule is asked at one place of both versions, and answers how many units of
//! each it explains from there on.

mod conditions;
mod errors;
mod imports;
mod items;
mod named;
mod returns;
mod shell;
mod signatures;
mod spot;
mod strings;
mod unused;
mod values;

use self::imports::Imports;
pub(super) use self::spot::Scene;
use self::spot::{Spot, Step};
use super::piece::Piece;
use super::topics::Topic;
use super::units::{Shape, Unit};

/// What the findings permit.
pub(super) struct Rules<'s> {
    pub(super) scene: &'s Scene<'s>,
    imports: Imports,
}

impl<'s> Rules<'s> {
    pub(super) fn new(scene: &'s Scene<'s>) -> Rules<'s> {
        Rules { scene, imports: Imports::new(scene) }
    }

    /// All steps that a finding permits from a place.
    pub(super) fn steps(&self, old_at: usize, new_at: usize) -> Vec<Step> {
        let mut steps = self.imports.steps(self.scene, old_at, new_at);
        for subject in self.scene.subjects {
            steps.extend(permitted(&Spot { scene: self.scene, subject, old_at, new_at }));
        }
        steps
    }
}

fn permitted(spot: &Spot<'_>) -> Vec<Step> {
    let pair = |permits: fn(&Spot<'_>, &Unit, &Unit) -> bool| match spot.pair() {
        Some((old, new)) if permits(spot, old, new) => vec![(1, 1)],
        Some(_) | None => Vec::new(),
    };
    match spot.subject.topic {
        Topic::Docs => docs(spot),
        Topic::Layout => layout(spot),
        Topic::Annotation if spot.subject.says("instead of") => {
            [pair(signatures::annotated), named::steps(spot)].concat()
        }
        Topic::Annotation => pair(signatures::annotated),
        Topic::MutableDefault => signatures::mutable_default(spot),
        Topic::Declaration => pair(signatures::declared),
        Topic::UnusedResult => pair(errors::result_is_used),
        Topic::UnusedVariable => unused::steps(spot),
        Topic::UselessStatement => unused::useless(spot),
        Topic::Unreachable => unused::unreachable(spot),
        Topic::Printing => unused::printed(spot),
        Topic::Equality => pair(conditions::equality),
        Topic::NestedIf => conditions::nested(spot),
        Topic::Braces => conditions::braces(spot),
        Topic::UselessElse => conditions::useless_else(spot),
        Topic::BareExcept => pair(errors::caught),
        Topic::MissingCause => errors::cause(spot),
        Topic::UncheckedError => errors::checked(spot),
        Topic::IgnoredError => errors::ignored(spot),
        Topic::ContextManager => errors::context_manager(spot),
        Topic::UselessReturn => returns::useless(spot),
        Topic::AssignedReturn => returns::assigned(spot),
        Topic::MissingReturn => returns::missing(spot),
        Topic::Lambda => returns::lambda(spot),
        Topic::Quoting => pair(shell::quoted),
        Topic::MayFail => pair(shell::may_fail),
        Topic::DeclareApart => shell::declared_apart(spot),
        Topic::Shebang => shell::shebang(spot),
        Topic::Format => pair(strings::formatted),
        Topic::Order => values::ordered(spot),
        Topic::LetterCase => pair(values::same_letters),
        Topic::Truthy => pair(values::truthy),
        Topic::ValueQuotes => pair(values::quoted),
        Topic::Version => pair(values::version),
        Topic::Named | Topic::Import => named::steps(spot),
        // A rename is applied to the old version before both are compared, and so are imports.
        Topic::Rename | Topic::UndefinedName | Topic::UnusedImport | Topic::ImportOrder | Topic::Syntax => {
            Vec::new()
        }
    }
}

/// Docstrings come and go in what the finding is about, and at the beginning of its body.
fn docs(spot: &Spot<'_>) -> Vec<Step> {
    let is_here = |at: usize| spot.scene.old.get(at).is_some_and(|unit| spot.subject.covers(unit));
    let is_directive = |unit: &Unit| unit.pieces.iter().all(super::strings::is_directive);
    let is_begin = spot.scene.old.iter().take(spot.old_at).all(is_directive);
    let is_body = (is_begin && spot.subject.lines.is_none_or(|(first, _)| first == 1))
        || spot.old_at.checked_sub(1).is_some_and(|at| {
            is_here(at) && spot.scene.old.get(at).is_some_and(|unit| unit.shape == Shape::Open)
        });
    let is_doc = |units: &[Unit]| units.first().is_some_and(|unit| unit.shape == Shape::Doc);
    let mut steps = Vec::new();
    if is_doc(spot.after()) && (is_body || is_here(spot.old_at)) {
        steps.push((0, 1));
    }
    if is_doc(spot.before()) && (is_body || is_here(spot.old_at)) {
        steps.push((1, 0));
    }
    steps
}

/// Line breaks, where they separate units, and the text of a docstring.
fn layout(spot: &Spot<'_>) -> Vec<Step> {
    let (Some(old), Some(new)) = (spot.before().first(), spot.after().first()) else { return Vec::new() };
    if !spot.subject.covers(old) {
        return Vec::new();
    }
    if old.shape == Shape::Doc && new.shape == Shape::Doc {
        return vec![(1, 1)];
    }
    // In a language that has no table, a line is a unit.
    if spot.scene.language.is_none() { rewrapped(spot) } else { Vec::new() }
}

/// The most lines that one line is broken into.
const MOST_LINES: usize = 12;

/// The same pieces in other lines.
fn rewrapped(spot: &Spot<'_>) -> Vec<Step> {
    let pieces = |units: &[Unit], count: usize| -> Vec<Piece> {
        units.iter().take(count).flat_map(|unit| unit.pieces.clone()).collect()
    };
    let is_whole = |units: &[Unit], count: usize| units.iter().take(count).all(Unit::is_statement);
    let fits = |(old, new): &Step| {
        let texts = |pieces: Vec<Piece>| pieces.into_iter().map(|piece| piece.text).collect::<Vec<_>>();
        is_whole(spot.before(), *old)
            && is_whole(spot.after(), *new)
            && texts(pieces(spot.before(), *old)) == texts(pieces(spot.after(), *new))
    };
    let splits = (2..=MOST_LINES.min(spot.after().len())).map(|new| (1, new));
    let joins = (2..=MOST_LINES.min(spot.before().len())).map(|old| (old, 1));
    splits.chain(joins).filter(fits).collect()
}
