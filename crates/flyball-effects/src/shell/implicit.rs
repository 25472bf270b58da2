//! Code of the project that a program runs without being told to: tests and their set-up, build scripts, configs that
//! are code. Only what the session wrote is read, never a whole suite.

use flyball_programs::program;

use super::launch::Launch;
use super::reader::Reader;
use super::unwrap::Invocation;
use crate::code::compiled;
use crate::model::{Command, Directory, LOADS, Word};

/// More files are not read for one command.
const MOST_FILES: usize = 16;

/// Programs that load code by its name.
struct Loader {
    programs: &'static [&'static str],
    /// The verbs with which they do; none if they always do.
    verbs: &'static [&'static str],
    /// Names of files, with a `*` for anything.
    files: &'static [&'static str],
    /// Files that are read from the folder too, whoever wrote them.
    always: &'static [&'static str],
}

const PYTHON_TESTS: &[&str] = &["conftest.py", "test_*.py", "*_test.py", "noxfile.py"];
const PYTHON_BUILDS: &[&str] = &["setup.py", "hatch_build.py", "build.py"];
const RUBY: &[&str] = &["*_spec.rb", "*_helper.rb", "*_test.rb", "test_*.rb"];

const LOADERS: &[Loader] = &[
    Loader {
        programs: &["pytest", "py.test", "tox", "nox", "unittest", "coverage", "nose2", "behave", "ptw"],
        verbs: &[],
        files: PYTHON_TESTS,
        always: &[],
    },
    Loader {
        programs: &["pip", "pip3", "pipx", "uv", "poetry", "pdm", "hatch", "rye", "pipenv", "flit"],
        verbs: &["install", "wheel", "sync", "build", "develop", "pip", "add", "lock", "publish"],
        files: PYTHON_BUILDS,
        always: &["setup.py"],
    },
    Loader { programs: &["build"], verbs: &[], files: PYTHON_BUILDS, always: &["setup.py"] },
    Loader {
        programs: &["cargo"],
        verbs: &[
            "build", "b", "check", "c", "clippy", "doc", "d", "install", "package", "publish", "fix",
            "rustc", "rustdoc", "run", "r", "test", "t", "bench", "nextest",
        ],
        files: &["build.rs"],
        always: &["build.rs"],
    },
    Loader {
        programs: &["cargo"],
        verbs: &["run", "r", "test", "t", "bench", "nextest"],
        files: &["*.rs"],
        always: &[],
    },
    Loader { programs: &["go"], verbs: &["run", "test", "generate"], files: &["*.go"], always: &[] },
    Loader {
        programs: &[
            "jest",
            "vitest",
            "mocha",
            "ava",
            "playwright",
            "cypress",
            "karma",
            "tap",
            "vite",
            "webpack",
            "rollup",
            "next",
            "nuxt",
            "astro",
            "eslint",
            "prettier",
            "tsup",
            "babel",
            "tailwindcss",
            "postcss",
            "gulp",
            "grunt",
            "stylelint",
            "svelte-kit",
            "storybook",
            "commitlint",
            "wdio",
        ],
        verbs: &[],
        files: &[
            "*.test.*",
            "*.spec.*",
            "*.config.*",
            "*.setup.*",
            "setupTests.*",
            ".eslintrc.*",
            ".prettierrc.*",
            "gulpfile.*",
            "Gruntfile.*",
        ],
        always: &[],
    },
    Loader { programs: &["rspec", "minitest", "cucumber", "rails"], verbs: &[], files: RUBY, always: &[] },
    Loader { programs: &["phpunit", "pest"], verbs: &[], files: &["*Test.php"], always: &[] },
];

/// The loaders of a call, and its verb's place does not matter: `cargo +nightly --locked test`.
fn loaders<'a>(name: &'a str, arguments: &'a [Word]) -> impl Iterator<Item = &'static Loader> + 'a {
    LOADERS.iter().filter(move |loader| {
        let has_verb = || arguments.iter().any(|word| loader.verbs.iter().any(|verb| word.is(verb)));
        loader.programs.contains(&name) && (loader.verbs.is_empty() || has_verb())
    })
}

/// The program that a call amounts to: `python -m pytest` is `pytest`.
fn called<'a>(name: &'a str, arguments: &'a [Word]) -> (&'a str, &'a [Word]) {
    let module = arguments.iter().position(|word| word.is("-m")).filter(|_| name.starts_with("py"));
    let behind = module.and_then(|at| arguments.get(at + 1..));
    match behind.and_then(<[Word]>::split_first) {
        Some((module, rest)) => (module.text.as_deref().unwrap_or_default(), rest),
        None => (name, arguments),
    }
}

/// Whether a command runs code of the project without naming it.
pub(crate) fn runs_project_code(command: &Command) -> bool {
    let Some(name) = command.program_name() else { return false };
    let (name, arguments) = called(name, &command.arguments);
    let starts_others =
        matches!(name, "uv" | "poetry" | "pdm" | "hatch" | "npx" | "bunx" | "pnpx" | "bundle");
    starts_others
        || loaders(name, arguments).next().is_some()
        // `django-admin test`, `manage.py test`: the table knows that it runs tests.
        || program(name).is_some_and(|known| known.kind == flyball_programs::Kind::TestRunner)
}

impl Reader<'_> {
    /// What a program runs of the project that the line does not name.
    pub(super) fn implicit_launches(&mut self, invocation: &Invocation) -> Vec<Launch> {
        let Some(disk) = self.disk else { return Vec::new() };
        let Some(name) = invocation.name() else { return Vec::new() };
        let (name, arguments) = called(name, invocation.words.get(1..).unwrap_or_default());
        let mut paths: Vec<String> = Vec::new();
        let directory = invocation.directory.clone();
        let mut found: Vec<&Loader> = loaders(name, arguments).collect();
        if found.is_empty() {
            return Vec::new();
        }
        let written = disk.session_files();
        for loader in found.drain(..) {
            let is_loaded = |path: &&String| {
                let name = path.rsplit('/').next().unwrap_or_default();
                loader.files.iter().any(|pattern| is_named(name, pattern))
            };
            paths.extend(written.iter().filter(is_loaded).cloned());
            let folders = arguments.iter().filter_map(|word| word.text.as_deref());
            // `pip install ./lib`: the folder that is named, or the one where it runs.
            let folders = folders.filter(|text| text.starts_with(['.', '/', '~'])).chain([""]);
            let named = folders.flat_map(|folder| {
                let folder = folder.split('[').next().unwrap_or_default().trim_end_matches('/');
                let slash = if folder.is_empty() { "" } else { "/" };
                loader.always.iter().map(move |name| format!("{folder}{slash}{name}"))
            });
            paths.extend(named);
        }
        if name == "go" && arguments.first().is_some_and(|verb| verb.is("run")) {
            paths.extend(self.go_files(arguments, &directory));
            // Only `go test` builds those.
            paths.retain(|path| !path.ends_with("_test.go"));
        }
        paths.sort();
        paths.dedup();
        let mut launches = Vec::new();
        for path in paths.into_iter().take(MOST_FILES) {
            launches.extend(self.loaded(&path, name, &directory));
        }
        launches
    }

    /// The files of the package that `go run` is given.
    fn go_files(&self, arguments: &[Word], directory: &Directory) -> Vec<String> {
        let operands = arguments.iter().skip(1).filter_map(|word| word.text.as_deref());
        let Some(package) = operands.into_iter().find(|text| !text.starts_with('-')) else {
            return Vec::new();
        };
        match package.ends_with(".go") {
            true => vec![package.to_owned()],
            false => self.matching(&format!("{}/*.go", package.trim_end_matches('/')), directory),
        }
    }

    /// What runs when a file is loaded.
    fn loaded(&mut self, path: &str, by: &str, directory: &Directory) -> Vec<Launch> {
        let by = format!("{by}{LOADS}{path}");
        let start = |program: &str| {
            vec![Launch::Words { words: vec![Word::literal(program), Word::literal(path)], by: by.clone() }]
        };
        match path.rsplit_once('.').map(|(_, end)| end) {
            Some("py") => start("python3"),
            Some("js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "jsx" | "tsx") => start("node"),
            Some("rb") => start("ruby"),
            Some("php") => start("php"),
            Some("rs" | "go") => {
                let Some(text) = self.file_text(path, directory) else { return Vec::new() };
                let word = |word: Option<String>| word.map_or_else(|| Word::unknown("\"$_\""), Word::literal);
                let commands = compiled::commands(path, &text).into_iter();
                let launch = |words: Vec<Option<String>>| Launch::Words {
                    words: words.into_iter().map(word).collect(),
                    by: by.clone(),
                };
                commands.map(launch).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Whether a name fits a pattern with at most two stars.
fn is_named(name: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|start| name.strip_prefix(start)) else { return false };
    let mut is_open = false;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
        is_open = part.is_empty();
    }
    is_open || rest.is_empty() || name.ends_with(pattern.rsplit('*').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn names_fit_patterns() {
        let cases = [
            ("conftest.py", "conftest.py", true),
            ("test_a.py", "test_*.py", true),
            ("a_test.py", "*_test.py", true),
            ("a.test.ts", "*.test.*", true),
            ("main.rs", "*.rs", true),
            ("main.rs.bak", "*.rs", false),
            ("contest.py", "conftest.py", false),
            ("a.spec", "*.spec.*", false),
        ];
        for (name, pattern, expected) in cases {
            assert_eq!(is_named(name, pattern), expected, "{name} {pattern}");
        }
    }
}
