//! Cases and laws of the built-in JSON linter.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

/// What is found, as `line:column code message`.
fn found(file: &str, content: &str) -> Vec<String> {
    let all = check(file, content);
    all.iter().map(|one| format!("{}:{} {} {}", one.line, one.column, one.code, one.message)).collect()
}

#[test]
fn each_fault_is_reported_at_its_place() {
    let cases: &[(&str, &[&str])] = &[
        ("{\"a\": [1, -0.5e+3, true, null, \"\\u00e9\"]}\n", &[]),
        ("3", &[]),
        ("\u{feff}{}\n", &[]),
        ("", &["1:1 JSON_SYNTAX the file has no value"]),
        (" \n\n", &["1:1 JSON_SYNTAX the file has no value"]),
        ("{}\n{}\n", &["2:1 JSON_SYNTAX remove the second value: a file has only one"]),
        ("{\n  \"é\": 1,\n  \"b\": x\n}", &["3:8 JSON_SYNTAX `x` is not a valid JSON value"]),
        ("[\"é\" 1]", &["1:6 JSON_SYNTAX expected `,` or `]`, found `1`"]),
        ("{\"a\" 1}", &["1:6 JSON_SYNTAX expected `:`, found `1`"]),
        ("{\"a\": }", &["1:7 JSON_SYNTAX expected a value, found `}`"]),
        ("{a: 1}", &["1:2 JSON_SYNTAX `a` is not a valid JSON value"]),
        ("{'a': 1}", &["1:2 JSON_SYNTAX strings need double quotes in JSON"]),
        ("[1,]", &["1:4 JSON_SYNTAX remove the comma before `]`: JSON does not allow it"]),
        ("{\"a\": 1,\n}", &["2:1 JSON_SYNTAX remove the comma before `}`: JSON does not allow it"]),
        ("[1\n", &["1:3 JSON_SYNTAX expected `,` or `]`, but the file ends"]),
        ("[1}", &["1:3 JSON_SYNTAX expected `,` or `]`, found `}`"]),
        ("[01]", &["1:2 JSON_SYNTAX `01` is not a valid JSON number"]),
        ("[.5]", &["1:2 JSON_SYNTAX `.5` is not a valid JSON number"]),
        ("[NaN]", &["1:2 JSON_SYNTAX `NaN` is not a valid JSON value"]),
        ("[\"a\nb\"]", &["1:2 JSON_SYNTAX the string has no end"]),
        ("[\"a\\x\"]", &["1:4 JSON_SYNTAX unknown escape `\\x`"]),
        ("[\"\\u12\"]", &["1:3 JSON_SYNTAX `\\u` needs four hexadecimal digits"]),
        ("[\"a\tb\"]", &["1:4 JSON_SYNTAX `\\t` must be written as an escape in a string"]),
        ("[1] // no", &["1:5 JSON_SYNTAX remove the comment: JSON does not allow it"]),
        (
            "{\"a\": 1, \"b\": {\"a\": 2}, \"\\u0061\": 3, \"c\": ]",
            &[
                "1:25 JSON_DUPLICATE_KEY remove the duplicate key \"\\u0061\": most readers use the last one",
                "1:43 JSON_SYNTAX expected a value, found `]`",
            ],
        ),
    ];
    for (content, expected) in cases {
        assert_eq!(found("a.json", content), *expected, "{content}");
    }
}

#[test]
fn comments_and_trailing_commas_are_allowed_where_their_readers_allow_them() {
    let content = "// a\n{\n  \"a\": [1,], /* b */\n}\n";
    let allowed = [
        "tsconfig.json",
        "web/tsconfig.app.json",
        "jsconfig.json",
        ".vscode/settings.json",
        "a/.vscode/launch.json",
        "x.jsonc",
        ".eslintrc.json",
        ".devcontainer/devcontainer.json",
        "biome.json",
        ".babelrc",
        ".oxlintrc.json",
    ];
    for file in allowed {
        assert_eq!(found(file, content), Vec::<String>::new(), "{file}");
    }
    for file in ["a.json", "package.json", "tsconfigs.json", "vscode/a.json"] {
        assert_eq!(
            found(file, content),
            ["1:1 JSON_SYNTAX remove the comment: JSON does not allow it"],
            "{file}"
        );
    }
}

#[test]
fn depth_and_length_break_nothing() {
    let deep = "[".repeat(100_000);
    assert_eq!(found("a.json", &deep), ["1:100001 JSON_SYNTAX expected a value or `]`, but the file ends"]);
    let closed = deep.clone() + &"]".repeat(100_000);
    assert_eq!(found("a.json", &closed), Vec::<String>::new());
    assert_eq!(format("a.json", &closed), Err("it is more than 200 levels deep".to_owned()));
}

#[test]
fn only_blanks_and_line_breaks_are_changed() {
    let long = "\"0123456789012345678901234567890123456789\"";
    let cases: &[(&str, &str)] = &[
        ("{\"a\":1,\"b\":[1,2],\"c\":{}}\n", "{ \"a\": 1, \"b\": [1, 2], \"c\": {} }\n"),
        ("{\n\"a\":1,\n\n\n\"b\":[ 1,2 ]}", "{\n  \"a\": 1,\n\n  \"b\": [1, 2]\n}"),
        ("{\n    \"a\": {\n\"b\":1}}\n", "{\n    \"a\": {\n        \"b\": 1\n    }\n}\n"),
        ("[\n\t{\n\"b\":1},{\n\"c\":1}]\n", "[\n\t{\n\t\t\"b\": 1\n\t},\n\t{\n\t\t\"c\": 1\n\t}\n]\n"),
        ("[\n1,2,\n3,4\n]\n", "[\n  1, 2,\n  3, 4\n]\n"),
        ("{\n}\n\n", "{}\n"),
        ("{\r\n\"a\":1}\r\n", "{\r\n  \"a\": 1\r\n}\r\n"),
        (
            "{\n\"a\":1,\n\"a\":1.0e2,\"\\u0061\\/\":\"é\"}",
            "{\n  \"a\": 1,\n  \"a\": 1.0e2,\n  \"\\u0061\\/\": \"é\"\n}",
        ),
        (&format!("[{long},{long}]"), &format!("[\n  {long},\n  {long}\n]")),
        (
            &format!("{{\"a\":[{long}],\"b\":{long}}}"),
            &format!("{{\n  \"a\": [{long}],\n  \"b\": {long}\n}}"),
        ),
    ];
    for (before, after) in cases {
        assert_eq!(format("a.json", before).as_deref(), Ok(*after), "{before}");
    }
}

#[test]
fn comments_stay_as_and_where_they_are() {
    let before = "// top\n{ // open\n\"a\":1 , // one\n   /* two\n   lines */\n\"b\" /* key */:[1, /* in */ 2,],\n\n// last\n}\n// end";
    let after = "// top\n{ // open\n  \"a\": 1, // one\n  /* two\n   lines */\n  \"b\" /* key */: [1, /* in */ 2,],\n\n  // last\n}\n// end";
    assert_eq!(format("tsconfig.json", before).as_deref(), Ok(after));
}

#[test]
fn what_cannot_be_parsed_is_left_alone() {
    assert_eq!(format("a.json", "{,}"), Err("expected a key in double quotes or `}`, found `,`".to_owned()));
    assert_eq!(format("a.json", ""), Err("the file has no value".to_owned()));
}

#[test]
fn defect_20_json_keeps_duplicate_keys_escapes_and_comments() {
    let twice = "{\n  \"a\": 1,\n  \"a\": \"\\u0041\"\n}\n";
    assert_eq!(format("a.json", twice).as_deref(), Ok(twice));
    assert_eq!(
        found("a.json", twice),
        ["3:3 JSON_DUPLICATE_KEY remove the duplicate key \"a\": most readers use the last one"]
    );
    let commented = "{\n  // why\n  \"strict\": true\n}\n";
    assert_eq!(found("tsconfig.json", commented), Vec::<String>::new());
    assert_eq!(format("tsconfig.json", commented).as_deref(), Ok(commented));
    assert_eq!(found("a.json", "{} {}").len(), 1, "several values are not valid");
    assert_eq!(found("a.json", "").len(), 1, "an empty file is not valid");
}

/// Any value, not too deep.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~é\\n\\\\\"]{0,30}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z\"]{0,12}", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A value as somebody untidy would write it: blanks, line breaks and comments between tokens.
fn untidy(value: &Value, blanks: &[&str]) -> String {
    let text = value.to_string();
    let parsed = grammar::parse(&text, Dialect::Strict);
    let mut blanks = blanks.iter().cycle();
    parsed.tokens.iter().map(|token| format!("{}{}", blanks.next().unwrap_or(&""), token.text)).collect()
}

fn any_blanks(all: &'static [&'static str]) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(all), 1..20)
}

proptest! {
    #[test]
    fn formatting_keeps_the_value_and_does_it_once(
        value in any_value(),
        blanks in any_blanks(&["", "", " ", "\n", "\n\n\n", "\t", "\r\n", "    ", "\n    "]),
    ) {
        let text = untidy(&value, &blanks);
        let once = format("a.json", &text).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Value>(&once).unwrap(), &value);
        prop_assert_eq!(&format("a.json", &once).unwrap(), &once);
    }

    #[test]
    fn formatting_keeps_every_token_and_comment(
        value in any_value(),
        blanks in any_blanks(&["", " ", "\n", "\n\n\n", "// a \n", "\n  // b\n\n", "/* c */", "/* d\n */", "\n/* e */\n"]),
    ) {
        let text = untidy(&value, &blanks);
        let once = format("a.jsonc", &text).unwrap();
        let tokens = |text: &str| -> Vec<String> {
            let parsed = grammar::parse(text, Dialect::Commented);
            parsed.tokens.iter().map(|token| token.text.to_owned()).collect()
        };
        prop_assert_eq!(tokens(&once), tokens(&text));
        prop_assert_eq!(&format("a.jsonc", &once).unwrap(), &once);
    }

    #[test]
    fn it_agrees_with_another_parser_on_what_is_json(text in "[\\[\\]{}:,\"a1e.\\- \n\\\\]{0,12}") {
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        let ours = !check("a.json", &text).iter().any(|one| one.code == "JSON_SYNTAX");
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), file in "(a\\.json|tsconfig\\.json)") {
        let _ = (check(&file, &text), format(&file, &text));
    }
}
