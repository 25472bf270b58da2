//! One form for all ways to write a string.

use flyball_effects::lex::Language;

use super::piece::{Kind, Piece};

/// What a string contains behind a `"`: quotes, prefixes and escapes of quotes do not matter, only what
/// they mean.
pub(super) fn canonical(written: &str, language: Language) -> String {
    let open = written.find(['"', '\'', '`']).unwrap_or(0);
    let (prefix, quoted) = written.split_at(open);
    let prefix = prefix.to_ascii_lowercase();
    // A here-document and a regular expression have no quotes.
    let Some(quote) = quoted.chars().next().filter(|it| "\"'`".contains(*it) && prefix.len() <= 2) else {
        return format!("\"/:{written}");
    };
    let count = quoted.chars().take_while(|letter| *letter == quote).count();
    let width = if count >= 3 && quoted.len() >= 6 { 3 } else { 1 };
    let inside = quoted.get(width..quoted.len().saturating_sub(width)).unwrap_or_default();
    let is_raw = prefix.contains('r') || (quote == '`' && language == Language::Go);
    let mut text = match (is_raw, language) {
        (true, _) => inside.replace('\\', "\\\\"),
        (false, Language::Python) => with_escapes(inside, "\\\\"),
        (false, Language::Script | Language::Component) if quote != '`' => with_escapes(inside, ""),
        (false, _) => inside.replace("\\'", "'").replace("\\\"", "\""),
    };
    // As if all were format strings, so that one can be split into parts with and without values.
    if language == Language::Python && !prefix.contains('f') {
        text = text.replace('{', "{{").replace('}', "}}");
    }
    let is_character = quote == '\''
        && match language {
            Language::Rust | Language::Go | Language::C | Language::Jvm | Language::CSharp => true,
            // Only double quotes show values.
            Language::Php | Language::Ruby => text.contains(['$', '#', '\\']),
            _ => false,
        };
    let mark = if prefix.contains('b') {
        "b:"
    } else if quote == '`' && text.contains("${") {
        "`:"
    } else if is_character {
        "':"
    } else {
        ""
    };
    format!("\"{mark}{text}")
}

/// A backslash that escapes nothing is one in Python, and nothing in a script.
fn with_escapes(text: &str, useless: &str) -> String {
    let mut whole = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            whole.push(letter);
            continue;
        }
        match letters.next() {
            Some(quote @ ('\'' | '"')) => whole.push(quote),
            Some(next) if "\n\\abfnrtv01234567xNuU".contains(next) => whole.extend(['\\', next]),
            Some(next) => {
                whole.push_str(useless);
                whole.push(next);
            }
            None => whole.push('\\'),
        }
    }
    whole
}

/// Joins strings that follow each other, with or without a `+`: a long one may be written in parts.
pub(super) fn join(pieces: &mut Vec<Piece>, language: Language) {
    let is_implied = matches!(language, Language::Python | Language::C);
    let has_plus =
        !matches!(language, Language::Rust | Language::Shell | Language::Php) && language != Language::Style;
    // What belongs to one of the strings more closely than the `+`.
    let binds = |piece: Option<&Piece>, signs: &[&str]| piece.is_some_and(|piece| piece.is_any(signs));
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut rest = std::mem::take(pieces).into_iter().peekable();
    while let Some(piece) = rest.next() {
        let begins_behind_plus = has_plus
            && joined.last().is_some_and(|last| last.is("+"))
            && joined.iter().nth_back(1).is_some_and(|first| first.is_text() && kinds_match(first, &piece))
            && !binds(joined.iter().nth_back(2), &["*", "/", "%", "-", "**"])
            && !binds(rest.peek(), &["*", "/", "%", "**", ".", "?.", "[", "("]);
        let is_part = piece.is_text() && !piece.is_quoted;
        if is_part && begins_behind_plus {
            joined.pop();
        }
        match joined.last_mut() {
            Some(last)
                if is_part
                    && last.is_text()
                    && kinds_match(last, &piece)
                    && (begins_behind_plus || (is_implied && !piece.begins_line)) =>
            {
                last.text.push_str(content(&piece));
                last.end_line = piece.end_line;
            }
            Some(_) | None => joined.push(piece),
        }
    }
    *pieces = joined;
}

const MARKS: &[&str] = &["\"b:", "\"`:", "\"':", "\"/:"];

fn mark(piece: &Piece) -> &'static str {
    MARKS.iter().find(|mark| piece.text.starts_with(**mark)).copied().unwrap_or("\"")
}

fn kinds_match(one: &Piece, other: &Piece) -> bool {
    let [one, other] = [mark(one), mark(other)];
    one == other && matches!(one, "\"" | "\"b:")
}

/// What a string contains.
pub(super) fn content(piece: &Piece) -> &str {
    piece.text.strip_prefix(mark(piece)).unwrap_or(&piece.text)
}

/// Whether it is a comment that the system or the compiler reads.
pub(super) fn is_directive(piece: &Piece) -> bool {
    mark(piece) == "\"/:" && content(piece).starts_with(['#', '/'])
}

/// A piece for messages.
pub(super) fn shown(piece: &Piece) -> &str {
    if piece.is_text() { content(piece) } else { &piece.text }
}

/// Renames a name, also in what a format string shows.
pub(super) fn rename(piece: &mut Piece, from: &str, to: &str) {
    if piece.kind == Kind::Name && piece.text == from {
        to.clone_into(&mut piece.text);
    } else if piece.is_text() && piece.text.contains('{') {
        let mut parts = piece.text.split('{');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (value, rest) = part.split_at(part.find('}').unwrap_or(0));
            text.push('{');
            text.push_str(&rename_word(value, from, to));
            text.push_str(rest);
        }
        piece.text = text;
    }
}

fn rename_word(text: &str, from: &str, to: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = match rest.find(|letter| !is_word(letter)) {
            Some(0) => rest.chars().next().map_or(1, char::len_utf8),
            Some(length) => length,
            None => rest.len(),
        };
        let (word, after) = rest.split_at(length);
        words.push_str(if word == from { to } else { word });
        rest = after;
    }
    words
}
