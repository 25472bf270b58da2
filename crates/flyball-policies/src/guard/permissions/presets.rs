//! The built-in lists of safe commands, out of the table of programs.
//!
//! Options that make a program do more than its usual work are in its `never` and `changes` there, and in
//! `arguments`: a command is only as safe as those are complete.

use flyball_programs::{Purpose, safe_commands};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pattern::match_prefix;

/// A built-in list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// Reading files, git's history and versions.
    ReadOnly,
    /// Running tests, linters and compilers.
    Tests,
    /// Building.
    Builds,
    /// Formatting: changes files of the project.
    Formatters,
}

impl Preset {
    /// The name used in the config.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Preset::ReadOnly => "read-only",
            Preset::Tests => "tests",
            Preset::Builds => "builds",
            Preset::Formatters => "formatters",
        }
    }

    /// Whether what it allows may change files of the project.
    pub(super) const fn may_change(self) -> bool {
        match self {
            Preset::ReadOnly | Preset::Tests => false,
            Preset::Builds | Preset::Formatters => true,
        }
    }

    const fn purpose(self) -> Purpose {
        match self {
            Preset::ReadOnly => Purpose::ReadOnly,
            Preset::Tests => Purpose::Tests,
            Preset::Builds => Purpose::Builds,
            Preset::Formatters => Purpose::Formatters,
        }
    }

    /// The pattern of this list that matches a command, and the number of words that it matched.
    pub(super) fn find(self, words: &[&str]) -> Option<(&'static str, usize)> {
        safe_commands(self.purpose(), words.first()?).find_map(|line| {
            let (text, is_whole) = match line.strip_suffix('$') {
                Some(text) => (text, true),
                None => (line, false),
            };
            let pattern: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            Some((line, match_prefix(words, &pattern, is_whole)?))
        })
    }
}
