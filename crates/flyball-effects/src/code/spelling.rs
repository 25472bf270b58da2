//! The text of a shell word, with a mark wherever the shell puts something in.

use crate::model::Word;

use super::token::HOLE;

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordForm {
    /// As an argument, with quotes.
    Argument,
    /// As the body of a here-document, where quotes are letters.
    Body,
}

/// The text of a word, known or with holes in it.
pub(super) fn word_text(word: &Word, written: WordForm) -> String {
    match &word.text {
        Some(text) => text.clone(),
        None => with_holes(&word.raw, written),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Quotes {
    None,
    Single,
    Double,
    Body,
}

fn with_holes(raw: &str, written: WordForm) -> String {
    let mut quotes = if written == WordForm::Body { Quotes::Body } else { Quotes::None };
    let mut text = String::with_capacity(raw.len());
    let mut at = 0;
    while let Some(letter) = raw.get(at..).and_then(|rest| rest.chars().next()) {
        at += letter.len_utf8();
        let rest = raw.get(at..).unwrap_or_default();
        match (letter, quotes) {
            ('\'', Quotes::None) => quotes = Quotes::Single,
            ('\'', Quotes::Single) | ('"', Quotes::Double) => quotes = Quotes::None,
            ('"', Quotes::None) => quotes = Quotes::Double,
            ('\\', Quotes::None | Quotes::Double | Quotes::Body) => {
                let next = rest.chars().next().unwrap_or('\\');
                let escapes = match quotes {
                    Quotes::None => true,
                    Quotes::Double => matches!(next, '$' | '`' | '"' | '\\' | '\n'),
                    Quotes::Body | Quotes::Single => matches!(next, '$' | '`' | '\\' | '\n'),
                };
                if !escapes {
                    text.push('\\');
                } else {
                    at += next.len_utf8();
                    if next != '\n' {
                        text.push(next);
                    }
                }
            }
            ('$' | '`', Quotes::None | Quotes::Double | Quotes::Body) => match expansion(letter, rest) {
                Some(length) => {
                    at += length;
                    text.push(HOLE);
                }
                None => text.push(letter),
            },
            _ => text.push(letter),
        }
    }
    text
}

/// How long the expansion behind `$` or a backtick is; `None` if it is none.
fn expansion(opener: char, rest: &str) -> Option<usize> {
    if opener == '`' {
        return Some(rest.find('`').map_or(rest.len(), |end| end + 1));
    }
    match rest.chars().next()? {
        // Quotes inside are not regarded: a bracket in them only makes the hole longer or shorter.
        '(' => Some(balanced(rest, '(', ')')),
        '{' => Some(balanced(rest, '{', '}')),
        letter if letter == '_' || letter.is_ascii_alphabetic() => {
            let is_name = |letter: char| letter == '_' || letter.is_ascii_alphanumeric();
            Some(rest.find(|letter| !is_name(letter)).unwrap_or(rest.len()))
        }
        letter if letter.is_ascii_digit() || "@*#?!$-".contains(letter) => Some(1),
        // `$'…'` contains escapes we would have to decode.
        '\'' => Some(0),
        _ => None,
    }
}

fn balanced(rest: &str, open: char, close: char) -> usize {
    let mut depth = 0usize;
    for (at, letter) in rest.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    rest.len()
}
