//! The real linters, by their catalogue entries.

use flyball_quality::finding::Level;
use flyball_quality::linter::Origin;
use flyball_quality::pipeline::Write;
use flyball_quality::report::Formatted;
use flyball_quality::settings::{Format, Scope};

use crate::pipeline::site::{Site, places};

const PYTHON: [&str; 6] = ["ruff", "ruff-format", "ty", "flake8", "vulture", "bandit"];

const GOOD: &str = "\"\"\"A module.\"\"\"\n\n\nasync def double(number: int) -> int:\n    return await twice(number)\n\n\nasync def twice(number: int) -> int:\n    return await double(number)\n";
const BAD: &str = "import os,subprocess\ndef f(x: int) -> str:\n  y = eval('1')\n  return x\n";

fn python() -> Site {
    let mut site = Site::new(&[("good.py", GOOD), ("bad.py", BAD)]);
    site.builtin(&PYTHON);
    site
}

#[test]
fn good_python_is_silent_with_all_linters() {
    let report = python().run_one("good.py");
    assert_eq!(report.findings, []);
    assert_eq!(report.format, Formatted::Already);
    assert_eq!(report.linters, PYTHON);
}

#[test]
fn rules_that_nobody_chose_are_advice() {
    let mut site = Site::new(&[("a.yaml", "a: 1\na: 2\n")]);
    site.catalogue(&["yamllint"], Origin::Asked);
    let levels = |site: &Site| -> Vec<(String, Level)> {
        site.run_one("a.yaml").findings.into_iter().map(|it| (it.code, it.level)).collect()
    };
    let named = |one, two| [("document-start".to_owned(), one), ("key-duplicates".to_owned(), two)];
    assert_eq!(levels(&site), named(Level::Advisory, Level::Advisory));
    site.put(".yamllint", "extends: default\n");
    assert_eq!(levels(&site), named(Level::Warning, Level::Error));
}

#[test]
fn json_is_only_formatted_if_that_is_asked_for() {
    let mut site = Site::new(&[("a.json", "{\"a\":[1,2]}")]);
    site.catalogue(&["json"], Origin::Catalogue);
    site.settings.format = Format::Configured;
    assert_eq!(site.run_one("a.json").format, Formatted::Already);
    site.settings.format = Format::Always;
    assert_eq!(site.run_one("a.json").format, Formatted::Rewritten);
}

#[test]
fn bad_python_is_formatted_and_what_is_left_is_reported() {
    let site = python();
    let report = site.run_one("bad.py");
    assert_eq!(report.format, Formatted::Rewritten);
    let formatted = "def f(x: int) -> str:\n    y = eval(\"1\")\n    return x\n";
    assert_eq!(site.read("bad.py"), formatted);
    let reported: Vec<(&str, u32, &str)> =
        report.findings.iter().map(|it| (it.linter.as_str(), it.line, it.code.as_str())).collect();
    let expected = [("ruff", 2, "F841"), ("bandit", 2, "B307"), ("ty", 3, "invalid-return-type")];
    let mut sorted = reported.clone();
    sorted.sort_by_key(|(linter, line, _)| (*line, std::cmp::Reverse(*linter)));
    assert_eq!(sorted, expected);
    let again = site.run_one("bad.py");
    assert!(again.cached);
    assert_eq!(again.findings, report.findings);
}

#[test]
fn defect_18_the_second_look_counts_like_the_first() {
    let mut site =
        Site::new(&[("a.md", "# Title\n\ntext\n\n\n\nmore\n"), ("a.py", BAD), ("a.sh", "echo $x\n")]);
    site.builtin(&["markdownlint-cli2", "ruff", "shellcheck", "shfmt"]);
    site.write = Write::No;
    let files = ["a.md", "a.py", "a.sh"];
    let first = site.run(&files);
    assert_eq!(first.troubles, []);
    // Nothing is cached for this one: all is computed again.
    std::fs::remove_dir_all(site.beside("state")).unwrap();
    let second = site.run(&files);
    assert_eq!((&first.files, &first.troubles), (&second.files, &second.troubles));
    assert!(first.files.iter().all(|file| !file.findings.is_empty()));
}

#[test]
fn python_that_cannot_be_read_is_a_finding_and_not_a_failure_of_the_formatter() {
    let site = python();
    site.put("bad.py", "def f(:\n");
    let report = site.run(&["bad.py"]);
    let ruff: Vec<_> =
        report.files[0].findings.iter().filter(|finding| finding.linter == "ruff").cloned().collect();
    assert_eq!(places(&ruff)[0], (1, "invalid-syntax"));
    assert!(report.troubles.iter().all(|error| error.linter != "ruff"), "{:?}", report.troubles);
    assert_eq!(site.read("bad.py"), "def f(:\n");
}

#[test]
fn only_new_findings_of_real_linters_are_reported() {
    let mut site = Site::new(&[("a.py", "def f():\n    y = 1\n")]);
    site.builtin(&["ruff", "bandit"]);
    site.commit();
    site.put("a.py", "import sys\n\n\ndef g():\n    z = sys.argv\n\n\ndef f():\n    y = 1\n");
    site.scope(Scope::New);
    let report = site.run_one("a.py");
    assert_eq!(places(&report.findings), [(5, "F841")]);
    assert_eq!(report.old, 1);
}

#[test]
fn strange_names_are_no_problem_for_real_linters() {
    let names = ["-a.py", "a b.py", "a:1:2.py", "it's \"a\".py", "ü.py"];
    // Together, and the quick one also alone: a file alone goes another way.
    let all = ["ruff", "ruff-format", "bandit", "flake8", "vulture"];
    let runs = [(&names[..], &all[..]), (&names[..1], &all[..2]), (&names[2..3], &all[..2])];
    for (names, linters) in runs {
        let mut site = Site::new(&[]);
        names.iter().for_each(|name| site.put(name, "# async\nimport os\nx = eval('1')\n"));
        site.builtin(linters);
        let report = site.run(names);
        assert_eq!(report.troubles, []);
        let looked: Vec<&str> = report.files.iter().map(|file| file.file.as_str()).collect();
        assert_eq!(looked, names);
        for file in &report.files {
            let expected: &[(u32, &str)] = if linters.len() > 2 { &[(3, "B307")] } else { &[] };
            assert_eq!(places(&file.findings), expected, "{}", file.file);
            assert_eq!(file.linters, linters, "{}", file.file);
            assert_eq!(site.read(&file.file), "# async\n\nx = eval(\"1\")\n", "{}", file.file);
        }
    }
}

#[test]
fn many_files_of_many_languages_go_through_together() {
    let mut site = Site::new(&[]);
    site.builtin(&["ruff", "ruff-format", "shellcheck", "shfmt", "yamllint", "taplo", "json"]);
    let mut names = Vec::new();
    for at in 0..12 {
        site.put(&format!("{at}.py"), "import os\nx=eval( '1')\n");
        site.put(&format!("{at}.sh"), "#!/bin/sh\nif true; then\n      echo $1\nfi\n");
        site.put(&format!("{at}.yaml"), "---\na: 1\na: 2\n");
        site.put(&format!("{at}.toml"), "a=1\n");
        site.put(&format!("{at}.json"), "{\"a\":1}\n");
        names.extend(["py", "sh", "yaml", "toml", "json"].map(|ending| format!("{at}.{ending}")));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = site.run(&names);
    assert_eq!(report.troubles, []);
    for file in &report.files {
        let expected: &[(u32, &str)] = match file.file.rsplit('.').next() {
            Some("sh") => &[(3, "SC2086")],
            Some("yaml") => &[(3, "key-duplicates")],
            _ => &[],
        };
        assert_eq!(places(&file.findings), expected, "{}", file.file);
    }
    assert_eq!(site.read("3.py"), "x = eval(\"1\")\n");
    assert_eq!(site.read("3.sh"), "#!/bin/sh\nif true; then\n\techo $1\nfi\n");
    assert_eq!(site.read("3.toml"), "a = 1\n");
    assert!(site.run(&names).files.iter().all(|file| file.cached));
}

#[test]
fn many_files_are_judged_by_real_linters_without_writing() {
    let mut site = Site::new(&[]);
    site.builtin(&["ruff", "ruff-format", "shellcheck", "shfmt", "markdownlint-cli2"]);
    site.write = Write::No;
    let texts = [
        ("py", "import  os\n", "x = 1\n"),
        ("sh", "#!/bin/sh\nif true; then\n      ls\nfi\n", "#!/bin/sh\nls\n"),
        ("md", "# Title\n\n\n\ntext\n", "# Title\n\ntext\n"),
    ];
    let mut names = Vec::new();
    for (ending, due, done) in texts {
        for at in 0..10 {
            site.put(&format!("{at}.{ending}"), if at == 3 { due } else { done });
            names.push(format!("{at}.{ending}"));
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = site.run(&names);
    assert_eq!(report.troubles, []);
    for file in &report.files {
        let is_due = file.file.starts_with("3.");
        // Markdown's check reports all that its formatter would change.
        let is_told = is_due && !file.file.ends_with("md");
        let expected = if is_told { Formatted::Due } else { Formatted::Already };
        assert_eq!(file.format, expected, "{}", file.file);
        let has_findings = is_due && !file.file.ends_with("sh");
        assert_eq!(!file.findings.is_empty(), has_findings, "{}", file.file);
    }
    for (ending, due, _) in texts {
        assert_eq!(site.read(&format!("3.{ending}")), due);
    }
}

#[test]
fn configs_in_subfolders_count_for_the_files_below_them() {
    let mut site = Site::new(&[
        ("app/.yamllint", "extends: default\nrules: {document-start: disable}\n"),
        ("app/x.yaml", "a: 1\n"),
        ("app/.hadolint.yaml", "ignored: [DL3006]\n"),
        ("app/Dockerfile", "FROM debian\n"),
        ("app/pyproject.toml", "[tool.bandit]\nskips = [\"B311\"]\n"),
        ("app/deep/pyproject.toml", "[project]\nname = \"deep\"\nversion = \"0\"\n"),
        ("app/deep/x.py", "import random\n\nprint(random.random())\n"),
        ("app/.editorconfig", "[*.sh]\nindent_style = tab\n"),
        ("app/deep/x.sh", "if true; then\n  echo\nfi\n"),
        ("app/.taplo.toml", "[formatting]\nindent_string = \"      \"\n"),
        ("app/x.toml", "a = [\n  1, # one\n]\n"),
    ]);
    site.settings.exclude.push("**/pyproject.toml".to_owned());
    site.builtin(&["yamllint", "hadolint", "bandit", "shfmt", "taplo"]);
    let files = ["app/x.yaml", "app/Dockerfile", "app/deep/x.py", "app/deep/x.sh", "app/x.toml"];
    let report = site.run(&files);
    assert_eq!(report.troubles, []);
    let found = report.files.iter().flat_map(|file| &file.findings).map(|finding| finding.code.as_str());
    assert_eq!(found.collect::<Vec<&str>>(), [""; 0]);
    assert_eq!(site.read("app/deep/x.sh"), "if true; then\n\techo\nfi\n");
    assert_eq!(site.read("app/x.toml"), "a = [\n      1, # one\n]\n");
}

#[test]
fn a_file_that_biomes_config_makes_it_read_counts() {
    let mut site = Site::new(&[
        ("biome.json", "{ \"formatter\": { \"useEditorconfig\": true } }\n"),
        ("src/a.ts", "export function f() {\n\treturn 1;\n}\n"),
    ]);
    site.builtin(&["biome", "biome-format"]);
    assert_eq!(site.run_one("src/a.ts").format, Formatted::Already);
    site.put(".editorconfig", "[*]\nindent_style = space\nindent_size = 2\n");
    assert_eq!(site.run_one("src/a.ts").format, Formatted::Rewritten);
    assert_eq!(site.read("src/a.ts"), "export function f() {\n  return 1;\n}\n");
}

#[test]
fn biome_formats_many_files_that_have_findings_in_one_go() {
    let mut site = Site::new(&[("biome.json", "{}\n")]);
    let names: Vec<String> = (0..12).map(|at| format!("{at}.ts")).collect();
    for name in &names {
        site.put(name, "export let  a = 1;\nif (a == 2) {\n\tdebugger;\n}\n");
    }
    site.builtin(&["biome", "biome-format"]);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = site.run(&names);
    assert_eq!(report.troubles, []);
    assert!(report.files.iter().all(|file| file.format == Formatted::Rewritten && !file.findings.is_empty()));
}
