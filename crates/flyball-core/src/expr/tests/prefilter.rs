//! The words that a pattern's matches must contain.

use proptest::prelude::*;
use regex_lite::Regex;

use super::super::pattern::Pattern;
use super::assert_rows;

#[test]
fn words_are_found_where_they_are_certain() {
    let words = |source: &str| Pattern::new(source).words().join(" / ");
    assert_rows(
        &[
            ("plain", "rm -rf", "rm -rf"),
            ("longest", r"rm\s+--force", "--force"),
            ("escaped signs", r"\.env\.local", ".env.local"),
            ("anchors", "^git$", "git"),
            ("alternatives", "curl|wget", "curl / wget"),
            ("an alternative without a word", r"curl|\d+", ""),
            ("optional character", "https?://", "http"),
            ("star", "abc*", "ab"),
            ("plus", "abc+d", "abc"),
            ("counted", "abc{0,3}d", "ab"),
            ("optional group", "(sudo )?rm", "rm"),
            ("class", "[abc]def[^]x]", "def"),
            ("class of a class", "[[:alpha:]]def", ""),
            ("ignoring case", "(?i)rm", "rm"),
            ("flags later", "a(?i)bcd", ""),
            ("verbose", "(?x) a b", ""),
            ("word boundary", r"\brm\b", "rm"),
            ("named boundary", r"\b{start}rm", ""),
            ("code point", r"\x41bc", ""),
        ],
        words,
    );
}

fn any_pattern() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[abAB.]{1,3}",
        Just("\\.".to_owned()),
        Just("\\b".to_owned()),
        Just("\\w".to_owned()),
        Just("[ab]".to_owned()),
        Just("[^]a]".to_owned()),
        Just("(?i)".to_owned()),
        Just("^".to_owned()),
        Just("$".to_owned()),
        Just("|".to_owned()),
    ];
    let piece = piece.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4)
                .prop_map(|pieces| format!("({})", pieces.concat())),
            proptest::collection::vec(inner.clone(), 1..3)
                .prop_map(|pieces| format!("(?i:{})", pieces.concat())),
            (inner, prop::sample::select(vec!["*", "+", "?", "{0,2}", "{2}", "*?"]))
                .prop_map(|(piece, count)| piece + count),
        ]
    });
    proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_match_is_lost(source in any_pattern(), text in "[abAB. ]{0,8}") {
        if let Ok(regex) = Regex::new(&source) && regex.is_match(&text) {
            prop_assert!(Pattern::new(&source).may_match(&text), "{source}");
        }
    }
}
