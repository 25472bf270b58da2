//! A text of a rule as words, code and punctuation.

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A word, as it is written.
    Word(&'a str),
    /// What is between backticks, or is written like code.
    Code(&'a str),
    /// The end of a sentence or of a part of it.
    Stop,
    /// The end of a part that the next one says something of.
    Colon,
    Comma,
}

/// Names of products and formats with a capital in the middle, or with a full stop.
const PRODUCTS: &[&str] = &[
    "ASP.NET",
    "BigQuery",
    "CoffeeScript",
    "DevTools",
    "DynamoDB",
    "FastAPI",
    "GitHub",
    "GitLab",
    "GraphQL",
    "IntelliJ",
    "JavaScript",
    "JetBrains",
    "LaTeX",
    "MariaDB",
    "MongoDB",
    "MySQL",
    "NuGet",
    "OpenAI",
    "OpenAPI",
    "PostgreSQL",
    "PowerShell",
    "PyPI",
    "RabbitMQ",
    "SQLAlchemy",
    "SQLite",
    "TypeScript",
    "WebSocket",
    "YouTube",
    "iOS",
    "macOS",
];

/// Endings of files.
const ENDINGS: &[&str] = &[
    "c",
    "cc",
    "cfg",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "ex",
    "exs",
    "go",
    "gradle",
    "graphql",
    "h",
    "hpp",
    "html",
    "ini",
    "java",
    "js",
    "json",
    "jsx",
    "kt",
    "lock",
    "lua",
    "md",
    "mdx",
    "mjs",
    "php",
    "prisma",
    "properties",
    "proto",
    "py",
    "rb",
    "rs",
    "rst",
    "scala",
    "scss",
    "sh",
    "sql",
    "svelte",
    "swift",
    "tf",
    "toml",
    "ts",
    "tsx",
    "txt",
    "vue",
    "xml",
    "yaml",
    "yml",
];

/// The tokens of a text, with their places.
#[must_use]
pub fn tokens(text: &str) -> Vec<(usize, Token<'_>)> {
    let mut found = Vec::new();
    let mut at = 0;
    for (piece, is_code) in text.split('`').zip([false, true].into_iter().cycle()) {
        // A line break between backticks: the first is not the start of code.
        if is_code && !piece.contains('\n') {
            found.push((at, Token::Code(piece)));
        } else {
            split_prose(piece, at, &mut found);
        }
        at += piece.len() + 1;
    }
    found
}

/// Whether a piece of code is a path: with a slash, or with the ending of a file.
#[must_use]
pub fn is_path(code: &str) -> bool {
    let is_plain = !code.contains([' ', '(', '"', '@', '<', ':', '=']);
    is_plain && (code.contains('/') || code.contains("*.") || has_ending(code))
}

fn has_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        stem.contains(char::is_alphanumeric) && ENDINGS.binary_search(&ending).is_ok()
    })
}

fn split_prose<'a>(text: &'a str, offset: usize, found: &mut Vec<(usize, Token<'a>)>) {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-'’./@".contains(letter);
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_part(letter)) {
            (None, true) => start = Some(at),
            (Some(begin), false) => {
                let word = text.get(begin..at).unwrap_or_default();
                let is_call = text.get(at..).is_some_and(|rest| rest.starts_with("()"));
                push_word(word, offset + begin, is_call, found);
                start = None;
            }
            _ => {}
        }
        let place = offset + at;
        match letter {
            ';' | '!' | '?' | '\n' | '(' | ')' => found.push((place, Token::Stop)),
            ':' | '—' => found.push((place, Token::Colon)),
            ',' => found.push((place, Token::Comma)),
            '❌' | '🚫' | '⛔' | '✗' | '✘' => {
                found.extend([(place, Token::Stop), (place, Token::Word("never"))]);
            }
            '✅' | '✓' | '✔' => found.extend([(place, Token::Stop), (place, Token::Word("use"))]),
            // `a` > `b`: rather one than the other.
            '>' if matches!(found.last(), Some((_, Token::Code(_)))) => {
                found.push((place, Token::Word("over")));
            }
            _ => {}
        }
    }
}

fn push_word<'a>(word: &'a str, at: usize, is_call: bool, found: &mut Vec<(usize, Token<'a>)>) {
    let bare = word.trim_end_matches(['.', '-', '\'', '’']);
    let name = bare.trim_start_matches(['-', '\'', '’']);
    // `_not_` is emphasis, `__init__` a name.
    let is_emphasis = name.starts_with('_') && name.ends_with('_') && !name.starts_with("__");
    let name = if is_emphasis { name.trim_matches('_') } else { name };
    if name.contains(char::is_alphanumeric) {
        let is_code = is_call || looks_like_code(name);
        let plain = name.trim_start_matches('.').trim_end_matches('/');
        found.push((at, if is_code { Token::Code(name) } else { Token::Word(plain) }));
    }
    if word.ends_with('.') {
        found.push((at + word.len(), Token::Stop));
    }
}

/// `userId`, `user_id`, `src/app/`, `a.ts`: written like code.
fn looks_like_code(word: &str) -> bool {
    if PRODUCTS.binary_search(&word).is_ok() || word.contains(['\'', '’', '@']) {
        return false;
    }
    let inner = word.trim_matches('_');
    let has_hump =
        inner.chars().zip(inner.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    // `Node.js` is a product, `and/or` two words.
    let is_product = word.ends_with(".js") && word.starts_with(char::is_uppercase);
    let is_folder = word.ends_with('/') && word.len() > 2;
    has_hump
        || inner.contains('_')
        || word.starts_with("__")
        || is_folder
        || (has_ending(word) && !is_product)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<&str> {
        let all = tokens(text).into_iter();
        all.filter_map(|(_, token)| if let Token::Code(code) = token { Some(code) } else { None }).collect()
    }

    #[test]
    fn what_is_written_like_code_needs_no_backticks() {
        let cases: [(&str, &[&str]); 9] = [
            ("parseDate is UTC only", &["parseDate"]),
            ("UserStore and user_store, Store not", &["UserStore", "user_store"]),
            ("Call close() at the end", &["close"]),
            ("JavaScript, GitHub and Node.js are products", &[]),
            ("CHANGELOG.md entries, and/or gen/ files", &["CHANGELOG.md", "gen/"]),
            ("It is e.g. read/write, i.e. nothing.", &[]),
            ("Do _not_ touch __init__", &["__init__"]),
            ("Leave `src/a b` alone", &["src/a b"]),
            ("Don’t use pip.", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(code(text), expected, "{text}");
        }
    }

    #[test]
    fn the_lists_are_sorted_for_the_search_in_them() {
        assert!(PRODUCTS.is_sorted());
        assert!(ENDINGS.is_sorted());
    }
}
