//! Findings about data: the order, the form and the version of values.

use flyball_effects::lex::Language;

use super::super::align::gaps;
use super::super::piece::Piece;
use super::super::units::{Shape, Unit};
use super::spot::{Spot, Step};

/// The entries of a block, or of a list in brackets, in another order.
pub(super) fn ordered(spot: &Spot<'_>) -> Vec<Step> {
    if let Some((old, new)) = spot.pair().filter(|(old, new)| old != new) {
        let entries = sorted_entries(&old.pieces);
        if entries.is_some() && entries == sorted_entries(&new.pieces) {
            return vec![(1, 1)];
        }
    }
    if !matches!(spot.scene.language, Some(Language::Yaml | Language::Toml) | None) {
        return Vec::new();
    }
    let entries = |units: &[Unit]| units.iter().take_while(|unit| unit.shape != Shape::Close).count();
    let (old_count, new_count) = (entries(spot.before()), entries(spot.after()));
    let (old, new) = (spot.before().get(..old_count), spot.after().get(..new_count));
    let sorted = |units: Option<&[Unit]>| -> Option<Vec<Vec<String>>> {
        let mut all: Vec<Vec<String>> = units?
            .iter()
            .map(|unit| {
                let texts = unit.pieces.iter().map(|piece| piece.text.clone());
                unit.is_statement().then(|| texts.collect())
            })
            .collect::<Option<_>>()?;
        all.sort();
        Some(all)
    };
    let is_about = old.is_some_and(|units| units.iter().any(|unit| spot.subject.covers(unit)));
    let is_moved = sorted(old).is_some_and(|entries| Some(entries) == sorted(new));
    if is_about && is_moved && old_count > 0 { vec![(old_count, new_count)] } else { Vec::new() }
}

/// A statement with the entries of its outermost list sorted. Arguments of a call have an order.
fn sorted_entries(pieces: &[Piece]) -> Option<[Vec<Vec<String>>; 3]> {
    let texts = |pieces: &[Piece]| -> Vec<String> { pieces.iter().map(|piece| piece.text.clone()).collect() };
    let open = pieces.iter().position(Piece::opens)?;
    let close = pieces.iter().rposition(Piece::closes)?;
    let is_call = open.checked_sub(1).and_then(|at| pieces.get(at)).is_some_and(|it| !it.is_any(&["=", ":"]));
    let inside = pieces.get(open + 1..close)?;
    if is_call || inside.iter().any(|piece| piece.opens() || piece.is("...")) {
        return None;
    }
    let mut entries: Vec<Vec<String>> = inside.split(|piece| piece.is(",")).map(texts).collect();
    entries.sort();
    Some([vec![texts(pieces.get(..=open)?)], entries, vec![texts(pieces.get(close..)?)]])
}

/// The same words with other letters, in a language that does not tell them apart.
pub(super) fn same_letters(spot: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let letters = |unit: &Unit| unit.shown().to_lowercase();
    let has_text = |unit: &Unit| unit.has("'") || unit.has("\"");
    spot.scene.language.is_none() && letters(old) == letters(new) && !has_text(old)
}

/// `yes` is `true`.
pub(super) fn truthy(_: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let truth = |piece: &Piece| match piece.text.to_lowercase().as_str() {
        "yes" | "on" | "true" | "y" => "true".to_owned(),
        "no" | "off" | "false" | "n" => "false".to_owned(),
        // With quotes it was never one, and the linter asks which one is meant.
        "\"yes" | "\"on" => "true".to_owned(),
        "\"no" | "\"off" => "false".to_owned(),
        _ => piece.text.clone(),
    };
    old.pieces.iter().map(truth).eq(new.pieces.iter().map(truth))
}

/// Quotes around a value.
pub(super) fn quoted(_: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let plain = |piece: &Piece| piece.text.trim_start_matches('"').to_owned();
    old.pieces.iter().map(plain).eq(new.pieces.iter().map(plain))
}

/// A version behind a name that stays: `python` becomes `python:3.12`, `curl` becomes `curl=8.*`.
pub(super) fn version(_: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let starts = |at: usize| at.checked_sub(1).and_then(|at| new.pieces.get(at));
    gaps(&old.pieces, &new.pieces).iter().all(|gap| {
        let added = new.pieces.get(gap.new.clone()).unwrap_or_default();
        let removed = old.pieces.get(gap.old.clone()).unwrap_or_default();
        let is_part =
            |piece: &Piece| piece.is_glued && !piece.is_any(&["/", "&&", ";", "|", "$", "`", "(", "&"]);
        let is_mark = |piece: &&Piece| piece.is_any(&[":", "=", "==", "@", "~", "~="]);
        let begins = added.first().is_some_and(|first| is_mark(&first))
            || starts(gap.new.start).filter(is_mark).is_some();
        let only_version = removed.iter().all(|piece| piece.is("latest") || piece.is_any(&[":", "@"]));
        added.iter().all(is_part) && begins && only_version
    })
}
