//! Brackets, commas and other signs that only serve the layout.

use flyball_effects::lex::Language;

use super::piece::{Kind, Piece};

struct Bracket {
    at: usize,
    commas: usize,
    may_group: bool,
    /// Whether it can be the bracket around a tuple that is a whole value: `x = (a, b)` is `x = a, b`.
    may_be_tuple: bool,
    /// Whether one comma makes no difference: not in `(1,)`, and not in `a[1,]` of Python.
    may_trail: bool,
}

/// Drops brackets around a whole expression and commas before a closing bracket. Reads each piece once.
pub(super) fn drop(pieces: &mut Vec<Piece>, language: Language) {
    let mut open: Vec<Bracket> = Vec::new();
    let mut is_dropped = vec![false; pieces.len()];
    let mut mark = |at: usize| is_dropped.get_mut(at).into_iter().for_each(|it| *it = true);
    for (at, piece) in pieces.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| pieces.get(at));
        if piece.opens() {
            let is_behind_value = before
                .is_some_and(|before| before.is_name() || before.closes() || before.is_any(&["!", ">"]));
            let is_round = piece.is("(");
            let is_index = piece.is("[") && is_behind_value && language == Language::Python;
            let is_value = before.is_some_and(|before| before.is_any(&["=", "return", "yield"]));
            let is_outside = open.is_empty() && language == Language::Python;
            open.push(Bracket {
                may_be_tuple: is_round && is_value && is_outside,
                at,
                commas: 0,
                may_group: is_round && may_group_behind(before, language),
                may_trail: !is_index && (!is_round || is_behind_value),
            });
        } else if piece.is(",") {
            open.last_mut().into_iter().for_each(|bracket| bracket.commas += 1);
        } else if piece.closes() {
            let Some(bracket) = open.pop() else { continue };
            let last = at.checked_sub(1).filter(|last| *last > bracket.at);
            let has_last_comma = before.is_some_and(|before| before.is(","));
            if has_last_comma && (bracket.commas > 1 || bracket.may_trail) {
                last.into_iter().for_each(&mut mark);
            }
            let next = pieces.get(at + 1);
            let is_end =
                next.is_none_or(|next| next.begins_line || next.closes() || next.is_any(&[",", ":", ";"]));
            let is_statement_end = next.is_none_or(|next| next.begins_line);
            let is_group = bracket.may_group && bracket.commas == 0 && last.is_some() && is_end;
            let is_tuple = bracket.may_be_tuple && bracket.commas > 0 && is_statement_end;
            if is_group || is_tuple {
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
fn may_group_behind(before: Option<&Piece>, language: Language) -> bool {
    // Elsewhere a condition must have brackets.
    let has_bare_conditions = matches!(
        language,
        Language::Python | Language::Rust | Language::Go | Language::Swift | Language::Ruby
    );
    before.is_none_or(|before| {
        before.is_any(&["=", "(", "[", "{", ",", ":", "return", "yield", "raise", "assert"])
            || (has_bare_conditions && before.is_any(&["if", "elif", "while", "in"]))
    })
}

/// In a script, `a => b` is `(a) => b`.
pub(super) fn bracket_parameters(pieces: &mut Vec<Piece>) {
    let all = std::mem::take(pieces);
    for (at, piece) in all.iter().enumerate() {
        let sign = |text: &str| Piece { begins_line: false, ..Piece::plain(text, Kind::Sign, piece.line) };
        if piece.is_name() && all.get(at + 1).is_some_and(|next| next.is("=>")) {
            pieces.push(Piece { begins_line: piece.begins_line, indent: piece.indent, ..sign("(") });
            pieces.push(Piece { begins_line: false, ..piece.clone() });
            pieces.push(sign(")"));
        } else {
            pieces.push(piece.clone());
        }
    }
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
    read_commands_in_quotes(pieces);
    // Between an opening bracket and a word, and before a closing one, a blank means nothing.
    let mut is_behind_open = false;
    for piece in pieces.iter_mut() {
        if is_behind_open || piece.is_any(&[")", ";"]) {
            piece.is_glued = true;
        }
        is_behind_open = piece.is("(");
    }
}

/// In a command between quotes, words are separated as in any other.
fn read_commands_in_quotes(pieces: &mut Vec<Piece>) {
    let mut depth = 0usize;
    let mut is_behind_dollar = false;
    let mut is_behind_blank = false;
    pieces.retain_mut(|piece| {
        if piece.is("(") && (is_behind_dollar || depth > 0) {
            depth += 1;
        } else if piece.is(")") {
            depth = depth.saturating_sub(1);
        }
        is_behind_dollar = piece.is("$");
        if depth == 0 || !piece.is_quoted {
            is_behind_blank = false;
            return true;
        }
        let is_blank = piece.is("\" ");
        piece.is_quoted = piece.is("(");
        piece.is_glued &= !is_behind_blank;
        is_behind_blank = is_blank;
        !is_blank
    });
}
