//! Changes that only look like fixes, and honest ones.

use super::finding;
use crate::finding::Finding;
use crate::fixer::guard::{Candidate, Guards, refusals};

const NO_GUARDS: Guards = Guards { clients: &[], off_limits: |_, _| None, objections: |_, _, _| Vec::new() };

/// Two findings about the whole file, the second with this message.
fn check_with(message: &str, [path, before, after]: [&str; 3]) -> Vec<String> {
    let findings = ["one more", message].map(|message| Finding {
        line: 0,
        message: message.to_owned(),
        ..finding("X1")
    });
    refusals(&Candidate { path, before, after, findings: &findings, most_lines: 80 }, NO_GUARDS)
}

fn check(path: &str, before: &str, after: &str) -> Vec<String> {
    check_with("use `h` instead of `f`", [path, before, after])
}

const PYTHON: &str = "import os\n\nLIMIT = 3\n\n\ndef total(items):\n    count = 0\n    for item in items:\n        \
                      count += item\n    return count\n";

fn with_body(body: &str) -> String {
    format!("LIMIT = 3\n\n\ndef total(items):\n{body}")
}

#[test]
fn defect_26_a_change_that_disables_code_is_rejected() {
    let empty = "it leaves a body empty";
    let dead = "it puts code where it never runs";
    let quoted = "it turns code into a comment or a string: `count = 0`";
    let cases = [
        ("a stub", with_body("    raise NotImplementedError\n"), vec![empty]),
        ("a stub with words", with_body("    raise NotImplementedError(\"later\")\n"), vec![empty]),
        ("a stub of many lines", with_body("    # one\n    # two\n    # three\n    pass\n"), vec![empty]),
        (
            "comments",
            with_body("    # count = 0\n    # for item in items:\n    #     count += item\n    return 0\n"),
            vec![quoted],
        ),
        (
            "a text",
            with_body(
                "    '''\n    count = 0\n    for item in items:\n        count += item\n    '''\n    return 0\n",
            ),
            vec![quoted],
        ),
        (
            "never",
            with_body(
                "    if False:\n        count = 0\n        for item in items:\n            count += item\n",
            ),
            vec![dead],
        ),
        ("a constant", PYTHON.replace("import os\n\nLIMIT = 3\n", ""), vec!["it removes or renames `LIMIT`"]),
    ];
    for (name, after, reasons) in cases {
        assert_eq!(check("a.py", PYTHON, &after), reasons, "{name}");
    }
}

#[test]
fn other_languages_have_stubs_too() {
    let cases = [
        (
            "a.ts",
            "function f() {\n  return g();\n}\n",
            "function f() {\n  throw new Error('Not implemented');\n}\n",
        ),
        ("a.rs", "fn f() -> u8 {\n    g()\n}\n", concat!("fn f() -> u8 {\n    todo", "!()\n}\n")),
        ("a.go", "func F() int {\n\treturn g()\n}\n", "func F() int {\n\tpanic(\"not implemented\")\n}\n"),
    ];
    let empty = [
        ("a.ts", "function f(): number {\n  return g();\n}\n", "function f(): number {\n}\n"),
        ("a.js", "const f = () => {\n  g();\n};\n", "const f = () => {};\n"),
        ("a.go", "func F() error {\n\treturn g()\n}\n", "func F() error {\n}\n"),
    ];
    for (path, before, after) in cases.into_iter().chain(empty) {
        assert_eq!(check(path, before, after), ["it leaves a body empty"], "{path}");
    }
    let never = [
        ("a.ts", "f();\n", "if (false) {\n  f();\n}\n"),
        ("a.rs", "fn f() {}\n", "#[cfg(any())]\nfn f() {}\n"),
        ("a.sh", "f\n", "if false; then\n  f\nfi\n"),
        ("a.sh", "f\n", ": <<'END'\nf\nEND\n"),
    ];
    for (path, before, after) in never {
        assert_eq!(check(path, before, after), ["it puts code where it never runs"], "{path}: {after}");
    }
}

#[test]
fn a_very_long_line_is_rejected() {
    let after = format!("{PYTHON}# {}\n", "x".repeat(2_000_000));
    assert_eq!(check("a.py", PYTHON, &after), ["it makes the file 2000003 bytes longer"]);
}

#[test]
fn honest_fixes_are_accepted() {
    let many: String = (0..10).map(|at| format!("def f{at}():\n    return {at}\n\n")).collect();
    let documented = many.replace("():\n", "():\n    \"\"\"Return it.\n\n    Always.\n    \"\"\"\n");
    let cases = [
        ("`os` imported but unused", "a.py", PYTHON, PYTHON.replace("import os\n\n", "")),
        ("Missing docstring", "a.py", many.as_str(), documented),
        ("Expected an indented block", "a.py", "if x:\ny()\n", "if x:\n    pass\ny()\n".to_owned()),
        (
            "Do not assign a `lambda` expression, use a `def`",
            "a.py",
            "double = lambda x: x\n",
            "def double(x):\n    return x\n".to_owned(),
        ),
        ("Local variable `x` is never used", "a.py", "x = f()\n", "_ = f()\n".to_owned()),
        (
            "Move import `a` into a type-checking block",
            "a.py",
            "import a\n",
            "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import a\n".to_owned(),
        ),
        (
            "Using == is unsafe",
            "a.ts",
            "if (a == 0) {\n  f();\n}\n",
            "if (a === 0) {\n  f();\n}\n".to_owned(),
        ),
        ("Double quote it", "a.sh", "rm $a\n", "rm \"$a\"\n".to_owned()),
    ];
    for (message, path, before, after) in cases {
        assert_eq!(check_with(message, [path, before, &after]), [""; 0], "{message}");
    }
}

#[test]
fn suppressions_are_rejected() {
    let cases = [
        ("a.py", "x = 1\n", "# ruff: disable[F841]", "ruff: disable"),
        ("a.py", "x = 1\n", "# isort: skip_file", "isort: skip"),
        ("a.py", "x = 1\n", "from typing import no_type_check", "no_type_check"),
        ("a.sh", "f\n", "# shellcheck shell=sh disable=SC2086", "shellcheck shell=sh disable="),
        ("a.ts", "f();\n", "/* jscpd:ignore-start */", "jscpd:ignore"),
        ("a.ts", "f();\n", "g(a as unknown as B);", "as unknown as"),
        ("a.go", "package a\n", "//go:build ignore", "//go:build ignore"),
        ("a.rs", "fn f() {}\n", "#[cfg(test)]", "#[cfg(test)]"),
    ];
    for (path, before, line, marker) in cases {
        let after = format!("{line}\n{before}");
        assert_eq!(check(path, before, &after), [format!("it silences a check: `{marker}`")], "{line}");
        assert_eq!(check(path, &after, &after.replace("f\n", "h\n")), [""; 0], "{line}");
    }
}

#[test]
fn a_decorator_may_change_but_not_disappear() {
    let before = "@login_required\ndef f(a):\n    return a\n";
    assert_eq!(check("a.py", before, "def f(a):\n    return a\n"), ["it removes a decorator"]);
    let cached = "@lru_cache(maxsize=None)\ndef f(a):\n    return a\n";
    let message = "Use `@functools.cache` instead of `@functools.lru_cache(maxsize=None)`";
    let plain = cached.replace("lru_cache(maxsize=None)", "cache");
    assert_eq!(check_with(message, ["a.py", cached, &plain]), [""; 0]);
}
