//! Brackets, commas and other signs that only serve the layout.

use flyball_effects::lex::Language;

use super::piece::{Kind, Piece};

struct Bracket {
    at: usize,
    commas: usize,
    may_group: bool,
    is_index: bool,
}

/// Drops brackets around a whole expression and commas before a closing bracket. Reads each piece once.
pub(super) fn drop(pieces: &mut Vec<Piece>, language: Language) {
    let mut open: Vec<Bracket> = Vec::new();
    let mut is_dropped = vec![false; pieces.len()];
    let mut mark = |at: usize| is_dropped.get_mut(at).into_iter().for_each(|it| *it = true);
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| pieces.get(at));
        if piece.opens() {
            let is_behind_value =
                before.is_some_and(|before| before.is_name() || before.closes() || before.is_text());
            open.push(Bracket {
                at,
                commas: 0,
                may_group: piece.is("(") && may_group_behind(before),
                is_index: piece.is("[") && is_behind_value && language == Language::Python,
            });
        } else if piece.is(",") {
            open.last_mut().into_iter().for_each(|bracket| bracket.commas += 1);
        } else if piece.closes() {
            let Some(bracket) = open.pop() else { continue };
            let last = at.checked_sub(1).filter(|last| *last > bracket.at);
            let has_last_comma = before.is_some_and(|before| before.is(","));
            // `(1,)` is not `(1)`, and `a[1,]` is not `a[1]`.
            if has_last_comma && (bracket.commas > 1 || !(bracket.may_group || bracket.is_index)) {
                last.into_iter().for_each(&mut mark);
            }
            let next = pieces.get(at + 1);
            let is_end =
                next.is_none_or(|next| next.begins_line || next.closes() || next.is_any(&[",", ":", ";"]));
            // `(a) => b` is `a => b`.
            let is_parameter = at == bracket.at + 2
                && before.is_some_and(Piece::is_name)
                && next.is_some_and(|next| next.is("=>"))
                && language == Language::Script;
            if (bracket.may_group && bracket.commas == 0 && last.is_some() && is_end) || is_parameter {
                mark(bracket.at);
                mark(at);
            }
        }
    }
    let mut begins = None;
    let mut dropped = is_dropped.into_iter();
    pieces.retain_mut(|piece| {
        let is_dropped = dropped.next().unwrap_or(false);
        if is_dropped {
            begins = begins.or(piece.begins_line.then_some(piece.indent));
        } else if let Some(indent) = begins.take() {
            piece.begins_line = true;
            piece.indent = indent;
        }
        !is_dropped
    });
}

/// Whether a bracket behind this can group a whole expression.
fn may_group_behind(before: Option<&Piece>) -> bool {
    let words = ["return", "if", "elif", "while", "in", "yield", "assert", "raise"];
    before.is_none_or(|before| before.is_any(&["=", "(", "[", "{", ",", ":"]) || before.is_any(&words))
}

/// In a shell, `${a}` is `$a`, and `` `b` `` is `$(b)`.
pub(super) fn shell(pieces: &mut Vec<Piece>) {
    let all = std::mem::take(pieces);
    let mut is_open = false;
    let mut closes_at = None;
    for (at, piece) in all.iter().enumerate() {
        let is_plain = piece.is("${")
            && all.get(at + 1).is_some_and(|piece| piece.kind == Kind::Name)
            && all.get(at + 2).is_some_and(|piece| piece.is("}"));
        if is_plain {
            closes_at = Some(at + 2);
            pieces.push(Piece { text: "$".to_owned(), ..piece.clone() });
        } else if piece.is("`") {
            is_open = !is_open;
            if is_open {
                pieces.push(Piece { text: "$".to_owned(), ..piece.clone() });
                pieces.push(Piece {
                    text: "(".to_owned(),
                    is_glued: true,
                    begins_line: false,
                    ..piece.clone()
                });
            } else {
                pieces.push(Piece { text: ")".to_owned(), ..piece.clone() });
            }
        } else if closes_at != Some(at) {
            pieces.push(piece.clone());
        }
    }
    // Between an opening bracket and a word, and before a closing one, a blank means nothing.
    let mut is_behind_open = false;
    for piece in pieces.iter_mut() {
        if is_behind_open || piece.is_any(&[")", ";"]) {
            piece.is_glued = true;
        }
        is_behind_open = piece.is("(");
    }
}
