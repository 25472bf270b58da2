//! Data files, and files in languages that have no table: what is written is what counts.

use flyball_effects::lex::Language;

use super::piece::{Kind, Piece};
use super::source;
use super::units::{Shape, Unit};

pub(super) fn is_json(path: &str) -> bool {
    [".json", ".jsonc", ".json5"].iter().any(|ending| path.ends_with(ending))
}

/// Keys and values. Commas are layout: brackets and colons say enough.
pub(super) fn json(text: &str) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    for piece in source::read(text, Language::Script) {
        let ends = piece.is(",") || piece.opens();
        if piece.closes() {
            units.extend(Unit::new(std::mem::take(&mut current)));
        }
        let closes = piece.closes();
        if !piece.is(",") {
            current.push(piece);
        }
        if ends || closes {
            units.extend(Unit::new(std::mem::take(&mut current)));
        }
    }
    units.extend(Unit::new(current));
    units
}

/// Words, numbers and signs, line by line.
pub(super) fn unknown(text: &str) -> Vec<Unit> {
    let units = text.lines().enumerate().filter_map(|(at, line)| Unit::new(words(line, at + 1)));
    units.collect()
}

/// The words and signs of a line, each with whether a blank is before it.
fn words(line: &str, number: usize) -> Vec<Piece> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut pieces: Vec<Piece> = Vec::new();
    let mut last = ' ';
    for letter in line.chars() {
        let joins = match last {
            _ if is_word(letter) => is_word(last),
            _ => letter == last,
        };
        if !letter.is_whitespace() {
            match pieces.last_mut().filter(|_| joins) {
                Some(piece) => piece.text.push(letter),
                None => {
                    let kind = if is_word(letter) { Kind::Literal } else { Kind::Sign };
                    pieces.push(Piece::plain(&letter.to_string(), kind, number));
                }
            }
        }
        last = letter;
    }
    pieces
}

/// The lines of a document, with their nesting.
pub(super) fn yaml(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut indents = vec![0];
    let mut block: Option<Text> = None;
    for (at, line) in text.lines().enumerate() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let is_blank = line.trim().is_empty();
        if let Some(text) = block.as_mut().filter(|text| indent > text.key || is_blank) {
            if !is_blank {
                let own = *text.own.get_or_insert(indent);
                let inside = line.get(own.min(indent)..).unwrap_or_default().trim_end();
                units.extend(Unit::new(vec![literal(&format!("\"{inside}"), at + 1)]));
            }
            continue;
        }
        block = None;
        let content = without_comment(line);
        if content.is_empty() {
            continue;
        }
        // A list may be indented as far as its key.
        let depth = 2 * indent + usize::from(content.starts_with("- ") || content == "-");
        nest(&mut units, &mut indents, depth);
        units.extend(Unit::new(scalar_pieces(content, at + 1)));
        block = begins_text(content).then_some(Text { key: indent, own: None });
    }
    nest(&mut units, &mut indents, 0);
    units
}

/// The text of a value that begins below its key.
struct Text {
    /// How far the key is indented.
    key: usize,
    /// How far its first line is.
    own: Option<usize>,
}

fn nest(units: &mut Vec<Unit>, indents: &mut Vec<usize>, depth: usize) {
    let line = units.last().map_or(0, |unit| unit.end_line);
    if indents.last().is_some_and(|last| depth > *last) {
        indents.push(depth);
        units.push(Unit::structure(Shape::Open, line));
    }
    while indents.len() > 1 && indents.last().is_some_and(|last| depth < *last) {
        indents.pop();
        units.push(Unit::structure(Shape::Close, line));
    }
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut last = ' ';
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '#') if last.is_whitespace() => return line.get(..at).unwrap_or_default().trim(),
            (None, '"' | '\'') if !last.is_alphanumeric() => quote = Some(letter),
            (Some(open), _) if open == letter && last != '\\' => quote = None,
            _ => {}
        }
        last = letter;
    }
    line.trim()
}

/// Whether the lines below are the text of a value.
fn begins_text(content: &str) -> bool {
    let last = content.rsplit([' ', '\t']).next().unwrap_or_default();
    last.starts_with(['|', '>'])
        && last.chars().skip(1).all(|letter| letter.is_ascii_digit() || "+-".contains(letter))
}

fn literal(text: &str, line: usize) -> Piece {
    Piece::plain(text, Kind::Literal, line)
}

/// A line as key, colon and value; brackets and commas are apart, everything else is one literal.
fn scalar_pieces(content: &str, line: usize) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut letters = content.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_here = letters.peek().is_none_or(|next| next.is_whitespace());
        let is_sign = match letter {
            ':' => ends_here || word.ends_with(['"', '\'']),
            '-' => ends_here && word.is_empty(),
            '[' | '{' => word.is_empty(),
            ']' | '}' | ',' => pieces.iter().any(|piece| piece.is_any(&["[", "{"])),
            _ => false,
        };
        match quote {
            Some(open) if open == letter => quote = None,
            None if matches!(letter, '"' | '\'') && word.is_empty() => quote = Some(letter),
            None if is_sign => {
                push_scalar(&mut pieces, &mut word, line);
                pieces.push(Piece::plain(&letter.to_string(), Kind::Sign, line));
                continue;
            }
            Some(_) | None => {}
        }
        if quote.is_some() || !letter.is_whitespace() || !word.is_empty() {
            word.push(letter);
        }
    }
    push_scalar(&mut pieces, &mut word, line);
    pieces
}

/// A value. Quotes stay, because with them it is a string, whatever it was without them.
fn push_scalar(pieces: &mut Vec<Piece>, word: &mut String, line: usize) {
    let text = std::mem::take(word);
    let text = text.trim();
    let unquoted = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    // Only double quotes have escapes.
    if let Some(inside) = unquoted.filter(|inside| !inside.contains('\\')) {
        pieces.push(literal(&format!("\"{inside}"), line));
    } else if !text.is_empty() {
        pieces.push(literal(&text.split_whitespace().collect::<Vec<_>>().join(" "), line));
    }
}
