//! Linters that cannot be installed here: what their documentation shows of their output.

#![expect(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and these have a helper")]

use flyball_quality::catalogue;
use flyball_quality::output::{self, RawOutput};

use crate::support::shown;

fn read(linter: &str, exit: i32, text: &str) -> Vec<String> {
    let check = catalogue::builtin()[linter].check.clone().unwrap();
    assert!(exit == 1 || check.ran.contains(&exit), "{linter}");
    let printed = RawOutput { text, source: &|_| None, root: "" };
    shown(&output::read_findings(&check, exit, printed).unwrap())
}

#[test]
fn rubocop() {
    let text = r#"{"metadata":{"rubocop_version":"1.50.0","ruby_engine":"ruby"},"files":[{"path":"lib/bar.rb","offenses":[{"severity":"convention","message":"Line is too long. [81/80]","cop_name":"Layout/LineLength","corrected":false,"correctable":true,"location":{"start_line":546,"start_column":80,"last_line":546,"last_column":80,"line":546,"column":80,"length":1}},{"severity":"error","message":"unexpected token","cop_name":"Lint/Syntax","corrected":false,"correctable":false,"location":{"start_line":5,"start_column":1,"last_line":6,"last_column":2,"length":4,"line":5,"column":1}}]}],"summary":{"offense_count":2}}"#;
    assert_eq!(
        read("rubocop", 1, text),
        [
            "lib/bar.rb:5:1-6 error Lint/Syntax: unexpected token",
            "lib/bar.rb:546:80 advisory Layout/LineLength: Line is too long. [81/80] (fixable)",
        ]
    );
}

#[test]
fn ktlint() {
    let text = r#"[{"file":"src/Main.kt","errors":[{"line":1,"column":1,"message":"Unused import","rule":"standard:no-unused-imports"}]}]"#;
    assert_eq!(read("ktlint", 1, text), ["src/Main.kt:1:1 - standard:no-unused-imports: Unused import"]);
}

#[test]
fn swiftlint() {
    let text = r#"[{"character":null,"file":"/p/A.swift","line":3,"reason":"Line should be 120 characters or less","rule_id":"line_length","severity":"Warning","type":"Line Length"},{"character":9,"file":"/p/A.swift","line":7,"reason":"Force casts should be avoided","rule_id":"force_cast","severity":"Error","type":"Force Cast"}]"#;
    assert_eq!(
        read("swiftlint", 2, text),
        [
            "/p/A.swift:3:0 warning line_length: Line should be 120 characters or less",
            "/p/A.swift:7:9 error force_cast: Force casts should be avoided",
        ]
    );
}

#[test]
fn tflint() {
    let text = r#"{"issues":[{"rule":{"name":"terraform_unused_declarations","severity":"warning","link":"https://x"},"message":"variable \"a\" is declared but not used","range":{"filename":"main.tf","start":{"line":1,"column":1},"end":{"line":1,"column":13}},"callers":[],"fixable":true}],"errors":[]}"#;
    let expected = "main.tf:1:1 warning terraform_unused_declarations: variable \"a\" is declared but not used (fixable)";
    assert_eq!(read("tflint", 2, text), [expected]);
}

#[test]
fn actionlint() {
    let text = r#"[{"message":"unexpected key \"branch\" for \"push\" section","filepath":".github/workflows/ci.yml","line":3,"column":5,"kind":"syntax-check","snippet":"    branch: main","end_column":11},{"message":"label \"linux-latest\" is unknown","filepath":".github/workflows/ci.yml","line":8,"column":9,"kind":"runner-label","snippet":"","end_column":1}]"#;
    let file = ".github/workflows/ci.yml";
    assert_eq!(
        read("actionlint", 1, text),
        [
            format!("{file}:3:5 error syntax-check: unexpected key \"branch\" for \"push\" section"),
            format!("{file}:8:9 - runner-label: label \"linux-latest\" is unknown"),
        ]
    );
}

#[test]
fn phpstan() {
    let text = r#"[{"description":"Undefined variable: $a","fingerprint":"abc","severity":"major","location":{"path":"src/A.php","lines":{"begin":4}}}]"#;
    assert_eq!(read("phpstan", 1, text), ["src/A.php:4:0 error phpstan: Undefined variable: $a"]);
}

#[test]
fn vue_tsc() {
    let text = "src/App.vue(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n";
    let expected = "src/App.vue:3:7 error TS2322: Type 'string' is not assignable to type 'number'.";
    assert_eq!(read("vue-tsc", 2, text), [expected]);
}
