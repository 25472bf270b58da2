//! Which linters act on which files of projects as people have them, and what by: layouts and answers, one a row.

use flyball_quality::catalogue;
use flyball_quality::linter::Origin;
use flyball_quality::pipeline::ChoiceFinder;

use crate::pipeline::site::Site;

/// Files of a project, then the linters that act on one of them. `json` is left out.
type Row<'r> = (&'r str, &'r [(&'r str, &'r str)], &'r str, &'r [&'r str]);

const PRE_COMMIT: &str = ".pre-commit-config.yaml";
const CI: &str = ".github/workflows/ci.yml";

fn hook(id: &str) -> String {
    format!("repos:\n- repo: https://example.org/a/b\n  rev: v1\n  hooks:\n  - id: {id}\n")
}

fn action(uses: &str) -> String {
    format!("jobs:\n  a:\n    steps:\n    - uses: {uses}\n")
}

/// The linters that act on a file.
fn acting(files: &[(&str, &str)], file: &str) -> Vec<String> {
    let mut site = Site::new(files);
    let names: Vec<&str> = catalogue::builtin().keys().map(String::as_str).collect();
    site.catalogue(&names, Origin::Catalogue);
    let machine = site.machine();
    let mut finder = ChoiceFinder::new(&site.settings, &machine);
    let linters = site.settings.linters.iter();
    let acting =
        linters.filter(|linter| finder.find(linter, file).is_some()).map(|linter| linter.name.clone());
    acting.filter(|name| name != "json").collect()
}

fn check(rows: &[Row<'_>]) {
    for (what, files, file, expected) in rows {
        assert_eq!(acting(files, file), *expected, "{what}");
    }
}

#[test]
fn only_what_is_run_configured_or_asked_for_chooses() {
    check(&[
        ("a word of a program", &[("scripts/plot.py", "plot(color=\"black\")\n")], "a.py", &[]),
        (
            "the name of a step",
            &[(CI, "jobs:\n  a:\n    steps:\n    - name: make output prettier\n      run: ./fmt.sh\n")],
            "a.js",
            &[],
        ),
        (
            "a setting of a step",
            &[(CI, "jobs:\n  a:\n    steps:\n    - uses: x/y\n      with: {color: black}\n")],
            "a.py",
            &[],
        ),
        (
            "a program that is installed",
            &[(
                "pyproject.toml",
                "[project]\nname = 'x'\ndynamic = ['version']\n[project.scripts]\nblack = 'x:main'\n",
            )],
            "a.py",
            &[],
        ),
        (
            "what pip installs",
            &[(CI, "jobs:\n  a:\n    steps:\n    - run: pip install black isort mypy\n")],
            "a.py",
            &[],
        ),
        (
            "a script of pdm",
            &[(
                "pyproject.toml",
                "[tool.pdm.version]\nsource = 'scm'\n[tool.pdm.scripts]\nfmt = {cmd = 'black .'}\n",
            )],
            "a.py",
            &["black"],
        ),
        (
            "pixi",
            &[("pixi.toml", "[tasks]\nlint = 'ruff check'\n[feature.dev.dependencies]\nmypy = '*'\n")],
            "a.py",
            &["mypy", "ruff"],
        ),
        (
            "conda",
            &[("environment.yml", "name: x\ndependencies:\n  - ruff\n  - black\n")],
            "a.py",
            &["black", "ruff"],
        ),
    ]);
}

#[test]
fn hooks_and_actions_are_known_by_their_names() {
    let hooks: &[(&str, &str, &[&str])] = &[
        ("ruff", "a.py", &["ruff"]),
        ("ruff-check", "a.py", &["ruff"]),
        ("ruff-format", "a.py", &["ruff-format"]),
        ("black-jupyter", "a.py", &["black"]),
        ("prettier", "a.js", &["prettier"]),
        ("biome-check", "a.js", &["biome", "biome-format"]),
        ("biome-format", "a.js", &["biome-format"]),
        ("biome-lint", "a.js", &["biome"]),
        ("sqlfluff-lint", "a.sql", &["sqlfluff"]),
        ("shellcheck", "a.sh", &["shellcheck"]),
        ("hadolint-docker", "Dockerfile", &["hadolint"]),
        ("markdownlint-cli2", "a.md", &["markdownlint-cli2"]),
    ];
    for (id, file, expected) in hooks {
        assert_eq!(acting(&[(PRE_COMMIT, &hook(id))], file), *expected, "{id}");
    }
    let actions: &[(&str, &str, &[&str])] = &[
        ("astral-sh/ruff-action@v3", "a.py", &["ruff"]),
        ("psf/black@stable", "a.py", &["black"]),
        ("DavidAnson/markdownlint-cli2-action@v19", "a.md", &["markdownlint-cli2"]),
        ("bufbuild/buf-action@v1", "a.proto", &["buf"]),
        ("isort/isort-action@v1", "a.py", &["isort"]),
        ("ludeeus/action-shellcheck@master", "a.sh", &["shellcheck"]),
        ("biomejs/setup-biome@v2", "a.js", &[]),
        ("actions/labeler@v5", "a.py", &[]),
    ];
    for (uses, file, expected) in actions {
        assert_eq!(acting(&[(CI, &action(uses))], file), *expected, "{uses}");
    }
    let files = [("go.mod", "module x\n"), (CI, &action("golangci/golangci-lint-action@v6"))];
    // It is not installed, and what does not compile is found all the same.
    assert_eq!(acting(&files, "a.go"), ["go-vet", "golangci-lint"]);
    let files = [
        ("Cargo.toml", "[package]\n"),
        (PRE_COMMIT, &*hook("fmt").replace("a/b", "doublify/pre-commit-rust")),
    ];
    assert_eq!(acting(&files, "a.rs"), ["cargo-check", "rustfmt"]);
}

#[test]
fn one_formatter_is_for_a_file_and_it_is_the_nearest() {
    let black = "[tool.black]\nline-length = 40\n";
    let ruff = "[tool.ruff.format]\nquote-style = 'single'\n";
    check(&[
        (
            "Biome below Prettier",
            &[(".prettierrc", "{}"), ("b/biome.json", "{}")],
            "b/a.js",
            &["biome", "biome-format"],
        ),
        ("Prettier beside it", &[(".prettierrc", "{}"), ("b/biome.json", "{}")], "a.js", &["prettier"]),
        (
            "Prettier for what Biome is not for",
            &[(".prettierrc", "{}"), ("b/biome.json", "{}")],
            "b/a.md",
            &["prettier"],
        ),
        (
            "Biome without its formatter",
            &[(".prettierrc", "{}"), ("biome.json", "{\"formatter\": {\"enabled\": false}}")],
            "a.js",
            &["biome", "prettier"],
        ),
        (
            "Biome only for its rules",
            &[("biome.json", "{}"), ("package.json", "{\"scripts\": {\"lint\": \"biome lint .\"}}")],
            "a.js",
            &["biome"],
        ),
        (
            "a package for something else",
            &[("biome.json", "{}"), ("b/package.json", "{\"devDependencies\": {\"prettier\": \"3\"}}")],
            "b/a.js",
            &["biome", "biome-format"],
        ),
        (
            "Ruff below Black",
            &[("pyproject.toml", black), ("b/pyproject.toml", ruff)],
            "b/a.py",
            &["ruff", "ruff-format"],
        ),
        ("Black above it", &[("pyproject.toml", black), ("b/pyproject.toml", ruff)], "a.py", &["black"]),
        (
            "of two that are configured, the one that is run",
            &[("pyproject.toml", &format!("{black}{ruff}")), (PRE_COMMIT, &hook("ruff-format"))],
            "a.py",
            &["ruff-format"],
        ),
        (
            "a hint does not win over a formatter",
            &[("pyproject.toml", black), ("b/pyproject.toml", "[tool.ruff]\nline-length = 99\n")],
            "b/a.py",
            &["black", "ruff"],
        ),
    ]);
}

#[test]
fn what_a_project_runs_of_a_tool_is_what_it_wants() {
    let ruff = "[tool.ruff]\nline-length = 100\n";
    check(&[
        ("the hint alone", &[("pyproject.toml", ruff)], "a.py", &["ruff", "ruff-format"]),
        (
            "only its checks are run",
            &[("pyproject.toml", ruff), (PRE_COMMIT, &hook("ruff"))],
            "a.py",
            &["ruff"],
        ),
        (
            "only its formatter is run",
            &[("pyproject.toml", ruff), (PRE_COMMIT, &hook("ruff-format"))],
            "a.py",
            &["ruff-format"],
        ),
        (
            "its rules are configured",
            &[("ruff.toml", "[lint]\nselect = ['F']\n"), (PRE_COMMIT, &hook("ruff-format"))],
            "a.py",
            &["ruff", "ruff-format"],
        ),
    ]);
}

#[test]
fn linters_that_report_the_same_act_together_only_if_both_are_run() {
    let eslint = ("eslint.config.js", "export default []\n");
    let oxlint = (".oxlintrc.json", "{}");
    check(&[
        ("configured both", &[eslint, oxlint], "a.js", &["eslint"]),
        (
            "run both",
            &[eslint, oxlint, ("package.json", "{\"scripts\": {\"lint\": \"oxlint && eslint .\"}}")],
            "a.js",
            &["eslint", "oxlint"],
        ),
        (
            "run one",
            &[eslint, oxlint, ("package.json", "{\"scripts\": {\"lint\": \"oxlint\"}}")],
            "a.js",
            &["oxlint"],
        ),
        ("the nearest", &[eslint, ("b/biome.json", "{}")], "b/a.js", &["biome", "biome-format"]),
        (
            "Pyright's file and its fork",
            &[("pyrightconfig.json", "{}"), ("requirements-dev.txt", "basedpyright\n")],
            "a.py",
            &["basedpyright"],
        ),
        ("Pyright's file", &[("pyrightconfig.json", "{}")], "a.py", &["pyright"]),
    ]);
}

#[test]
fn a_tool_acts_on_the_files_that_it_is_run_on() {
    let staged = "{\"lint-staged\": {\"*.css\": \"stylelint --fix\", \"*.md\": \"prettier --write\"}}";
    let hooks = format!("{}    exclude: ^migrations/\n", hook("black"));
    check(&[
        ("the glob of a hook", &[("package.json", staged)], "docs/a.md", &["prettier"]),
        ("another glob", &[("package.json", staged)], "a.js", &[]),
        ("what a hook leaves out", &[(PRE_COMMIT, &hooks)], "migrations/a.py", &[]),
        ("and what it does not", &[(PRE_COMMIT, &hooks)], "a.py", &["black"]),
        (
            "a folder that is given",
            &[("Makefile", "lint:\n\tmypy src\n"), ("src/x.py", "")],
            "tests/a.py",
            &[],
        ),
        (
            "a folder that is given, inside",
            &[("Makefile", "lint:\n\tmypy src\n"), ("src/x.py", "")],
            "src/a.py",
            &["mypy"],
        ),
        (
            "the folder of a step",
            &[(CI, "jobs:\n  a:\n    steps:\n    - run: black .\n      working-directory: api\n")],
            "a.py",
            &[],
        ),
        (
            "the folder of a step, inside",
            &[(CI, "jobs:\n  a:\n    steps:\n    - run: black .\n      working-directory: api\n")],
            "api/a.py",
            &["black"],
        ),
        (
            "values of options are no files",
            &[("Makefile", "lint:\n\tflake8 --max-complexity 10\n")],
            "a.py",
            &["flake8"],
        ),
        ("a variable", &[("Makefile", "lint:\n\tblack $(SOURCES)\n")], "a.py", &["black"]),
        (
            "one command for all",
            &[("Makefile", "lint:\n\tblack src\nall:\n\tblack .\n"), ("src/x.py", "")],
            "a.py",
            &["black"],
        ),
    ]);
}

#[test]
fn no_config_file_chooses_two_linters_of_one_job() {
    let all = catalogue::builtin();
    for (name, entry) in all {
        let signs = |entry: &flyball_quality::linter::Entry| entry.chosen_by.clone().unwrap_or_default();
        let others = all
            .iter()
            .filter(|(other, theirs)| *other != name && theirs.job == entry.job && entry.job.is_some());
        for (other, theirs) in others {
            let same: Vec<String> = signs(entry)
                .into_iter()
                .filter(|sign| !sign.starts_with("$ ") && signs(theirs).contains(sign))
                .collect();
            assert_eq!(same, [""; 0], "{name} and {other}");
        }
    }
}

#[test]
fn choosing_reads_little_however_much_there_is() {
    let long = format!("#!/bin/sh\n{}", "echo nothing of interest\n".repeat(40_000));
    let short = format!("#!/bin/sh\n{}shellcheck a.sh\n", "echo nothing\n".repeat(1_000));
    let mut site = Site::new(&[("Makefile", "lint:\n\truff check .\n"), ("a/b/c/a.py", "")]);
    for at in 0..100 {
        site.put(&format!("scripts/{at}.py"), "color = 'black'\n");
        site.put(&format!("scripts/{at}.sh"), &short);
        if at < 10 {
            site.put(&format!("scripts/long-{at}.sh"), &long);
        }
    }
    let names: Vec<&str> = catalogue::builtin().keys().map(String::as_str).collect();
    site.catalogue(&names, Origin::Catalogue);
    let machine = site.machine();
    let mut finder = ChoiceFinder::new(&site.settings, &machine);
    let linters = site.settings.linters.iter();
    let acting: Vec<&str> = linters
        .filter(|linter| finder.find(linter, "a/b/c/a.py").is_some())
        .map(|linter| linter.name.as_str())
        .collect();
    assert_eq!(acting, ["ruff"]);
    // Of 11 MB, the limit and the files beside them; all of it once, for whichever linter.
    assert!(finder.bytes_read() < 530_000, "{}", finder.bytes_read());
}

#[test]
fn what_runs_in_other_packages_chooses_nothing() {
    let ci = |run: &str| format!("on: push\njobs:\n  a:\n    steps:\n      - run: {run}\n");
    let cases = [
        ("pnpm --filter '*eslint*' lint:eslint --no-fix", &[][..]),
        ("pnpm -F site eslint .", &[]),
        ("npm exec --workspace site eslint .", &[]),
        ("pnpm lint:eslint", &[]),
        ("pnpm eslint .", &["eslint"]),
    ];
    for (run, expected) in cases {
        assert_eq!(acting(&[(CI, &ci(run))], "a.js"), expected, "{run}");
    }
}

#[test]
fn a_linter_is_switched_off_by_its_own_key_alone() {
    let cases = [
        (
            "{\"json\": {\"linter\": {\"enabled\": false}, \"formatter\": {\"enabled\": false}}}",
            &["biome", "biome-format"][..],
        ),
        ("{\"linter\": {\"enabled\": false}} // comment", &["biome-format"]),
        ("{\"formatter\": {\"enabled\": false, \"lineWidth\": 80}}", &["biome"]),
    ];
    for (config, expected) in cases {
        assert_eq!(acting(&[("biome.json", config)], "a.js"), expected, "{config}");
    }
}

#[test]
fn the_values_of_a_matrix_are_followed() {
    let ci = "on: push\njobs:\n  shellcheck:\n    strategy:\n      matrix:\n        shell: [bash, sh]\n        file: [nvm.sh]\n\
              \x20       include:\n          - shell: bash\n            file: install.sh\n    steps:\n\
              \x20     - run: shellcheck -s ${{ matrix.shell }} ${{ matrix.file }}\n";
    let files = [(CI, ci), ("nvm.sh", ""), ("install.sh", ""), ("test/common.sh", "")];
    for (file, expected) in
        [("nvm.sh", &["shellcheck"][..]), ("install.sh", &["shellcheck"]), ("test/common.sh", &[])]
    {
        assert_eq!(acting(&files, file), expected, "{file}");
    }
}
