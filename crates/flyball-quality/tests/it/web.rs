//! The real linters for TypeScript, JavaScript, CSS and JSON, run by their catalogue entries.

use flyball_quality::catalogue;
use flyball_quality::linter::Entry;

use crate::support::{Scratch, shown};

/// What formats and fixes with Biome.
fn biome() -> Entry {
    let [mut format, fix] = ["biome-format", "biome"].map(|name| catalogue::builtin()[name].clone());
    format.format = Some([format.format.unwrap_or_default(), fix.format.unwrap_or_default()].concat());
    format
}

const BAD: &str = "let  äöü = \"😀\"; debugger; var x = äöü == 1;\nexport  { x }\n";

#[test]
fn biome_reports_findings_in_characters() {
    let scratch = Scratch::new(&[("bad.ts", BAD), ("bad.css", "a { color: red; color: blue }\nb {}\n")]);
    assert_eq!(
        shown(&scratch.check("biome", &["bad.ts", "bad.css"])),
        [
            "bad.css:1:17 error lint/suspicious/noDuplicateProperties: Duplicate properties can lead to unexpected behavior and may override previous declarations unintentionally.",
            "bad.css:2:3 warning lint/suspicious/noEmptyBlock: An empty block isn't allowed.",
            "bad.ts:1:1 warning lint/style/useConst: This let declares a variable that is only assigned once. (fixable)",
            "bad.ts:1:17 error lint/suspicious/noDebugger: This is an unexpected use of the debugger statement.",
            "bad.ts:1:39 error lint/suspicious/noDoubleEquals: Using == may be unsafe if you are relying on type coercion.",
        ]
    );
}

#[test]
fn biome_is_silent_about_good_files_and_those_that_its_config_leaves_out() {
    let config = r#"{ "files": { "includes": ["**", "!out/**"] } }"#;
    let good = "export const a = 1;\n";
    let scratch = Scratch::new(&[("a.ts", good), ("out/b.ts", "debugger\n"), ("biome.json", config)]);
    assert_eq!(scratch.check("biome", &["a.ts", "out/b.ts"]), []);
    assert_eq!(scratch.format_by(&biome(), "a.ts"), good);
    assert_eq!(scratch.format_by(&biome(), "out/b.ts"), "debugger\n");
}

#[test]
fn biome_applies_safe_fixes_and_formats() {
    let scratch = Scratch::new(&[
        ("bad.ts", BAD),
        ("i.ts", "import b from \"b\"; import a from 'a';\nconsole.log(a,b)"),
        ("a.css", "a{color:red}"),
    ]);
    assert_eq!(
        scratch.format_by(&biome(), "bad.ts"),
        "const äöü = \"😀\";\ndebugger;\nvar x = äöü == 1;\n\nexport { x };\n"
    );
    assert_eq!(
        scratch.format_by(&biome(), "i.ts"),
        "import a from \"a\";\nimport b from \"b\";\n\nconsole.log(a, b);\n"
    );
    assert_eq!(scratch.format_by(&biome(), "a.css"), "a {\n\tcolor: red;\n}\n");
}

#[test]
fn biome_looks_into_the_scripts_of_single_file_components() {
    let scratch = Scratch::new(&[
        ("c.vue", "<script>\nlet x =1; debugger\n</script>\n<template><p>{{x}}</p></template>\n"),
        ("c.svelte", "<script>\nlet x =1; debugger\n</script>\n<p>{x}</p>\n"),
        ("c.astro", "---\nlet x =1; debugger\n---\n<p>{x}</p>\n"),
    ]);
    for (file, formatted) in [
        ("c.vue", "<script>\nlet x = 1;\ndebugger;\n</script>\n<template><p>{{x}}</p></template>\n"),
        ("c.svelte", "<script>\nlet x = 1;\ndebugger;\n</script>\n<p>{x}</p>\n"),
        ("c.astro", "---\nlet x = 1;\ndebugger;\n---\n<p>{x}</p>\n"),
    ] {
        let found = shown(&scratch.check("biome", &[file]));
        let debugger =
            "error lint/suspicious/noDebugger: This is an unexpected use of the debugger statement.";
        assert!(found.contains(&format!("{file}:2:11 {debugger}")), "{found:?}");
        assert_eq!(scratch.format_by(&biome(), file), formatted);
    }
}

#[test]
fn biome_takes_the_nearest_config_wherever_it_is() {
    let config = r#"{ "formatter": { "indentStyle": "space" } }"#;
    let bad = "function f(){return 1}\nf()";
    let scratch = Scratch::new(&[("web/biome.json", config), ("web/src/f.ts", bad), ("g.ts", bad)]);
    assert_eq!(scratch.format_by(&biome(), "web/src/f.ts"), "function f() {\n  return 1;\n}\nf();\n");
    assert_eq!(scratch.check("biome", &["web/src/f.ts"]), []);
}

#[test]
fn defect_16_biome_with_a_broken_config_has_failed() {
    let scratch = Scratch::new(&[("a.ts", "debugger\n"), ("biome.json", "{")]);
    let failed = scratch.try_check("biome", &["a.ts"]).unwrap_err();
    assert_eq!(
        failed,
        "its output cannot be read as Biome's JSON: EOF while parsing a value at line 1 column 0"
    );
}

#[test]
fn defect_22_biome_reads_files_with_odd_names() {
    let scratch = Scratch::new(&[
        ("o d:d é.ts", "let  a=1;\nexport {a}\n"),
        ("-x.ts", "debugger;\n"),
        ("'q\".ts", "debugger;\n"),
    ]);
    assert_eq!(scratch.format_by(&biome(), "o d:d é.ts"), "const a = 1;\n\nexport { a };\n");
    assert_eq!(
        shown(&scratch.check("biome", &["-x.ts", "o d:d é.ts", "'q\".ts"])),
        [
            "'q\".ts:1:1 error lint/suspicious/noDebugger: This is an unexpected use of the debugger statement.",
            "-x.ts:1:1 error lint/suspicious/noDebugger: This is an unexpected use of the debugger statement.",
            "o d:d é.ts:1:1 warning lint/style/useConst: This let declares a variable that is only assigned once. (fixable)",
        ]
    );
}

#[test]
fn biome_formats_many_files_at_once() {
    let files = [("o d:d.ts", "let  a=1;\nexport {a}\n"), ("b.ts", "debugger;\n"), ("c.ts", "f( )\n")];
    let scratch = Scratch::new(&files);
    let names = files.map(|(name, _)| name);
    assert_eq!(scratch.listed("biome-format", &names), [["o d:d.ts", "c.ts"]]);
    scratch.format_many("biome-format", &names);
    scratch.format_many("biome", &names);
    assert_eq!(
        names.map(|name| scratch.read(name)),
        ["const a = 1;\n\nexport { a };\n", "debugger;\n", "f();\n"]
    );
    assert_eq!(scratch.listed("biome-format", &names), [[] as [&str; 0]]);
}

#[test]
fn biome_formats_json_as_its_config_says() {
    let config = r#"{ "json": { "formatter": { "indentStyle": "space" } } }"#;
    let scratch = Scratch::new(&[
        ("biome.json", config),
        ("a.json", "{\"a\":1,\n\"b\":{\"a\":1,\"a\":2}}"),
        ("b.json", "{"),
    ]);
    assert_eq!(scratch.format("biome-format", "a.json"), "{ \"a\": 1, \"b\": { \"a\": 1, \"a\": 2 } }\n");
    assert_eq!(
        shown(&scratch.check("biome-json", &["a.json", "b.json"])),
        [
            "a.json:2:6 error lint/suspicious/noDuplicateObjectKeys: The key a was already declared.",
            "b.json:1:2 error parse: expected `}` but instead the file ends",
        ]
    );
}

#[test]
fn defect_23_oxlint_counts_bytes_and_is_reported_in_characters() {
    let scratch =
        Scratch::new(&[("bad.ts", BAD), ("-broken.ts", "let x = ;\n"), ("a.ts", "export const a = 1;\n")]);
    assert_eq!(
        shown(&scratch.check("oxlint", &["bad.ts", "-broken.ts", "a.ts"])),
        [
            "-broken.ts:1:9 error OXL0001: Unexpected token",
            "bad.ts:1:17 warning eslint(no-debugger): `debugger` statement is not allowed",
        ]
    );
    assert_eq!(scratch.check("oxlint", &["a.ts"]), []);
}

#[test]
fn defect_16_oxlint_with_a_broken_config_has_failed() {
    let scratch = Scratch::new(&[("a.ts", "debugger\n"), (".oxlintrc.json", "{")]);
    assert!(scratch.try_check("oxlint", &["a.ts"]).is_err());
}

const TYPES: &str = "export const ä: number = \"😀\"; const q: string = 1;\nfoo();\n";

#[test]
fn the_type_checkers_report_findings_in_characters() {
    let config = r#"{ "compilerOptions": { "strict": true }, "include": ["src"] }"#;
    let scratch = Scratch::new(&[("web/tsconfig.json", config), ("web/src/a(1).ts", TYPES)]);
    for checker in ["tsc", "tsgo"] {
        assert_eq!(
            shown(&scratch.check(checker, &["web/src/a(1).ts"])),
            [
                "src/a(1).ts:1:14 error TS2322: Type 'string' is not assignable to type 'number'.",
                "src/a(1).ts:1:37 error TS2322: Type 'number' is not assignable to type 'string'.",
                "src/a(1).ts:2:1 error TS2304: Cannot find name 'foo'.",
            ]
        );
    }
}

#[test]
fn the_type_checkers_are_silent_about_good_files() {
    let scratch = Scratch::new(&[("tsconfig.json", "{}"), ("a.ts", "export const a: number = 1;\n")]);
    for checker in ["tsc", "tsgo"] {
        assert_eq!(scratch.check(checker, &["a.ts"]), []);
    }
}

#[test]
fn defect_16_type_checkers_with_a_broken_config_have_failed() {
    for config in ["{", r#"{ "extends": "./nope.json" }"#, r#"{ "include": ["nothing"] }"#] {
        let scratch = Scratch::new(&[("tsconfig.json", config), ("a.ts", "export const a = 1;\n")]);
        for checker in ["tsc", "tsgo"] {
            let failed = scratch.try_check(checker, &["a.ts"]).unwrap_err();
            assert!(failed.starts_with("failed: "), "{checker} with {config}: {failed}");
        }
    }
}

#[test]
fn knip_reports_what_is_unused() {
    let scratch = Scratch::new(&[
        (
            "package.json",
            r#"{"name":"k","version":"1.0.0","main":"src/index.ts","dependencies":{"left-pad":"1"}}"#,
        ),
        ("src/index.ts", "import { a } from \"./a\";\nimport x from \"missing\";\nconsole.log(a, x);\n"),
        ("src/a.ts", "export const a = 1; /* 😀 */ export const unused = 2;\nexport type T = 1;\n"),
        ("src/orphan.ts", "export const z = 1;\n"),
    ]);
    assert_eq!(
        shown(&scratch.check("knip", &["src/a.ts"])),
        [
            "package.json:0:0 - dependencies: nothing uses the dependency `left-pad`",
            "src/a.ts:1:42 - exports: nothing imports `unused`",
            "src/a.ts:2:13 - types: nothing imports the type `T`",
            "src/index.ts:2:15 - unlisted: `missing` is not among the dependencies",
            "src/orphan.ts:0:0 - files: no other file uses this one",
        ]
    );
}

#[test]
fn defect_16_knip_with_a_broken_config_has_failed() {
    let scratch = Scratch::new(&[("package.json", "{}"), ("knip.json", "{"), ("a.ts", "")]);
    let failed = scratch.try_check("knip", &["a.ts"]).unwrap_err();
    assert!(failed.starts_with("ended with 2: "), "{failed}");
}
