//! The real linters for Python.

use crate::support::{Scratch, fixable, spotted, with_fix};
use flyball_quality::finding::Level;
use flyball_quality::output::RawFinding;

const GOOD: &str = "def double(number: int) -> int:\n    return number * 2\n\n\nprint(double(2))\n";
const BROKEN: &str = "def f(:\n";

/// Names that break what takes a name for a pattern, an option, or the end of itself.
const ODD: &[&str] = &["a:b.py", "a:1:2: E1 x.py", "a [1] 'q' \"é\".py", "sub dir/x.py", "./-d.py"];

fn warned(place: (&str, u32, u32), what: (&str, &str)) -> RawFinding {
    spotted(place, what, None)
}

#[test]
fn ruff_reports_findings() {
    let scratch = Scratch::new(&[("bad.py", "import os\n\n\ndef f():\n    é, z = 1, (\n        2\n    )\n")]);
    let file = scratch.path("bad.py");
    let expected = vec![
        with_fix(
            fixable(warned((&file, 1, 8), ("F401", "`os` imported but unused"))),
            "Remove unused import: `os`",
        ),
        // Its fix is not safe.
        with_fix(
            warned((&file, 5, 5), ("F841", "Local variable `é` is assigned to but never used")),
            "Remove assignment to unused variable `é`",
        ),
        with_fix(
            warned((&file, 5, 8), ("F841", "Local variable `z` is assigned to but never used")),
            "Remove assignment to unused variable `z`",
        ),
    ];
    assert_eq!(scratch.check("ruff", &["bad.py"]), expected);
    assert_eq!(scratch.check_content("ruff", "bad.py", &scratch.read("bad.py")), Ok(expected));
}

#[test]
fn ruff_reports_a_syntax_error_as_an_error() {
    let scratch = Scratch::new(&[("broken.py", BROKEN)]);
    let file = scratch.path("broken.py");
    let error = |line, column, message| {
        spotted((&file, line, column), ("invalid-syntax", message), Some(Level::Error))
    };
    let expected = vec![
        error(1, 7, "Expected a parameter or the end of the parameter list"),
        error(2, 1, "unexpected EOF while parsing"),
    ];
    assert_eq!(scratch.check("ruff", &["broken.py"]), expected);
}

#[test]
fn ruff_fixes_and_then_formats_so_that_a_second_run_changes_nothing() {
    let bad = "import sys, os\n\n\n\n\n\nx  = { 'a':os.sep }\n";
    let good = "import os\n\nx = {\"a\": os.sep}\n";
    let scratch = Scratch::new(&[("a b.py", bad), ("good.py", good)]);
    let fixed = "import os\n\nx  = { 'a':os.sep }\n";
    assert_eq!(scratch.format("ruff", "a b.py"), fixed);
    assert_eq!(scratch.format("ruff", "good.py"), good);
    assert_eq!(scratch.format("ruff-format", "good.py"), good);
    assert_eq!(scratch.listed("ruff", &["a b.py", "good.py"]), [["a b.py"]]);
    assert_eq!(scratch.listed("ruff-format", &["a b.py", "good.py"]), [["a b.py"]]);
    scratch.format_many("ruff", &["a b.py", "good.py"]);
    assert_eq!(scratch.read("a b.py"), fixed);
    scratch.format_many("ruff-format", &["a b.py", "good.py"]);
    assert_eq!(scratch.read("a b.py"), good);
}

#[test]
fn ruff_respects_what_the_project_excludes() {
    let scratch = Scratch::new(&[("bad.py", "import os\n"), ("ruff.toml", "exclude = ['bad.py']\n")]);
    assert_eq!(scratch.check("ruff", &["bad.py"]), []);
    assert_eq!(scratch.format("ruff", "bad.py"), "import os\n");
}

#[test]
fn ty_finds_types_that_do_not_match() {
    let scratch = Scratch::new(&[("bad.py", "def f() -> int:\n    return \"é\"\n"), ("good.py", GOOD)]);
    let message = "Return type does not match returned value: expected `int`, found `Literal[\"é\"]`";
    let expected = vec![spotted(("bad.py", 2, 12), ("invalid-return-type", message), Some(Level::Error))];
    assert_eq!(scratch.check("ty", &["bad.py", "good.py"]), expected);
}

#[test]
fn flake8_uses_the_selection_of_the_project() {
    let bad = "import time\n\n\nx = 1 ; y = 2\n";
    let scratch = Scratch::new(&[("bad.py", bad), ("broken.py", BROKEN)]);
    let unused = warned(("bad.py", 1, 1), ("F401", "'time' imported but unused"));
    let expected = vec![
        unused.clone(),
        warned(("bad.py", 4, 6), ("E203", "whitespace before ';'")),
        warned(("bad.py", 4, 7), ("E702", "multiple statements on one line (semicolon)")),
    ];
    assert_eq!(scratch.check("flake8", &["bad.py"]), expected);
    assert_eq!(scratch.check_content("flake8", "bad.py", bad), Ok(expected));
    let syntax = warned(("broken.py", 1, 8), ("E999", "SyntaxError: invalid syntax"));
    assert_eq!(scratch.check("flake8", &["broken.py"]), [syntax]);
    std::fs::write(scratch.root().join(".flake8"), "[flake8]\nselect = F\n").unwrap();
    assert_eq!(scratch.check("flake8", &["bad.py"]), [unused]);
}

#[test]
fn vulture_finds_dead_code_and_respects_its_whitelist() {
    let bad = "def f(a):\n    return 1\n    print(2)\n\n\nf(1)\n";
    let scratch = Scratch::new(&[("bad.py", bad)]);
    let unused = warned(("bad.py", 1, 0), ("VULTURE", "unused variable 'a' (100% confidence)"));
    let dead = warned(("bad.py", 3, 0), ("VULTURE", "unreachable code after 'return' (100% confidence)"));
    assert_eq!(scratch.check("vulture", &["bad.py"]), [unused, dead.clone()]);
    std::fs::write(scratch.root().join("vulture_whitelist.py"), "a\n").unwrap();
    assert_eq!(scratch.check("vulture", &["bad.py"]), [dead]);
}

#[test]
fn bandit_finds_what_is_dangerous_and_reads_the_projects_config() {
    let bad = "assert 1\neval(input())\n";
    let scratch = Scratch::new(&[("bad.py", bad), ("pyproject.toml", "[project]\nname = 'a'\n")]);
    let eval = "Use of possibly insecure function - consider using safer ast.literal_eval.";
    let assert =
        "Use of assert detected. The enclosed code will be removed when compiling to optimised byte code.";
    let eval = |file| spotted((file, 2, 1), ("B307", eval), Some(Level::Warning));
    let assert = |file| spotted((file, 1, 1), ("B101", assert), Some(Level::Advisory));
    assert_eq!(scratch.check("bandit", &["bad.py"]), [assert("././bad.py"), eval("././bad.py")]);
    let old = scratch.check_content("bandit", "bad.py", bad);
    assert_eq!(old, Ok(vec![assert("<stdin>"), eval("<stdin>")]));
    std::fs::write(scratch.root().join("pyproject.toml"), "[tool.bandit]\nskips = ['B101']\n").unwrap();
    assert_eq!(scratch.check("bandit", &["bad.py"]), [eval("././bad.py")]);
}

#[test]
fn good_files_are_silent() {
    let scratch = Scratch::new(&[("good.py", GOOD), ("also.py", GOOD)]);
    for linter in ["ruff", "ty", "flake8", "vulture", "bandit"] {
        assert_eq!(scratch.check(linter, &["good.py", "also.py"]), [], "{linter}");
    }
}

#[test]
fn defect_16_a_file_that_is_not_python_is_never_clean() {
    let scratch = Scratch::new(&[("broken.py", BROKEN)]);
    let vulture = warned(("broken.py", 1, 0), ("VULTURE", "invalid syntax at \"def f(:\""));
    assert_eq!(scratch.check("vulture", &["broken.py"]), [vulture]);
    let bandit = warned(("././broken.py", 0, 0), ("BANDIT", "syntax error while parsing AST from file"));
    assert_eq!(scratch.check("bandit", &["broken.py"]), [bandit]);
    assert_eq!(scratch.check("ty", &["broken.py"]).len(), 2);
}

#[test]
fn defect_16_a_config_that_cannot_be_read_is_a_failure() {
    let cases = [
        ("ruff", "pyproject.toml", "[tool.ruff\n", "ended with 2: "),
        ("ruff", "ruff.toml", "nonsense = 1\n", "ended with 2: "),
        ("ty", "ty.toml", "nonsense = 1\n", "ended with 2: "),
        (
            "flake8",
            ".flake8",
            "[flake8]\nmax-line-length = x\n",
            "its output cannot be read as lines of findings: ",
        ),
        ("vulture", "pyproject.toml", "[tool.vulture\n", "its output cannot be read as lines of findings: "),
        ("vulture", "pyproject.toml", "[tool.vulture]\nnonsense = 1\n", "ended with 2: "),
        ("bandit", "pyproject.toml", "[tool.bandit\n", "ended with 2: "),
        ("bandit", "pyproject.toml", "[tool.bandit]\nskips = 1\n", "its output cannot be read as findings: "),
    ];
    for (linter, config, content, start) in cases {
        let scratch = Scratch::new(&[("good.py", GOOD), (config, content)]);
        let why = scratch.try_check(linter, &["good.py"]).unwrap_err();
        assert!(why.starts_with(start), "{linter} with {content:?}: {why}");
    }
}

#[test]
fn defect_22_odd_names_lose_no_finding() {
    let bad = "import os\n\n\nasync def f():\n    return eval('1')\n";
    let files: Vec<(&str, &str)> = ODD.iter().map(|name| (*name, bad)).collect();
    let scratch = Scratch::new(&files);
    let linters = [("ruff", "F401"), ("vulture", "VULTURE"), ("bandit", "B307"), ("flake8", "F401")];
    for (linter, code) in linters {
        let found = scratch.check(linter, ODD);
        for name in ODD.iter().map(|name| name.trim_start_matches("./")) {
            let is_it = |one: &RawFinding| one.file.as_deref().is_some_and(|file| file.ends_with(name));
            let count = found.iter().filter(|one| one.code == code && is_it(one)).count();
            assert_eq!(count, 1, "{linter} {name}: {found:?}");
        }
    }
}
