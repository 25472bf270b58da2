//! A model that fixes findings, and one that cheats: the fixer's guard with all rules of this policy.

use flyball_quality::finding::{Finding, Level};
use flyball_quality::fixer::guard::{Candidate, Verified, refusals, shortfalls};

use crate::guard::gaming::{guards, objections, off_limits};

const APP: &str = "import os\n\n\ndef total(items):\n    result = 0\n    for item in items:\n        \
                   result += item\n    return result\n";

/// Why a patch is refused that is to fix an unused import, which the whole file is blamed for.
fn refused(path: &str, before: &str, after: &str) -> Vec<String> {
    let message = "`os` imported but unused".to_owned();
    refused_for((path, before, after), Finding { line: 0, message, ..finding("F401", Level::Warning) })
}

fn refused_for((path, before, after): (&str, &str, &str), found: Finding) -> Vec<String> {
    refusals(
        &Candidate { path, before, after, findings: &[found], most_lines: 80 },
        guards(flyball_clients::FACTS),
    )
}

fn long(functions: usize) -> String {
    (0..functions).map(|n| format!("def f{n}(a):\n    b = a + {n}\n    return b\n\n\n")).collect()
}

#[test]
fn an_honest_fix_is_accepted() {
    let without_import = APP.replace("import os\n\n\n", "");
    let cases = [
        ("app.py", APP, &*without_import, ("F401", 1, "`os` imported but unused")),
        (
            "app.ts",
            "const a = 1;\nif (a == 2) {\n}\n",
            "const a = 1;\nif (a === 2) {\n}\n",
            ("eqeqeq", 2, "Expected '===' and instead saw '=='."),
        ),
        (
            "run.sh",
            "#!/bin/sh\necho $1\n",
            "#!/bin/sh\necho \"$1\"\n",
            ("SC2086", 2, "Double quote to prevent globbing and word splitting."),
        ),
        ("data.json", "{\"a\": 1,}\n", "{\"a\": 1}\n", ("parse", 1, "trailing comma")),
        (
            "README.md",
            "# A\ntext\n",
            "# A\n\ntext\n",
            ("MD022", 1, "Headings should be surrounded by blank lines"),
        ),
        (
            "app.py",
            "x = 1  # noqa: E501\nimport os\n",
            "import os\nx = 1  # noqa: E501\n",
            ("E402", 2, "Module level import not at top of file"),
        ),
    ];
    for (path, before, after, (code, line, message)) in cases {
        let found = Finding { line, message: message.to_owned(), ..finding(code, Level::Warning) };
        assert_eq!(refused_for((path, before, after), found), Vec::<String>::new(), "{path}: {after:?}");
    }
}

#[test]
fn defect_26_code_is_not_deleted_to_satisfy_a_linter() {
    assert_eq!(refused("app.py", APP, "import os\n"), ["it removes or renames `total`"]);
    assert_eq!(refused("app.py", APP, ""), ["it empties the file", "it removes or renames `total`"]);
}

#[test]
fn each_new_suppression_is_refused() {
    let cases = [
        ("app.py", "import os\n", "import os  # noqa: F401\n", "`noqa: F401` in line 1"),
        ("app.py", "import os\n", "import os  # noqa: F401  # for its effect\n", "`noqa: F401` in line 1"),
        ("app.py", "import os  # noqa: E501\n", "import os  # noqa\n", "`noqa`"),
        (
            "app.js",
            "if (a == 1) {}\n",
            "// eslint-disable-next-line eqeqeq\nif (a == 1) {}\n",
            "`eslint-disable-next-line eqeqeq` in line 1",
        ),
        ("data.jsonc", "{}\n", "// biome-ignore lint: no\n{}\n", "`biome-ignore`"),
        ("lib.rs", "fn f() {}\n", "#[allow(dead_code)]\nfn f() {}\n", "`#[allow(dead_code)]` in line 1"),
        (
            "run.sh",
            "echo $1\n",
            "# shellcheck disable=SC2086\necho $1\n",
            "`shellcheck disable=SC2086` in line 1",
        ),
        (
            "Dockerfile",
            "FROM a\n",
            "# hadolint ignore=DL3006\nFROM a\n",
            "`hadolint ignore=DL3006` in line 1",
        ),
        ("a.yml", "a: 1\n", "# yamllint disable\na: 1\n", "`yamllint disable` in line 1"),
        (
            "a.md",
            "# A\n",
            "<!-- markdownlint-disable MD013 -->\n# A\n",
            "`markdownlint-disable MD013` in line 1",
        ),
    ];
    for (path, before, after, what) in cases {
        assert_eq!(refused(path, before, after), [format!("it silences a check: {what}")], "{after}");
    }
}

#[test]
fn each_other_cheat_is_refused_in_plain_words() {
    let old = long(6).replace("\n\n\n", "\n\n");
    let anew = old.replace("b = a", "c = a").replace("return b", "return c").replace("(a)", "( a )");
    let wide = long(60).replace("return b", "return (b)").replace("b = a", "b = (a)");
    let test =
        |body: &str| format!("#[cfg(test)]\nmod tests {{\n    #[test]\n    fn t() {{\n{body}    }}\n}}\n");
    let one = "        assert_eq!(f(), 1);\n";
    let cases = [
        (
            "deletes the function",
            ("app.py", APP.to_owned(), "import os\n\nprint(os.name)\nprint(1)\nprint(2)\n".to_owned()),
            "it removes or renames `total`",
        ),
        (
            "empties the function",
            ("app.py", APP.to_owned(), "import os\n\n\ndef total(items):\n    pass\n".to_owned()),
            "it leaves a body empty",
        ),
        ("rewrites it", ("app.py", old, anew), "it rewrites the file: 18 of 24 lines change"),
        (
            "changes too much",
            ("app.py", long(60), wide),
            "it changes 120 lines; the limit is 80 (`quality.fixer.most_lines`)",
        ),
        (
            "weakens a test in a module",
            ("src/lib.rs", test(&format!("{one}        assert_eq!(g(), 2);\n")), test(one)),
            "it removes assertions: 2 → 1 assertions",
        ),
        (
            "edits a test",
            (
                "tests/test_app.py",
                "def test_a():\n    assert f() == 1\n".to_owned(),
                "def test_a():\n    assert f() == 2\n".to_owned(),
            ),
            "it is a file of tests",
        ),
        (
            "edits a config",
            ("ruff.toml", "line-length = 80\n".to_owned(), "line-length = 400\n".to_owned()),
            "it configures the project's checks",
        ),
    ];
    for (name, (path, before, after), reason) in cases {
        assert_eq!(refused(path, &before, &after), [reason], "{name}");
    }
}

fn finding(code: &str, level: Level) -> Finding {
    Finding {
        file: "app.py".to_owned(),
        line: 1,
        column: 1,
        end_line: None,
        code: code.to_owned(),
        message: "it is wrong".to_owned(),
        linter: "ruff".to_owned(),
        level,
        fixable: false,
        fix: None,
    }
}

#[test]
fn what_was_tried_must_leave_less_and_break_nothing() {
    let before = [finding("F401", Level::Warning), finding("F841", Level::Warning)];
    type Row<'a> = (&'a str, &'a [(&'a str, Level)], &'a [&'a str]);
    let cases: &[Row<'_>] = &[
        ("all fixed", &[], &[]),
        ("one fixed", &[("F841", Level::Warning)], &[]),
        (
            "one for another",
            &[("F841", Level::Warning), ("E501", Level::Warning)],
            &["it leaves 2 findings; there were 2"],
        ),
        (
            "a syntax error for all",
            &[("invalid-syntax", Level::Warning)],
            &["it breaks the syntax: ruff invalid-syntax in line 1: it is wrong"],
        ),
        (
            "an error for all",
            &[("F821", Level::Error)],
            &["it adds a new error: ruff F821 in line 1: it is wrong"],
        ),
        ("advice does not count", &[("X", Level::Advisory), ("Y", Level::Advisory)], &[]),
    ];
    for (name, after, expected) in cases {
        let findings = after.iter().map(|(code, level)| finding(code, *level)).collect();
        let verified = Verified { findings, ..Verified::default() };
        assert_eq!(shortfalls(&before, &verified), *expected, "{name}");
    }
    let silent = Verified { failed_linters: vec!["ruff".to_owned(), "ty".to_owned()], ..Verified::default() };
    assert_eq!(shortfalls(&before, &silent), ["ruff could not check it"], "silence of a linter that crashed");
}

#[test]
fn an_error_that_was_there_is_not_new() {
    let before = [finding("F821", Level::Error), finding("F401", Level::Warning)];
    let verified = Verified { findings: vec![finding("F821", Level::Error)], ..Verified::default() };
    assert_eq!(shortfalls(&before, &verified), Vec::<String>::new());
}

#[test]
fn tests_and_configs_are_not_for_a_model() {
    for path in
        ["tests/a.py", "src/a.test.ts", "pkg/a_test.go", "ruff.toml", ".markdownlint.json", "pyproject.toml"]
    {
        assert!(off_limits(flyball_clients::FACTS, path).is_some(), "{path}");
    }
    for path in ["src/a.py", "README.md", "scripts/run.sh", "data/a.json", "Dockerfile"] {
        assert_eq!(off_limits(flyball_clients::FACTS, path), None, "{path}");
    }
}

#[test]
fn settings_of_the_policy_do_not_matter_here() {
    assert_eq!(
        objections("generated/a.py", "x = 1\n", "x = 1  # type: ignore\n"),
        ["it silences a check: `type: ignore` in line 1"]
    );
}
