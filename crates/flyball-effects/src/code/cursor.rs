//! The place in some code, and the steps that all kinds of tokens are read with.

use super::token::{Kind, Token};
use crate::model::Language;

/// How deep code may be nested in strings.
pub(super) const MOST_HOLES: usize = 6;

/// The tokens of some code.
pub(super) struct Lexed<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// Whether some of it could not be read.
    pub(super) is_broken: bool,
}

/// Reads code; the number says how many strings it is nested in.
pub(super) type Nested = for<'c> fn(Language, &'c str, usize) -> Lexed<'c>;

/// Reads code from left to right.
pub(super) struct Lexer<'a> {
    pub(super) source: &'a str,
    pub(super) at: usize,
    pub(super) language: Language,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) is_broken: bool,
    pub(super) depth: usize,
    /// Where the line with a here-document ends, and where its body does.
    pub(super) body: Option<(usize, usize)>,
    /// How many here-documents had no end: looking for one costs a pass over the code.
    pub(super) endless: usize,
    pub(super) spaced: bool,
    /// Reads the code in a string.
    pub(super) nested: Nested,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(language: Language, source: &'a str, depth: usize, nested: Nested) -> Self {
        Self {
            source,
            at: 0,
            language,
            tokens: Vec::new(),
            is_broken: false,
            depth,
            body: None,
            endless: 0,
            spaced: true,
            nested,
        }
    }

    /// What has not been read yet.
    pub(super) fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The letter `count` letters further on.
    pub(super) fn peek_at(&self, count: usize) -> Option<char> {
        self.rest().chars().nth(count)
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    /// Goes over `text` if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// Takes letters while `belongs`.
    pub(super) fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    pub(super) fn push(&mut self, kind: Kind<'a>) {
        self.tokens.push(Token { kind, spaced: self.spaced });
        self.spaced = false;
    }

    /// Whether what was read last is a value, so that `/` divides and `<<` shifts.
    pub(super) fn is_behind_operand(&self) -> bool {
        match self.tokens.last().map(|token| &token.kind) {
            Some(Kind::Name(name)) => self.is_value_name(name),
            Some(Kind::Text(_) | Kind::Shell(_) | Kind::Words(_) | Kind::Value | Kind::Hole) => true,
            Some(Kind::Sign(sign)) => {
                // In Perl `}` also closes a subscript (`$h{x} / 2`), elsewhere mostly a block.
                matches!(*sign, ")" | "]") || (*sign == "}" && self.language == Language::Perl)
            }
            Some(Kind::Newline) | None => false,
        }
    }

    /// Whether a name can be a value; in Perl and Ruby a function takes what follows.
    fn is_value_name(&self, name: &str) -> bool {
        match self.language {
            Language::Perl => name.starts_with(['$', '@', '%']),
            Language::Ruby => {
                let rest = self.rest();
                // `puts /x/` is a call with a pattern, `a / b` a division: the blanks decide.
                let takes = self.spaced && rest.chars().nth(1).is_some_and(|next| !next.is_whitespace());
                !takes && !WORDS_BEFORE_VALUES.contains(&name)
            }
            _ => !WORDS_BEFORE_VALUES.contains(&name),
        }
    }
}

const WORDS_BEFORE_VALUES: [&str; 26] = [
    "return", "typeof", "case", "in", "of", "if", "unless", "and", "or", "not", "while", "until", "when",
    "then", "else", "elsif", "do", "split", "grep", "print", "puts", "delete", "void", "await", "yield",
    "new",
];

/// Whether a name can begin with this letter.
pub(super) fn is_name_start(letter: char) -> bool {
    letter == '_' || letter.is_alphabetic()
}

/// Whether a name can contain this letter.
pub(super) fn is_name_letter(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}
