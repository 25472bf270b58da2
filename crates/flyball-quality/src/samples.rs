//! A small project with files that are correct and files whose faults are known.

/// A file of the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub file: &'static str,
    pub text: &'static str,
    /// What is expected of it.
    pub kind: Kind,
}

/// What is expected of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No linter finds anything, and no formatter changes it.
    Good,
    /// Its linters find something, and its formatters change it unless it cannot be read.
    Bad,
    /// Only its formatters change it.
    Unformatted,
    /// It makes the others a project.
    Part,
}

macro_rules! sample {
    ($kind:ident, $file:literal) => {
        Sample { file: $file, text: include_str!(concat!("../samples/", $file)), kind: Kind::$kind }
    };
}

const fn part(file: &'static str, text: &'static str) -> Sample {
    Sample { file, text, kind: Kind::Part }
}

const ESLINT: &str = "export default [{ rules: { \"no-debugger\": \"error\" } }];\n";

const BIOME: &str = "{ \"formatter\": { \"indentStyle\": \"space\" } }\n";

/// The files. What would make a project of its own of the folder of samples has its text here.
pub static SAMPLES: &[Sample] = &[
    sample!(Good, "python/good.py"),
    sample!(Bad, "python/bad.py"),
    sample!(Good, "shell/good.sh"),
    sample!(Bad, "shell/bad.sh"),
    sample!(Good, "yaml/good.yaml"),
    sample!(Bad, "yaml/bad.yaml"),
    sample!(Good, "json/good.json"),
    sample!(Bad, "json/bad.json"),
    sample!(Unformatted, "json/unformatted.json"),
    sample!(Good, "toml/good.toml"),
    sample!(Bad, "toml/bad.toml"),
    sample!(Unformatted, "toml/unformatted.toml"),
    sample!(Good, "markdown/good.md"),
    sample!(Bad, "markdown/bad.md"),
    sample!(Good, "docker/good.Dockerfile"),
    sample!(Bad, "docker/bad.Dockerfile"),
    sample!(Good, "web/good.ts"),
    sample!(Bad, "web/bad.ts"),
    sample!(Good, "web/good.css"),
    sample!(Bad, "web/bad.css"),
    sample!(Good, "web/good.json"),
    sample!(Bad, "web/bad.json"),
    sample!(Unformatted, "web/unformatted.json"),
    // A project that says how it is formatted.
    part("ruff.toml", ""),
    part("taplo.toml", ""),
    part(
        "web/.stylelintrc.json",
        "{ \"rules\": { \"block-no-empty\": true, \"property-no-unknown\": true } }\n",
    ),
    part("web/eslint.config.mjs", ESLINT),
    part("src/eslint.config.mjs", ESLINT),
    sample!(Bad, "web/bad.js"),
    part(".markdownlint.json", "{ \"default\": true }\n"),
    part(".editorconfig", "root = true\n\n[*.sh]\nindent_style = space\nindent_size = 2\n"),
    // Not in the root: where there is one, Biome checks JSON and the built-in linter does not.
    // The samples of JSON are for both, each of which is tried alone.
    part("json/biome.json", BIOME),
    part("web/biome.json", BIOME),
    part("src/biome.json", BIOME),
    part(
        "tsconfig.json",
        "{ \"compilerOptions\": { \"strict\": true, \"types\": [] }, \"include\": [\"web\"] }\n",
    ),
    // What nothing imports is a finding, but for what the package itself is.
    part("package.json", "{ \"name\": \"sample\", \"private\": true, \"main\": \"web/good.ts\" }\n"),
    sample!(Bad, "src/bad_one.ts"),
    sample!(Bad, "src/bad_two.ts"),
    part(
        ".semgrep.yml",
        "rules:\n  - id: no-shell\n    languages: [python]\n    severity: ERROR\n    message: a shell is started\n    pattern: subprocess.call(..., shell=True)\n",
    ),
    sample!(Good, "rust/src/good.rs"),
    sample!(Bad, "rust/src/bad.rs"),
    sample!(Part, "rust/src/lib.rs"),
    part(
        "rust/Cargo.toml",
        "[package]\nname = \"sample\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n",
    ),
    sample!(Good, "go/good.go"),
    sample!(Bad, "go/bad.go"),
    part("go/go.mod", "module sample\n\ngo 1.20\n"),
];

/// Codes that a linter must find in the bad files. Of others anything that they find is enough.
pub static EXPECTED: &[(&str, &str)] = &[
    ("ruff", "F841"),
    ("ty", "invalid-assignment"),
    ("flake8", "F841"),
    ("vulture", "VULTURE"),
    ("bandit", "B602"),
    ("shellcheck", "SC2086"),
    ("yamllint", "key-duplicates"),
    ("markdownlint-cli2", "MD040"),
    ("hadolint", "DL3007"),
    ("taplo", "TOML_SYNTAX"),
    ("biome", "lint/suspicious/noDebugger"),
    ("tsc", "TS2322"),
    ("clippy", "clippy::needless_return"),
    ("cargo-check", "unused_variables"),
    ("go-vet", "printf"),
];
