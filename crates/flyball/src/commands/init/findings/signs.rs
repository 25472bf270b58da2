//! File names that show what a project uses.

use flyball_programs::{CONFIGS, Kind, LOCKS, TESTS};

/// What a file is evidence of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands::init) enum Aspect {
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

/// Every sign, in the order in which findings are shown: languages, and what the table of programs knows.
pub(super) fn signs() -> impl Iterator<Item = Sign> {
    let languages = LANGUAGES.iter().map(|(file, name)| Sign { file, aspect: Aspect::Language, name });
    let locks = LOCKS.iter().map(|lock| Sign { file: lock.file, aspect: Aspect::Lock, name: lock.name });
    // An ignore file does not show that the linter is used.
    let configs =
        CONFIGS.iter().filter(|config| is_check(config.kind) && !config.pattern.ends_with("ignore"));
    let linters =
        configs.map(|config| Sign { file: config.pattern, aspect: Aspect::Linter, name: config.program });
    let tests = TESTS.iter().map(|test| Sign { file: test.file, aspect: Aspect::Test, name: test.name });
    languages.chain(locks).chain(linters).chain(tests)
}

/// Whether a program of this kind is listed among the linters of a project.
pub(super) const fn is_check(kind: Kind) -> bool {
    matches!(kind, Kind::Linter | Kind::Formatter | Kind::HookRunner)
}

/// The files by which languages are known.
const LANGUAGES: &[(&str, &str)] = &[
    ("Cargo.toml", "Rust"),
    ("pyproject.toml", "Python"),
    ("setup.py", "Python"),
    ("requirements.txt", "Python"),
    ("tsconfig.json", "TypeScript"),
    ("package.json", "JavaScript"),
    ("deno.json*", "TypeScript"),
    ("go.mod", "Go"),
    ("pom.xml", "Java"),
    ("build.gradle*", "Java"),
    ("*.csproj", "C#"),
    ("*.sln", "C#"),
    ("Gemfile", "Ruby"),
    ("composer.json", "PHP"),
    ("mix.exs", "Elixir"),
    ("Package.swift", "Swift"),
    ("CMakeLists.txt", "C/C++"),
    ("*.tf", "Terraform"),
];
