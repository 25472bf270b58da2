//! A source file as a list of pieces: its tokens without layout, each with what it is and where it belongs.

use std::ops::Range;

use flyball_effects::lex::{Language, Token, TokenKind, lex};

use super::piece::{Kind, Piece, Role};
use super::{regions, strings};

/// A file, read.
pub(super) struct Source {
    pub(super) pieces: Vec<Piece>,
}

const LITERALS: &[&str] = &["True", "False", "None", "true", "false", "null", "undefined", "nil"];

const OPERATOR_WORDS: &[&str] = &["and", "or", "not", "is", "in", "instanceof", "typeof"];

const OPERATORS: &[&str] = &[
    "===", "!==", "==", "!=", "<=", ">=", "<", ">", "&&", "||", "??", "!", "+", "-", "*", "/", "//", "%",
    "**", "|", "^", "&", "~", "<<", ">>", "+=", "-=", "*=", "/=", "//=", "%=", "**=", "|=", "&=", "^=",
    "<<=", ">>=", "&&=", "||=", "??=", "++", "--",
];

const BRANCHES: &[&str] = &["if", "elif", "else", "while", "until", "unless", "for"];

pub(super) const CONTROLS: &[&str] = &[
    "await", "raise", "throw", "assert", "try", "except", "catch", "finally", "defer", "panic", "break",
    "continue", "return", "yield", "exit", "trap",
];

const KEYWORDS: &[&str] = &[
    "let",
    "const",
    "var",
    "def",
    "fn",
    "func",
    "function",
    "class",
    "struct",
    "enum",
    "trait",
    "impl",
    "type",
    "interface",
    "public",
    "private",
    "protected",
    "static",
    "async",
    "with",
    "as",
    "lambda",
    "global",
    "nonlocal",
    "del",
    "pass",
    "import",
    "from",
    "use",
    "new",
    "mut",
    "pub",
    "ref",
    "move",
    "dyn",
    "where",
    "extends",
    "implements",
    "export",
    "default",
    "abstract",
    "final",
    "readonly",
    "declare",
    "local",
    "then",
    "do",
    "fi",
    "done",
    "esac",
    "case",
    "match",
    "switch",
    "loop",
    "unsafe",
    "extern",
    "crate",
    "mod",
    "go",
    "select",
    "package",
];

/// What in a shell is followed by names of variables.
const DECLARES: &[&str] = &["local", "export", "declare", "readonly", "typeset", "unset", "read", "for"];

impl Source {
    pub(super) fn read(text: &str, language: Language) -> Source {
        let lexed = lex(text, language);
        let all = lexed.tokens();
        let tokens: Vec<Token<'_>> =
            all.into_iter().filter(|token| token.kind != TokenKind::Comment).collect();
        let mut pieces = pieces(text, &tokens, language);
        if language == Language::Python {
            drop_docstrings(&mut pieces);
        }
        strings::join(&mut pieces);
        if language == Language::Shell {
            join_braces(&mut pieces);
            mark_commands(&mut pieces);
        } else {
            drop_layout(&mut pieces);
            mark_calls(&mut pieces);
            mark_arguments(&mut pieces);
        }
        regions::mark(&mut pieces, language);
        pieces.retain(|piece| !piece.is_sign(";"));
        Source { pieces }
    }

    /// The pieces in these lines. A string that begins before them or ends behind them counts.
    pub(super) fn within(&self, lines: &Range<usize>) -> Vec<&Piece> {
        let is_in = |piece: &&Piece| {
            if lines.is_empty() {
                piece.line < lines.start && lines.start <= piece.end_line
            } else {
                piece.line < lines.end && lines.start <= piece.end_line
            }
        };
        self.pieces.iter().filter(is_in).collect()
    }
}

fn pieces(text: &str, tokens: &[Token<'_>], language: Language) -> Vec<Piece> {
    let mut depth = 0usize;
    let mut end = 0;
    let mut pieces: Vec<Piece> = Vec::new();
    for token in tokens {
        let between = text.get(end..token.start).unwrap_or_default();
        let is_new_line = between.contains('\n') && !between.trim_end_matches([' ', '\t']).ends_with("\\\n");
        let begins_line = pieces.is_empty() || (is_new_line && depth == 0);
        end = token.start + token.text.len();
        match (token.kind, token.text) {
            (TokenKind::Sign, "(" | "[") => depth += 1,
            (TokenKind::Sign, ")" | "]") => depth = depth.saturating_sub(1),
            // Elsewhere braces begin blocks of statements.
            (TokenKind::Sign, "{") if language == Language::Python => depth += 1,
            (TokenKind::Sign, "}") if language == Language::Python => depth = depth.saturating_sub(1),
            _ => {}
        }
        let kind = kind(token, pieces.last(), language);
        let is_text = token.kind == TokenKind::Text;
        let written = match token.kind {
            TokenKind::Text => strings::canonical(token.text, language),
            TokenKind::Number => token.text.replace('_', "").to_lowercase(),
            TokenKind::Word | TokenKind::Sign | TokenKind::Comment => token.text.to_owned(),
        };
        let end_line = token.line + token.text.trim_end_matches('\n').matches('\n').count();
        pieces.push(Piece {
            text: written,
            kind,
            role: Role::Plain,
            line: token.line,
            end_line,
            is_callee: false,
            is_quoted: token.is_quoted,
            argument: None,
            begins_line,
            is_text,
        });
    }
    pieces
}

fn kind(token: &Token<'_>, last: Option<&Piece>, language: Language) -> Kind {
    let text = token.text;
    match token.kind {
        TokenKind::Number | TokenKind::Text => Kind::Literal,
        TokenKind::Word if LITERALS.contains(&text) => Kind::Literal,
        TokenKind::Word if OPERATOR_WORDS.contains(&text) && language != Language::Shell => Kind::Operator,
        TokenKind::Word if BRANCHES.contains(&text) => Kind::Branch,
        TokenKind::Word if CONTROLS.contains(&text) => Kind::Control,
        TokenKind::Word if KEYWORDS.contains(&text) => Kind::Other,
        TokenKind::Word => Kind::Name,
        TokenKind::Sign if text == "?" && language == Language::Rust => Kind::Control,
        // Behind a value they compute; before one, they take or follow a reference.
        TokenKind::Sign if matches!(text, "&" | "*" | "<" | ">") => {
            let is_behind_value = last.is_some_and(|last| {
                matches!(last.kind, Kind::Name | Kind::Literal) || last.is_sign(")") || last.is_sign("]")
            });
            if is_behind_value { Kind::Operator } else { Kind::Other }
        }
        TokenKind::Sign if OPERATORS.contains(&text) => Kind::Operator,
        TokenKind::Sign | TokenKind::Comment => Kind::Other,
    }
}

/// A string that is a whole statement does nothing.
fn drop_docstrings(pieces: &mut Vec<Piece>) {
    let ends: Vec<bool> = pieces.iter().skip(1).map(|next| next.begins_line).chain([true]).collect();
    let mut ends = ends.into_iter();
    let mut joins_next = false;
    pieces.retain_mut(|piece| {
        let is_alone = piece.is_text && piece.begins_line && ends.next() == Some(true);
        if !(piece.is_text && piece.begins_line) {
            ends.next();
        }
        // What followed it still begins a statement.
        piece.begins_line |= joins_next;
        joins_next = is_alone;
        !is_alone
    });
}

/// `${a}` is `$a`.
fn join_braces(pieces: &mut Vec<Piece>) {
    let mut at = 0;
    while at + 2 < pieces.len() {
        let is_plain = pieces.get(at).is_some_and(|piece| piece.is_sign("${"))
            && pieces.get(at + 1).is_some_and(|piece| piece.kind == Kind::Name)
            && pieces.get(at + 2).is_some_and(|piece| piece.is_sign("}"));
        if is_plain {
            pieces.remove(at + 2);
            if let Some(open) = pieces.get_mut(at) {
                "$".clone_into(&mut open.text);
            }
        }
        at += 1;
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
        let is_assigned = matches!(next.as_str(), "=" | "+=") && !piece.is_quoted;
        let is_word = matches!(piece.kind, Kind::Name | Kind::Control);
        if is_word && expects_command && !is_variable && !is_assigned {
            piece.is_callee = piece.kind == Kind::Name;
            expects_command = false;
        } else if piece.kind == Kind::Name && !is_variable && !is_assigned && !declares {
            piece.kind = Kind::Literal;
        } else if matches!(piece.text.as_str(), ";" | "|" | "||" | "&&" | "&" | "(" | "`" | "{" | "!")
            || matches!(piece.text.as_str(), "then" | "do" | "else" | "if" | "elif" | "while" | "until")
        {
            expects_command = true;
            declares = false;
        } else if piece.text == "$" && expects_command {
            // The command is a variable.
            expects_command = next == "(";
        }
        if DECLARES.contains(&piece.text.as_str()) {
            declares = true;
            expects_command = false;
        }
        last.clone_from(&piece.text);
    }
}

/// Drops brackets and commas that only serve the layout.
fn drop_layout(pieces: &mut Vec<Piece>) {
    let mut open: Vec<Bracket> = Vec::new();
    let mut drop: Vec<usize> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        if ["(", "[", "{"].iter().any(|sign| piece.is_sign(sign)) {
            let before = at.checked_sub(1).and_then(|at| pieces.get(at));
            open.push(Bracket { at, commas: 0, may_group: piece.is_sign("(") && may_group_behind(before) });
        } else if piece.is_sign(",") {
            open.last_mut().into_iter().for_each(|bracket| bracket.commas += 1);
        } else if [")", "]", "}"].iter().any(|sign| piece.is_sign(sign)) {
            let Some(bracket) = open.pop() else { continue };
            let last = at.checked_sub(1).filter(|last| *last > bracket.at);
            let has_last_comma = last.and_then(|last| pieces.get(last)).is_some_and(|last| last.is_sign(","));
            // `(1,)` is not `(1)`.
            if has_last_comma && (bracket.commas > 1 || !bracket.may_group) {
                drop.extend(last);
            }
            let is_end = pieces.get(at + 1).is_none_or(|next| {
                next.begins_line || [")", "]", "}", ",", ":", ";"].iter().any(|sign| next.is_sign(sign))
            });
            if bracket.may_group && bracket.commas == 0 && last.is_some() && is_end {
                drop.extend([bracket.at, at]);
            }
        }
    }
    let mut at = 0;
    pieces.retain(|_| {
        at += 1;
        !drop.contains(&(at - 1))
    });
}

struct Bracket {
    at: usize,
    commas: usize,
    may_group: bool,
}

/// Whether a bracket behind this can group a whole expression.
fn may_group_behind(before: Option<&Piece>) -> bool {
    before.is_none_or(|before| {
        ["=", "(", "[", "{", ",", ":"].iter().any(|sign| before.is_sign(sign))
            || matches!(
                before.text.as_str(),
                "return" | "if" | "elif" | "while" | "in" | "yield" | "assert" | "raise"
            )
    })
}

fn mark_calls(pieces: &mut [Piece]) {
    let follows: Vec<bool> = (0..pieces.len())
        .map(|at| {
            let sign = |offset: usize, sign: &str| pieces.get(at + offset).is_some_and(|it| it.is_sign(sign));
            // The second form is a macro.
            sign(1, "(") || (sign(1, "!") && (sign(2, "(") || sign(2, "[")))
        })
        .collect();
    let mut last = String::new();
    for (piece, is_followed) in pieces.iter_mut().zip(follows) {
        let is_defined = matches!(last.as_str(), "def" | "fn" | "func" | "function" | "class");
        piece.is_callee = is_followed && piece.kind == Kind::Name && !is_defined;
        last.clone_from(&piece.text);
    }
}

/// Notes for each value in a call the name of its argument.
fn mark_arguments(pieces: &mut [Piece]) {
    let mut open: Vec<Option<String>> = Vec::new();
    for at in 0..pieces.len() {
        let is_named = at > 0
            && pieces.get(at).is_some_and(|piece| piece.is_sign("="))
            && pieces.get(at - 1).is_some_and(|piece| piece.kind == Kind::Name)
            && at
                .checked_sub(2)
                .and_then(|at| pieces.get(at))
                .is_some_and(|it| it.is_sign("(") || it.is_sign(","));
        let name = is_named.then(|| pieces.get(at - 1).map(|piece| piece.text.clone())).flatten();
        let Some(piece) = pieces.get_mut(at) else { continue };
        if [")", "]", "}"].iter().any(|sign| piece.is_sign(sign)) {
            open.pop();
        } else if piece.is_sign(",") {
            open.last_mut().into_iter().for_each(|argument| *argument = None);
        }
        if let (Some(name), Some(argument)) = (name, open.last_mut()) {
            *argument = Some(name);
        }
        piece.argument = open.iter().rev().find_map(Clone::clone);
        if ["(", "[", "{"].iter().any(|sign| piece.is_sign(sign)) {
            open.push(None);
        }
    }
}
