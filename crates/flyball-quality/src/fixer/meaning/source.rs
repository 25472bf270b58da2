//! A source file as a list of pieces: its tokens without comments and layout.

use flyball_effects::lex::{Language, Token, TokenKind, lex};

use super::piece::{Kind, Piece};
use super::{layout, strings};

const LITERALS: &[&str] = &["True", "False", "None", "true", "false", "null", "undefined", "nil"];

const OPERATOR_WORDS: &[&str] = &["and", "or", "not", "is", "in", "instanceof", "typeof"];

const OPERATORS: &[&str] = &[
    "===", "!==", "==", "!=", "<=", ">=", "<", ">", "&&", "||", "??", "!", "+", "-", "*", "/", "//", "%",
    "**", "|", "^", "&", "~", "<<", ">>", "+=", "-=", "*=", "/=", "//=", "%=", "**=", "|=", "&=", "^=",
    "<<=", ">>=", "&&=", "||=", "??=", "++", "--", "...", "..", "..=", "@",
];

const BRANCHES: &[&str] =
    &["if", "elif", "else", "while", "until", "unless", "for", "case", "match", "switch"];

const CONTROLS: &[&str] = &[
    "await", "raise", "throw", "assert", "try", "except", "catch", "finally", "defer", "panic", "break",
    "continue", "return", "yield", "exit", "trap",
];

const KEYWORDS: &str = "let const var def fn func function class struct enum trait impl interface public \
    private protected static async with as lambda global nonlocal del pass import from use new mut pub ref move \
    dyn where extends implements export default abstract final readonly declare local then do fi done esac loop \
    unsafe extern crate mod go select package debugger of";

/// What in a shell is followed by names of variables.
const DECLARES: &[&str] = &["local", "export", "declare", "readonly", "typeset", "unset", "read", "for"];

/// The pieces of a program.
pub(super) fn read(text: &str, language: Language) -> Vec<Piece> {
    let mut pieces = pieces(text, language);
    strings::join(&mut pieces, language);
    if language == Language::Shell {
        layout::shell(&mut pieces);
        mark_commands(&mut pieces);
    } else {
        layout::drop(&mut pieces, language);
        if matches!(language, Language::Script | Language::Component) {
            layout::bracket_parameters(&mut pieces);
        }
        mark_calls(&mut pieces);
    }
    pieces
}

/// Whether a blank between two pieces means something.
fn keeps_blanks(language: Language, piece: &str) -> bool {
    match language {
        Language::Shell | Language::Docker => true,
        // `a .b` is not `a.b`.
        Language::Style => [".", "#", ":", "["].contains(&piece),
        _ => false,
    }
}

/// A comment that the system or the compiler reads.
fn is_directive(token: &Token<'_>, language: Language) -> bool {
    let text = token.text;
    (token.line == 1 && text.starts_with("#!"))
        || (language == Language::Go && (text.starts_with("//go:") || text.starts_with("// +build")))
        || (language == Language::Python
            && token.line <= 2
            && text.contains("coding")
            && !text.to_lowercase().contains("utf-8"))
}

fn pieces(text: &str, language: Language) -> Vec<Piece> {
    let keywords: Vec<&str> = KEYWORDS.split_whitespace().collect();
    let lexed = lex(text, language);
    let mut open: Vec<bool> = Vec::new();
    let mut end = 0;
    let mut is_continued = false;
    let mut pieces: Vec<Piece> = Vec::new();
    for token in lexed.tokens() {
        if token.kind == TokenKind::Comment && !is_directive(&token, language) {
            continue;
        }
        let behind = token.start + token.text.len();
        if token.text == "\\" && text.get(behind..).is_some_and(|rest| rest.starts_with(['\n', '\r'])) {
            is_continued = true;
            continue;
        }
        let between = text.get(end..token.start).unwrap_or_default();
        let is_new_line = between.contains('\n') && !is_continued;
        let begins_line = pieces.is_empty() || (is_new_line && open.last().is_none_or(|is_block| *is_block));
        let is_glued = end > 0
            && keeps_blanks(language, token.text)
            && !is_continued
            && !between.contains(char::is_whitespace);
        is_continued = false;
        end = behind;
        match (token.kind, token.text) {
            (TokenKind::Sign, "(" | "[") => open.push(language == Language::Shell),
            // Braces begin blocks of statements, but not in Python.
            (TokenKind::Sign, "{") => open.push(language != Language::Python),
            (TokenKind::Sign, ")" | "]" | "}") => drop(open.pop()),
            _ => {}
        }
        let written = match token.kind {
            TokenKind::Text if token.is_quoted => format!("\"{}", token.text),
            TokenKind::Text | TokenKind::Comment => strings::canonical(token.text, language),
            TokenKind::Number => token.text.replace('_', "").to_lowercase(),
            TokenKind::Word | TokenKind::Sign => token.text.to_owned(),
        };
        pieces.push(Piece {
            kind: kind(&token, pieces.last(), language, &keywords),
            end_line: token.line + token.text.trim_end_matches('\n').matches('\n').count(),
            is_quoted: token.is_quoted,
            is_glued,
            begins_line,
            indent: if begins_line { indent(text, token.start) } else { 0 },
            ..Piece::plain(&written, Kind::Sign, token.line)
        });
    }
    pieces
}

/// How many columns are before a byte in its line.
fn indent(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().fold(0, |column, letter| if letter == '\t' { column / 8 * 8 + 8 } else { column + 1 })
}

fn kind(token: &Token<'_>, last: Option<&Piece>, language: Language, keywords: &[&str]) -> Kind {
    let text = token.text;
    match token.kind {
        TokenKind::Number | TokenKind::Text | TokenKind::Comment => Kind::Literal,
        // `a.default` is a name, and so is `a.match`.
        TokenKind::Word if last.is_some_and(|last| last.is_any(&[".", "?."])) && text != "await" => {
            Kind::Name
        }
        TokenKind::Word if LITERALS.contains(&text) => Kind::Literal,
        TokenKind::Word if OPERATOR_WORDS.contains(&text) && language != Language::Shell => Kind::Operator,
        TokenKind::Word if BRANCHES.contains(&text) => Kind::Branch,
        TokenKind::Word if CONTROLS.contains(&text) => Kind::Control,
        TokenKind::Word if keywords.contains(&text) => Kind::Keyword,
        TokenKind::Word => Kind::Name,
        TokenKind::Sign if text == "?" && language == Language::Rust => Kind::Control,
        TokenKind::Sign if OPERATORS.contains(&text) => Kind::Operator,
        TokenKind::Sign => Kind::Sign,
    }
}

/// In a shell: which words are commands, which are names, and which are text.
fn mark_commands(pieces: &mut [Piece]) {
    let mut expects_command = true;
    let mut declares = false;
    let mut last = String::new();
    let next: Vec<String> =
        pieces.iter().skip(1).map(|piece| piece.text.clone()).chain([String::new()]).collect();
    for (piece, next) in pieces.iter_mut().zip(next) {
        if piece.begins_line {
            expects_command = true;
            declares = false;
        }
        let is_variable = last == "$" || last == "${";
        if matches!(last.as_str(), "=" | "+=") && piece.is_glued && piece.kind == Kind::Name {
            piece.kind = Kind::Literal;
        }
        let is_assigned = matches!(next.as_str(), "=" | "+=") && !piece.is_quoted;
        let is_word = matches!(piece.kind, Kind::Name | Kind::Control);
        if is_word && expects_command && !is_variable && !is_assigned {
            piece.is_callee = piece.kind == Kind::Name;
            expects_command = false;
        } else if piece.kind == Kind::Name && !is_variable && !is_assigned && !declares {
            piece.kind = Kind::Literal;
        } else if piece.is_any(&[";", "|", "||", "&&", "&", "(", "{", "!"])
            || piece.is_any(&["then", "do", "else", "if", "elif", "while", "until"])
        {
            expects_command = true;
            declares = false;
        } else if piece.is("$") && expects_command {
            // The command is a variable.
            expects_command = next == "(";
        }
        if piece.is_any(DECLARES) {
            declares = true;
            expects_command = false;
        }
        last.clone_from(&piece.text);
    }
}

fn mark_calls(pieces: &mut [Piece]) {
    let follows: Vec<bool> = (0..pieces.len())
        .map(|at| {
            let sign = |offset: usize, sign: &str| pieces.get(at + offset).is_some_and(|it| it.is(sign));
            // The second form is a macro.
            sign(1, "(") || (sign(1, "!") && (sign(2, "(") || sign(2, "[")))
        })
        .collect();
    let mut is_defined = false;
    for (piece, is_followed) in pieces.iter_mut().zip(follows) {
        piece.is_callee = is_followed && piece.is_name() && !is_defined;
        is_defined = piece.is_any(&["def", "fn", "func", "function", "class"]);
    }
}
