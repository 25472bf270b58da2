//! What linters found before the change, in the project as it was.

use std::fs;
use std::process::Command;

use flyball_quality::finding::{Finding, Level};
use flyball_quality::linter::{Check, Entry, Output, Reach};
use flyball_quality::report::{FailureKind, Report};
use flyball_quality::scope::Base;
use flyball_quality::settings::Scope;

use crate::pipeline::site::{LINES, Site, words};

/// A committed project with these linters, of which only what is new is reported.
fn site(linters: &[&str], files: &[(&str, &str)]) -> Site {
    let mut site = Site::new(files);
    fs::remove_dir_all(site.root().join(".venv")).unwrap();
    site.builtin(linters);
    site.scope(Scope::New);
    site.settings.format = flyball_quality::settings::Format::Never;
    site.settings.project.deadline_seconds = 60;
    site.project = true;
    site.commit();
    site
}

fn shown(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|it| format!("{}:{} {} {}", it.file, it.line, it.level.name(), it.code)).collect()
}

/// What is found in the files, and in the project.
fn found(site: &Site, files: &[&str]) -> (Vec<String>, Vec<String>) {
    let report = site.run(files);
    assert_eq!(report.troubles, []);
    let of_files = report.files.iter().flat_map(|file| shown(&file.findings)).collect();
    (of_files, shown(&report.project))
}

const NOTHING: (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());

const SHAPES: &str = "def area(w: int, h: int) -> int:\n    return w * h\n\n\ndef use() -> int:\n    return area(2, 3)\n\n\nold: int = \"x\"\n";
const USES: &str = "from a import area\n\n\ndef b() -> int:\n    return area(1, 2)\n\n\nold: int = \"x\"\n";

#[test]
fn type_errors_that_an_edit_causes_count_wherever_they_are() {
    let cases = [
        ("mypy", "pyproject.toml", "[tool.mypy]\nstrict = true\n", "call-arg"),
        ("pyright", "pyrightconfig.json", "{}", "reportCallIssue"),
        ("ty", "ty.toml", "", "missing-argument"),
    ];
    for (linter, config, text, code) in cases {
        let site = site(&[linter], &[(config, text), ("a.py", SHAPES), ("b.py", USES)]);
        assert_eq!(found(&site, &["a.py", "b.py"]), NOTHING, "{linter}");
        site.put("a.py", &SHAPES.replace("h: int)", "h: int, d: str)"));
        let (a, b) = (format!("a.py:6 error {code}"), format!("b.py:5 error {code}"));
        let expected = (vec![a.clone()], vec![b.clone()]);
        assert_eq!(found(&site, &["a.py"]), expected, "{linter}");
        // A file that did not change can have a new finding too.
        assert_eq!(found(&site, &["a.py", "b.py"]).0, [a, b], "{linter}");
        let old: usize = site.run(&["a.py", "b.py"]).files.iter().map(|file| file.old).sum();
        assert_eq!(old, 2, "{linter}");
    }
}

#[test]
fn a_linter_that_reads_no_input_sees_what_the_edit_made_unused() {
    let before = "import { x } from \"./x.js\";\nimport { y } from \"./x.js\";\n\nexport const a = x;\n";
    let files =
        [("biome.json", "{}"), ("x.js", "export const x = 1;\nexport const y = 1;\n"), ("a.js", before)];
    let site = site(&["biome"], &files);
    assert_eq!(found(&site, &["a.js"]), NOTHING);
    site.put("a.js", &before.replace("= x", "= 2"));
    let code = "a.js:1 warning lint/correctness/noUnusedImports".to_owned();
    assert_eq!(found(&site, &["a.js"]), (vec![code], vec![]));
    assert_eq!(site.run(&["a.js"]).files[0].old, 1);
}

const STRICT: &str = "{\"compilerOptions\":{\"strict\":true,\"module\":\"nodenext\",\"types\":[]},\"include\":[\"src\",\"gen\"]}";
const LIBRARY: &str = "{\"name\":\"lib\",\"version\":\"1.0.0\",\"types\":\"index.d.ts\"}";

#[test]
fn what_is_not_in_git_was_there_before() {
    let site = site(
        &["tsc"],
        &[
            (".gitignore", "node_modules\ngen\n"),
            ("packages/a/package.json", "{\"name\":\"a\"}"),
            ("packages/a/tsconfig.json", STRICT),
            (
                "packages/a/src/old.ts",
                "import { f } from \"lib\";\nimport { U } from \"../gen/u.js\";\nexport const old: number = f(\"x\");\nexport const u: U = { id: \"x\" };\n",
            ),
            ("packages/a/src/new.ts", "export const ok = 1;\n"),
            ("packages/a/node_modules/lib/package.json", LIBRARY),
            ("packages/a/node_modules/lib/index.d.ts", "export function f(a: number): string;\n"),
            ("packages/a/gen/u.ts", "export interface U { id: number }\n"),
        ],
    );
    assert_eq!(found(&site, &["packages/a/src/new.ts"]), NOTHING);
    site.put("packages/a/src/new.ts", "export const ok = 2;\n");
    assert_eq!(found(&site, &["packages/a/src/new.ts"]), NOTHING);
    site.put("packages/a/src/new.ts", "export const ok: string = 2;\n");
    let expected = (vec![], vec!["packages/a/src/new.ts:1 error TS2322".to_owned()]);
    assert_eq!(found(&site, &["packages/a/src/new.ts"]), expected);
}

#[test]
fn a_package_of_the_repository_itself_is_the_old_one_there() {
    let site = site(
        &["tsc"],
        &[
            (".gitignore", "node_modules\n"),
            ("packages/a/package.json", "{\"name\":\"@x/a\",\"type\":\"module\",\"exports\":\"./index.ts\"}"),
            ("packages/a/index.ts", "export function f(a: number): number { return a; }\n"),
            ("packages/b/package.json", "{\"name\":\"@x/b\",\"type\":\"module\"}"),
            ("packages/b/src/use.ts", "import { f } from \"@x/a\";\nf(1);\n"),
            ("packages/b/tsconfig.json", STRICT),
            ("node_modules/lib/package.json", LIBRARY),
        ],
    );
    fs::create_dir(site.root().join("node_modules/@x")).unwrap();
    std::os::unix::fs::symlink("../../packages/a", site.root().join("node_modules/@x/a")).unwrap();
    site.put("packages/a/index.ts", "export function f(a: string): string { return a; }\n");
    site.put("packages/b/src/more.ts", "export {};\n");
    let expected = (vec![], vec!["packages/b/src/use.ts:2 error TS2345".to_owned()]);
    assert_eq!(found(&site, &["packages/a/index.ts", "packages/b/src/more.ts"]), expected);
}

#[test]
fn what_is_installed_later_makes_nothing_new() {
    let site = site(
        &["tsc"],
        &[
            (".gitignore", "node_modules\n"),
            ("tsconfig.json", STRICT),
            ("src/old.ts", "import { f } from \"lib\";\nexport const old: number = f(\"x\");\n"),
            ("src/new.ts", "export const ok = 1;\n"),
        ],
    );
    site.put("src/new.ts", "export const ok = 2;\n");
    assert_eq!(found(&site, &["src/new.ts"]), NOTHING);
    site.put("node_modules/lib/package.json", LIBRARY);
    site.put("node_modules/lib/index.d.ts", "export function f(a: number): string;\n");
    assert_eq!(found(&site, &["src/new.ts"]), NOTHING);
}

#[test]
fn a_config_that_is_not_in_git_is_used_for_the_project_as_it_was() {
    let site = site(
        &["tsc"],
        &[
            (".gitignore", ".nuxt\n"),
            (
                ".nuxt/tsconfig.json",
                "{\"compilerOptions\":{\"strict\":true,\"types\":[],\"module\":\"nodenext\"}}",
            ),
            ("tsconfig.json", "{\"extends\":\"./.nuxt/tsconfig.json\",\"include\":[\"*.ts\"]}"),
            ("old.ts", "export const bad: number = \"x\";\n"),
            ("new.ts", "export function f(a: string) { return a; }\n"),
            ("use.ts", "import { f } from \"./new.js\";\nf(\"a\");\n"),
        ],
    );
    site.put("new.ts", "export function f(a: number) { return a; }\n");
    assert_eq!(found(&site, &["new.ts"]), (vec![], vec!["use.ts:2 error TS2345".to_owned()]));
}

#[test]
fn work_that_someone_else_left_in_the_tree_is_not_new() {
    let files = [
        ("tsconfig.json", STRICT),
        ("src/wip.ts", "export const a: number = 1;\n"),
        ("src/b.ts", "export {};\n"),
    ];
    let site = site(&["tsc"], &files);
    site.put("src/wip.ts", "export const a: number = \"x\";\n");
    site.put("src/b.ts", "export const b = 1;\n");
    assert_eq!(found(&site, &["src/b.ts"]), NOTHING);
    assert_eq!(found(&site, &["src/b.ts", "src/wip.ts"]).1, ["src/wip.ts:1 error TS2322"]);
}

/// A linter of the project that finds `BAD`, by a script that is given in addition.
fn finds_bad(script: &str) -> Site {
    let mut site = site(&[], &[("a.txt", "BAD\nfine\n"), ("b.txt", "BAD\n"), (".gitignore", ".venv\n")]);
    fs::create_dir_all(site.root().join(".venv/bin")).unwrap();
    site.program("whole", &format!("{script}\ngrep -rHn BAD --include='*.txt' . | sed 's|^./||'\n"));
    let check = Check {
        command: words(&["whole"]),
        code: "WHOLE".to_owned(),
        output: Output::Lines(LINES.to_owned()),
        ..Check::default()
    };
    site.linter(
        "whole",
        Entry {
            check: Some(check),
            reach: Some(Reach::Project),
            compiles: Some(true),
            only_edited: Some(false),
            level: Some(Level::Error),
            ..Entry::default()
        },
    );
    site
}

/// Only in the project as it was.
const IN_COPY: &str = "case $PWD in */scratch/*)";

fn advice(report: &Report) -> Vec<(Level, &str)> {
    let advice = report.project.iter().filter(|it| it.level == Level::Advisory);
    advice.map(|it| (it.level, it.message.as_str())).collect()
}

#[test]
fn if_nobody_knows_what_was_there_before_nothing_is_passed_over() {
    for script in [format!("{IN_COPY} exit 9;; esac"), format!("{IN_COPY} exec sleep 600;; esac")] {
        let mut site = finds_bad(&script);
        site.settings.project.deadline_seconds = 2;
        site.put("a.txt", "BAD\nBAD\n");
        for started in [&["whole", "whole"][..], &[]] {
            let report = site.run(&["a.txt"]);
            assert_eq!(report.troubles, []);
            let expected = [".:0 advisory unknown-age", "a.txt:1 error WHOLE", "a.txt:2 error WHOLE"];
            let expected_one = ["a.txt:1 error WHOLE", "a.txt:2 error WHOLE", "b.txt:1 advisory unknown-age"];
            let all = shown(&report.project);
            assert!(all == expected || all == expected_one, "{all:?}");
            let message =
                "1 finding may be older, because the project as it was could not be checked: line 1 WHOLE";
            assert_eq!(advice(&report), [(Level::Advisory, message)]);
            // That it fails is known for a while.
            assert_eq!(site.started(), started);
        }
    }
}

#[test]
fn the_project_as_it_was_has_a_time_of_its_own() {
    let mut site = finds_bad("sleep 2");
    site.settings.project.deadline_seconds = 3;
    site.put("a.txt", "BAD\nBAD\n");
    assert_eq!(found(&site, &["a.txt"]), (vec![], vec!["a.txt:2 error WHOLE".to_owned()]));
}

#[test]
fn what_a_linter_read_before_the_edit_is_a_finding_when_it_cannot_read_it() {
    let eslint = "export default [{ files: [\"**/*.ts\"], rules: {} }];\n";
    let cases = [
        ("eslint", "a.ts", "export const a = 1;\n", "export const a = ;\n", ("eslint.config.js", eslint)),
        (
            "yamllint",
            "a.yml",
            "---\n# {{ doc }}\ncmd: echo {{ x }}\n",
            "---\ncmd: echo {{ x }}\na: [1\nb: 2\n",
            (".yamllint", "extends: default\n"),
        ),
        ("bandit", "a.py", "x = 1\n", "x = (\n", ("pyproject.toml", "[tool.bandit]\nskips = []\n")),
        ("vulture", "a.py", "x = 1\n", "x = (\n", ("pyproject.toml", "[tool.vulture]\n")),
    ];
    for (linter, file, before, now, config) in cases {
        for scope in [Scope::New, Scope::File] {
            let mut site =
                site(&[linter], &[config, (file, before), ("package.json", "{\"type\":\"module\"}")]);
            site.scope(scope);
            site.put(file, now);
            let report = site.run(&[file]);
            assert_eq!(report.troubles, [], "{linter} {scope:?}");
            let levels: Vec<Level> = report.files[0].findings.iter().map(|it| it.level).collect();
            assert!(levels.contains(&Level::Error), "{linter} {scope:?}: {:?}", report.files[0].findings);
            // What it could never read is not a finding.
            site.commit();
            site.put(file, &format!("{now}\n"));
            let report = site.run(&[file]);
            let kinds: Vec<FailureKind> = report.troubles.iter().map(|it| it.kind).collect();
            assert_eq!(
                kinds,
                [FailureKind::Unreadable],
                "{linter} {scope:?}: {:?}",
                report.files[0].findings
            );
        }
    }
}

#[test]
fn imports_of_the_projects_own_modules_are_findings_without_an_environment() {
    let text = "import one_of_nobody\nfrom .utilz import x\nfrom app.nothere import y\n\nprint(x, y, one_of_nobody)\n";
    for linter in ["mypy", "pyright", "ty", "pylint"] {
        let mut site = site(
            &[linter],
            &[
                ("app/__init__.py", ""),
                ("app/utils.py", ""),
                ("app/main.py", text),
                (".pylintrc", "[MAIN]\ndisable=C\n"),
            ],
        );
        (site.settings.scope, site.project) = (Scope::File, false);
        let found = site.run(&["app/main.py"]).files.remove(0).findings;
        let lines = |level: Level| -> Vec<u32> {
            found
                .iter()
                .filter(|it| (it.level == Level::Advisory) == (level == Level::Advisory))
                .map(|it| it.line)
                .collect()
        };
        let mut own = lines(Level::Error);
        own.dedup();
        assert_eq!(own, [2, 3], "{linter}: {found:?}");
        assert_eq!(lines(Level::Advisory), [1], "{linter}: {found:?}");
    }
}

fn git(site: &Site, folder: &str, words: &[&str]) -> String {
    let output = Command::new("git").current_dir(site.beside(folder)).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn nothing_is_fetched_for_the_project_as_it_was() {
    let mut site = site(
        &["tsc"],
        &[
            ("tsconfig.json", STRICT),
            ("src/m.ts", "export const a: number = 1;\n"),
            ("big/1.txt", "1"),
            ("big/2.txt", "2"),
        ],
    );
    fs::rename(site.root(), site.beside("origin")).unwrap();
    let origin = format!("file://{}", site.beside("origin").display());
    git(&site, "origin", &["config", "uploadpack.allowFilter", "true"]);
    git(&site, ".", &["clone", "-q", "--filter=blob:none", "--sparse", &origin, "root"]);
    git(&site, "root", &["sparse-checkout", "set", "src"]);
    let missing = |site: &Site| {
        git(site, "root", &["rev-list", "--objects", "--all", "--missing=print"]).matches('?').count()
    };
    assert_eq!(missing(&site), 2);
    assert_eq!(found(&site, &["src/m.ts"]), NOTHING);
    site.put("src/m.ts", "export const a: number = \"y\";\n");
    assert_eq!(found(&site, &["src/m.ts"]).1, ["src/m.ts:1 error TS2322"]);
    assert_eq!(missing(&site), 2);
    site.base = Base::Commit("HEAD".to_owned());
    assert_eq!(found(&site, &["src/m.ts"]).1, ["src/m.ts:1 error TS2322"]);
}

#[test]
fn no_filter_and_no_hook_of_the_repository_runs() {
    let site = site(
        &["tsc"],
        &[
            (".gitattributes", "secret.txt filter=crypt\n"),
            ("secret.txt", "s"),
            ("tsconfig.json", STRICT),
            ("src/m.ts", "export const a: number = 1;\n"),
        ],
    );
    let mark = site.beside("ran");
    let script = format!("touch {}; cat", mark.display());
    site.git(&["config", "filter.crypt.smudge", &script]);
    site.git(&["config", "filter.crypt.required", "true"]);
    site.put(".git/hooks/post-index-change", &format!("#!/bin/sh\ntouch {}\n", mark.display()));
    let hook = site.root().join(".git/hooks/post-index-change");
    fs::set_permissions(hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    site.put("src/m.ts", "export const a: number = \"y\";\n");
    assert_eq!(found(&site, &["src/m.ts"]).1, ["src/m.ts:1 error TS2322"]);
    assert!(!mark.exists());
}

#[test]
fn cargo_builds_in_its_own_folder_and_leaves_the_lock_file() {
    let manifest = "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let site = site(
        &["cargo-check"],
        &[
            (".gitignore", "built\n"),
            ("crates/x/Cargo.toml", manifest),
            ("crates/x/.cargo/config.toml", "[build]\ntarget-dir = \"built\"\n"),
            ("crates/x/Cargo.lock", "version = 4\n\n[[package]]\nname = \"x\"\nversion = \"0.1.0\"\n"),
            ("crates/x/src/lib.rs", "pub mod b;\npub fn f(a: u8) -> u8 {\n    a\n}\n"),
            ("crates/x/src/b.rs", "pub fn g() -> u8 {\n    crate::f(1)\n}\n"),
        ],
    );
    site.put("crates/x/src/lib.rs", "pub mod b;\npub fn f(a: &str) -> &str {\n    a\n}\n");
    let (_, project) = found(&site, &["crates/x/src/lib.rs"]);
    assert!(
        project.iter().all(|it| it.starts_with("crates/x/src/b.rs:2 error")) && !project.is_empty(),
        "{project:?}"
    );
    assert_eq!(git(&site, "root", &["status", "--short"]), " M crates/x/src/lib.rs\n");
    assert!(!site.root().join("target").exists());
    // What was built of the old content is not taken for the new one.
    let again = Command::new("cargo")
        .current_dir(site.root().join("crates/x"))
        .args(["check", "--offline", "--locked", "--quiet"])
        .output();
    assert!(!again.unwrap().status.success());
    // A manifest that the lock file does not fit is a failure, and not a reason to write.
    site.put("crates/x/Cargo.toml", &manifest.replace("0.1.0", "0.2.0"));
    let report = site.run(&["crates/x/src/lib.rs"]);
    assert_eq!(report.troubles.iter().map(|it| it.kind).collect::<Vec<_>>(), [FailureKind::Failed]);
    assert_eq!(
        git(&site, "root", &["status", "--short"]),
        " M crates/x/Cargo.toml\n M crates/x/src/lib.rs\n"
    );
}
