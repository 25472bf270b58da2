//! Text for people: one line, cut to a length, counted and listed. What is cut ends in `…`.

mod sorted;

use std::borrow::Cow;
use std::fmt::Display;

pub use self::sorted::{count_listed, is_before, next_listed, sort_listed};

/// Marks where a part of a text is missing.
pub const ELLIPSIS: char = '…';

/// The first characters of a text.
#[must_use]
pub fn head(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The beginning of a text, in units of UTF-16 (what JavaScript counts).
#[must_use]
pub fn head_utf16(text: &str, units: usize) -> &str {
    let mut used = 0;
    let over = text.char_indices().find(|(_, letter)| {
        used += letter.len_utf16();
        used > units
    });
    over.and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The beginning of a text: at most this many bytes, and whole characters.
#[must_use]
pub fn head_bytes(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// The text, or its first characters and an ellipsis after them.
#[must_use]
pub fn cut(text: &str, chars: usize) -> Cow<'_, str> {
    marked(text, head(text, chars))
}

/// As [`cut`], with no blank in front of the ellipsis.
#[must_use]
pub fn cut_trimmed(text: &str, chars: usize) -> Cow<'_, str> {
    trimmed(text, head(text, chars))
}

/// The text, or its beginning and an ellipsis, together at most this many characters.
#[must_use]
pub fn fit(text: &str, chars: usize) -> Cow<'_, str> {
    marked(text, fitting(text, chars))
}

/// As [`fit`], with no blank in front of the ellipsis.
#[must_use]
pub fn fit_trimmed(text: &str, chars: usize) -> Cow<'_, str> {
    trimmed(text, fitting(text, chars))
}

/// As [`fit_trimmed`], counted in bytes.
#[must_use]
pub fn fit_bytes(text: &str, bytes: usize) -> Cow<'_, str> {
    let room = if text.len() <= bytes { bytes } else { bytes.saturating_sub(ELLIPSIS.len_utf8()) };
    trimmed(text, head_bytes(text, room))
}

/// The whole text if it has no more characters, else one character less than there is room for.
fn fitting(text: &str, chars: usize) -> &str {
    match head(text, chars) {
        whole if whole.len() == text.len() => text,
        // One less, for the `…`.
        _ => head(text, chars.saturating_sub(1)),
    }
}

fn trimmed<'t>(text: &'t str, shown: &'t str) -> Cow<'t, str> {
    let is_whole = shown.len() == text.len();
    marked(text, if is_whole { shown } else { shown.trim_end() })
}

fn marked<'t>(text: &'t str, shown: &'t str) -> Cow<'t, str> {
    if shown.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(format!("{shown}{ELLIPSIS}")) }
}

/// Words or phrases with `|` between them: a list that fills a page if each has its own line.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub &'static str);

impl Words {
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split('|')
    }

    /// Whether one of them is this.
    #[must_use]
    pub fn contains(self, word: &str) -> bool {
        // Rules ask this for every word of a line, and hardly ever is it in the list.
        let mut rest = self.0.as_bytes();
        loop {
            if let Some(behind) = rest.strip_prefix(word.as_bytes())
                && matches!(behind.first(), None | Some(b'|'))
                && !word.contains('|')
            {
                return true;
            }
            match rest.iter().position(|byte| *byte == b'|') {
                Some(end) => rest = rest.get(end + 1..).unwrap_or_default(),
                None => return false,
            }
        }
    }
}

/// Whether a text has a word that is not a part of a longer one.
#[must_use]
pub fn has_word(text: &str, word: &str) -> bool {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + word.len()..).and_then(|behind| behind.chars().next());
        !is_part(before) && !is_part(behind)
    })
}

/// The words of a text on one line, with one blank between them.
#[must_use]
pub fn one_line(text: &str) -> String {
    join(text.split_whitespace(), " ")
}

/// A word that depends on a number: the first for one thing, the second for none or several.
#[must_use]
pub fn plural<'w, N: From<u8> + PartialEq>(count: N, one: &'w str, many: &'w str) -> &'w str {
    if count == N::from(1) { one } else { many }
}

/// A number of things: `1 file`, `2 files`.
#[must_use]
pub fn counted<N: Copy + Display + From<u8> + PartialEq>(count: N, noun: &str) -> String {
    format!("{count} {noun}{}", plural(count, "", "s"))
}

/// Digits with a separator between thousands: `12,345`.
#[must_use]
pub fn grouped(digits: &str, separator: char) -> String {
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3 * separator.len_utf8());
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(separator);
        }
        shown.push(digit);
    }
    shown
}

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn list<S: AsRef<str>>(names: &[S]) -> String {
    match names.split_last() {
        Some((last, [])) => last.as_ref().to_owned(),
        Some((last, before)) => format!("{} and {}", join(before, ", "), last.as_ref()),
        None => String::new(),
    }
}

/// The first of many, and how many more there are: `a, b and 3 more`.
#[must_use]
pub fn first<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let shown = names.get(..most).unwrap_or(names);
    format!("{}{}", join(shown, ", "), and_more(names.len() - shown.len()))
}

/// ` and 3 more`, or nothing if there are none.
#[must_use]
pub fn and_more(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" and {count} more") }
}

/// Names in backticks with commas between them: `` `a`, `b` ``.
#[must_use]
pub fn quoted<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    join(names.into_iter().map(|name| format!("`{}`", name.as_ref())), ", ")
}

fn join<S: AsRef<str>>(parts: impl IntoIterator<Item = S>, between: &str) -> String {
    let mut whole = String::new();
    for (place, part) in parts.into_iter().enumerate() {
        if place > 0 {
            whole.push_str(between);
        }
        whole.push_str(part.as_ref());
    }
    whole
}

/// A text and what follows from it: a new sentence behind one that has its end.
#[must_use]
pub fn followed(text: &str, rest: &str) -> String {
    if !text.ends_with(['.', '?', '!']) {
        return format!("{text}; {rest}");
    }
    let mut letters = rest.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{text} {first}{}", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        let cases = [
            (cut("größer", 6), "größer"),
            (cut("größer", 4), "größ…"),
            (cut("ab cd", 3), "ab …"),
            (cut_trimmed("ab cd", 3), "ab…"),
            (cut_trimmed("ab ", 3), "ab "),
            (fit("größer", 6), "größer"),
            (fit("größer", 5), "größ…"),
            (fit("größer", 0), "…"),
            (fit_trimmed("ab cd", 4), "ab…"),
            (fit_bytes("größer", 8), "größer"),
            (fit_bytes("größer", 7), "grö…"),
            (fit_bytes("größer", 1), "…"),
            (cut("", 0), ""),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_head_holds_whole_characters() {
        assert_eq!([head("aß𝄞b", 3), head("aß", 3), head("aß", 0)], ["aß𝄞", "aß", ""]);
        assert_eq!([head_utf16("a𝄞b", 2), head_utf16("a𝄞b", 3), head_utf16("a𝄞b", 4)], ["a", "a𝄞", "a𝄞b"]);
        assert_eq!([head_bytes("aßb", 2), head_bytes("aßb", 3), head_bytes("aßb", 9)], ["a", "aß", "aßb"]);
    }

    #[test]
    fn what_follows_a_question_is_a_sentence() {
        assert_eq!(
            super::followed("a:1: no such key", "nothing was changed"),
            "a:1: no such key; nothing was changed"
        );
        assert_eq!(
            super::followed("did you mean `a`?", "nothing was changed"),
            "did you mean `a`? Nothing was changed"
        );
    }

    #[test]
    fn a_word_is_not_a_part_of_another() {
        let cases = [
            ("run it", "it", true),
            ("items, it", "it", true),
            ("its item", "it", false),
            ("it_is", "it", false),
            ("`größe`", "größe", true),
            ("größer", "größe", false),
            ("no --fix-only", "fix", true),
            ("", "it", false),
        ];
        for (text, word, expected) in cases {
            assert_eq!(has_word(text, word), expected, "{text}: {word}");
        }
    }

    #[test]
    fn words_are_put_on_one_line() {
        assert_eq!(one_line("  one\n\ttwo  three "), "one two three");
        assert_eq!(one_line(" \n"), "");
    }

    #[test]
    fn a_list_of_words_has_each_of_them_whole() {
        let words = Words("one|two words|let me ");
        assert_eq!(words.iter().collect::<Vec<_>>(), ["one", "two words", "let me "]);
        assert_eq!(
            ["one", "two", "two words", ""].map(|word| words.contains(word)),
            [true, false, true, false]
        );
    }

    #[test]
    fn things_are_counted() {
        let files = [0_usize, 1, 2].map(|count| counted(count, "file"));
        assert_eq!(files, ["0 files", "1 file", "2 files"]);
        assert_eq!([grouped("123", ','), grouped("1234567", ',')], ["123", "1,234,567"]);
        assert_eq!([plural(1_u64, "is", "are"), plural(2_u64, "is", "are")], ["is", "are"]);
    }

    #[test]
    fn names_are_listed() {
        let names = ["a", "b", "c"];
        let some = [0, 1, 2, 3].map(|count| list(names.get(..count).unwrap()));
        assert_eq!(some, ["", "a", "a and b", "a, b and c"]);
        assert_eq!(
            [first(&names, 2), first(&names, 3), first(&names, 0)],
            ["a, b and 1 more", "a, b, c", " and 3 more"]
        );
        assert_eq!(quoted(names), "`a`, `b`, `c`");
    }
}
