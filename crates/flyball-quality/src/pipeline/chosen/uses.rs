//! How a project uses a tool: a command that it runs, a hook, an action of a pipeline, a package that it asks for.

use std::collections::BTreeSet;

use flyball_effects::Word;
use regex_lite::Regex;

use super::sign::Words;
use crate::pipeline::globs;

/// A tool that a file of a project names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub kind: UseKind,
    /// Its name: `node_modules/.bin/eslint`, `eslint@9`, `psf/black`.
    pub name: String,
    /// What it is given.
    pub arguments: Vec<Word>,
    pub files: UsedOn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UseKind {
    /// A command, a hook, or an action.
    Run,
    /// A package that is only there.
    Package,
}

/// The files that a tool is used on, whatever its own arguments say. Paths are below the folder of the file that names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UsedOn {
    /// The folder it runs in; empty for that folder itself.
    pub folder: String,
    /// The folder is only known when it runs.
    pub is_elsewhere: bool,
    /// Globs, of which one must match; all files if there is none.
    pub globs: Vec<String>,
    /// Globs of files that are left out.
    pub excluded_globs: Vec<String>,
    /// Patterns that must all be found in the path.
    pub patterns: Vec<String>,
    /// Patterns that must not be found in it.
    pub excluded_patterns: Vec<String>,
}

/// Whether a tool is used on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Covered {
    Yes,
    No,
    /// A pattern cannot be read.
    Unknown,
}

impl UsedOn {
    /// Files that match one of these globs.
    pub(super) fn matching(globs: Vec<String>) -> UsedOn {
        UsedOn { globs, ..UsedOn::default() }
    }

    /// Whether a file, as it is named below the folder of the file that names the tool, is one of them.
    pub(super) fn covers(&self, file: &str) -> Covered {
        let is_below = self.folder.is_empty()
            || file.strip_prefix(self.folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
        if !is_below
            || (!self.globs.is_empty() && !globs::any(&self.globs, file))
            || globs::any(&self.excluded_globs, file)
        {
            return Covered::No;
        }
        let mut covered = Covered::Yes;
        for (patterns, is_wanted) in [(&self.patterns, true), (&self.excluded_patterns, false)] {
            for pattern in patterns.iter().filter(|pattern| !pattern.is_empty()) {
                match Regex::new(pattern) {
                    Ok(pattern) if pattern.is_match(file) == is_wanted => {}
                    Ok(_) => return Covered::No,
                    Err(_) => covered = Covered::Unknown,
                }
            }
        }
        covered
    }
}

impl Use {
    pub(super) fn package(name: &str) -> Use {
        Use { kind: UseKind::Package, name: name.to_owned(), arguments: Vec::new(), files: UsedOn::default() }
    }

    /// Whether it is what a sign names.
    pub(super) fn is(&self, wanted: &Words<'_>) -> bool {
        let mut operands =
            self.arguments.iter().map(|word| &*word.raw).filter(|word| !word.starts_with(['-', '+']));
        is_called(&self.name, wanted.name)
            && wanted.verbs.iter().all(|verb| operands.next() == Some(verb))
            && !operands.next().is_some_and(|verb| wanted.not.contains(&verb))
    }
}

/// Whether a word is this name, whatever its path, its version and the variable in front of it: `node_modules/.bin/eslint`,
/// `eslint@9`, `${BIN}eslint`.
fn is_called(word: &str, name: &str) -> bool {
    let plain = match word.rfind('@') {
        Some(at) if at > 0 => word.get(..at).unwrap_or(word),
        _ => word,
    };
    let last = || plain.rsplit(['/', '}', '\\']).next().map(|last| last.strip_suffix(".exe").unwrap_or(last));
    plain == name || (!plain.starts_with('@') && last() == Some(name))
}

/// The names that signs begin with, to be found in a text before it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// The first letters and digits of each.
    starts: BTreeSet<String>,
}

impl Names {
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n str>) -> Names {
        Names { starts: names.filter_map(atoms).collect() }
    }

    /// Whether a text may have one of them.
    pub(super) fn may_be_in(&self, text: &str) -> bool {
        text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|atom| self.starts.contains(atom))
    }
}

/// The first part of a name that is letters and digits.
fn atoms(name: &str) -> Option<String> {
    name.split(|letter: char| !letter.is_ascii_alphanumeric())
        .find(|atom| !atom.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_have_a_path_and_a_version() {
        let cases = [
            ("node_modules/.bin/eslint", "eslint", true),
            ("eslint@9", "eslint", true),
            ("${PREFIX}ruff", "ruff", true),
            ("@biomejs/biome@2", "@biomejs/biome", true),
            ("@biomejs/biome", "biome", false),
            ("psf/black@stable", "black", true),
            ("eslint-plugin-x", "eslint", false),
            ("flake8-black", "black", false),
        ];
        for (word, name, expected) in cases {
            assert_eq!(is_called(word, name), expected, "{word} {name}");
        }
    }

    #[test]
    fn files_are_covered_by_folder_globs_and_patterns() {
        let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let cases = [
            (UsedOn::default(), "a.py", Covered::Yes),
            (UsedOn { folder: "web".to_owned(), ..UsedOn::default() }, "web/a.js", Covered::Yes),
            (UsedOn { folder: "web".to_owned(), ..UsedOn::default() }, "webs/a.js", Covered::No),
            (UsedOn::matching(strings(&["*.md"])), "docs/a.md", Covered::Yes),
            (UsedOn::matching(strings(&["*.md"])), "a.js", Covered::No),
            (
                UsedOn { excluded_patterns: strings(&["^migrations/"]), ..UsedOn::default() },
                "migrations/a.py",
                Covered::No,
            ),
            (
                UsedOn {
                    excluded_patterns: strings(&["(?x)^(\n  a/.*|\n  b/.*\n)$\n"]),
                    ..UsedOn::default()
                },
                "b/a.py",
                Covered::No,
            ),
            (UsedOn { patterns: strings(&["^src/"]), ..UsedOn::default() }, "src/a.py", Covered::Yes),
            (UsedOn { patterns: strings(&["^(?!src/)"]), ..UsedOn::default() }, "a.py", Covered::Unknown),
        ];
        for (files, file, expected) in cases {
            assert_eq!(files.covers(file), expected, "{files:?} {file}");
        }
    }
}
