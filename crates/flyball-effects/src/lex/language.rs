//! The language of a file, by its name, and what comments and strings look like in it.

/// A language that source files are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
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
pub struct Quote {
    pub open: &'static str,
    pub close: &'static str,
    /// Whether a backslash escapes the next character.
    pub has_escapes: bool,
    /// Whether it may go on in the next line.
    pub spans_lines: bool,
    /// Whether it is the form for long texts: a line inside it, or one with nothing else, does nothing.
    pub is_long_text: bool,
}

/// What comments and strings look like.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// What begins a comment that ends with its line.
    pub line: &'static [&'static str],
    /// What begins and ends other comments.
    pub block: &'static [(&'static str, &'static str)],
    /// Longer openings come first.
    pub quotes: &'static [Quote],
}

/// Ends with its line.
const fn quote(open: &'static str) -> Quote {
    Quote { open, close: open, has_escapes: true, spans_lines: false, is_long_text: false }
}

/// An ordinary string that may span lines.
const fn multiline(open: &'static str) -> Quote {
    Quote { spans_lines: true, ..quote(open) }
}

const fn raw(open: &'static str) -> Quote {
    Quote { has_escapes: false, ..multiline(open) }
}

const fn long_text(open: &'static str) -> Quote {
    Quote { is_long_text: true, ..multiline(open) }
}

const SLASHES: &[&str] = &["//"];
const HASH: &[&str] = &["#"];
const STARS: &[(&str, &str)] = &[("/*", "*/")];
const PLAIN: &[Quote] = &[quote("\""), quote("'")];

impl Language {
    /// The language of a file.
    pub fn from_path(path: &str) -> Option<Language> {
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
            "dockerfile" | "Dockerfile" => Language::Docker,
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
            // `Dockerfile.dev` has an extension that is no language, so the beginning decides.
            _ if name.starts_with("Dockerfile") => Some(Language::Docker),
            _ => None,
        }
    }

    /// What comments and strings look like in it.
    pub const fn syntax(self) -> Syntax {
        match self {
            Language::Python => Syntax {
                line: HASH,
                block: &[],
                quotes: const { &[long_text("\"\"\""), long_text("'''"), quote("\""), quote("'")] },
            },
            Language::Script => Syntax {
                line: SLASHES,
                block: STARS,
                quotes: const { &[quote("\""), quote("'"), long_text("`")] },
            },
            Language::Component => Syntax {
                line: SLASHES,
                block: &[("/*", "*/"), ("<!--", "-->")],
                quotes: const { &[quote("\""), quote("'"), long_text("`")] },
            },
            Language::Style => Syntax { line: SLASHES, block: STARS, quotes: PLAIN },
            // Single quotes are left out: they also begin lifetimes, so `character` reads them.
            Language::Rust => Syntax { line: SLASHES, block: STARS, quotes: const { &[multiline("\"")] } },
            Language::Go => Syntax {
                line: SLASHES,
                block: STARS,
                quotes: const { &[quote("\""), quote("'"), Quote { has_escapes: false, ..long_text("`") }] },
            },
            Language::Shell => {
                Syntax { line: HASH, block: &[], quotes: const { &[multiline("\""), raw("'")] } }
            }
            Language::Docker => Syntax { line: HASH, block: &[], quotes: const { &[] } },
            Language::Yaml | Language::Ruby => Syntax { line: HASH, block: &[], quotes: PLAIN },
            Language::Toml => Syntax {
                line: HASH,
                block: &[],
                quotes: const { &[multiline("\"\"\""), raw("'''"), quote("\""), quote("'")] },
            },
            Language::Markdown => Syntax {
                line: &[],
                block: &[("<!--", "-->")],
                quotes: const { &[raw("```"), raw("~~~"), Quote { spans_lines: false, ..raw("`") }] },
            },
            Language::Jvm | Language::Swift | Language::CSharp => Syntax {
                line: SLASHES,
                block: STARS,
                quotes: const { &[long_text("\"\"\""), quote("\""), quote("'")] },
            },
            Language::C => Syntax { line: SLASHES, block: STARS, quotes: PLAIN },
            Language::Php => Syntax {
                line: &["//", "#"],
                block: STARS,
                quotes: const { &[multiline("\""), multiline("'")] },
            },
        }
    }
}
