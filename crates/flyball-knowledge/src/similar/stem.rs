//! Words without their endings, so that all forms of one are the same.

use std::fmt;

/// A word in lower case without its ending, as a piece of the word: no text is made for it, and the compiler can find it, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stem<'a> {
    start: &'a str,
    /// Kept apart, so that `queries` has the stem of `query`.
    has_y: bool,
}

/// The stem of a word as a text of its own.
#[must_use]
pub fn stem(word: &str) -> String {
    Stem::of(word).to_string()
}

impl<'a> Stem<'a> {
    /// The stem of a word. Rough, but the same for all forms of most words.
    #[must_use]
    pub const fn of(word: &'a str) -> Stem<'a> {
        let word = without_quotes(word);
        if !word.is_ascii() || word.len() < 4 {
            return Stem::of_start(word, word.len());
        }
        if let Some(stem) = irregular(word.as_bytes()) {
            return Stem::of_start(stem, stem.len());
        }
        let (letters, has_y) = singular(word.as_bytes());
        // `thing` is not a form of `th`.
        let bare = match (letters, has_y) {
            ([start @ .., b'i', b'n', b'g', b'l'] | [start @ .., b'e', b'd', b'l'], true)
            | ([start @ .., b'i', b'n', b'g'] | [start @ .., b'e', b'd'], false)
                if start.len() >= 3 =>
            {
                Some(start)
            }
            ([start @ .., b'l'], true) if start.len() >= 3 => Some(start),
            _ => None,
        };
        match (bare, letters) {
            (Some(bare), _) => match single_end(bare) {
                [start @ .., b'e'] => Stem::of_start(word, start.len()),
                letters => Stem::of_start(word, letters.len()),
            },
            (None, letters) if has_y => Stem { start: word.split_at(letters.len()).0, has_y },
            (None, [start @ .., b'e']) => Stem::of_start(word, start.len()),
            (None, letters) => Stem::of_start(word, letters.len()),
        }
    }

    /// The first letters of a word.
    const fn of_start(word: &'a str, length: usize) -> Stem<'a> {
        let start = word.split_at(length).0;
        match start.as_bytes() {
            [rest @ .., b'y'] => Stem { start: start.split_at(rest.len()).0, has_y: true },
            _ => Stem { start, has_y: false },
        }
    }

    /// What of the word is left, and whether there is a `y` behind it.
    #[must_use]
    pub const fn parts(self) -> (&'a str, bool) {
        (self.start, self.has_y)
    }
}

impl fmt::Display for Stem<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.start)?;
        out.write_str(if self.has_y { "y" } else { "" })
    }
}

const fn without_quotes(word: &str) -> &str {
    let mut word = word;
    while let [start @ .., b'\'', b's'] = word.as_bytes() {
        word = word.split_at(start.len()).0;
    }
    loop {
        word = match word.as_bytes() {
            [b'\'', ..] => word.split_at(1).1,
            [start @ .., b'\''] => word.split_at(start.len()).0,
            _ => return word,
        };
    }
}

/// The stems of irregular forms.
const fn irregular(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"written" | b"wrote" => "writ",
        b"broken" | b"broke" => "break",
        b"held" => "hold",
        b"kept" => "keep",
        b"built" => "build",
        b"taken" | b"took" => "tak",
        b"sent" => "send",
        b"lost" => "los",
        b"given" | b"gave" => "giv",
        b"chosen" => "choos",
        b"hidden" => "hid",
        b"thrown" => "throw",
        b"known" => "know",
        _ => return None,
    })
}

/// A word without the ending of its plural, and whether there is a `y` behind what is left.
const fn singular(word: &[u8]) -> (&[u8], bool) {
    let single = match word {
        [start @ .., b'i', b'e', b's'] => return (start, true),
        [start @ .., b'e', b's'] if ends_with_ss(start) => start,
        // `class` does not lose an `s`.
        [start @ .., b's'] if !ends_with_ss(word) => start,
        _ => word,
    };
    match single {
        [start @ .., b'y'] => (start, true),
        _ => (single, false),
    }
}

const fn ends_with_ss(word: &[u8]) -> bool {
    matches!(word, [.., b's', b's'])
}

/// `runn` is `run`; `call` stays.
const fn single_end(letters: &[u8]) -> &[u8] {
    match letters {
        [start @ .., last] if !matches!(*last, b'l' | b's' | b'z') => match start {
            [.., before] if *before == *last => start,
            _ => letters,
        },
        _ => letters,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_a_word_have_one_stem() {
        let cases = [
            ("quer", "", "quer"),
            ("query", "queries query", "query"),
            ("classes", "class", "class"),
            ("runs", "running run", "run"),
            ("calling", "called calls call", "call"),
            ("families", "family", "fami"),
            ("days", "day day's 'day'", "day"),
            ("played", "plays play playing", "play"),
            ("thing", "things", "thing"),
            ("string", "strings", "str"),
            ("written", "wrote write writes", "writ"),
            ("taking", "taken takes took", "tak"),
            ("handle", "handles handled handling", "handl"),
            ("surprisingly", "surprising surprised", "surpris"),
            ("gem's", "gems gem", "gem"),
            ("größe", "", "größe"),
            ("", "'", ""),
        ];
        for (word, forms, expected) in cases {
            for form in forms.split(' ').chain([word]).filter(|form| !form.is_empty()) {
                assert_eq!(stem(form), expected, "{form}");
                assert_eq!(Stem::of(form), Stem::of(word), "{form}");
            }
        }
    }
}
