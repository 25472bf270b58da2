//! Which files set up checks, and which parts of them.

use super::entries::Format;

/// A file that sets up checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched {
    /// How its settings are written, if it has any.
    pub(super) format: Option<Format>,
    /// The parts that are about checks: beginnings of paths. None if all of it is.
    pub(super) sections: &'static [&'static str],
    /// Where the commands that run checks stand.
    pub(super) commands: Commands,
}

/// Where the commands that run checks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commands {
    /// It has none.
    None,
    /// Anywhere in it.
    Text,
    /// Below this key.
    Below(&'static str),
}

const PYTHON_TOOLS: &[&str] = &[
    "tool.ruff",
    "tool.mypy",
    "tool.coverage",
    "tool.pytest",
    "tool.pylint",
    "tool.pyright",
    "tool.basedpyright",
    "tool.flake8",
    "tool.bandit",
    "tool.ty",
    "tool.vulture",
];

const INI_TOOLS: &[&str] = &[
    "flake8",
    "mypy",
    "coverage",
    "tool:pytest",
    "pytest",
    "pylint",
    "pycodestyle",
    "pydocstyle",
    "bandit",
    "testenv",
];

const PACKAGE_TOOLS: &[&str] = &["eslintConfig", "jest", "nyc", "c8", "stylelint"];

const fn settings(format: Format) -> Watched {
    Watched { format: Some(format), sections: &[], commands: Commands::None }
}

const fn parts(format: Format, sections: &'static [&'static str]) -> Watched {
    Watched { sections, ..settings(format) }
}

const PIPELINE: Watched = Watched { commands: Commands::Text, ..settings(Format::Yaml) };
const SCRIPT: Watched = Watched { format: None, sections: &[], commands: Commands::Text };

impl Watched {
    /// What a file sets up, if it is one that sets up checks.
    pub(super) fn of(path: &str) -> Option<Watched> {
        let name = path.rsplit('/').next().unwrap_or(path);
        Watched::by_name(name)
            .or_else(|| Watched::by_beginning(name))
            .or_else(|| Watched::by_place(path, name))
    }

    fn by_name(name: &str) -> Option<Watched> {
        let watched = match name {
            "package.json" => {
                Watched { commands: Commands::Below("scripts"), ..parts(Format::Braces, PACKAGE_TOOLS) }
            }
            "pyproject.toml" => parts(Format::Toml, PYTHON_TOOLS),
            "Cargo.toml" => parts(Format::Toml, &["lints", "workspace.lints"]),
            "clippy.toml" | ".clippy.toml" | "ruff.toml" | ".ruff.toml" | "ty.toml" | ".golangci.toml"
            | "deny.toml" => settings(Format::Toml),
            "setup.cfg" => parts(Format::Ini, INI_TOOLS),
            "tox.ini" => Watched { commands: Commands::Text, ..parts(Format::Ini, INI_TOOLS) },
            ".coveragerc"
            | "mypy.ini"
            | ".mypy.ini"
            | ".flake8"
            | ".pylintrc"
            | "pylintrc"
            | "pytest.ini"
            | ".bandit"
            | "sonar-project.properties" => settings(Format::Ini),
            ".eslintrc" | "jsconfig.json" | "biome.json" | "biome.jsonc" | ".oxlintrc.json" | ".nycrc"
            | ".nycrc.json" | ".c8rc" | ".c8rc.json" | ".jscpd.json" | "pyrightconfig.json"
            | ".stylelintrc" | "jasmine.json" => settings(Format::Braces),
            ".golangci.yml" | ".golangci.yaml" | ".rubocop.yml" | ".yamllint" | ".yamllint.yml"
            | ".yamllint.yaml" | ".hadolint.yaml" | ".hadolint.yml" | "codecov.yml" | ".codecov.yml"
            | ".swiftlint.yml" | "detekt.yml" | "phpstan.neon" | ".eslintrc.yml" | ".eslintrc.yaml" => {
                settings(Format::Yaml)
            }
            ".pre-commit-config.yaml"
            | "lefthook.yml"
            | ".gitlab-ci.yml"
            | "azure-pipelines.yml"
            | "bitbucket-pipelines.yml"
            | ".travis.yml"
            | ".drone.yml"
            | "Taskfile.yml" => PIPELINE,
            ".eslintignore"
            | ".stylelintignore"
            | ".semgrepignore"
            | ".markdownlintignore"
            | ".gitleaksignore"
            | ".trivyignore" => settings(Format::Lines),
            "Makefile" | "makefile" | "GNUmakefile" | "justfile" | "Justfile" | "Jenkinsfile" => SCRIPT,
            _ => return None,
        };
        Some(watched)
    }

    fn by_beginning(name: &str) -> Option<Watched> {
        let is_json = name.ends_with(".json") || name.ends_with(".jsonc");
        let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
        let is_script = [".js", ".cjs", ".mjs", ".ts", ".mts"].iter().any(|end| name.ends_with(end));
        let begins = |with: &[&str]| with.iter().any(|beginning| name.starts_with(beginning));
        if is_json && begins(&["tsconfig", ".eslintrc", ".stylelintrc", ".markdownlint", "jest.config"]) {
            return Some(settings(Format::Braces));
        }
        let configs = &["eslint.config.", "jest.config.", "stylelint.config.", ".eslintrc."];
        if is_script && begins(configs) {
            return Some(settings(Format::Braces));
        }
        if is_script && begins(&["vite.config.", "vitest.config."]) {
            return Some(parts(Format::Braces, &["test", "default.test"]));
        }
        (is_yaml && begins(&[".markdownlint", ".stylelintrc"])).then_some(settings(Format::Yaml))
    }

    fn by_place(path: &str, name: &str) -> Option<Watched> {
        let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
        let below = |folder: &str| path.starts_with(folder) || path.contains(&format!("/{folder}"));
        if is_yaml && (below(".github/workflows/") || below(".circleci/") || below(".gitlab/")) {
            return Some(PIPELINE);
        }
        let is_script = name.ends_with(".sh") || !name.contains('.');
        let is_ours = below("ci/") || below(".ci/") || below(".github/") || below(".husky/");
        (is_script && is_ours).then_some(SCRIPT)
    }
}
