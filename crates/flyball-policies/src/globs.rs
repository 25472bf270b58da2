//! Globs as they are written in a config, checked when it is loaded, and matched folder by folder:
//! `ui/**` is not about `build/a`.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::literal;

/// One glob.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Glob(String);

impl<'de> Deserialize<'de> for Glob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Glob, D::Error> {
        literal::read(deserializer)
    }
}

/// The glob matches nothing.
#[derive(Debug, thiserror::Error)]
pub enum GlobError {
    /// It cannot be read.
    #[error("invalid glob `{glob}`: {why}")]
    Unreadable {
        glob: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is none where one is needed.
    #[error("the list is empty, so this entry can never match; name at least one")]
    Empty,
}

impl TryFrom<String> for Glob {
    type Error = GlobError;

    fn try_from(glob: String) -> Result<Glob, GlobError> {
        match fast_glob::validate(&glob) {
            Ok(()) => Ok(Glob(glob)),
            Err(error) => Err(GlobError::Unreadable { why: error.to_string(), glob }),
        }
    }
}

impl Glob {
    /// A glob of our own.
    pub(crate) fn builtin(glob: &str) -> Glob {
        Glob(glob.to_owned())
    }

    /// As written, without a leading `./`.
    pub(crate) fn as_str(&self) -> &str {
        // Paths of the project never begin with `./`.
        self.0.trim_start_matches("./")
    }

    /// Whether it matches a path of the project, or a name.
    pub(crate) fn matches(&self, path: &str) -> bool {
        fast_glob::glob_match(self.as_str(), path)
    }

    /// Whether it matches the name of a role or a skill, with or without the plugin it is from.
    pub(crate) fn matches_name(&self, name: &str) -> bool {
        self.matches(name) || self.matches(without_plugin(name))
    }

    /// Whether it matches one text only.
    pub(crate) fn is_plain(&self) -> bool {
        !self.as_str().contains(['*', '?', '[', '{', '!'])
    }
}

/// A name without the plugin it is from: `reviewer` of `team:reviewer`.
pub(crate) fn without_plugin(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// A list of at least one glob.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Glob>", into = "Vec<Glob>")]
#[schemars(with = "Vec<String>", extend("minItems" = 1))]
pub struct Globs(Vec<Glob>);

impl TryFrom<Vec<Glob>> for Globs {
    type Error = GlobError;

    fn try_from(globs: Vec<Glob>) -> Result<Globs, GlobError> {
        if globs.is_empty() { Err(GlobError::Empty) } else { Ok(Globs(globs)) }
    }
}

impl From<Globs> for Vec<Glob> {
    fn from(globs: Globs) -> Vec<Glob> {
        globs.0
    }
}

impl Globs {
    /// Globs of our own.
    pub(crate) fn builtin(globs: &[&str]) -> Globs {
        Globs(globs.iter().map(|glob| Glob::builtin(glob)).collect())
    }

    /// The globs, as written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(Glob::as_str)
    }

    /// Whether one of them matches.
    pub(crate) fn match_path(&self, path: &str) -> bool {
        any_matches(&self.0, path)
    }

    /// Whether one of them matches a name, with or without the plugin it is from.
    pub(crate) fn match_name(&self, name: &str) -> bool {
        any_matches_name(&self.0, name)
    }
}

/// Whether one of the globs matches a path of the project.
pub(crate) fn any_matches(globs: &[Glob], path: &str) -> bool {
    globs.iter().any(|glob| glob.matches(path))
}

/// Whether one of the globs matches a name, with or without the plugin it is from.
pub(crate) fn any_matches_name(globs: &[Glob], name: &str) -> bool {
    globs.iter().any(|glob| glob.matches_name(name))
}
