//! What the sentences of a rule forbid, want and allow: the role of each piece of code in them.
//!
//! Sentences are read clause by clause, from left to right: a word that forbids or asks counts for the code behind it, up to
//! the end of its clause or to a word that begins another thought; some words count for what was named before them.

mod clause;
#[cfg(test)]
mod tests;
mod token;
mod words;

use self::clause::Reader;
pub use self::token::{Token, is_path, tokens};
use self::words::{ANNOUNCES, FORBIDDING, class};

/// How code is named in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The rule is about it.
    Subject,
    /// The rule asks for it: `use X`, `never skip X`.
    Wanted,
    /// What is forbidden is not where this is: `never A without X`.
    Needed,
    /// The rule names it as what is there: `is X`, `from X`.
    Given,
    /// The rule forbids it: `never X`, `X is not allowed`, `prefer A to X`.
    Forbidden,
    /// It must not be taken away: `don't remove X`.
    Kept,
    /// The rule does not hold there: `except in X`, `only in X`.
    Exempt,
    /// The rule holds there: `dates in X are local`.
    Scope,
}

/// What a rule names, and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Named<'a> {
    pub code: Vec<(&'a str, Role)>,
    /// Plain words that name what is forbidden, in lower case: `no enums`.
    pub forbidden_words: Vec<String>,
}

/// What a text names, and how. Below words that forbid (`Do not:`), its first clause says what.
#[must_use]
pub fn named<'a>(tokens: &[(usize, Token<'a>)], is_below_forbidding: bool) -> Named<'a> {
    let plain: Vec<Token<'a>> = tokens.iter().map(|(_, token)| *token).collect();
    let mut reader = Reader::new(is_below_forbidding);
    for clause in plain.split(|token| *token == Token::Stop) {
        reader.read(clause);
    }
    reader.finish()
}

/// Whether a heading, or the words in front of a list, forbid what is below: `Do not`, `Never use these:`.
#[must_use]
pub fn forbids_what_follows(words: &str) -> bool {
    let last = words.trim().trim_end_matches([':', '*', '_', ' ']).rsplit(['.', ';', '\n', ',']).next();
    let small = last.unwrap_or_default().to_lowercase().replace('’', "'");
    let mut parts = small.split(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '-');
    let mut forbids = small.contains(['❌', '🚫', '⛔']) && !small.contains('✅');
    let has_only_such = parts.by_ref().filter(|word| word.contains(char::is_alphanumeric)).all(|word| {
        // `Do and don't` is above both.
        let known = class(word);
        forbids |= known.is(FORBIDDING);
        known.is(FORBIDDING) || known.is(ANNOUNCES)
    });
    forbids && has_only_such
}
