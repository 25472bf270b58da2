//! Files that linters cannot read, formatters cannot parse, or whose packages are not installed.

use flyball_quality::finding::{Finding, Level};
use flyball_quality::report::{FailureKind, Report};

use crate::pipeline::site::Site;

fn unreadable(report: &Report) -> Vec<(&str, &[String])> {
    let failures = report.troubles.iter();
    failures
        .filter(|it| it.kind == FailureKind::Unreadable)
        .map(|it| (it.linter.as_str(), it.files.as_slice()))
        .collect()
}

fn shown(findings: &[Finding]) -> Vec<String> {
    let line = |it: &Finding| format!("{}:{} {} {} {}", it.line, it.column, it.linter, it.code, it.message);
    findings.iter().map(line).collect()
}

#[test]
fn syntax_that_a_linter_does_not_know_is_neither_a_finding_nor_clean() {
    let cases = [
        ("shellcheck", "a.sh", "#!/bin/zsh\nprint -l ${(o)a}\n"),
        ("yamllint", "templates/a.yaml", "a: {{ .Values.x }}\nb:\n{{- if .Values.y }}\n  c: 1\n{{- end }}\n"),
        ("bandit", "a.py", "def f(:\n"),
        ("vulture", "a.py", "def f(:\n"),
    ];
    for (linter, file, text) in cases {
        let mut site = Site::new(&[(file, text)]);
        site.builtin(&[linter]);
        // Twice: it is not cached as clean.
        for _ in 0..2 {
            let report = site.run(&[file]);
            assert_eq!(unreadable(&report), [(linter, &[file.to_owned()][..])], "{:?}", report.files);
            assert_eq!(report.files[0].findings, [], "{linter}");
            assert_eq!(report.files[0].linters, [""; 0], "{linter}");
            assert_eq!(report.troubles[0].what, "cannot read this syntax, so it did not check it");
        }
    }
}

#[test]
fn yaml_that_is_broken_is_a_finding() {
    for text in ["a: [\n", "a: \"{{ x }}\"\nb: [\n", "a: ${{ x }}\nb: [\n"] {
        let mut site = Site::new(&[("a.yaml", text)]);
        site.builtin(&["yamllint"]);
        let report = site.run(&["a.yaml"]);
        assert_eq!(report.troubles, [], "{text}");
        assert!(report.files[0].findings.iter().any(|it| it.code == "syntax"), "{text}");
    }
}

#[test]
fn what_another_linter_reports_as_an_error_needs_no_second_report() {
    let mut site = Site::new(&[("a.py", "def f(:\n")]);
    site.builtin(&["ruff", "bandit", "vulture"]);
    let report = site.run(&["a.py"]);
    assert_eq!(report.troubles, []);
    assert!(report.files[0].findings.iter().all(|it| it.linter == "ruff"));
}

#[test]
fn a_file_that_a_formatter_cannot_parse_is_a_finding_with_its_line() {
    let cases = [
        ("black", "a.py", "x = 1\ndef f(:\n", "2:0 black syntax bad input"),
        (
            "ruff-format",
            "a.py",
            "x = 1\ndef f(:\n",
            "2:7 ruff-format syntax Expected a parameter or the end of the parameter list",
        ),
        ("yapf", "a.py", "x = 1\ndef f(:\n", "2:7 yapf syntax invalid syntax"),
        ("prettier", "a.js", "let x = ;\n", "1:9 prettier syntax Unexpected token"),
        ("shfmt", "a.sh", "if true; then\n", "1:10 shfmt syntax `then` must be followed by a statement list"),
        ("gofmt", "a.go", "package a\nfunc f( {\n", "2:9 gofmt syntax expected ')', found '{'"),
    ];
    for (linter, file, text, expected) in cases {
        let mut site = Site::new(&[(file, text)]);
        site.builtin(&[linter]);
        for _ in 0..2 {
            let report = site.run(&[file]);
            assert_eq!(report.troubles, [], "{linter}");
            assert_eq!(shown(&report.files[0].findings), [expected]);
            assert_eq!(report.files[0].findings[0].level, Level::Error);
        }
        assert_eq!(site.read(file), text);
    }
}

#[test]
fn imports_are_one_line_of_advice_where_nothing_is_installed() {
    let text = "import one_of_nobody\nimport two_of_nobody\n\nprint(one_of_nobody, two_of_nobody)\n";
    for linter in ["mypy", "pyright", "ty", "pylint"] {
        let mut site = Site::new(&[("a.py", text), ("uv.lock", ""), (".pylintrc", "[MAIN]\ndisable=C\n")]);
        std::fs::remove_dir_all(site.root().join(".venv")).unwrap();
        site.builtin(&[linter]);
        let report = site.run(&["a.py"]);
        assert_eq!(report.troubles, [], "{linter}");
        let advice = "2 imports cannot be resolved: the environment is not installed; run `uv sync`";
        let found: Vec<(&str, Level)> =
            report.files[0].findings.iter().map(|it| (it.message.as_str(), it.level)).collect();
        assert_eq!(found, [(advice, Level::Advisory)], "{linter}");
    }
}

#[test]
fn a_module_beside_one_of_a_package_is_not_what_it_imports() {
    let mut site =
        Site::new(&[("app/__init__.py", ""), ("app/yaml.py", ""), ("mypy.ini", "[mypy]\n"), ("uv.lock", "")]);
    std::fs::remove_dir_all(site.root().join(".venv")).unwrap();
    site.put("app/color.py", "import yaml\n\nprint(yaml)\n");
    site.builtin(&["mypy"]);
    site.project = true;
    let report = site.run(&["app/color.py"]);
    let levels: Vec<Level> = report.files[0].findings.iter().map(|it| it.level).collect();
    assert_eq!(levels, [Level::Advisory], "{report:?}");
    assert_eq!(report.project, []);
}

#[test]
fn relative_imports_are_findings_in_any_case() {
    let text = "import react from \"react\";\nimport y from \"./y\";\nimport z from \"@scope/z\";\nconsole.log(react, y, z);\n";
    let mut site = Site::new(&[("a.ts", text), ("tsconfig.json", "{}"), ("package.json", "{}")]);
    site.builtin(&["tsc"]);
    site.project = true;
    let codes: Vec<String> = shown(&site.run(&["a.ts"]).project);
    let advice = "2 imports cannot be resolved: the environment is not installed; run `npm install`";
    assert_eq!(codes.len(), 2, "{codes:?}");
    assert!(codes[0].ends_with(advice), "{codes:?}");
    assert!(codes[1].starts_with("2:15 tsc TS2307 Cannot find module './y'"), "{codes:?}");
    std::fs::create_dir(site.root().join("node_modules")).unwrap();
    assert_eq!(site.run(&["a.ts"]).project.len(), 3);
}

#[test]
fn what_a_template_uses_is_not_unused() {
    let vue = "<script setup>\nimport A from \"./a.js\";\nlet b = 1;\ndebugger;\n</script>\n<template><A :b=\"b\" /></template>\n";
    for linter in ["biome", "oxlint"] {
        let mut site = Site::new(&[("a.vue", vue), ("biome.json", "{}"), (".oxlintrc.json", "{}")]);
        site.builtin(&[linter]);
        site.settings.format = flyball_quality::settings::Format::Configured;
        let report = site.run(&["a.vue"]);
        assert_eq!(report.troubles, [], "{linter}");
        let found = &report.files[0].findings;
        assert_eq!(found.len(), 1, "{linter}: {found:?}");
        assert!(found[0].code.contains("ebugger"), "{linter}: {found:?}");
        assert!(site.read("a.vue").contains("import A from"), "{linter}");
    }
}
