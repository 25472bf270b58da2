//! What is found in a project.

use super::*;

fn found(files: &[(&str, &str)]) -> String {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let findings = scan(dir.path());
    let names = |list: &[Finding]| {
        let names: Vec<String> =
            list.iter().map(|found| format!("{} ({})", found.name, found.file)).collect();
        names.join(", ")
    };
    let all = [&findings.languages, &findings.locks, &findings.linters, &findings.tests];
    all.map(|list| names(list)).join(" | ")
}

#[test]
fn a_project_is_known_by_its_files() {
    type Files<'a> = &'a [(&'a str, &'a str)];
    let cases: &[(&str, Files<'_>, &str)] = &[
        ("nothing", &[], " |  |  | "),
        (
            "Rust",
            &[("Cargo.toml", ""), ("Cargo.lock", ""), ("rustfmt.toml", "")],
            "Rust (Cargo.toml) | cargo (Cargo.lock) | rustfmt (rustfmt.toml) | cargo test (Cargo.toml)",
        ),
        (
            "Python with uv",
            &[("pyproject.toml", "[tool.ruff]\n[tool.pytest.ini_options]\n"), ("uv.lock", "")],
            "Python (pyproject.toml) | uv (uv.lock) | ruff (pyproject.toml) | uv run pytest (pyproject.toml)",
        ),
        (
            "TypeScript with pnpm",
            &[
                (
                    "package.json",
                    r#"{"scripts": {"test": "vitest"}, "devDependencies": {"typescript": "5", "eslint": "9"}}"#,
                ),
                ("pnpm-lock.yaml", ""),
            ],
            "JavaScript (package.json), TypeScript (package.json) | pnpm (pnpm-lock.yaml) | eslint (package.json) | pnpm test (package.json)",
        ),
        (
            "npm's own placeholder is not a test",
            &[("package.json", r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#)],
            "JavaScript (package.json) |  |  | ",
        ),
        ("broken JSON", &[("package.json", "{")], "JavaScript (package.json) |  |  | "),
        (
            "a Makefile",
            &[("Makefile", "all: x\ntest : x\n\tcargo test\nlint:\ntests:\n")],
            " |  | make lint (Makefile) | make test (Makefile)",
        ),
        (
            "folders below the root, but not other people's",
            &[
                ("api/go.mod", ""),
                ("node_modules/x.tf", ""),
                ("web/src/package.json", "{}"),
                (".git/setup.py", ""),
            ],
            "Go (api/go.mod) |  |  | go test ./... (api/go.mod)",
        ),
        (
            "what the root has is not repeated",
            &[("Cargo.toml", ""), ("core/Cargo.toml", "")],
            "Rust (Cargo.toml) |  |  | cargo test (Cargo.toml)",
        ),
    ];
    for (name, files, expected) in cases {
        assert_eq!(found(files), *expected, "{name}");
    }
}

#[test]
fn every_linter_of_the_table_is_known_by_its_configs() {
    let is_sign = |config: &&flyball_programs::Config| {
        signs::is_check(config.kind) && !config.pattern.contains('/') && !config.pattern.ends_with("ignore")
    };
    for config in flyball_programs::CONFIGS.iter().filter(is_sign) {
        let file = config.pattern.replace('*', "");
        let expected = format!("{} ({file})", config.program);
        assert!(found(&[(&file, "")]).contains(&expected), "{expected}");
    }
}
