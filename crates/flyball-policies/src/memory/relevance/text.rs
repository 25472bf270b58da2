//! Names and words of text and code.

use flyball_knowledge::similar;

/// Shorter words say nothing.
const LEAST_LETTERS: usize = 3;

/// Words that say little about what an edit or a rule is about, by their stems.
const WEAK: &[&str] = &[
    "add",
    "call",
    "chang",
    "class",
    "cod",
    "config",
    "const",
    "content",
    "creat",
    "data",
    "day",
    "def",
    "default",
    "delet",
    "description",
    "end",
    "error",
    "fals",
    "fil",
    "function",
    "get",
    "giv",
    "host",
    "id",
    "import",
    "index",
    "item",
    "keep",
    "key",
    "lik",
    "lin",
    "list",
    "look",
    "main",
    "mak",
    "modul",
    "nam",
    "new",
    "non",
    "null",
    "number",
    "packag",
    "pag",
    "part",
    "path",
    "privat",
    "project",
    "public",
    "put",
    "read",
    "remov",
    "result",
    "return",
    "run",
    "self",
    "servic",
    "set",
    "show",
    "start",
    "static",
    "string",
    "tak",
    "test",
    "text",
    "tim",
    "titl",
    "tru",
    "typ",
    "updat",
    "url",
    "valu",
    "version",
    "void",
    "way",
    "work",
    "writ",
];

/// Keywords of common languages, which name nothing.
const KEYWORDS: &[&str] = &[
    "and",
    "async",
    "await",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "def",
    "double",
    "elif",
    "else",
    "enum",
    "except",
    "export",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "from",
    "func",
    "function",
    "impl",
    "import",
    "int",
    "interface",
    "len",
    "let",
    "match",
    "mod",
    "new",
    "none",
    "not",
    "null",
    "package",
    "pass",
    "print",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "return",
    "self",
    "static",
    "str",
    "string",
    "struct",
    "super",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "use",
    "var",
    "void",
    "where",
    "while",
    "with",
    "yield",
];

/// What a word counts that says little.
const WEAK_WEIGHT: f64 = 0.35;

/// A name in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'t> {
    /// Where it begins in the text.
    pub(super) at: usize,
    pub(super) text: &'t str,
}

/// The names in a text: letters, digits and `_`.
pub(super) fn names(text: &str) -> impl Iterator<Item = Name<'_>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text.get(rest..)?.find(is_name_letter)?;
        let tail = text.get(start..)?;
        let length = tail.find(|letter| !is_name_letter(letter)).unwrap_or(tail.len());
        rest = start + length;
        Some(Name { at: start, text: tail.get(..length)? })
    })
}

pub(super) fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The words that a name is made of: `userId` and `user_id` have two.
pub(super) fn parts(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    let all = std::iter::from_fn(move || {
        let (part, behind) = rest.split_at(end_of_part(rest));
        rest = behind;
        (!part.is_empty()).then_some(part)
    });
    all.filter(|part| !part.starts_with('_'))
}

/// Where the first word of a name ends, or the underlines between two.
fn end_of_part(name: &str) -> usize {
    let mut letters = name.chars();
    let Some(mut one) = letters.next() else { return 0 };
    let mut end = one.len_utf8();
    while let Some(two) = letters.next() {
        let is_hump = one.is_lowercase() && two.is_uppercase();
        let is_last_capital = one.is_uppercase()
            && two.is_uppercase()
            && letters.clone().next().is_some_and(char::is_lowercase);
        if is_hump || is_last_capital || one.is_numeric() != two.is_numeric() || (one == '_') != (two == '_')
        {
            break;
        }
        end += two.len_utf8();
        one = two;
    }
    end
}

/// The words of a text that have a meaning, in lower case: the parts of its names.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    names(text).flat_map(|name| parts(name.text)).filter_map(meaningful)
}

/// A word in lower case, if it has a meaning.
pub(super) fn meaningful(word: &str) -> Option<String> {
    // No letter of ASCII gets longer, and short words are many.
    let is_short = word.len() < LEAST_LETTERS && word.is_ascii();
    if is_short { None } else { Some(word.to_lowercase()).filter(|word| is_meaningful(word)) }
}

/// Whether a word in lower case may say what a text is about.
pub(super) fn is_meaningful(word: &str) -> bool {
    word.len() >= LEAST_LETTERS && !word.starts_with(char::is_numeric) && !similar::is_filler(word)
}

/// Whether a word in lower case is a keyword of a common language.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// What a word counts, by its stem.
pub(super) fn weight(stem: &str) -> f64 {
    if is_weak(stem) { WEAK_WEIGHT } else { 1.0 }
}

/// Whether a word says little, by its stem.
pub(super) fn is_weak(stem: &str) -> bool {
    WEAK.binary_search(&stem).is_ok()
}

/// Whether a text has this piece of code, and not only as a part of other names.
pub(super) fn has(text: &str, piece: &str) -> bool {
    let begins = piece.chars().next().is_some_and(is_name_letter);
    let ends = piece.chars().next_back().is_some_and(is_name_letter);
    text.match_indices(piece).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + piece.len()..).and_then(|after| after.chars().next());
        !(begins && before.is_some_and(is_name_letter) || ends && after.is_some_and(is_name_letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        let cases: [(&str, &[&str]); 7] = [
            ("userId", &["user", "Id"]),
            ("user_id", &["user", "id"]),
            ("HTTPServer", &["HTTP", "Server"]),
            ("__init__", &["init"]),
            ("v2", &["v", "2"]),
            ("sha256sum", &["sha", "256", "sum"]),
            ("x", &["x"]),
        ];
        for (name, expected) in cases {
            assert!(parts(name).eq(expected.iter().copied()), "{name}");
        }
    }

    #[test]
    fn code_is_found_whole() {
        let cases = [
            ("x = float(1)", "float", true),
            ("x = floating", "float", false),
            ("new Date()", "new Date()", true),
            ("renew Date()", "new Date()", false),
            ("a |safe", "|safe", true),
            ("", "a", false),
        ];
        for (text, piece, expected) in cases {
            assert_eq!(has(text, piece), expected, "{piece} in {text}");
        }
    }

    #[test]
    fn the_lists_are_sorted_for_the_search_in_them() {
        assert!(WEAK.is_sorted(), "{WEAK:?}");
        assert!(KEYWORDS.is_sorted(), "{KEYWORDS:?}");
    }
}
