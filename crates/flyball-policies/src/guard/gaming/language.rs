//! The language of a file, by its name, and what comments and strings look like in it.

/// A language whose checks can be silenced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    Script,
    /// Single-file components: script with HTML around it.
    Component,
    Style,
    Rust,
    Go,
    Shell,
    Docker,
    Yaml,
    Toml,
    Markdown,
    Ruby,
    /// Java, Kotlin, Scala, Groovy.
    Jvm,
    C,
    CSharp,
    Swift,
    Php,
}

/// How a string literal begins and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether a backslash takes the meaning off the next character.
    pub(super) has_escapes: bool,
    /// Whether it may go on in the next line.
    pub(super) spans_lines: bool,
}

/// What comments and strings look like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Syntax {
    /// What begins a comment that ends with its line.
    pub(super) line: &'static [&'static str],
    /// What begins and ends other comments.
    pub(super) block: &'static [(&'static str, &'static str)],
    /// Longer openings come first.
    pub(super) quotes: &'static [Quote],
}

const fn quote(open: &'static str) -> Quote {
    Quote { open, close: open, has_escapes: true, spans_lines: false }
}

const fn long(open: &'static str) -> Quote {
    Quote { open, close: open, has_escapes: true, spans_lines: true }
}

const fn raw(open: &'static str) -> Quote {
    Quote { open, close: open, has_escapes: false, spans_lines: true }
}

const SLASHES: &[&str] = &["//"];
const HASH: &[&str] = &["#"];
const STARS: &[(&str, &str)] = &[("/*", "*/")];
const PLAIN: &[Quote] = &[quote("\""), quote("'")];

impl Language {
    /// The language of a file.
    pub(super) fn from_path(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let language = match extension {
            "py" | "pyi" | "pyx" | "ipynb" => Language::Python,
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => Language::Script,
            "vue" | "svelte" | "astro" => Language::Component,
            "css" | "scss" | "sass" | "less" => Language::Style,
            "rs" => Language::Rust,
            "go" => Language::Go,
            "sh" | "bash" | "zsh" | "ksh" | "bats" => Language::Shell,
            "dockerfile" => Language::Docker,
            "yml" | "yaml" => Language::Yaml,
            "toml" => Language::Toml,
            "md" | "markdown" | "mdx" => Language::Markdown,
            "rb" | "rake" | "gemspec" => Language::Ruby,
            "java" | "kt" | "kts" | "scala" | "groovy" => Language::Jvm,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" | "m" | "mm" | "cu" => Language::C,
            "cs" => Language::CSharp,
            "swift" => Language::Swift,
            "php" => Language::Php,
            _ => return Language::from_name(name),
        };
        Some(language)
    }

    fn from_name(name: &str) -> Option<Language> {
        match name {
            "Rakefile" | "Gemfile" | "Podfile" => Some(Language::Ruby),
            "Containerfile" => Some(Language::Docker),
            _ if name.starts_with("Dockerfile") => Some(Language::Docker),
            _ => None,
        }
    }

    /// What comments and strings look like in it.
    pub(super) const fn syntax(self) -> Syntax {
        match self {
            Language::Python => Syntax {
                line: HASH,
                block: &[],
                quotes: const { &[long("\"\"\""), long("'''"), quote("\""), quote("'")] },
            },
            Language::Script => Syntax {
                line: SLASHES,
                block: STARS,
                quotes: const { &[quote("\""), quote("'"), long("`")] },
            },
            Language::Component => Syntax {
                line: SLASHES,
                block: &[("/*", "*/"), ("<!--", "-->")],
                quotes: const { &[quote("\""), quote("'"), long("`")] },
            },
            Language::Style => Syntax { line: SLASHES, block: STARS, quotes: PLAIN },
            Language::Rust => Syntax { line: SLASHES, block: STARS, quotes: const { &[long("\"")] } },
            Language::Go => {
                Syntax { line: SLASHES, block: STARS, quotes: const { &[quote("\""), quote("'"), raw("`")] } }
            }
            Language::Shell => Syntax { line: HASH, block: &[], quotes: const { &[long("\""), raw("'")] } },
            Language::Docker => Syntax { line: HASH, block: &[], quotes: const { &[] } },
            Language::Yaml | Language::Ruby => Syntax { line: HASH, block: &[], quotes: PLAIN },
            Language::Toml => Syntax {
                line: HASH,
                block: &[],
                quotes: const { &[long("\"\"\""), raw("'''"), quote("\""), quote("'")] },
            },
            Language::Markdown => Syntax {
                line: &[],
                block: &[("<!--", "-->")],
                quotes: const { &[raw("```"), raw("~~~"), Quote { spans_lines: false, ..raw("`") }] },
            },
            Language::Jvm | Language::Swift | Language::CSharp => Syntax {
                line: SLASHES,
                block: STARS,
                quotes: const { &[long("\"\"\""), quote("\""), quote("'")] },
            },
            Language::C => Syntax { line: SLASHES, block: STARS, quotes: PLAIN },
            Language::Php => {
                Syntax { line: &["//", "#"], block: STARS, quotes: const { &[long("\""), long("'")] } }
            }
        }
    }
}

/// Whether a file holds tests, by its name and its folder.
pub(super) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    if !matches!(
        Language::from_path(name),
        Some(
            Language::Python
                | Language::Script
                | Language::Component
                | Language::Rust
                | Language::Go
                | Language::Shell
                | Language::Ruby
                | Language::Jvm
                | Language::C
                | Language::CSharp
                | Language::Swift
                | Language::Php
        )
    ) {
        return false;
    }
    is_test_name(stem, extension) || is_in_test_folder(path)
}

fn is_test_name(stem: &str, extension: &str) -> bool {
    match extension {
        "py" => stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest" || stem == "tests",
        "go" => stem.ends_with("_test"),
        "rs" => stem == "tests" || stem.ends_with("_test") || stem.ends_with("_tests"),
        "rb" => stem.ends_with("_spec") || stem.ends_with("_test") || stem.starts_with("test_"),
        "bats" => true,
        "java" | "kt" | "scala" | "groovy" | "cs" | "swift" | "php" => {
            ["Test", "Tests", "IT", "Spec"].iter().any(|end| stem.ends_with(end))
        }
        "c" | "cc" | "cpp" | "cxx" => stem.ends_with("_test") || stem.starts_with("test_"),
        "sh" | "bash" => false,
        _ => [".test", ".spec", ".cy", ".e2e"].iter().any(|end| stem.ends_with(end)),
    }
}

/// The names of folders that hold tests.
const TEST_FOLDERS: &[&str] = &["tests", "test", "__tests__", "spec", "specs", "e2e"];

fn is_in_test_folder(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(is_test_folder)
}

/// Whether a folder of this name holds tests.
pub(super) fn is_test_folder(name: &str) -> bool {
    TEST_FOLDERS.contains(&name)
}
