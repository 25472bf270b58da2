//! The kinds of projects. Their files are in the texts beside this one.

use std::collections::BTreeSet;

use super::tools::{Check, Formatter, annotation, at_line, error, indented, typescript};

/// A kind of project, and what happens in it.
pub(super) struct Layout {
    pub(super) name: &'static str,
    /// A sentence about it, then its files, each below a line `-- NAME --`.
    text: &'static str,
    pub(super) checks: &'static [Check],
    pub(super) formatters: &'static [Formatter],
    /// Edits that bring in nothing: in old code, and in code without findings.
    pub(super) innocent: &'static [Edit],
    /// An edit that brings in one finding.
    pub(super) guilty: Edit,
    /// That finding as the agent is shown it.
    pub(super) finding: &'static str,
    /// Linters of the whole project only run at the end, and the next edit may use an import.
    pub(super) is_found_at_edit: bool,
}

/// A change of one file.
pub(super) struct Edit {
    pub(super) file: &'static str,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
}

impl Layout {
    /// What kind of project it is.
    pub(super) fn about(&self) -> &'static str {
        self.parts().0
    }

    /// Names and texts.
    pub(super) fn files(&self) -> Vec<(&'static str, String)> {
        let files = self.parts().1.split("\n-- ").map(|part| part.split_once(" --").expect("a name"));
        files.map(|(name, text)| (name, whole(text.strip_prefix('\n').unwrap_or_default()))).collect()
    }

    /// All that act in it.
    pub(super) fn linters(&self) -> BTreeSet<&'static str> {
        let checks = self.checks.iter().map(|check| check.linter);
        checks.chain(self.formatters.iter().flat_map(|formatter| formatter.linters.iter().copied())).collect()
    }

    fn parts(&self) -> (&'static str, &'static str) {
        self.text.split_once("\n\n-- ").expect("a sentence and files")
    }
}

/// A text with the line break at its end that separates it from the next file.
fn whole(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

const fn check(linter: &'static str, line: &'static str, is_finding: fn(&str) -> bool) -> Check {
    Check { linter, line, is_finding }
}

const fn format(linters: &'static [&'static str], line: &'static str) -> Formatter {
    Formatter { linters, line }
}

const fn edit(file: &'static str, old: &'static str, new: &'static str) -> Edit {
    Edit { file, old, new }
}

pub(super) static KINDS: &[Layout] = &[
    Layout {
        name: "express",
        text: include_str!("express.txt"),
        checks: &[check("eslint", "eslint .", indented)],
        formatters: &[],
        innocent: &[
            edit("lib/relay.js", "'no route'", "'no such route'"),
            edit("package.json", "1.4.0", "1.4.1"),
            edit("Readme.md", "small", "tiny"),
        ],
        guilty: edit("lib/route.js", "slice(1)", "slice(first)"),
        finding: "11:36  no-undef  'first' is not defined. (eslint)",
        is_found_at_edit: true,
    },
    Layout {
        name: "flask",
        text: include_str!("flask.txt"),
        checks: &[
            check("ruff", "ruff check --no-fix --output-format=concise", at_line),
            check("mypy", "mypy", error),
            check("pyright", "pyright", error),
        ],
        formatters: &[format(&["ruff-format"], "ruff format --check")],
        innocent: &[
            edit("src/basin/config.py", "Settings by name", "Settings, by name"),
            edit(
                "tests/test_app.py",
                "    assert app.handle",
                "    def other():\n        return \"other\"\n\n    app.route(\"/other\")(other)\n    assert app.handle",
            ),
        ],
        guilty: edit(
            "src/basin/app.py",
            "        try:\n",
            "        if path == None:\n            return \"\"\n        try:\n",
        ),
        finding: "22:20  E711  Comparison to `None` should be `cond is None` → Replace with `cond is None` (ruff)",
        is_found_at_edit: true,
    },
    Layout {
        name: "requests",
        text: include_str!("requests.txt"),
        checks: &[check("flake8", "flake8 envoy tests", at_line)],
        formatters: &[
            format(&["black"], "black --check envoy tests"),
            format(&["isort"], "isort --check envoy tests"),
        ],
        innocent: &[
            edit("envoy/compat.py", "'ascii'", "'utf-8'"),
            edit("envoy/sessions.py", "invalid address", "no address"),
        ],
        guilty: edit("envoy/sessions.py", "from .compat", "import os\n\nfrom .compat"),
        finding: "1:1  F401  'os' imported but unused (flake8)",
        is_found_at_edit: false,
    },
    Layout {
        name: "httpx",
        text: include_str!("httpx.txt"),
        checks: &[
            check("ruff", "ruff check courier tests --output-format=concise", at_line),
            check("mypy", "mypy courier tests", error),
        ],
        formatters: &[format(&["ruff-format"], "ruff format --check courier tests")],
        innocent: &[
            edit("courier/_models.py", "'utf-8'", "'ascii'"),
            edit("courier/_client.py", "80 if", "443 if"),
            edit("tests/test_client.py", "():\n", "(port=8080):\n"),
        ],
        guilty: edit("courier/_client.py", "self.open = False", "self.open = \"no\""),
        finding: "19:21  assignment  Incompatible types in assignment (expression has type \"str\", variable has type \"bool\") (mypy)",
        is_found_at_edit: true,
    },
    Layout {
        name: "django",
        text: include_str!("django.txt"),
        checks: &[
            check("ruff", "ruff check --output-format=concise", at_line),
            check("pylint", "pylint --score=n shop manage.py", at_line),
        ],
        formatters: &[format(&["black"], "black --check .")],
        innocent: &[
            edit("shop/views.py", "'never'", "'not reached'"),
            edit("manage.py", "sys.argv)", "sys.argv[1:])"),
        ],
        guilty: edit("shop/cart.py", "def total(self)", "def total(self, seen={})"),
        finding: "11:5  dangerous-default-value  Dangerous default value {} as argument (pylint)",
        is_found_at_edit: true,
    },
    Layout {
        name: "nvm",
        text: include_str!("nvm.txt"),
        checks: &[check(
            "shellcheck",
            "shellcheck -f gcc -s sh install.sh; shellcheck -f gcc toolbox.sh",
            at_line,
        )],
        formatters: &[],
        innocent: &[
            edit("install.sh", "Installed into", "Installed to"),
            edit("test/run.sh", "v1", "v2"),
            edit("README.md", "one script", "one file"),
        ],
        guilty: edit("toolbox.sh", "echo \"$file\"", "echo $file"),
        finding: "5:12  SC2086  Double quote to prevent globbing and word splitting. (shellcheck, fixable)",
        is_found_at_edit: true,
    },
    Layout {
        name: "vue",
        text: include_str!("vue.txt"),
        checks: &[check("eslint", "eslint .", indented), check("tsc", "tsc --noEmit", typescript)],
        formatters: &[format(&["prettier"], "prettier --list-different src")],
        innocent: &[
            edit("src/CardList.vue", "list-style: none", "list-style: square"),
            edit("src/App.vue", "ref([1, 2])", "ref([1, 2, 3])"),
            edit("src/storage.ts", "at: 0", "at: 1"),
        ],
        guilty: edit("src/cards.ts", "return cards", "return '' + cards"),
        finding: "2:3  TS2322  Type 'string' is not assignable to type 'number'. (tsc)",
        is_found_at_edit: false,
    },
    Layout {
        name: "monorepo",
        text: include_str!("monorepo.txt"),
        checks: &[
            check("biome", "biome lint --reporter=github", annotation),
            check("eslint", "cd packages/site && eslint .", indented),
            check("tsc", "tsc -p packages/core", typescript),
        ],
        formatters: &[format(&["biome-format", "biome-json"], "biome format --reporter=github")],
        innocent: &[
            edit("packages/core/src/format.ts", "'empty'", "'nothing'"),
            edit("packages/core/src/store.ts", "(key, item)", "(key.trim(), item)"),
            edit("packages/site/main.js", "get('a')", "get('b')"),
        ],
        guilty: edit(
            "packages/core/src/store.ts",
            "    return this;",
            "    const size = this.items.size;\n    return this;",
        ),
        finding: "6:11  lint/correctness/noUnusedVariables  This variable size is unused. (biome)",
        is_found_at_edit: true,
    },
    Layout {
        name: "rust",
        text: include_str!("rust.txt"),
        checks: &[check("clippy", "cargo clippy --quiet --all-targets --message-format=short", at_line)],
        formatters: &[format(&["rustfmt"], "cargo fmt --check -- -l")],
        innocent: &[
            edit("crates/parser/src/old.rs", "join(\" \")", "join(\", \")"),
            edit("crates/parser/src/lib.rs", "How many there are", "How many words there are"),
            edit("crates/tool/src/main.rs", "skip(1)", "skip(2)"),
        ],
        guilty: edit("crates/tool/src/main.rs", "&argument", "argument"),
        finding: "3:38  E0308  mismatched types → consider borrowing here: `&` (clippy, fixable)",
        is_found_at_edit: false,
    },
    Layout {
        name: "go",
        text: include_str!("go.txt"),
        checks: &[check("go-vet", "go vet ./...", at_line)],
        formatters: &[format(&["gofmt"], "gofmt -l .")],
        innocent: &[
            edit("internal/load/old.go", "%d x", "%d by"),
            edit("internal/load/load.go", "return len(name)", "return len(name) + 1"),
        ],
        guilty: edit("internal/load/load.go", "\treturn", "\tweight := 1\n\treturn"),
        finding: "6:2  compile  declared and not used: weight (go-vet)",
        is_found_at_edit: true,
    },
    Layout {
        name: "docs",
        text: include_str!("docs.txt"),
        checks: &[
            check("markdownlint-cli2", "markdownlint-cli2 '**/*.md'", at_line),
            check("yamllint", "yamllint --format=parsable .", at_line),
        ],
        formatters: &[],
        innocent: &[
            edit("docs/rules.md", "One", "First"),
            edit("data/people.yaml", "Ada", "Eve"),
            edit("data/teams.json", "Ada", "Eve"),
            edit("data/settings.toml", "site", "out"),
            edit("scripts/build.py", "unused = 1", "unused = 2"),
            edit("scripts/deploy.sh", "$1", "$2"),
        ],
        guilty: edit("README.md", "How we work.", "How <b>we</b> work."),
        finding: "3:5  MD033  Inline HTML [Element: b] (markdownlint-cli2)",
        is_found_at_edit: true,
    },
];
