//! A file that could not be read before has no meaning that could be kept: only signs may come and go.

use super::units::Unit;

/// Whether the new version has all words and values of the old one, in order, and no others.
pub(super) fn is_completed(old: &[Unit], new: &[Unit]) -> bool {
    let words = |units: &[Unit]| -> Vec<String> {
        let pieces = units.iter().flat_map(|unit| &unit.pieces);
        let signs = ["(", ")", "[", "]", "{", "}", ":", ";", ",", "pass"];
        pieces.filter(|piece| !piece.is_any(&signs)).map(|piece| piece.text.clone()).collect()
    };
    words(old) == words(new)
}
