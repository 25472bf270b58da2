//! A config that a linter cannot use is named, with its line, once.

use flyball_quality::report::FailureKind;

use crate::pipeline::site::Site;

#[test]
fn a_config_that_a_linter_cannot_use_is_named_with_its_line() {
    let cases = [
        (&["ruff", "ruff-format"][..], "a.py", "ruff.toml", "line-length = \"long\"\n", "ruff.toml:1:15: "),
        (&["ruff"], "a.py", "pyproject.toml", "[tool.ruff.lint]\nselect = ['NOPE']\n", "pyproject.toml: "),
        (&["mypy"], "a.py", "mypy.ini", "[mypy\n", "mypy.ini:1: "),
        (&["mypy"], "a.py", "mypy.ini", "[mypy]\npython_version = nope\n", "mypy.ini: "),
        (&["pylint"], "a.py", ".pylintrc", "[MAIN\n", ".pylintrc:1: "),
        (&["isort"], "a.py", ".isort.cfg", "[settings\n", ".isort.cfg:1: "),
        (&["black"], "a.py", "pyproject.toml", "[tool.black]\nline-length = 'x'\n", "pyproject.toml: "),
        (
            &["eslint"],
            "a.js",
            "eslint.config.mjs",
            "export default [{ rules: { \"no-nope/x\": 2 } }];\n",
            "eslint.config.mjs: ",
        ),
        (&["prettier"], "a.js", ".prettierrc", "{ \"semi\": \n", ".prettierrc:1:11: "),
        (&["biome"], "a.js", "biome.json", "{ \"linterr\": {} }\n", "biome.json"),
        (&["oxlint"], "a.js", ".oxlintrc.json", "{ \"rules\": \n", ".oxlintrc.json:2:0: "),
        (&["yamllint"], "a.yml", ".yamllint", "rules:\n  nope: enable\n", ".yamllint: "),
    ];
    for (linters, file, config, text, expected) in cases {
        let content = if file.ends_with("py") {
            "x = 1\n"
        } else if file.ends_with("js") {
            "const x = 1;\n"
        } else {
            "a: 1\n"
        };
        let mut site = Site::new(&[(file, content), (config, text)]);
        site.builtin(linters);
        let report = site.run(&[file]);
        // One failure of all parts of a program.
        assert_eq!(report.troubles[0].linter, linters.join(", "), "{:?}", report.troubles);
        let seen: Vec<&str> = report.troubles.iter().map(|it| it.what.as_str()).collect();
        let start = format!("cannot use its config {expected}");
        assert!(matches!(seen.as_slice(), [one] if one.starts_with(&start)), "{linters:?} {text}: {seen:?}");
        assert_eq!(report.troubles[0].kind, FailureKind::Failed);
        assert!(report.troubles[0].fix.starts_with(&format!("correct {config}")), "{:?}", report.troubles);
    }
}

#[test]
fn a_linter_that_misses_the_packages_of_the_project_says_how_to_install_them() {
    let package = "{\"devDependencies\": {\"eslint\": \"^9\", \"@biomejs/biome\": \"1.9.4\"}}\n";
    let cases = [
        (
            "eslint",
            "eslint.config.mjs",
            "import plugin from 'eslint-plugin-nope';\nexport default [plugin];\n",
        ),
        // Of another version of the linter.
        ("biome", "biome.json", "{ \"organizeImports\": { \"enabled\": true } }\n"),
    ];
    for (linter, config, text) in cases {
        let mut site = Site::new(&[
            ("a.js", "const x = 1;\n"),
            (config, text),
            ("package.json", package),
            ("pnpm-lock.yaml", ""),
        ]);
        site.builtin(&[linter]);
        let report = site.run(&["a.js"]);
        let fix = "run `pnpm install`: until then nothing is checked by it";
        let seen: Vec<(&str, &str)> =
            report.troubles.iter().map(|it| (it.linter.as_str(), it.fix.as_str())).collect();
        assert_eq!(seen, [(linter, fix)], "{:?}", report.troubles);
        // With the packages it is the config.
        site.put("node_modules/x", "");
        let fix = &site.run(&["a.js"]).troubles[0].fix;
        assert!(fix.starts_with(&format!("correct {config}")), "{fix}");
    }
}
