//! The real type checkers for Python, and Pylint.

use crate::support::{Scratch, shown};

const BAD: &str = "import nope\n\n\ndef f() -> int:\n    e = 1\n    return \"e\", e.foo\n";

#[test]
fn mypy_reports_findings_with_their_place() {
    let scratch = Scratch::new(&[("bad.py", BAD), ("good.py", "X: int = 1\n"), ("broken.py", "def f(:\n")]);
    assert_eq!(
        shown(&scratch.check("mypy", &["bad.py", "good.py"])),
        [
            "bad.py:1:1 error import-not-found: Cannot find implementation or library stub for module named \"nope\"",
            "bad.py:6:12 error return-value: Incompatible return value type (got \"tuple[str, Any]\", expected \"int\")",
            "bad.py:6:17 error attr-defined: \"int\" has no attribute \"foo\"",
        ]
    );
    assert_eq!(scratch.check("mypy", &["good.py"]), []);
    assert_eq!(scratch.check("mypy", &["broken.py"])[0].code, "syntax");
    assert!(!scratch.root().join(".mypy_cache").exists());
}

#[test]
fn mypy_that_cannot_tell_two_modules_apart_has_failed() {
    let scratch = Scratch::new(&[("a/x.py", "x: int = ''\n"), ("b/x.py", "x: int = ''\n")]);
    assert!(scratch.try_check("mypy", &["a/x.py", "b/x.py"]).unwrap_err().starts_with("failed: "));
    assert_eq!(scratch.check("mypy", &["b/x.py"]).len(), 1);
}

#[test]
fn pyright_reports_findings_with_their_place() {
    let scratch = Scratch::new(&[("bad.py", BAD), ("broken.py", "def f(:\n")]);
    let file = scratch.path("bad.py");
    let found = shown(&scratch.check("pyright", &["bad.py"]));
    let starts = [
        format!("{file}:1:8 error reportMissingImports: Import \"nope\" could not be resolved"),
        format!("{file}:6:12 error reportReturnType: Type \"tuple["),
        format!("{file}:6:19 error reportAttributeAccessIssue: Cannot access attribute \"foo\""),
    ];
    assert_eq!(found.len(), starts.len(), "{found:?}");
    for (line, start) in found.iter().zip(&starts) {
        assert!(line.starts_with(start), "{line}");
    }
    assert_eq!(scratch.check("pyright", &["broken.py"])[0].code, "syntax");
}

#[test]
fn defect_16_type_checkers_with_a_broken_config_have_failed() {
    let scratch = Scratch::new(&[("good.py", "X = 1\n"), ("pyrightconfig.json", "{")]);
    assert!(scratch.try_check("pyright", &["good.py"]).unwrap_err().starts_with("ended with 3: "));
}

#[test]
fn pylint_reports_findings_and_respects_its_config() {
    let bad = "import os\n";
    let scratch =
        Scratch::new(&[("bad.py", bad), (".pylintrc", "[MAIN]\ndisable=missing-module-docstring\n")]);
    let expected = ["bad.py:1:1 warning unused-import: Unused import os"];
    assert_eq!(shown(&scratch.check("pylint", &["bad.py"])), expected);
    assert_eq!(shown(&scratch.check_content("pylint", "bad.py", bad).unwrap()), expected);
}
