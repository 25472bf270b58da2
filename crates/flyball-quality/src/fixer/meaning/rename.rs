//! Renames that a finding asks for, applied to the old version: everywhere or nowhere.

use std::collections::BTreeMap;
use std::ops::Range;

use super::piece::Piece;
use super::strings;
use super::topics::{Subject, Topic};
use super::units::{Unit, block_end, head_of};

/// How far a name reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The function that the finding is in.
    Function,
    File,
}

/// The old units with all names that findings ask to change as they are in the new version.
pub(super) fn apply(old: &[Unit], new: &[Unit], subjects: &[Subject<'_>], scope: Scope) -> Vec<Unit> {
    let mut renamed = old.to_vec();
    let (before, after) = (count(old), count(new));
    for subject in subjects.iter().filter(|subject| subject.topic == Topic::Rename) {
        for (name, times) in &before {
            let lost = times.saturating_sub(after.get(name).copied().unwrap_or(0));
            // A new name that is used already could mean something else.
            let mut fresh = after.iter().filter(|(new, count)| !before.contains_key(*new) && **count == lost);
            if let (true, Some((to, _))) = (lost > 0 && subject.is_about(name), fresh.next()) {
                let range = reach(old, subject, name, scope);
                rename(renamed.get_mut(range).unwrap_or_default(), name, to);
            }
        }
    }
    renamed
}

fn count(units: &[Unit]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for piece in units.iter().flat_map(|unit| &unit.pieces).filter(|piece| piece.is_name()) {
        *counts.entry(piece.text.as_str()).or_default() += 1;
    }
    counts
}

/// The units in which a name is the same.
fn reach(units: &[Unit], subject: &Subject<'_>, name: &str, scope: Scope) -> Range<usize> {
    let all = 0..units.len();
    let at = units.iter().position(|unit| subject.covers(unit) && unit.has(name));
    let (Scope::Function, Some(at)) = (scope, at) else { return all };
    let is_function = |at: usize| {
        units.get(at).is_some_and(|unit| ["def", "fn", "func", "function"].iter().any(|word| unit.has(word)))
    };
    let mut head = Some(at);
    while let Some(at) = head {
        if let (true, Some(end)) = (is_function(at), block_end(units, at + 1)) {
            return at..end;
        }
        head = head_of(units, at);
    }
    all
}

fn rename(units: &mut [Unit], from: &str, to: &str) {
    for unit in units {
        let is_free = free_names(&unit.pieces);
        for (piece, is_free) in unit.pieces.iter_mut().zip(is_free) {
            if is_free {
                strings::rename(piece, from, to);
            }
        }
    }
}

/// For each piece, whether it is no field of something else and no argument or key that others know.
fn free_names(pieces: &[Piece]) -> Vec<bool> {
    let is_function = pieces.iter().take(2).any(|piece| piece.is_any(&["def", "fn", "func", "function"]));
    let is_pattern = pieces.first().is_some_and(|first| first.is_any(&["const", "let", "var", "import"]));
    let mut open: Vec<&str> = Vec::new();
    let mut last = "";
    let mut free = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let next = pieces.get(at + 1).map_or("", |piece| piece.text.as_str());
        let begins = matches!(last, "(" | "," | "{");
        let is_argument = open.last() == Some(&"(") && begins && next == "=" && !is_function;
        let is_key = open.last() == Some(&"{") && begins && matches!(next, ":" | "," | "}") && !is_pattern;
        free.push(!matches!(last, "." | "?.") && !is_argument && !is_key);
        if piece.opens() {
            open.push(&piece.text);
        } else if piece.closes() {
            open.pop();
        }
        last = &piece.text;
    }
    free
}
