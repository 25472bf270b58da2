//! The tokens of a source file: names, numbers, strings, comments and signs, each with its place.

use std::ops::Range;

use super::language::Language;
use super::lexer::Lexed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword. In a shell, any bare word: `-rf`, `a.txt`.
    Word,
    Number,
    /// A string with its prefix and quotes, a character, a regular expression, or the body of a here-document.
    Text,
    Comment,
    /// An operator, a bracket or a separator.
    Sign,
}

/// One token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: TokenKind,
    /// As written.
    pub text: &'a str,
    pub start: usize,
    /// The line that it begins in, from 1.
    pub line: usize,
    /// Whether it is inside a quoted word of a shell, where the rest of the text is code too.
    pub is_quoted: bool,
}

/// Signs of more than one character; longer ones come first.
const SIGNS: &[&str] = &[
    "===", "!==", "**=", "//=", "<<=", ">>=", "&&=", "||=", "??=", "...", "..=", "==", "!=", "<=", ">=",
    "&&", "||", "??", "?.", "=>", "->", "::", ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<",
    ">>", "**", "//", "++", "--", "..",
];

impl<'a> Lexed<'a> {
    /// All tokens in order.
    pub fn tokens(&self) -> Vec<Token<'a>> {
        let mut reader = Reader { lexed: self, tokens: Vec::new() };
        let mut at = 0;
        for (range, is_comment) in self.parts() {
            let start = if is_comment { range.start } else { self.prefix_start(range.start).max(at) };
            reader.code(at..start, false);
            if is_comment {
                reader.push(TokenKind::Comment, start..range.end, false);
            } else {
                reader.text(start..range.end);
            }
            at = range.end;
        }
        reader.code(at..self.text.len(), false);
        reader.tokens
    }

    /// Comments and strings in order, each with whether it is a comment.
    fn parts(&self) -> Vec<(Range<usize>, bool)> {
        let comments = self.comments.iter().map(|it| (it.start..it.start + it.text.len(), true));
        let strings = self.strings.iter().map(|range| (range.clone(), false));
        let mut parts: Vec<(Range<usize>, bool)> = comments.chain(strings).collect();
        parts.sort_by_key(|(range, _)| range.start);
        parts
    }

    /// Where a string begins with its prefix: `f"…"`, `rb'…'`.
    fn prefix_start(&self, open: usize) -> usize {
        let before = self.text.as_bytes().get(..open).unwrap_or_default();
        let letters =
            before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let prefix = before.get(open - letters..).unwrap_or_default();
        let is_prefix = (1..=2).contains(&letters) && prefix.iter().all(|byte| b"fFrRbBuUcC".contains(byte));
        if is_prefix && self.language != Language::Shell { open - letters } else { open }
    }
}

struct Reader<'l, 'a> {
    lexed: &'l Lexed<'a>,
    tokens: Vec<Token<'a>>,
}

impl<'a> Reader<'_, 'a> {
    fn push(&mut self, kind: TokenKind, range: Range<usize>, is_quoted: bool) {
        let Some(text) = self.lexed.text.get(range.clone()).filter(|text| !text.is_empty()) else { return };
        let line = self.lexed.line_of(range.start);
        self.tokens.push(Token { kind, text, start: range.start, line, is_quoted });
    }

    /// In a shell, quotes only group: what is inside is words and variables, as outside.
    fn text(&mut self, range: Range<usize>) {
        let text = self.lexed.text.get(range.clone()).unwrap_or_default();
        let inside = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        let is_plain = |inside: &str| !inside.contains(['$', '`', '\\', '!']);
        let grouped = inside('"').or_else(|| inside('\'').filter(|inside| is_plain(inside)));
        if self.lexed.language == Language::Shell && grouped.is_some_and(|inside| !inside.is_empty()) {
            self.code(range.start + 1..range.end - 1, true);
        } else {
            self.push(TokenKind::Text, range, false);
        }
    }

    fn code(&mut self, range: Range<usize>, is_quoted: bool) {
        let mut at = range.start;
        while at < range.end {
            let rest = self.lexed.text.get(at..range.end).unwrap_or_default();
            let Some(first) = rest.chars().next() else { return };
            let (kind, length) = match first {
                // A blank in quotes is part of a word, and between words it is not.
                ' ' | '\t' if is_quoted => (Some(TokenKind::Text), 1),
                _ if first.is_whitespace() => (None, first.len_utf8()),
                _ if self.lexed.language == Language::Shell => self.shell_token(at, rest),
                '0'..='9' => (Some(TokenKind::Number), number_length(rest)),
                _ if is_word(first) => (Some(TokenKind::Word), word_length(rest, is_word)),
                _ => (Some(TokenKind::Sign), sign_length(rest)),
            };
            if let Some(kind) = kind {
                self.push(kind, at..at + length, is_quoted);
            }
            at += length;
        }
    }

    fn shell_token(&self, at: usize, rest: &str) -> (Option<TokenKind>, usize) {
        // `${a}` and `$a` are one variable, so a name ends where a name must.
        let is_name = self.tokens.last().is_some_and(|last| {
            (last.text == "$" || last.text == "${") && last.start + last.text.len() == at
        });
        match word_length(rest, if is_name { is_word } else { is_shell_word }) {
            0 if rest.starts_with("${") => (Some(TokenKind::Sign), 2),
            0 => (Some(TokenKind::Sign), sign_length(rest)),
            length => (Some(TokenKind::Word), length),
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_shell_word(letter: char) -> bool {
    is_word(letter) || "-./:@%+,~^".contains(letter)
}

fn word_length(text: &str, is_part: fn(char) -> bool) -> usize {
    text.find(|letter| !is_part(letter)).unwrap_or(text.len())
}

/// `1_000`, `0xff`, `1.5e3`, but of `0..9` only the first.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let is_point = *byte == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !(byte.is_ascii_alphanumeric() || *byte == b'_' || is_point) {
            break;
        }
        at += 1;
    }
    at.max(1)
}

fn sign_length(text: &str) -> usize {
    let known = SIGNS.iter().find(|sign| text.starts_with(**sign)).map(|sign| sign.len());
    known.unwrap_or_else(|| text.chars().next().map_or(1, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::super::lexer::lex;
    use super::*;

    fn tokens(language: Language, text: &str) -> Vec<String> {
        let name = |token: &Token<'_>| {
            let kind = match token.kind {
                TokenKind::Word => 'w',
                TokenKind::Number => 'n',
                TokenKind::Text => 't',
                TokenKind::Comment => 'c',
                TokenKind::Sign => 's',
            };
            format!("{kind}{}{}", if token.is_quoted { "'" } else { "" }, token.text)
        };
        lex(text, language).tokens().iter().map(name).collect()
    }

    #[test]
    fn each_kind_is_recognised() {
        let cases: &[(Language, &str, &[&str])] = &[
            (Language::Python, "x += f\"{a}\" # no\n", &["wx", "s+=", "tf\"{a}\"", "c# no"]),
            (Language::Python, "a<=1_0.5", &["wa", "s<=", "n1_0.5"]),
            (Language::Rust, "0..9 'a' r#\"b\"#", &["n0", "s..", "n9", "t'a'", "tr#\"b\"#"]),
            (Language::Script, "a?.b === /c/", &["wa", "s?.", "wb", "s===", "t/c/"]),
            (Language::Shell, "rm -rf $a/b", &["wrm", "w-rf", "s$", "wa", "w/b"]),
            (Language::Shell, "rm \"$a/b\"", &["wrm", "s'$", "w'a", "w'/b"]),
            (Language::Shell, "echo 'a b' '$c'", &["wecho", "w'a", "t' ", "w'b", "t'$c'"]),
            (Language::Shell, "cat <<E\nx\nE\n", &["wcat", "s<<", "wE", "tx\n", "wE"]),
        ];
        for (language, text, expected) in cases {
            assert_eq!(tokens(*language, text), *expected, "{text}");
        }
    }
}
