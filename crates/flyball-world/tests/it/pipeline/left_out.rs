//! What a tool's own config leaves out is neither checked nor formatted, whatever the tool does with files that are named.

use flyball_quality::catalogue;
use flyball_quality::linter::Origin;
use flyball_quality::pipeline::Fixes;
use flyball_quality::report::Formatted;
use flyball_quality::settings::{Format, Scope};

use crate::pipeline::site::Site;

struct Row {
    linter: &'static str,
    config: (&'static str, &'static str),
    bad: &'static str,
    /// A file that the config leaves out.
    out: &'static str,
    /// One that it does not.
    inside: &'static str,
}

const UNFORMATTED: &str = "x = { 'a':1 }\n";
const WRONG: &str = "x: int = \"a\"\n";
const UNUSED: &str = "import os\n";

const fn row(
    linter: &'static str,
    config: (&'static str, &'static str),
    bad: &'static str,
    [out, inside]: [&'static str; 2],
) -> Row {
    Row { linter, config, bad, out, inside }
}

static ROWS: &[Row] = &[
    row("mypy", ("pyproject.toml", "[tool.mypy]\nfiles = ['src']\n"), WRONG, ["tests/t.py", "src/t.py"]),
    row(
        "mypy",
        ("pyproject.toml", "[tool.mypy]\nexclude = ['^src/legacy/']\n"),
        WRONG,
        ["src/legacy/t.py", "src/t.py"],
    ),
    row(
        "mypy",
        ("mypy.ini", "[mypy]\nfiles = src, lib\nexclude = legacy/\n"),
        WRONG,
        ["src/legacy/t.py", "lib/t.py"],
    ),
    row(
        "mypy",
        ("setup.cfg", "[mypy]\nexclude = (?x)(\n    ^gen/\n    | ^old/\n  )\n"),
        WRONG,
        ["old/t.py", "src/t.py"],
    ),
    row(
        "pyright",
        ("pyrightconfig.json", "{\n  // what counts\n  \"include\": [\"src\"],\n}\n"),
        WRONG,
        ["tests/t.py", "src/t.py"],
    ),
    row(
        "pyright",
        ("pyproject.toml", "[tool.pyright]\nexclude = ['**/legacy']\n"),
        WRONG,
        ["src/legacy/t.py", "src/t.py"],
    ),
    row("vulture", ("pyproject.toml", "[tool.vulture]\npaths = ['src']\n"), UNUSED, ["lib/t.py", "src/t.py"]),
    row(
        "vulture",
        ("pyproject.toml", "[tool.vulture]\nexclude = ['gen']\n"),
        UNUSED,
        ["gen/t.py", "src/t.py"],
    ),
    row("bandit", (".bandit", "[bandit]\nexclude: /gen\n"), "assert x\n", ["gen/t.py", "src/t.py"]),
    row(
        "bandit",
        ("pyproject.toml", "[tool.bandit]\nexclude_dirs = ['gen']\n"),
        "assert x\n",
        ["gen/t.py", "src/t.py"],
    ),
    row("ruff", ("ruff.toml", "[lint]\nexclude = ['gen/**']\n"), UNUSED, ["gen/t.py", "src/t.py"]),
    row("flake8", (".flake8", "[flake8]\nextend-exclude = gen\n"), UNUSED, ["gen/t.py", "src/t.py"]),
    row("pylint", (".pylintrc", "[MAIN]\nignore-paths=^gen/.*$\n"), UNUSED, ["gen/t.py", "src/t.py"]),
    row(
        "ruff",
        ("ruff.toml", "extend-exclude = ['gen']\n[lint]\nselect = ['F']\n"),
        UNUSED,
        ["gen/t.py", "src/t.py"],
    ),
    row(
        "ruff-format",
        ("ruff.toml", "[format]\nexclude = ['gen/**']\n"),
        UNFORMATTED,
        ["gen/t.py", "src/t.py"],
    ),
    row(
        "black",
        (
            "pyproject.toml",
            "[tool.black]\ntarget-version = ['py39']\nexclude = \"gen/\"  # generated\n\n[tool.other]\nx = 1\n",
        ),
        UNFORMATTED,
        ["gen/t.py", "src/t.py"],
    ),
    row(
        "black",
        ("pyproject.toml", "[tool.black]\nextend-exclude = '''\n(\n  ^/foo.py  # one\n  | ^/gen/\n)\n'''\n"),
        UNFORMATTED,
        ["gen/t.py", "src/t.py"],
    ),
    row(
        "isort",
        ("pyproject.toml", "[tool.isort]\nskip = ['gen']\n"),
        "import sys\nimport os\n",
        ["gen/t.py", "src/t.py"],
    ),
    row("yapf", (".yapfignore", "gen/**\n"), UNFORMATTED, ["gen/t.py", "src/t.py"]),
    row(
        "autopep8",
        ("pyproject.toml", "[tool.autopep8]\nexclude = 'gen'\n"),
        "x = [ 1 ]\n",
        ["gen/t.py", "src/t.py"],
    ),
    row("prettier", (".prettierignore", "gen/\n"), "a  =  1\n", ["gen/t.js", "src/t.js"]),
    row(
        "biome",
        ("biome.json", "{\"files\": {\"includes\": [\"**\", \"!gen/**\"]}}\n"),
        "debugger;\n",
        ["gen/t.js", "src/t.js"],
    ),
    row(
        "biome-format",
        ("biome.json", "{\"files\": {\"includes\": [\"**\", \"!gen/**\"]}}\n"),
        "a  =  1\n",
        ["gen/t.js", "src/t.js"],
    ),
    row(
        "oxlint",
        (".oxlintrc.json", "{\"ignorePatterns\": [\"gen/**\"]}\n"),
        "debugger;\n",
        ["gen/t.js", "src/t.js"],
    ),
    row(
        "eslint",
        ("eslint.config.mjs", "export default [{ignores: ['gen/**']}, {rules: {'no-debugger': 2}}]\n"),
        "debugger;\n",
        ["gen/t.js", "src/t.js"],
    ),
    row(
        "stylelint",
        (".stylelintrc.json", "{\"ignoreFiles\": [\"gen/**\"], \"rules\": {\"block-no-empty\": true}}\n"),
        "a {}\n",
        ["gen/t.css", "src/t.css"],
    ),
    row(
        "markdownlint-cli2",
        (".markdownlint-cli2.jsonc", "{\"ignores\": [\"gen/**\"]}\n"),
        "# Title\n\n*  a\n",
        ["gen/t.md", "src/t.md"],
    ),
    row(
        "markdownlint-cli2",
        ("docs/.markdownlint.json", "{\"default\": false}\n"),
        "# Title\n\n*  a\n",
        ["docs/t.md", "docs2/t.md"],
    ),
    row(
        "yamllint",
        (".yamllint", "extends: default\nignore: |\n  gen/\n"),
        "a: 1\na: 2\n",
        ["gen/t.yaml", "src/t.yaml"],
    ),
    row("taplo", ("taplo.toml", "exclude = ['gen/**']\n"), "a=1\n", ["gen/t.toml", "src/t.toml"]),
    row("sqlfluff", (".sqlfluffignore", "gen/\n"), "SELECT a FROM b WHERE  c\n", ["gen/t.sql", "src/t.sql"]),
    row(
        "buf",
        ("buf.yaml", "version: v2\nlint:\n  ignore:\n    - gen\n"),
        "syntax = \"proto3\";\npackage x;\nmessage foo {}\n",
        ["gen/t.proto", "src/t.proto"],
    ),
];

/// What else a tool needs to be chosen.
const CHOOSING: &[(&str, (&str, &str))] = &[
    ("yapf", (".style.yapf", "[style]\nbased_on_style = pep8\n")),
    ("prettier", (".prettierrc", "{}\n")),
    ("sqlfluff", (".sqlfluff", "[sqlfluff]\ndialect = ansi\n")),
    ("markdownlint-cli2", ("package.json", "{\"scripts\": {\"lint\": \"markdownlint-cli2\"}}\n")),
];

/// Whether a linter reports or changes a new file.
fn acts(row: &Row, file: &str) -> bool {
    let mut files = vec![row.config];
    files.extend(CHOOSING.iter().filter(|(linter, _)| *linter == row.linter).map(|(_, file)| *file));
    let mut site = Site::new(&files);
    site.catalogue(&[row.linter], Origin::Catalogue);
    assert!(catalogue::builtin().contains_key(row.linter));
    site.settings.scope = Scope::New;
    site.settings.format = Format::Configured;
    site.settings.security_exclude = Vec::new();
    site.fixes = Fixes::Now;
    site.commit();
    site.put(file, row.bad);
    let report = site.run(&[file]);
    assert_eq!(report.troubles, [], "{} {file}", row.linter);
    let acted =
        report.files.iter().any(|file| !file.findings.is_empty() || file.format != Formatted::Already);
    acted || site.read(file) != row.bad
}

#[test]
fn what_a_config_leaves_out_is_left_alone() {
    let mut wrong = Vec::new();
    for row in ROWS {
        let found = (acts(row, row.out), acts(row, row.inside));
        if found != (false, true) {
            wrong.push(format!("{} {:?}: {} {} {found:?}", row.linter, row.config, row.out, row.inside));
        }
    }
    assert_eq!(wrong, [""; 0]);
}
