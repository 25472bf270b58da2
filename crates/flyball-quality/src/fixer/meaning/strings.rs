//! One form for all ways to write a string.

use flyball_effects::lex::Language;

use super::piece::{Kind, Piece};

/// What a string contains: quotes, prefixes and escapes of quotes do not matter, only what they mean.
pub(super) fn canonical(written: &str, language: Language) -> String {
    let open = written.find(['"', '\'', '`']).unwrap_or(0);
    let (prefix, quoted) = written.split_at(open);
    let prefix = prefix.to_ascii_lowercase();
    // A here-document and a regular expression have no quotes.
    if prefix.len() > 2 || !quoted.starts_with(['"', '\'', '`']) {
        return written.to_owned();
    }
    let quote = quoted.chars().take_while(|letter| quoted.starts_with(*letter)).count();
    let width = if quote >= 3 && quoted.len() >= 6 { 3 } else { 1 };
    let inside = quoted.get(width..quoted.len().saturating_sub(width)).unwrap_or_default();
    let mut text = inside.to_owned();
    if prefix.contains('r') {
        text = text.replace('\\', "\\\\");
    } else {
        text = text.replace("\\'", "'").replace("\\\"", "\"");
    }
    // As if all were format strings, so that one can be split into parts with and without values.
    if language == Language::Python && !prefix.contains('f') {
        text = text.replace('{', "{{").replace('}', "}}");
    }
    let is_template = quoted.starts_with('`') && text.contains("${");
    let kind = if prefix.contains('b') {
        "b:"
    } else if is_template {
        "`:"
    } else {
        ""
    };
    format!("{kind}{text}")
}

/// Joins strings that follow each other, with or without a `+`: a long one may be written in parts.
pub(super) fn join(pieces: &mut Vec<Piece>) {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in std::mem::take(pieces) {
        let can_join = piece.is_text && !piece.is_quoted;
        let has_plus = can_join
            && joined.last().is_some_and(|last| last.is_sign("+"))
            && joined.iter().nth_back(1).is_some_and(|first| first.is_text);
        if has_plus {
            joined.pop();
        }
        match joined.last_mut().filter(|last| can_join && last.is_text && !last.is_quoted) {
            Some(last) if has_plus || !piece.begins_line => {
                last.text.push_str(&piece.text);
                last.end_line = piece.end_line;
            }
            Some(_) | None => joined.push(piece),
        }
    }
    *pieces = joined;
}

/// Renames what a format string shows.
pub(super) fn rename(piece: &Piece, from: &str, to: &str) -> String {
    if piece.kind == Kind::Name {
        return if piece.text == from { to.to_owned() } else { piece.text.clone() };
    }
    if !piece.is_text || !piece.text.contains('{') {
        return piece.text.clone();
    }
    let mut parts = piece.text.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (value, rest) = part.split_at(part.find('}').unwrap_or(0));
        text.push('{');
        text.push_str(&rename_word(value, from, to));
        text.push_str(rest);
    }
    text
}

fn rename_word(text: &str, from: &str, to: &str) -> String {
    let mut words = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let length = if length == 0 { rest.chars().next().map_or(1, char::len_utf8) } else { length };
        let (word, after) = rest.split_at(length);
        words.push_str(if word == from { to } else { word });
        rest = after;
    }
    words
}
