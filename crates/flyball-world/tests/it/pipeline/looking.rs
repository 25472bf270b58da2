//! Looking never writes, whatever the configs of the tools say.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use flyball_quality::catalogue;
use flyball_quality::linter::Entry;
use flyball_quality::pipeline::Write;

use crate::pipeline::site::Site;

/// A tree in which every tool that can fix by its config does, and a file for each that it would change.
const TREE: &[(&str, &str)] = &[
    ("ruff.toml", "fix = true\nunsafe-fixes = true\n"),
    ("bad.py", "import os, sys\nx  = 1\n"),
    ("pyproject.toml", "[tool.black]\n[tool.isort]\n[tool.mypy]\n[tool.pyright]\n"),
    (".flake8", "[flake8]\n"),
    (".pylintrc", "[MAIN]\n"),
    ("eslint.config.mjs", "export default [{ rules: { semi: 2 } }];\n"),
    (
        "biome.json",
        "{ \"linter\": { \"rules\": { \"style\": { \"useConst\": { \"level\": \"error\", \"fix\": \"safe\" } } } } }\n",
    ),
    ("bad.js", "let a  = 1\nexport { a }\n"),
    (
        "tsconfig.json",
        "{ \"compilerOptions\": { \"incremental\": true, \"composite\": true }, \"files\": [\"bad.ts\"] }\n",
    ),
    ("bad.ts", "export const a:  number = \"\"\n"),
    (".stylelintrc.json", "{ \"fix\": true, \"rules\": { \"color-hex-length\": \"long\" } }\n"),
    ("bad.css", "a { color: #FFF }\n"),
    (".markdownlint-cli2.jsonc", "{ \"fix\": true }\n"),
    ("bad.md", "# A\n\n\n\n* b \n"),
    (".golangci.yml", "version: \"2\"\nissues:\n  fix: true\n"),
    ("go/go.mod", "module sample\n\ngo 1.20\n"),
    ("go/bad.go", "package sample\nfunc  F() {}\n"),
    (".sqlfluff", "[sqlfluff]\ndialect = ansi\n"),
    ("bad.sql", "SELECT a  FROM b\n"),
    ("buf.yaml", "version: v2\n"),
    ("bad.proto", "syntax = \"proto3\";\nmessage  foo {}\n"),
    (".yamllint", "extends: default\n"),
    ("bad.yaml", "a:   1\n"),
    (".shellcheckrc", ""),
    ("bad.sh", "echo   $x\n"),
    ("taplo.toml", ""),
    ("bad.toml", "a   = 1\n"),
    ("bad.json", "{\"a\":1}\n"),
    ("Dockerfile", "from x\n"),
    (".prettierrc", ""),
    ("package.json", "{\"scripts\":{\"x\":\"tsc && tsgo && oxlint && knip && buf format\"}}\n"),
];

fn contents(folder: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            contents(&path, into);
        } else {
            into.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
}

#[test]
fn no_check_writes_even_where_a_config_switches_fixes_on() {
    let mut site = Site::new(TREE);
    // Cargo writes into `target`, which every build of the project does; jscpd and semgrep need a config of their own.
    let is_tried = |name: &&String| !["clippy", "rustfmt", "jscpd", "semgrep"].contains(&name.as_str());
    let names: Vec<&str> = catalogue::builtin().keys().filter(is_tried).map(String::as_str).collect();
    site.builtin(&names);
    site.write = Write::No;
    site.project = true;
    site.settings.deadline_seconds = 300;
    site.settings.project.deadline_seconds = 300;
    let mut before = BTreeMap::new();
    contents(&site.root(), &mut before);
    let files: Vec<&str> = TREE.iter().map(|(name, _)| *name).collect();
    let report = site.run(&files);
    let mut after = BTreeMap::new();
    contents(&site.root(), &mut after);
    let changed: Vec<&String> =
        after.iter().filter(|(name, text)| before.get(*name) != Some(*text)).map(|(name, _)| name).collect();
    assert_eq!(changed, [""; 0], "{:?}", report.troubles);
    assert_eq!(before.len(), after.len());
    let ran: std::collections::BTreeSet<&str> =
        report.files.iter().flat_map(|file| file.linters.iter().map(String::as_str)).collect();
    for linter in
        ["ruff", "eslint", "stylelint", "markdownlint-cli2", "mypy", "pylint", "sqlfluff", "buf", "biome"]
    {
        assert!(ran.contains(linter), "{linter} did not run: {:?}", report.troubles);
    }
}

/// What a person would write in flyball.toml does not matter here: the entry is the catalogue's.
#[test]
fn every_check_that_can_write_says_how_it_is_kept_from_it() {
    let has =
        |entry: &Entry, word: &str| entry.check.iter().flat_map(|check| &check.command).any(|it| it == word);
    let all = catalogue::builtin();
    assert!(has(&all["ruff"], "--no-fix"));
    assert!(has(&all["golangci-lint"], "--fix=false"));
    for name in ["rubocop", "markdownlint-cli2"] {
        assert!(all[name].check.as_ref().is_some_and(|check| !check.writes_if.is_empty()), "{name}");
    }
}
