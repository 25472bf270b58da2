//! The table of files that give something away by their name.

/// What a file tells about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aspect {
    Language,
    Lock,
    Linter,
    Test,
}

/// A file name and what it means.
pub(super) struct Sign {
    /// The name; one `*` at its start or end stands for anything.
    file: &'static str,
    pub(super) aspect: Aspect,
    pub(super) name: &'static str,
}

impl Sign {
    pub(super) fn fits(&self, file: &str) -> bool {
        match (self.file.strip_prefix('*'), self.file.strip_suffix('*')) {
            (Some(end), _) => file.ends_with(end),
            (None, Some(start)) => file.starts_with(start),
            (None, None) => file == self.file,
        }
    }
}

const fn language(file: &'static str, name: &'static str) -> Sign {
    Sign { file, aspect: Aspect::Language, name }
}

const fn lock(file: &'static str, name: &'static str) -> Sign {
    Sign { file, aspect: Aspect::Lock, name }
}

const fn linter(file: &'static str, name: &'static str) -> Sign {
    Sign { file, aspect: Aspect::Linter, name }
}

const fn test(file: &'static str, name: &'static str) -> Sign {
    Sign { file, aspect: Aspect::Test, name }
}

/// Every sign, in the order in which findings are shown.
pub(super) const SIGNS: &[Sign] = &[
    language("Cargo.toml", "Rust"),
    language("pyproject.toml", "Python"),
    language("setup.py", "Python"),
    language("requirements.txt", "Python"),
    language("tsconfig.json", "TypeScript"),
    language("package.json", "JavaScript"),
    language("deno.json*", "TypeScript"),
    language("go.mod", "Go"),
    language("pom.xml", "Java"),
    language("build.gradle*", "Java"),
    language("*.csproj", "C#"),
    language("*.sln", "C#"),
    language("Gemfile", "Ruby"),
    language("composer.json", "PHP"),
    language("mix.exs", "Elixir"),
    language("Package.swift", "Swift"),
    language("CMakeLists.txt", "C/C++"),
    language("*.tf", "Terraform"),
    lock("Cargo.lock", "cargo"),
    lock("uv.lock", "uv"),
    lock("poetry.lock", "poetry"),
    lock("pdm.lock", "pdm"),
    lock("Pipfile.lock", "pipenv"),
    lock("pnpm-lock.yaml", "pnpm"),
    lock("yarn.lock", "yarn"),
    lock("bun.lock*", "bun"),
    lock("package-lock.json", "npm"),
    lock("deno.lock", "deno"),
    lock("go.sum", "go"),
    lock("Gemfile.lock", "bundler"),
    lock("composer.lock", "composer"),
    lock("mix.lock", "mix"),
    linter("clippy.toml", "clippy"),
    linter("rustfmt.toml", "rustfmt"),
    linter("ruff.toml", "ruff"),
    linter(".ruff.toml", "ruff"),
    linter("mypy.ini", "mypy"),
    linter("pyrightconfig.json", "pyright"),
    linter(".flake8", "flake8"),
    linter(".pylintrc", "pylint"),
    linter("eslint.config.*", "eslint"),
    linter(".eslintrc*", "eslint"),
    linter("biome.json*", "biome"),
    linter(".prettierrc*", "prettier"),
    linter("prettier.config.*", "prettier"),
    linter(".oxlintrc.json", "oxlint"),
    linter(".golangci.*", "golangci-lint"),
    linter(".rubocop.yml", "rubocop"),
    linter("phpstan.neon*", "phpstan"),
    linter(".shellcheckrc", "shellcheck"),
    linter(".hadolint.y*", "hadolint"),
    linter(".yamllint*", "yamllint"),
    linter(".markdownlint*", "markdownlint"),
    linter("typos.toml", "typos"),
    linter(".pre-commit-config.yaml", "pre-commit"),
    test("Cargo.toml", "cargo test"),
    test("go.mod", "go test ./..."),
    test("mix.exs", "mix test"),
    test("deno.json*", "deno test"),
    test("pom.xml", "mvn test"),
    test("gradlew", "./gradlew test"),
    test("*.sln", "dotnet test"),
    test("Package.swift", "swift test"),
    test(".rspec", "bundle exec rspec"),
    test("phpunit.xml*", "vendor/bin/phpunit"),
];
