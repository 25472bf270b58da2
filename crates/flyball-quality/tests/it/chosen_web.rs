//! ESLint, Stylelint, tsc by scripts, Buf and SQLFluff: the real ones, by their catalogue entries.

use crate::support::{Scratch, shown};

const ESLINT: &str = "export default [{ files: [\"**/*.{js,vue}\"], rules: { semi: \"error\", \"no-unused-vars\": \"warn\" } }];\n";

#[test]
fn eslint_reports_findings_and_prints_what_it_fixes() {
    let bad = "const é = \"😀\"\n";
    let scratch = Scratch::new(&[
        ("web/eslint.config.mjs", ESLINT),
        ("web/a.js", bad),
        ("web/b.js", "let x = ;\n"),
        ("web/c.ts", "const a: number = 1\n"),
    ]);
    let (a, b) = (scratch.path("web/a.js"), scratch.path("web/b.js"));
    assert_eq!(
        shown(&scratch.check("eslint", &["web/a.js", "web/b.js", "web/c.ts"])),
        [
            format!("{a}:1:7 warning no-unused-vars: 'é' is assigned a value but never used."),
            format!("{a}:1:14-2 error semi: Missing semicolon. (fixable)"),
            format!("{b}:1:9 error syntax: Parsing error: Unexpected token ;"),
        ]
    );
    assert_eq!(scratch.format("eslint", "web/a.js"), "const é = \"😀\";\n");
    assert_eq!(scratch.format("eslint", "web/c.ts"), "const a: number = 1\n", "it is not for this file");
    assert_eq!(scratch.read("web/a.js"), bad);
    scratch.format_many("eslint", &["web/a.js"]);
    assert_eq!(scratch.read("web/a.js"), "const é = \"😀\";\n");
}

#[test]
fn defect_16_eslint_with_a_broken_config_has_failed() {
    let scratch =
        Scratch::new(&[("eslint.config.mjs", "export default [{ rules: { nope: 2 } }\n"), ("a.js", "")]);
    assert!(scratch.try_check("eslint", &["a.js"]).unwrap_err().starts_with("ended with 2: "));
}

#[test]
fn stylelint_reports_findings_and_fixes() {
    let rules = r#"{ "rules": { "block-no-empty": true, "color-hex-length": "long" } }"#;
    let bad = "a { color: #FFF }\nb {}\n";
    let scratch = Scratch::new(&[(".stylelintrc.json", rules), ("a.css", bad), ("b.css", "a {\n")]);
    let file = scratch.path("a.css");
    assert_eq!(
        shown(&scratch.check("stylelint", &["a.css"])),
        [
            format!(
                "{file}:1:12 error color-hex-length: Expected \"#FFF\" to be \"#FFFFFF\" (color-hex-length) (fixable)"
            ),
            format!("{file}:2:3 error block-no-empty: Empty block (block-no-empty)"),
        ]
    );
    assert_eq!(scratch.format("stylelint", "a.css"), "a { color: #FFFFFF }\nb {}\n");
    assert_eq!(scratch.check("stylelint", &["b.css"])[0].code, "CssSyntaxError");
}

#[test]
fn tsc_checks_the_project_that_a_script_names_or_the_first_reference() {
    let bad = "export const a: number = \"\";\n";
    let found = "src/a.ts:1:14 error TS2322: Type 'string' is not assignable to type 'number'.";
    let build = r#"{ "compilerOptions": { "composite": true, "tsBuildInfoFile": "./x.tsbuildinfo" }, "include": ["src"] }"#;
    let references = r#"{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }"#;
    let scripts = |script: &str| format!("{{\"scripts\":{{\"check\":\"{script}\"}}}}");
    let cases = [
        (scripts("tsc -b && vite build"), references),
        (scripts("eslint . && tsc --noEmit -p tsconfig.app.json"), r#"{ "include": ["nothing"] }"#),
        (
            scripts("tsc -p tsconfig.json && tsc -p tsconfig.app.json --noEmit"),
            r#"{ "include": ["nothing"] }"#,
        ),
    ];
    for (package, config) in cases {
        let scratch = Scratch::new(&[
            ("package.json", package.as_str()),
            ("tsconfig.json", config),
            ("tsconfig.app.json", build),
            ("src/a.ts", bad),
        ]);
        assert_eq!(shown(&scratch.check("tsc", &["src/a.ts"])), [found], "{package}");
        assert!(!scratch.root().join("x.tsbuildinfo").exists());
    }
}

#[test]
fn buf_reports_findings() {
    let bad = "syntax = \"proto3\";\npackage a.v1;\nmessage foo {}\n";
    let scratch = Scratch::new(&[
        ("buf.yaml", "version: v2\n"),
        ("a/v1/a.proto", bad),
        ("a/v1/b.proto", "message {\n"),
    ]);
    let message = "Message name \"foo\" should be PascalCase, such as \"Foo\".";
    let expected = [format!("a/v1/a.proto:3:9 - MESSAGE_PASCAL_CASE: {message}")];
    assert_eq!(shown(&scratch.check("buf", &["a/v1/a.proto"])), expected);
    assert_eq!(scratch.check("buf", &["a/v1/b.proto"])[0].code, "COMPILE");
}

#[test]
fn sqlfluff_reports_findings_and_fixes() {
    let scratch =
        Scratch::new(&[(".sqlfluff", "[sqlfluff]\ndialect = ansi\n"), ("a.sql", "SELECT a  FROM b\n")]);
    let expected =
        "a.sql:1:9 - LT01: Expected only single space before 'FROM' keyword. Found '  '. (fixable)";
    assert_eq!(shown(&scratch.check("sqlfluff", &["a.sql"])), [expected]);
    assert_eq!(scratch.format("sqlfluff", "a.sql"), "SELECT a FROM b\n");
}
