//! What the sentences of a rule forbid, want and allow: the role of each piece of code in them.
//!
//! Sentences are read clause by clause, from left to right: a word that forbids or asks counts for the code behind it, up to
//! the end of its clause or to a word that begins another thought; some words count for what was named before them.

mod clause;
mod role;
#[cfg(test)]
mod tests;
mod token;
mod words;

use self::clause::Reader;
pub use self::role::{Named, Role};
pub use self::token::{Token, is_path, tokens};
use self::words::{ANNOUNCES, FORBIDDING, class};

/// What a text names, and how. Below words that forbid (`Do not:`), its first clause says what.
#[must_use]
pub fn named<'a>(tokens: &[(usize, Token<'a>)], is_below_forbidding: bool) -> Named<'a> {
    let plain: Vec<Token<'a>> = tokens.iter().map(|(_, token)| *token).collect();
    let mut reader = Reader::new(is_below_forbidding);
    let mut is_behind_colon = false;
    for clause in plain.split_inclusive(|token| matches!(token, Token::Stop | Token::Colon)) {
        let (end, words) = match clause.split_last() {
            Some((end @ (Token::Stop | Token::Colon), words)) => (Some(end), words),
            _ => (None, clause),
        };
        if is_behind_colon {
            reader.read_behind_colon(words)
        } else {
            reader.read(words)
        }
        is_behind_colon = end == Some(&Token::Colon);
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
