//! Findings about shell scripts.

use super::super::piece::{Kind, Piece};
use super::super::units::Unit;
use super::spot::{Spot, Step};

/// Quotes around an expansion: the words stay, and what the shell would expand besides is not quoted.
pub(super) fn quoted(_: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let mut is_expansion = false;
    let mut braces = 0usize;
    old.pieces.len() == new.pieces.len()
        && old.pieces.iter().zip(&new.pieces).all(|(old, new)| {
            let is_inside = is_expansion || braces > 0;
            is_expansion = old.is_any(&["$", "${"]);
            braces = (braces + usize::from(old.is("${"))).saturating_sub(usize::from(old.is("}")));
            let expands = old.is_any(&["*", "?", "[", "]", "{", "}"]) || old.text.starts_with('~');
            old.text == new.text
                && old.is_glued == new.is_glued
                && (old.is_quoted == new.is_quoted || (new.is_quoted && (is_inside || !expands)))
        })
}

/// `cd a` becomes `cd a || exit`.
pub(super) fn may_fail(_: &Spot<'_>, old: &Unit, new: &Unit) -> bool {
    let Some((start, rest)) = new.pieces.split_at_checked(old.pieces.len()) else { return false };
    let is_end = match rest {
        [or, leave] => or.is("||") && leave.is_any(&["exit", "return"]),
        [or, leave, status] => {
            let is_status = status.text.parse::<u8>().is_ok_and(|status| status > 0);
            or.is("||") && leave.is_any(&["exit", "return"]) && is_status
        }
        _ => false,
    };
    start == old.pieces && is_end
}

/// `local a=$(b)` becomes `local a` and `a=$(b)`.
pub(super) fn declared_apart(spot: &Spot<'_>) -> Vec<Step> {
    let step = || {
        let [words @ .., name] = spot.after().first()?.pieces.as_slice() else { return None };
        let old = spot.statement()?.pieces.as_slice();
        let start = words.len();
        let is_declared = old.get(..start)? == words && old.get(start)?.text == name.text && start > 0;
        let assigned = &spot.after().get(1)?.pieces;
        let rest = old.get(start..)?;
        let is_assigned = rest.len() == assigned.len()
            && rest
                .iter()
                .zip(assigned)
                .all(|(old, new)| old.text == new.text && (new.is_quoted || !old.is_quoted));
        let is_one = old.get(start + 1)?.is("=");
        let declares = words
            .iter()
            .all(|word| word.kind != Kind::Name || word.is_any(&["typeset"]) || word.text.starts_with('-'));
        let exports = words.iter().all(|word: &Piece| !word.is_callee);
        (is_declared && is_one && is_assigned && declares && exports).then_some((1, 2))
    };
    step().into_iter().collect()
}

/// The line that says which shell reads the file.
pub(super) fn shebang(spot: &Spot<'_>) -> Vec<Step> {
    let is_shebang = |unit: &Unit| {
        let shells = ["sh", "bash", "dash", "ksh", "zsh"];
        let shell = |text: &str| text.rsplit(['/', ' ']).next().is_some_and(|name| shells.contains(&name));
        matches!(unit.pieces.as_slice(), [text] if text.text.contains("#!") && shell(&text.text))
    };
    let is_first = spot.old_at == 0 && spot.new_at == 0;
    let is_new = spot.after().first().is_some_and(is_shebang);
    let was_there = spot.before().first().is_some_and(is_shebang);
    if is_first && is_new { vec![(usize::from(was_there), 1)] } else { Vec::new() }
}
