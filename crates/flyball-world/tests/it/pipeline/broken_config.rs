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
        let seen: Vec<&str> = report.troubles.iter().map(|it| it.what.as_str()).collect();
        let start = format!("cannot use its config {expected}");
        assert!(matches!(seen.as_slice(), [one] if one.starts_with(&start)), "{linters:?} {text}: {seen:?}");
        assert_eq!(report.troubles[0].kind, FailureKind::Failed);
        assert!(report.troubles[0].fix.starts_with(&format!("correct {config}")), "{:?}", report.troubles);
    }
}
