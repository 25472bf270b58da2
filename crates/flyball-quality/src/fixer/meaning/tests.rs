//! Fixes that must pass, and changes of meaning that must not.

use super::refusals;
use crate::finding::{Finding, Level};
use crate::fixer::candidate::Candidate;

/// A finding in a line: code and message, as linters write them.
fn finding(line: u32, rule: &str) -> Finding {
    let (code, message) = rule.split_once(' ').unwrap();
    Finding {
        file: "a".to_owned(),
        line,
        column: 1,
        end_line: None,
        code: code.to_owned(),
        message: message.to_owned(),
        linter: "any".to_owned(),
        level: Level::Warning,
        fixable: false,
        fix: None,
    }
}

fn check(path: &str, before: &str, after: &str, findings: &[Finding]) -> Vec<String> {
    refusals(&Candidate { path, before, after, findings, most_lines: 80 })
}

const E501: &str = "E501 Line too long (99 > 88)";
const F841: &str = "F841 Local variable `x` is assigned to but never used";
const E711: &str = "E711 Comparison to `None` should be `cond is None`";
const SC2086: &str = "SC2086 Double quote to prevent globbing and word splitting.";
const EQEQ: &str =
    "lint/suspicious/noDoubleEquals Using == may be unsafe if you are relying on type coercion.";

/// One case: name, path, before, after, the line of the finding, its rule.
type Case<'a> = (&'a str, &'a str, &'a str, &'a str, u32, &'a str);

const HONEST: &[Case<'_>] = &[
    (
        "unused import",
        "a.py",
        "import os\nimport re\n\nre.x\n",
        "import re\n\nre.x\n",
        1,
        "F401 `os` imported but unused",
    ),
    (
        "one of two",
        "a.py",
        "from a import b, c\nc()\n",
        "from a import c\nc()\n",
        1,
        "F401 `a.b` imported but unused",
    ),
    ("unused variable", "a.py", "def f():\n    x = 1\n    return 2\n", "def f():\n    return 2\n", 2, F841),
    ("its call stays", "a.py", "x = g(1)\n", "g(1)\n", 1, F841),
    ("renamed to _", "a.py", "x = g(1)\n", "_ = g(1)\n", 1, F841),
    (
        "a loop's variable",
        "a.py",
        "for i in range(3):\n    g()\n",
        "for _i in range(3):\n    g()\n",
        1,
        "B007 Loop control variable `i` not used within loop body",
    ),
    (
        "renamed everywhere",
        "a.py",
        "def f(l):\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    if l < 3:\n        return f\"{l}\"\n    return l\n",
        "def f(line):\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    if line < 3:\n        return f\"{line}\"\n    return line\n",
        1,
        "E741 Ambiguous variable name: `l`",
    ),
    (
        "a docstring",
        "a.py",
        "def f(a):\n    return a\n",
        "def f(a):\n    \"\"\"Return 1 or None.\"\"\"\n    return a\n",
        1,
        "D103 Missing docstring in public function",
    ),
    (
        "another docstring",
        "a.py",
        "def f(a):\n    \"\"\"Returns it\"\"\"\n    return a\n",
        "def f(a):\n    \"\"\"Return it.\n\n    Twice.\n    \"\"\"\n    return a\n",
        2,
        "D401 First line of docstring should be in imperative mood: \"Returns it\"",
    ),
    (
        "annotations",
        "a.py",
        "def f(a, b=None):\n    return a\n",
        "def f(a: int, b: str | None = None) -> int:\n    return a\n",
        1,
        "ANN001 Missing type annotation for function argument `a`",
    ),
    (
        "with their import",
        "a.py",
        "import os\n\n\n\n\n\n\ndef f(a):\n    return os.x(a)\n",
        "import os\nfrom typing import Any\n\n\n\n\n\n\ndef f(a: Any):\n    return os.x(a)\n",
        8,
        "ANN001 Missing type annotation for function argument `a`",
    ),
    (
        "a long line",
        "a.py",
        "x = some_function(first_argument, second_argument, \"a long text of words\")\n",
        "x = some_function(\n    first_argument,\n    second_argument,\n    \"a long text \"\n    \"of words\",\n)\n",
        1,
        E501,
    ),
    (
        "a long condition",
        "a.py",
        "if first and second or third == 3:\n    g()\n",
        "if (\n    first and second\n    or third == 3\n):\n    g()\n",
        1,
        E501,
    ),
    (
        "a long format string",
        "a.py",
        "x = f\"a {b} c {d} {{}}\"\n",
        "x = (\n    f\"a {b} c \"\n    f\"{d} \"\n    \"{}\"\n)\n",
        1,
        E501,
    ),
    (
        "a long text in Go",
        "a.go",
        "\ts := \"one two\"\n",
        "\ts := \"one \" +\n\t\t\"two\"\n",
        1,
        "lll line is 140 characters: line too long",
    ),
    ("is None", "a.py", "if x == None:\n    g()\n", "if x is None:\n    g()\n", 1, E711),
    (
        "returned is None",
        "a.py",
        "def f(x):\n    return x == None\n",
        "def f(x):\n    return x is None\n",
        2,
        E711,
    ),
    (
        "truth",
        "a.py",
        "if x == True:\n    g()\n",
        "if x:\n    g()\n",
        1,
        "E712 Avoid equality comparisons to `True`; use `x:` for truth checks",
    ),
    (
        "not in",
        "a.py",
        "if not x in y:\n    g()\n",
        "if x not in y:\n    g()\n",
        1,
        "E713 Test for membership should be `not in`",
    ),
    (
        "bare except",
        "a.py",
        "try:\n    g()\nexcept:\n    h()\n",
        "try:\n    g()\nexcept Exception:\n    h()\n",
        3,
        "E722 Do not use bare `except`",
    ),
    ("no placeholders", "a.py", "x = f\"a\"\n", "x = \"a\"\n", 1, "F541 f-string without any placeholders"),
    (
        "isinstance",
        "a.py",
        "if type(a) == type(b):\n    g()\n",
        "if isinstance(a, type(b)):\n    g()\n",
        1,
        "E721 Use `is` and `is not` for type comparisons, or `isinstance()` for isinstance checks",
    ),
    (
        "a context manager",
        "a.py",
        "f = open(a)\nx = f.read()\n",
        "with open(a) as f:\n    x = f.read()\n",
        1,
        "SIM115 Use a context manager for opening files",
    ),
    (
        "a blocking call",
        "a.py",
        "async def f():\n    time.sleep(1)\n",
        "async def f():\n    await asyncio.sleep(1)\n",
        2,
        "ASYNC251 Async functions should not call `time.sleep`; use `await asyncio.sleep`",
    ),
    (
        "an argument that is missing",
        "a.py",
        "x = open(a)\n",
        "x = open(a, encoding=\"utf-8\")\n",
        1,
        "PLW1514 `open` in text mode without explicit `encoding` argument",
    ),
    (
        "a cause",
        "a.py",
        "try:\n    g()\nexcept A:\n    raise B(1)\n",
        "try:\n    g()\nexcept A as err:\n    raise B(1) from err\n",
        4,
        "B904 Within an `except` clause, raise exceptions with `raise ... from err` or `raise ... from None`",
    ),
    ("a print", "a.py", "a = 1\nprint(a)\n", "a = 1\n", 2, "T201 `print` found"),
    (
        "other quotes",
        "a.py",
        "x = 'a'\n",
        "x = \"a\"\n",
        1,
        "Q000 Single quotes found but double quotes preferred",
    ),
    (
        "a raw string",
        "a.py",
        "x = re.compile(\"\\d\")\n",
        "x = re.compile(r\"\\d\")\n",
        1,
        "W605 Invalid escape sequence: `\\d`",
    ),
    (
        "else after return",
        "a.py",
        "def f(a):\n    if a:\n        return 1\n    else:\n        return 2\n",
        "def f(a):\n    if a:\n        return 1\n    return 2\n",
        4,
        "RET505 Unnecessary `else` after `return` statement",
    ),
    ("quoted", "a.sh", "rm $a\n", "rm \"$a\"\n", 1, SC2086),
    ("quoted with more", "a.sh", "cp -r $a/b ${c}\n", "cp -r \"$a/b\" \"$c\"\n", 1, SC2086),
    (
        "cd may fail",
        "a.sh",
        "cd a\n",
        "cd a || exit\n",
        1,
        "SC2164 Use 'cd ... || exit' or 'cd ... || return' in case cd fails.",
    ),
    ("read -r", "a.sh", "read a\n", "read -r a\n", 1, "SC2162 read without -r will mangle backslashes."),
    (
        "declared apart",
        "a.sh",
        "f() {\n  local a=$(g)\n}\n",
        "f() {\n  local a\n  a=$(g)\n}\n",
        2,
        "SC2155 Declare and assign separately to avoid masking return values.",
    ),
    (
        "const",
        "a.ts",
        "let a = 1;\n",
        "const a = 1;\n",
        1,
        "lint/style/useConst This let declares a variable that is only assigned once.",
    ),
    ("strict equality", "a.ts", "if (a == 0) {\n  f();\n}\n", "if (a === 0) {\n  f();\n}\n", 1, EQEQ),
    (
        "returned strictly",
        "a.js",
        "const f = (a) => {\n  return a == 0;\n};\n",
        "const f = (a) => {\n  return a === 0;\n};\n",
        2,
        EQEQ,
    ),
    (
        "an unused import",
        "a.ts",
        "import { a, b } from \"x\";\nb();\n",
        "import { b } from \"x\";\nb();\n",
        1,
        "noUnusedImports This import is unused.",
    ),
    (
        "any",
        "a.ts",
        "function f(a: any) {}\n",
        "function f(a: string | null) {}\n",
        1,
        "noExplicitAny Unexpected any. Specify a different type.",
    ),
    ("a log", "a.js", "f();\nconsole.log(a);\n", "f();\n", 2, "noConsole Don't use console."),
    (
        "unused in Go",
        "a.go",
        "package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc F() { os.Exit(1) }\n",
        "package a\n\nimport (\n\t\"os\"\n)\n\nfunc F() { os.Exit(1) }\n",
        4,
        "unused \"fmt\" imported and not used",
    ),
    (
        "an error that is not checked",
        "a.go",
        "func F() error {\n\tg()\n\treturn nil\n}\n",
        "func F() error {\n\tif err := g(); err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n",
        2,
        "errcheck Error return value of `g` is not checked",
    ),
    (
        "needless return",
        "a.rs",
        "fn f() -> u8 {\n    return 1;\n}\n",
        "fn f() -> u8 {\n    1\n}\n",
        2,
        "clippy::needless_return unneeded `return` statement",
    ),
    (
        "unused in Rust",
        "a.rs",
        "use std::fs;\nfn f() {}\n",
        "fn f() {}\n",
        1,
        "unused_imports unused import: `std::fs`",
    ),
    (
        "an unused variable in Rust",
        "a.rs",
        "fn f() {\n    let x = g();\n}\n",
        "fn f() {\n    let _x = g();\n}\n",
        2,
        "unused_variables unused variable: `x`",
    ),
    (
        "is_empty",
        "a.rs",
        "if a.len() == 0 {\n}\n",
        "if a.is_empty() {\n}\n",
        1,
        "clippy::len_zero length comparison to zero: using `is_empty` is clearer than `len`",
    ),
    (
        "markdown",
        "a.md",
        "# A\ntext\n",
        "# A\n\ntext\n",
        1,
        "MD022 Headings should be surrounded by blank lines",
    ),
    ("json", "a.json", "{\"a\": 1,}\n", "{\"a\": 1}\n", 1, "parse trailing comma"),
];

#[test]
fn honest_fixes_pass() {
    let refused = HONEST.iter().filter_map(|(name, path, before, after, line, rule)| {
        let found = check(path, before, after, &[finding(*line, rule)]);
        (!found.is_empty()).then(|| format!("{name}: {}", found.join("; ")))
    });
    assert_eq!(refused.collect::<Vec<_>>(), [""; 0]);
}

/// The same with the reason instead of a name.
const REFUSED: &[Case<'_>] = &[
    ("it changes the control flow: removes `await`", "a.py", "await f(1)\n", "f(1)\n", 1, E501),
    (
        "it changes the control flow: removes `raise`",
        "a.py",
        "if a:\n    raise B\nc()\n",
        "if a:\n    B\nc()\n",
        2,
        E501,
    ),
    ("it changes the control flow: removes `assert`", "a.py", "assert a\nb()\n", "b()\n", 1, E501),
    (
        "it changes the control flow: removes `try except`",
        "a.py",
        "try:\n    f()\nexcept A:\n    g()\n",
        "f()\ng()\n",
        1,
        E501,
    ),
    (
        "it changes the control flow: adds `try except`",
        "a.py",
        "f()\n",
        "try:\n    f()\nexcept A:\n    pass\n",
        1,
        E501,
    ),
    (
        "it changes which errors are caught: `A` → `B`",
        "a.py",
        "try:\n    f()\nexcept A:\n    g()\n",
        "try:\n    f()\nexcept B:\n    g()\n",
        1,
        E501,
    ),
    ("it removes a call of `g`", "a.py", "x = g(1)\ny()\n", "y()\n", 1, F841),
    ("it changes a literal: `1` → `2`", "a.py", "x = g(1)\n", "g(2)\n", 1, F841),
    (
        "it changes a condition: removes `x ==`",
        "a.py",
        "if x == None:\n    g()\n",
        "if None:\n    g()\n",
        1,
        E711,
    ),
    ("it changes an operator: `+` → `-`", "a.py", "x = a + b\n", "x = a - b\n", 1, E501),
    ("it changes an operator: `+=` → `-=`", "a.py", "x += a\n", "x -= a\n", 1, F841),
    ("it uses `b` instead of `a`", "a.py", "x += a\n", "x += b\n", 1, E501),
    (
        "it changes line 9, which no finding is about",
        "a.py",
        "a\nb\nc\nd\ne\nf\ng\nh\ni = 1\n",
        "a\nb\nc\nd\ne\nf\ng\nh\ni = j\n",
        1,
        E501,
    ),
    (
        "it changes an import in line 1, which no finding is about",
        "a.py",
        "import a\n\nb()\n",
        "import c\n\nb()\n",
        1,
        E501,
    ),
    ("it changes the control flow: removes `await`", "a.ts", "await f(1);\n", "f(1);\n", 1, EQEQ),
    (
        "it changes the control flow: removes `throw`",
        "a.ts",
        "throw new A(1);\nb();\n",
        "new A(1);\nb();\n",
        1,
        EQEQ,
    ),
    (
        "it changes a condition: `== 0` → `=== 1`",
        "a.ts",
        "if (a == 0) {\n  f();\n}\n",
        "if (a === 1) {\n  f();\n}\n",
        1,
        EQEQ,
    ),
    (
        "it changes a returned value: `a` → `null`",
        "a.ts",
        "function f(a) {\n  return a;\n}\n",
        "function f(a) {\n  return null;\n}\n",
        2,
        "useConst This let declares a variable that is only assigned once.",
    ),
    (
        "it adds a call of `g`",
        "a.ts",
        "let a = f();\n",
        "const a = f();\ng(a);\n",
        1,
        "useConst This let declares a variable that is only assigned once.",
    ),
    ("it changes a literal: `a` → `b`", "a.ts", "f(`a`);\n", "f(`b`);\n", 1, EQEQ),
    (
        "it changes a literal: `one\n\ttwo\n` → `one\n\tthree\n`",
        "a.go",
        "f(`one\n\ttwo\n`)\n",
        "f(`one\n\tthree\n`)\n",
        1,
        "lll line too long",
    ),
    (
        "it changes a condition: `!=` → `==`",
        "a.go",
        "if err != nil {\n\treturn err\n}\n",
        "if err == nil {\n\treturn err\n}\n",
        1,
        "lll line too long",
    ),
    (
        "it changes the control flow: removes `?`",
        "a.rs",
        "let a = f()?;\n",
        "let a = f();\n",
        1,
        "clippy::x this line is too long",
    ),
    (
        "it changes a literal: `10` → `11`",
        "a.rs",
        "let a = 10;\n",
        "let a = 1_1;\n",
        1,
        "unused_mut variable does not need to be mutable",
    ),
    ("it adds a call of `rm`", "a.sh", "echo $a\n", "echo \"$a\"\nrm\n", 1, SC2086),
    ("it changes a literal: `-r` → `-rf`", "a.sh", "rm -r $a\n", "rm -rf \"$a\"\n", 1, SC2086),
    ("it changes a literal: adds ` `", "a.sh", "rm $a $b\n", "rm \"$a $b\"\n", 1, SC2086),
    ("it changes the quotes around `$`", "a.sh", "rm \"$a\"\n", "rm $a\n", 1, "SC2034 b appears unused."),
    (
        "it changes a condition: `-z` → `-n`",
        "a.sh",
        "if [ -z $a ]; then f; fi\n",
        "if [ -n \"$a\" ]; then f; fi\n",
        1,
        SC2086,
    ),
    (
        "it changes line 9, which no finding is about",
        "a.md",
        "a\nb\nc\nd\ne\nf\ng\nh\ni\n",
        "a\nb\nc\nd\ne\nf\ng\nh\nj\n",
        1,
        "MD013 Line length",
    ),
];

#[test]
fn changes_of_meaning_are_refused() {
    let py = "def f(a, b):\n    if a < 3 and b:\n        return g(a)\n    x = \"text\"\n    return x\n";
    let with = |old: &str, new: &str| py.replace(old, new);
    let python: &[(&str, String, &str)] = &[
        ("a number", with("3", "4"), "it changes a condition: `3` → `4`"),
        ("an operator", with("<", "<="), "it changes a condition: `<` → `<=`"),
        ("and, or", with("and", "or"), "it changes a condition: `and` → `or`"),
        ("negated", with("if a", "if not a"), "it changes a condition: adds `not`"),
        ("half of it", with(" and b", ""), "it changes a condition: removes `and b`"),
        ("another name", with("and b", "and a"), "it changes a condition: `b` → `a`"),
        (
            "nothing returned",
            with("return g(a)", "return None"),
            "it changes a returned value: `g ( a )` → `None`",
        ),
        ("another value", with("return x", "return a"), "it changes a returned value: `x` → `a`"),
        ("a call", with("g(a)", "h(g(a))"), "it changes a returned value: adds `h (` "),
        ("a statement", with("    x =", "    h(a)\n    x ="), "it adds a call of `h`"),
        ("a text", with("text", "texts"), "it changes a literal: `text` → `texts`"),
        ("its type", with("\"text\"", "b\"text\""), "it changes a literal: `text` → `b:text`"),
    ];
    for (name, after, reason) in python {
        let found = check("a.py", py, after, &[finding(3, E501)]);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found.concat().starts_with(reason.trim_end_matches("` ")), "{name}: {found:?}");
    }
    let wrong = REFUSED.iter().filter_map(|(reason, path, before, after, line, rule)| {
        let found = check(path, before, after, &[finding(*line, rule)]);
        (found != [*reason]).then(|| format!("{path}: {before:?} → {after:?}: {found:?}, not {reason:?}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);
}
