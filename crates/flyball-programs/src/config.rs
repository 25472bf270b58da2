//! The files that configure programs.

use crate::Kind;

/// A file of one program's own.
#[derive(Debug)]
pub struct Config {
    pub program: &'static str,
    /// What the program is called on pages.
    pub title: &'static str,
    /// What the program is.
    pub kind: Kind,
    /// Glob in lower case: of a name in any folder, or of a path from the project's root.
    pub pattern: &'static str,
    /// How it is written, where its name does not say so.
    pub format: Option<Format>,
}

impl Config {
    /// How a file of this name is written, if it has settings that can be read.
    #[must_use]
    pub fn format_of(&self, name: &str) -> Option<Format> {
        Format::from_name(name).or(self.format)
    }
}

/// How a config file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, with comments or not, and objects in JavaScript.
    Braces,
    Toml,
    /// INI, properties and flags.
    Ini,
    Yaml,
    /// One pattern a line.
    Lines,
}

impl Format {
    /// The format that a file's name shows.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Format> {
        // `phpstan.neon.dist` and the like: a template with the format of the file that it is for.
        let name = name.strip_suffix(".dist").unwrap_or(name);
        if name.ends_with("ignore") {
            return Some(Format::Lines);
        }
        // `.eslintrc` has no extension: it begins with its only dot.
        Some(match name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?.1 {
            "json" | "jsonc" | "js" | "cjs" | "mjs" | "ts" | "cts" | "mts" => Format::Braces,
            "toml" => Format::Toml,
            "ini" | "cfg" | "properties" => Format::Ini,
            "yml" | "yaml" | "neon" => Format::Yaml,
            _ => return None,
        })
    }
}

/// A file that several programs share.
#[derive(Debug)]
pub struct Manifest {
    /// Its name, a glob.
    pub file: &'static str,
    /// How it is written.
    pub format: Format,
    /// Where its commands are.
    pub commands: Commands,
    /// The programs' parts of it.
    pub sections: &'static [Section],
    /// The names of the sections that are protected.
    pub protected: &'static [&'static str],
    /// The names of all sections.
    pub watched: &'static [&'static str],
}

/// Where the commands that run checks are in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commands {
    None,
    Anywhere,
    Below(&'static str),
}

/// A program's part of a shared file.
#[derive(Debug)]
pub struct Section {
    pub program: &'static str,
    /// What the program is.
    pub kind: Kind,
    /// The beginning of the path of its keys.
    pub name: &'static str,
}
