//! What a search pattern looks like: the name of something in code, or a text.

use flyball_core::text::Words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The shape of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shape {
    /// Any pattern.
    #[default]
    Any,
    /// A name or a definition: `UserService`, `class Foo`, `def foo`, `=>`.
    Symbol,
    /// Everything else: words with spaces, regular expressions.
    Text,
}

/// Words before the name of what they define.
const DEFINES: Words = Words(
    "class|struct|enum|trait|interface|type|func|function|fn|def|const|let|var|impl|module|namespace|package|record|protocol|object|macro_rules!|static|val|union",
);
/// Words that may precede those.
const MODIFIES: Words = Words(
    "export|default|pub|public|private|protected|async|abstract|final|static|override|unsafe|extern|declare|readonly",
);

/// The name that a pattern searches for, if it does.
pub(super) fn symbol(pattern: &str) -> Option<String> {
    let plain = plain(pattern);
    let mut words: Vec<&str> = plain.split_whitespace().skip_while(|word| MODIFIES.contains(word)).collect();
    if words.len() > 1 && words.first().is_some_and(|word| DEFINES.contains(word)) {
        words.remove(0);
    }
    match words.as_slice() {
        [name] => {
            let name =
                name.trim_end_matches([':', '=']).trim_end_matches("()").trim_end_matches(['(', '<', '{']);
            is_name(name).then(|| name.to_owned())
        }
        _ => None,
    }
}

/// The pattern without the anchors around the name.
fn plain(pattern: &str) -> String {
    let mut plain = pattern.trim_start_matches('^').trim_end_matches('$').to_owned();
    for (mark, meaning) in [
        ("\\b", ""),
        ("\\<", ""),
        ("\\>", ""),
        ("\\s+", " "),
        ("\\s*", " "),
        ("\\s", " "),
        ("\\(", "("),
        ("\\.", "."),
        ("\\{", "{"),
    ] {
        if plain.contains(mark) {
            plain = plain.replace(mark, meaning);
        }
    }
    plain
}

/// `Foo`, `foo_bar`, `Foo::bar`, `foo.bar`, `$foo`.
fn is_name(text: &str) -> bool {
    let is_start = |letter: char| letter.is_alphabetic() || "_$@#".contains(letter);
    let parts = text.split("::").flat_map(|part| part.split('.'));
    text.len() > 1
        && parts.into_iter().all(|part| {
            part.starts_with(is_start)
                && part.chars().skip(1).all(|letter| letter.is_alphanumeric() || "_$".contains(letter))
        })
}

/// The name that a pattern of file names searches for: `UserService` of `**/UserService*.ts`.
pub(super) fn file_symbol(pattern: &str) -> Option<String> {
    let name = pattern.rsplit('/').next().unwrap_or(pattern);
    let stem = name.split('.').next().unwrap_or(name).trim_matches('*');
    is_name(stem).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::avoided::SearchKind;
    use super::super::search::Search;
    use super::{Shape, file_symbol, symbol};

    fn grep_search(pattern: Option<&str>) -> Search {
        Search {
            kind: SearchKind::Grep,
            tool: "grep".to_owned(),
            pattern: pattern.map(str::to_owned),
            paths: Vec::new(),
            filters: Vec::new(),
        }
    }

    #[test]
    fn names_and_definitions_are_distinguished_from_texts() {
        let cases = [
            ("UserService", Some("UserService")),
            ("\\bUserService\\b", Some("UserService")),
            ("^class Foo", Some("Foo")),
            ("class\\s+Foo", Some("Foo")),
            ("func Foo\\(", Some("Foo")),
            ("def foo():", Some("foo")),
            ("export default async function load", Some("load")),
            ("pub fn parse", Some("parse")),
            ("const value =", None),
            ("foo.bar", Some("foo.bar")),
            ("Foo::bar", Some("Foo::bar")),
            ("interface", Some("interface")),
            ("x", None),
            ("TODO: later", None),
            ("connection refused", None),
            ("foo|bar", None),
            ("err.*nil", None),
            ("[0-9]+", None),
            ("404", None),
            ("", None),
        ];
        for (pattern, expected) in cases {
            assert_eq!(symbol(pattern).as_deref(), expected, "{pattern}");
            assert_eq!(grep_search(Some(pattern)).has_shape(Shape::Symbol), expected.is_some(), "{pattern}");
            assert_eq!(grep_search(Some(pattern)).has_shape(Shape::Text), expected.is_none(), "{pattern}");
        }
        assert!(grep_search(Some("(a) => b")).has_shape(Shape::Symbol));
        let unknown = grep_search(None);
        assert!(
            unknown.has_shape(Shape::Any)
                && !unknown.has_shape(Shape::Symbol)
                && !unknown.has_shape(Shape::Text)
        );
    }

    #[test]
    fn a_file_name_may_be_a_name() {
        let cases = [
            ("**/UserService.ts", Some("UserService")),
            ("UserService*", Some("UserService")),
            ("src/*.ts", None),
            ("**/*", None),
            ("*.{ts,tsx}", None),
        ];
        for (pattern, expected) in cases {
            assert_eq!(file_symbol(pattern).as_deref(), expected, "{pattern}");
        }
    }
}
