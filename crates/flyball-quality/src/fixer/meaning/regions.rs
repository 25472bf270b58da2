//! Which pieces are part of an import, a condition, a returned value or the head of a handler.

use flyball_effects::lex::Language;

use super::piece::{Piece, Role};

/// Marks all regions. The first one that covers a piece counts.
pub(super) fn mark(pieces: &mut [Piece], language: Language) {
    for at in 0..pieces.len() {
        let Some((role, end)) = region(pieces, at, language) else { continue };
        let inside = pieces.iter_mut().take(end).skip(at);
        inside.filter(|piece| piece.role == Role::Plain).for_each(|piece| piece.role = role);
    }
}

/// The region that begins with a piece, and where it ends.
fn region(pieces: &[Piece], at: usize, language: Language) -> Option<(Role, usize)> {
    let piece = pieces.get(at).filter(|piece| !piece.is_text && piece.role == Role::Plain)?;
    if let Some(end) = import_end(pieces, at, language) {
        return Some((Role::Import, end));
    }
    match piece.text.as_str() {
        "if" | "elif" | "while" | "until" | "unless" => {
            Some((Role::Condition, condition_end(pieces, at, language)))
        }
        "assert" if language == Language::Python => {
            Some((Role::Condition, statement_end(pieces, at, language)))
        }
        "[" | "[[" if language == Language::Shell => {
            let close = pieces.iter().skip(at).position(|piece| piece.is_sign("]"))?;
            Some((Role::Condition, at + close + 1))
        }
        "return" | "yield" | "raise" | "throw" => Some((Role::Returned, statement_end(pieces, at, language))),
        "exit" if language == Language::Shell => Some((Role::Returned, statement_end(pieces, at, language))),
        "except" | "catch" => Some((Role::Handler, condition_end(pieces, at, language))),
        _ => None,
    }
}

fn import_end(pieces: &[Piece], at: usize, language: Language) -> Option<usize> {
    let piece = pieces.get(at).filter(|piece| begins_statement(pieces, at) && !piece.is_text)?;
    let statement = statement_end(pieces, at, language);
    let within = |word: &str| pieces.iter().take(statement).skip(at).any(|piece| piece.text == word);
    let next_is = |sign: &str| pieces.get(at + 1).is_some_and(|piece| piece.is_sign(sign));
    match (language, piece.text.as_str()) {
        (Language::Python, "import") => Some(statement),
        (Language::Python, "from") if within("import") => Some(statement),
        // The block of imports that only type checkers read.
        (Language::Python, "if") if within("TYPE_CHECKING") => Some(statement),
        (Language::Script | Language::Component, "import") if !next_is("(") => {
            let module = pieces.iter().skip(at).position(|piece| piece.is_text)?;
            Some(at + module + 1)
        }
        (Language::Go | Language::Jvm | Language::Swift, "import") => Some(statement),
        (Language::Rust | Language::Php | Language::CSharp, "use" | "using" | "mod") => Some(statement),
        (Language::C, "#") if pieces.get(at + 1).is_some_and(|piece| piece.text == "include") => {
            Some(statement)
        }
        _ => None,
    }
}

fn begins_statement(pieces: &[Piece], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| pieces.get(at));
    pieces.get(at).is_some_and(|piece| piece.begins_line)
        || before.is_some_and(|before| {
            [";", "{", "}"].iter().any(|sign| before.is_sign(sign)) || before.text == "pub"
        })
}

/// Where the statement that a piece is in ends.
fn statement_end(pieces: &[Piece], start: usize, language: Language) -> usize {
    // In Rust a line break ends nothing.
    let breaks = |piece: &Piece| piece.begins_line && language != Language::Rust;
    scan(pieces, start, |piece| breaks(piece) || piece.is_sign(";"))
}

fn condition_end(pieces: &[Piece], start: usize, language: Language) -> usize {
    match language {
        Language::Python => scan(pieces, start, |piece| {
            piece.begins_line || piece.is_sign(":") || matches!(piece.text.as_str(), "else" | "for")
        }),
        Language::Shell => scan(pieces, start, |piece| {
            piece.begins_line || piece.is_sign(";") || matches!(piece.text.as_str(), "then" | "do")
        }),
        Language::Ruby => scan(pieces, start, |piece| piece.begins_line || piece.text == "then"),
        Language::Rust | Language::Go | Language::Swift => {
            scan(pieces, start, |piece| piece.is_sign("{") || piece.is_sign("=>"))
        }
        _ if pieces.get(start + 1).is_some_and(|piece| piece.is_sign("(")) => {
            // Behind the opening bracket, to the one that closes it.
            scan(pieces, start + 1, |_| false) + 1
        }
        _ => start + 1,
    }
}

/// The first piece behind `start` that ends what began there, outside of brackets.
fn scan(pieces: &[Piece], start: usize, ends: impl Fn(&Piece) -> bool) -> usize {
    let mut depth = 0usize;
    let begins_with_bracket = pieces.get(start).is_some_and(|piece| piece.is_sign("("));
    for (at, piece) in pieces.iter().enumerate().skip(start + 1) {
        if depth == 0 && ends(piece) {
            return at;
        }
        if ["(", "[", "{"].iter().any(|sign| piece.is_sign(sign)) {
            depth += 1;
        } else if [")", "]", "}"].iter().any(|sign| piece.is_sign(sign)) {
            let Some(less) = depth.checked_sub(1) else { return at };
            depth = less;
        }
    }
    if begins_with_bracket { pieces.len().saturating_sub(1) } else { pieces.len() }
}
