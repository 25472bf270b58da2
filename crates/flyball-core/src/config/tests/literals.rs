//! Places inside of strings, however they are quoted.

use proptest::prelude::*;

use super::super::literal::within;

/// The text, as written, of the word `MARK` of the value.
fn marked(raw: &str) -> &str {
    let value = value_of(raw);
    let start = value.find("MARK").unwrap();
    &raw[within(raw, &(start..start + 4))]
}

fn value_of(raw: &str) -> String {
    let document = format!("a = {raw}\n");
    let table: toml::Table = toml::from_str(&document).unwrap();
    table["a"].as_str().unwrap().to_owned()
}

#[test]
fn a_place_in_a_value_is_found_in_what_was_written() {
    let cases = [
        ("basic", r#""a MARK b""#, "MARK"),
        ("literal", r"'a MARK b'", "MARK"),
        ("behind an escape", r#""\t\"\\ MARK""#, "MARK"),
        ("behind a code point", r#""\u00e9\U0001F600\x41 MARK""#, "MARK"),
        ("behind characters of several bytes", "\"é😀 MARK\"", "MARK"),
        ("made of escapes", r#""\u004DAR\x4B""#, r"\u004DAR\x4B"),
        ("a backslash in a literal string", r"'\t MARK'", "MARK"),
        ("multi-line", "\"\"\"\nx\nMARK\"\"\"", "MARK"),
        ("multi-line with Windows line ends", "\"\"\"\r\nx\r\nMARK\"\"\"", "MARK"),
        ("multi-line literal", "'''\nx \\\n MARK'''", "MARK"),
        ("a multi-line string without the first line break", "'''x MARK'''", "MARK"),
        ("behind a line that goes on", "\"\"\"x \\\n\n   MARK\"\"\"", "MARK"),
        ("across a line that goes on", "\"\"\"MA\\\n  RK\"\"\"", "MA\\\n  RK"),
        ("behind quotes in a multi-line string", "\"\"\"\"a\" MARK\"\"\"", "MARK"),
    ];
    for (name, raw, written) in cases {
        assert_eq!(marked(raw), written, "{name}");
    }
}

#[test]
fn what_is_no_string_or_not_inside_is_pointed_at_as_well_as_can_be() {
    assert_eq!(within("12345", &(1..2)), 0..5, "a number");
    assert_eq!(within("\"abc\"", &(1..1)), 2..2, "nothing");
    assert_eq!(within("\"abc\"", &(3..3)), 4..4, "the end");
    assert_eq!(within("\"abc\"", &(9..12)), 4..4, "beyond the end");
    assert_eq!(within("\"", &(0..1)), 0..1, "half a string");
}

/// Pieces of a basic string as written.
fn pieces() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        "[a-zé😀 ]",
        Just("\\n".to_owned()),
        Just("\\\"".to_owned()),
        Just("\\\\".to_owned()),
        Just("\\u00e9".to_owned()),
        Just("\\x41".to_owned()),
        Just("\\U0001F600".to_owned()),
    ];
    proptest::collection::vec(piece, 0..12)
}

proptest! {
    #[test]
    fn each_character_of_a_value_is_found_where_it_was_written(pieces in pieces(), lines in any::<bool>()) {
        let quotes = if lines { "\"\"\"" } else { "\"" };
        let raw = format!("{quotes}{}{quotes}", pieces.concat());
        let value = value_of(&raw);
        let mut at = quotes.len();
        for ((start, character), piece) in value.char_indices().zip(&pieces) {
            let found = within(&raw, &(start..start + character.len_utf8()));
            prop_assert_eq!(&raw[found.clone()], piece.as_str());
            prop_assert_eq!(found.start, at);
            at += piece.len();
        }
    }

    #[test]
    fn no_text_is_too_strange(raw in ".{0,20}", start in 0usize..30, length in 0usize..30) {
        let found = within(&raw, &(start..start + length));
        prop_assert!(found.start <= found.end && found.end <= raw.len());
    }
}
