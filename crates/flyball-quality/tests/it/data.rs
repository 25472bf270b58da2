//! The real linters for YAML and TOML, and the built-in one for JSON.

use crate::support::{Scratch, spotted};
use flyball_quality::finding::Level;

const ERROR: Option<Level> = Some(Level::Error);
const WARNING: Option<Level> = Some(Level::Warning);

#[test]
fn yamllint_finds_what_is_untidy_and_what_is_wrong() {
    let bad = "---\na:  1\nb: [1,2] # (x): y\na: 2\n";
    let scratch =
        Scratch::new(&[("bad.yaml", bad), ("broken.yml", "---\na: [\n"), ("good.yml", "---\na: 1\n")]);
    let all = |file: &str| {
        vec![
            spotted((file, 2, 4), ("colons", "too many spaces after colon"), ERROR),
            spotted((file, 3, 7), ("commas", "too few spaces after comma"), ERROR),
            spotted((file, 3, 10), ("comments", "too few spaces before comment: expected 2"), WARNING),
            spotted((file, 4, 1), ("key-duplicates", "duplication of key \"a\" in mapping"), ERROR),
        ]
    };
    let syntax = "syntax error: expected the node content, but found '<stream end>'";
    let broken = spotted(("broken.yml", 3, 1), ("syntax", syntax), ERROR);
    let found = scratch.check("yamllint", &["bad.yaml", "broken.yml", "good.yml"]);
    assert_eq!(found, [all("bad.yaml"), vec![broken]].concat());
    assert_eq!(scratch.check_content("yamllint", "bad.yaml", bad), Ok(all("stdin")));
    assert_eq!(scratch.check("yamllint", &["good.yml"]), []);
}

#[test]
fn defect_16_a_yamllint_config_that_cannot_be_read_is_a_failure() {
    for config in ["rules: {nonsense: enable}\n", "rules: [\n"] {
        let scratch = Scratch::new(&[("good.yml", "---\na: 1\n"), (".yamllint", config)]);
        let why = scratch.try_check("yamllint", &["good.yml"]).unwrap_err();
        assert!(why.starts_with("ended with 255: "), "{why}");
    }
}

#[test]
fn taplo_reports_the_place_of_an_error() {
    let cases = [
        ("a = 1\na = 2\n", (2, 1), "conflicting keys: duplicate key"),
        ("a = 1\n[x\n", (2, 3), "invalid TOML: expected \"]\""),
    ];
    for (content, (line, column), message) in cases {
        let scratch = Scratch::new(&[("bad.toml", content)]);
        let expected = [spotted(("-", line, column), ("TOML_SYNTAX", message), ERROR)];
        assert_eq!(scratch.check("taplo", &["bad.toml"]), expected);
    }
    let scratch = Scratch::new(&[("good.toml", "a = 1\n")]);
    assert_eq!(scratch.check("taplo", &["good.toml"]), []);
}

#[test]
fn taplo_formats_by_the_projects_config() {
    let scratch = Scratch::new(&[("bad.toml", "a   = [\n1,\n2]\n[ b ]\nc=1")]);
    assert_eq!(scratch.format("taplo", "bad.toml"), "a = [1, 2]\n[b]\nc = 1\n");
    std::fs::write(scratch.root().join("taplo.toml"), "[formatting]\narray_auto_collapse = false\n").unwrap();
    assert_eq!(scratch.format("taplo", "bad.toml"), "a = [\n  1,\n  2,\n]\n[b]\nc = 1\n");
}

#[test]
fn defect_16_a_taplo_config_that_cannot_be_read_is_a_failure() {
    for config in ["nonsense = 1\n", "nonsense = [\n"] {
        let scratch = Scratch::new(&[("good.toml", "a = 1\n"), (".taplo.toml", config)]);
        let why = scratch.try_check("taplo", &["good.toml"]).unwrap_err();
        let start =
            "its output cannot be read as drawn diagnostics: no diagnostic in `WARN invalid configuration";
        assert!(why.starts_with(start), "{why}");
    }
}

#[test]
fn json_is_checked_and_formatted_without_any_program() {
    let scratch = Scratch::new(&[("bad.json", "{\n  \"a\": 1,\n}\n"), ("ugly.json", "{\n\"a\":[1,2]}\n")]);
    let message = "remove the comma before `}`: JSON does not allow it";
    let expected = [spotted(("bad.json", 3, 1), ("JSON_SYNTAX", message), ERROR)];
    assert_eq!(scratch.check("json", &["bad.json"]), expected);
    assert_eq!(scratch.check("json", &["ugly.json"]), []);
    assert_eq!(scratch.format("json", "ugly.json"), "{\n  \"a\": [1, 2]\n}\n");
}

#[test]
fn defect_20_json_with_comments_is_fine_where_its_reader_allows_it() {
    let content = "{\n  // why\n  \"compilerOptions\": { \"strict\": true, },\n}\n";
    let scratch = Scratch::new(&[("web/tsconfig.json", content), ("a.json", content), ("empty.json", "")]);
    assert_eq!(scratch.check("json", &["web/tsconfig.json"]), []);
    let comment =
        spotted(("a.json", 2, 3), ("JSON_SYNTAX", "remove the comment: JSON does not allow it"), ERROR);
    assert_eq!(scratch.check("json", &["a.json"]), [comment]);
    let empty = spotted(("empty.json", 1, 1), ("JSON_SYNTAX", "the file has no value"), ERROR);
    assert_eq!(scratch.check("json", &["empty.json"]), [empty]);
}

#[test]
fn defect_22_odd_names_lose_no_finding() {
    for name in ["a:1:2: x", "a [1] 'q' \"é\" (b)", "sub dir/x", "./-d"] {
        let [yaml, toml] = [format!("{name}.yml"), format!("{name}.toml")];
        let scratch = Scratch::new(&[(&yaml, "---\na:  1\n"), (&toml, "a = 1\na = 2\n")]);
        let colons = spotted((&yaml, 2, 4), ("colons", "too many spaces after colon"), ERROR);
        assert_eq!(scratch.check("yamllint", &[&yaml]), [colons]);
        let twice = spotted(("-", 2, 1), ("TOML_SYNTAX", "conflicting keys: duplicate key"), ERROR);
        assert_eq!(scratch.check("taplo", &[&toml]), [twice]);
        assert_eq!(scratch.format("taplo", &toml), "a = 1\na = 2\n");
    }
}
