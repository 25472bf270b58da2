//! Reads a file as a list of units.
//!
//! Where a unit ends is a guess in some languages; a wrong guess is the same guess in both versions.

use flyball_effects::lex::Language;

use super::piece::{Kind, Piece, depths};
use super::units::{Shape, Unit};
use super::{data, source, strings};

/// Reads the units of the file at a path. `None` for prose.
pub(super) fn read(path: &str, text: &str) -> Option<Vec<Unit>> {
    Some(match Language::from_path(path) {
        Some(Language::Markdown) => return None,
        Some(Language::Yaml) => data::yaml(text),
        Some(Language::Toml) => lines(source::read(text, Language::Toml)),
        Some(Language::Docker) => lines(source::read(text, Language::Docker)),
        Some(Language::Python) => python(source::read(text, Language::Python)),
        Some(Language::Shell) => shell(source::read(text, Language::Shell)),
        Some(language) => braces(source::read(text, language), language),
        None if data::is_json(path) => data::json(text),
        None => data::unknown(text),
    })
}

/// One unit for each line, or more lines in brackets.
fn lines(pieces: Vec<Piece>) -> Vec<Unit> {
    split(pieces, |piece| piece.begins_line)
}

fn split(pieces: Vec<Piece>, begins: impl Fn(&Piece) -> bool) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    for piece in pieces {
        if begins(&piece) {
            units.extend(Unit::new(std::mem::take(&mut current)));
        }
        current.push(piece);
    }
    units.extend(Unit::new(current));
    units
}

/// In Python, indentation makes blocks.
fn python(pieces: Vec<Piece>) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut indents = vec![0];
    for line in lines(pieces) {
        let indent = line.pieces.first().map_or(0, |piece| piece.indent);
        let last_line = units.last().map_or(0, |unit| unit.end_line);
        if indents.last().is_some_and(|last| indent > *last) {
            indents.push(indent);
            units.push(Unit::structure(Shape::Open, last_line));
        }
        while indents.len() > 1 && indents.last().is_some_and(|last| indent < *last) {
            indents.pop();
            units.push(Unit::structure(Shape::Close, last_line));
        }
        python_line(line.pieces, &mut units);
    }
    let last_line = units.last().map_or(0, |unit| unit.end_line);
    units.extend(indents.iter().skip(1).map(|_| Unit::structure(Shape::Close, last_line)));
    units
}

const COMPOUND: &[&str] =
    &["if", "elif", "else", "for", "while", "try", "except", "finally", "with", "def", "class", "async"];

/// One line can have several statements, also behind the head of a block.
fn python_line(mut pieces: Vec<Piece>, units: &mut Vec<Unit>) {
    let is_compound = pieces.first().is_some_and(|piece| piece.is_any(COMPOUND));
    let head = is_compound.then(|| head_end(&pieces)).flatten();
    let body = head.map(|end| pieces.split_off((end + 1).min(pieces.len()))).filter(|body| !body.is_empty());
    if let Some(body) = body {
        let line = pieces.last().map_or(0, |piece| piece.end_line);
        units.extend(Unit::new(pieces));
        units.push(Unit::structure(Shape::Open, line));
        simple_statements(body, units);
        units.push(Unit::structure(Shape::Close, line));
    } else {
        simple_statements(pieces, units);
    }
}

fn head_end(pieces: &[Piece]) -> Option<usize> {
    let mut lambdas = 0usize;
    pieces.iter().zip(depths(pieces)).position(|(piece, depth)| {
        if depth == 0 && piece.is("lambda") {
            lambdas += 1;
        } else if depth == 0 && piece.is(":") {
            match lambdas.checked_sub(1) {
                Some(less) => lambdas = less,
                None => return true,
            }
        }
        false
    })
}

fn simple_statements(pieces: Vec<Piece>, units: &mut Vec<Unit>) {
    for mut unit in split(pieces, |piece| piece.is(";")) {
        unit.pieces.retain(|piece| !piece.is(";"));
        // `return None` is `return`.
        if unit.begins("return") && unit.pieces.len() == 2 && unit.has("None") {
            unit.pieces.truncate(1);
        }
        let is_doc = matches!(unit.pieces.as_slice(), [text] if text.is_text() && !shows_values(text) && !strings::is_directive(text));
        if is_doc {
            unit.shape = Shape::Doc;
        }
        if !unit.pieces.is_empty() {
            units.push(unit);
        }
    }
}

/// Whether a string of Python computes something.
fn shows_values(piece: &Piece) -> bool {
    piece.text.replace("{{", "").contains('{')
}

const SHELL_WORDS: &[&str] = &["then", "do", "else", "elif", "fi", "done", "esac", "}"];

/// In a shell, a unit is a command or a pipeline. Blocks are words of the language, which are units.
fn shell(pieces: Vec<Piece>) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    let mut is_behind_separator = false;
    for piece in pieces {
        let continues = current.last().is_some_and(|last| last.is_any(&["|", "&&", "||"]));
        let is_separator = piece.is(";") && !piece.is_quoted;
        let is_word = piece.is_any(SHELL_WORDS) && !piece.is_quoted && !piece.is_glued;
        if (piece.begins_line && !continues) || is_separator || is_word {
            units.extend(Unit::new(std::mem::take(&mut current)));
        }
        let opens = piece.is_any(&["then", "do", "else", "{"]) && !piece.is_quoted && !piece.is_glued;
        // Two of them end a case.
        if !is_separator || is_behind_separator {
            current.push(piece);
        }
        is_behind_separator = is_separator;
        if opens {
            units.extend(Unit::new(std::mem::take(&mut current)));
        }
    }
    units.extend(Unit::new(current));
    // A command looks the same wherever its line begins.
    for unit in &mut units {
        if let Some(first) = unit.pieces.first_mut() {
            first.is_glued = false;
        }
    }
    units
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Round,
    /// The braces of a value.
    Value,
    Block,
}

/// In most languages, braces make blocks.
fn braces(pieces: Vec<Piece>, language: Language) -> Vec<Unit> {
    let by_line = !matches!(
        language,
        Language::Rust | Language::C | Language::Jvm | Language::CSharp | Language::Php | Language::Style
    );
    let mut units: Vec<Unit> = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    let mut open: Vec<Bracket> = Vec::new();
    for piece in pieces {
        let is_outside = !matches!(open.last(), Some(Bracket::Round | Bracket::Value));
        if by_line && piece.begins_line && is_outside && !continues(&current, &piece, language) {
            units.extend(Unit::new(std::mem::take(&mut current)));
        }
        match piece.text.as_str() {
            "{" if is_block(&current, language) => {
                units.extend(Unit::new(std::mem::take(&mut current)));
                units.push(Unit::structure(Shape::Open, piece.line));
                open.push(Bracket::Block);
                continue;
            }
            "(" | "[" => open.push(Bracket::Round),
            "{" | "${" => open.push(Bracket::Value),
            "}" if open.pop() == Some(Bracket::Block) => {
                units.extend(Unit::new(std::mem::take(&mut current)));
                units.push(Unit::structure(Shape::Close, piece.line));
                continue;
            }
            ")" | "]" => drop(open.pop()),
            // In Rust, a value without it is what the block returns.
            ";" if is_outside && !is_go_head(&current, language) => {
                if language == Language::Rust {
                    current.push(piece);
                }
                units.extend(Unit::new(std::mem::take(&mut current)));
                continue;
            }
            _ => {}
        }
        let ends = is_outside && language == Language::Rust && piece.is(",");
        current.push(piece);
        if ends {
            units.extend(Unit::new(std::mem::take(&mut current)));
        }
    }
    units.extend(Unit::new(current));
    units
}

/// In Go, the head of a block can have more than one part.
fn is_go_head(current: &[Piece], language: Language) -> bool {
    let words = ["if", "for", "switch"];
    language == Language::Go && current.iter().any(|piece| piece.is_any(&words))
}

/// Whether a line goes on with what the line before began.
fn continues(current: &[Piece], next: &Piece, language: Language) -> bool {
    let Some(last) = current.last() else { return true };
    let steps = ["++", "--"];
    let is_open = (last.kind == Kind::Operator && !last.is_any(&steps))
        || last.is_any(&[",", ".", "?.", "=", "=>", ":=", "?", ":", "(", "[", "->", "::"]);
    let goes_on = (next.kind == Kind::Operator && !next.is_any(&steps) && !next.is("!"))
        || next.is_any(&[".", "?.", "?", ":", "=", ")", "]", "=>", ","]);
    // The statement behind a condition belongs to it.
    let is_condition = last.is("else")
        || (current.first().is_some_and(|first| first.is_any(&["if", "while", "for", "else"]))
            && last.is(")")
            && language != Language::Go);
    is_open || (goes_on && language != Language::Go) || is_condition
}

const BLOCK_WORDS: &[&str] = &[
    "if",
    "else",
    "for",
    "while",
    "loop",
    "match",
    "switch",
    "select",
    "fn",
    "func",
    "function",
    "class",
    "struct",
    "enum",
    "trait",
    "impl",
    "interface",
    "mod",
    "namespace",
    "unsafe",
    "try",
    "finally",
    "catch",
    "do",
    "extern",
    "union",
    "defer",
    "go",
    "object",
    "record",
    "protocol",
    "extension",
    "guard",
];

/// Whether the brace behind these begins a block of statements.
fn is_block(current: &[Piece], language: Language) -> bool {
    let Some(last) = current.last() else { return true };
    let value =
        ["=", "(", ",", "[", ":", "?", "return", "yield", "await", "throw", "new", ":=", "of", "export"];
    if language == Language::Style || last.is_any(&[")", "=>", "->"]) || last.is_any(BLOCK_WORDS) {
        return true;
    }
    if last.is_any(&value) || (last.kind == Kind::Operator && !last.is_any(&[">", "*"])) {
        return false;
    }
    current.iter().any(|piece| piece.is_any(BLOCK_WORDS) || piece.is(")")) || last.is_any(&["async", "move"])
}
