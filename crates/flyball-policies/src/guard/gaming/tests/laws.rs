//! Properties of all texts.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::markers::{MARKERS, Place};
use super::super::settings::{Extra, Settings};
use super::found;

const PATHS: &[&str] = &[
    "a.py",
    "tests/test_a.py",
    "a.ts",
    "a.test.ts",
    "a.vue",
    "a.css",
    "a.rs",
    "tests/a.rs",
    "a_test.go",
    "a.sh",
    "tests/a.bats",
    "Dockerfile",
    "a.yml",
    "a.md",
    "spec/a_spec.rb",
    "src/test/ATest.java",
    "tests/a.cpp",
    "ATests.cs",
    "ATests.swift",
    "ATest.php",
    "pyproject.toml",
    "package.json",
    "tsconfig.json",
    "eslint.config.js",
    ".flake8",
    ".golangci.yml",
    ".github/workflows/ci.yml",
    "Makefile",
    ".eslintignore",
];

/// Lines that mean something in one of the languages, and pieces that upset a careless reader.
const LINES: &[&str] = &[
    "import os  # noqa\n",
    "x = 1  # type: ignore[x]  # noqa\n",
    "// eslint-disable-next-line\n",
    "/* istanbul ignore next */\n",
    "#[allow(dead_code)]\n",
    "#[test]\nfn a() { assert!(true); }\n",
    "def test_a():\n    assert f()\n",
    "def test_b():\n    pass\n",
    "it('a', () => { expect(1).toBe(f()) })\n",
    "it.skip('b', () => {})\n",
    "func TestA(t *testing.T) { t.Skip() }\n",
    "@Test void a() { assertTrue(true); }\n",
    "\"\"\"\n",
    "'''\n",
    "`\n",
    "/*\n",
    "*/\n",
    "cat <<END\n",
    "END\n",
    "r#\"\n",
    "\"#\n",
    "<!--\n",
    "-->\n",
    "```\n",
    "{\"rules\": {\"a\": \"off\"}}\n",
    "[tool.ruff.lint]\n",
    "ignore = [\"E501\",\n",
    "strict = false\n",
    "fail_under: 10\n",
    "  - run: pytest || true\n",
    "continue-on-error: true\n",
    "é — ü\n",
    "\\",
    "'",
    "\"",
    "#",
    "/",
];

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![4 => select(LINES).prop_map(str::to_owned), 1 => any::<String>()];
    vec(line, 0..12).prop_map(|lines| lines.concat())
}

fn everything() -> Settings {
    Settings { also: vec![Extra::AsAny, Extra::RustExpect, Extra::EmptyCatch], ..Settings::default() }
}

proptest! {
    #[test]
    fn an_edit_that_changes_nothing_never_fires(path in select(PATHS), text in text()) {
        prop_assert_eq!(found(path, &text, &text, &everything()), "");
    }

    #[test]
    fn no_text_causes_a_panic(path in select(PATHS), before in text(), after in text()) {
        found(path, &before, &after, &everything());
    }

    #[test]
    fn a_removed_suppression_is_never_found(
        path in select(&["a.py", "a.ts", "a.rs", "a.go", "a.sh", "a.rb", "A.java", "a.cpp"][..]),
        count in 1usize..6,
        removed in 0usize..6,
    ) {
        let language = flyball_effects::lex::Language::from_path(path).unwrap();
        let opener = language.syntax().line[0];
        let lines: Vec<String> = super::super::markers::for_language(language)
            .filter(|marker| marker.place == Place::Comment)
            .take(count)
            .map(|marker| format!("x\n{opener} {}\n", marker.needle))
            .collect();
        let before = lines.concat();
        let fewer: Vec<String> =
            lines.iter().enumerate().filter(|(index, _)| *index != removed).map(|(_, line)| line.clone()).collect();
        prop_assert_eq!(found(path, &before, &fewer.concat(), &everything()), "");
    }
}

#[test]
fn every_comment_marker_is_found_in_its_languages_and_not_in_a_string() {
    let names = [
        "a.py",
        "a.ts",
        "a.vue",
        "a.css",
        "a.rs",
        "a.go",
        "a.sh",
        "Dockerfile",
        "a.yml",
        "a.toml",
        "a.rb",
        "A.java",
        "a.cpp",
        "A.cs",
        "A.swift",
        "a.php",
        "a.md",
    ];
    for marker in MARKERS.iter().filter(|marker| marker.place == Place::Comment) {
        for name in names {
            let language = flyball_effects::lex::Language::from_path(name).unwrap();
            let syntax = language.syntax();
            let comment = match syntax.line.first() {
                Some(opener) => format!("{opener} {}\n", marker.needle),
                None => format!("<!-- {} -->\n", marker.needle),
            };
            let is_about =
                super::super::markers::for_language(language).any(|other| other.needle == marker.needle);
            let is_found = !found(name, "", &comment, &Settings::default()).is_empty();
            assert_eq!(is_found, is_about, "{name}: {comment}");
            if let Some(quote) = syntax.quotes.first() {
                let string =
                    format!("x = {}{comment}{}\n", quote.open, quote.close).replace(&comment, comment.trim());
                assert_eq!(found(name, "", &string, &Settings::default()), "", "{name}: {string}");
            }
        }
    }
}

#[test]
fn hostile_texts_are_compared_without_hanging() {
    let pieces = [
        "# noqa ",
        "/[",
        "#[allow(",
        "it(",
        "def test",
        "<<A ",
        "{\"a\":[",
        "|| true pytest\n",
        "\"rules\": {",
    ];
    for piece in pieces {
        let text = piece.repeat(30_000 / piece.len());
        for path in PATHS {
            found(path, "", &text, &everything());
        }
    }
}
