//! `[guard.protected]`, as people write it and as it is stored.

use flyball_core::config::{Authored, Located, Problem, Sources};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::globs::Glob;

/// What happens to a protected file that changed while a command ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Restoring {
    /// The agent gets a message, and the user decides.
    #[default]
    Ask,
    /// It is restored at once; the changed content is stored.
    Always,
}

/// `[guard.protected]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Written {
    /// More protected files: globs from the project's root. A name without `/` counts in every
    /// folder; a folder includes all its files.
    paths: Vec<Located<String>>,
    /// Files that are not protected although the defaults or `paths` say so: globs as in `paths`.
    unprotect: Vec<Located<String>>,
    /// `"ask"` reports to the agent and the user when a protected file changed while a command ran;
    /// `"always"` also puts it back at once.
    restore: Restoring,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// What is protected in addition to the defaults.
    pub paths: Vec<String>,
    pub unprotect: Vec<String>,
    /// What happens to a change.
    pub restore: Restoring,
}

impl Authored for Written {
    type Stored = Settings;

    fn compile(self, _: &Sources<'_>) -> Result<Settings, Vec<Problem>> {
        let problems: Vec<Problem> = self.paths.iter().chain(&self.unprotect).filter_map(problem).collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let values = |globs: Vec<Located<String>>| globs.into_iter().map(Located::into_value).collect();
        Ok(Settings { paths: values(self.paths), unprotect: values(self.unprotect), restore: self.restore })
    }
}

fn problem(glob: &Located<String>) -> Option<Problem> {
    let text = glob.value().as_str();
    let invalid = |message: &str, help: &str| Problem::new(glob.span(), message).with_help(help);
    if text.trim_matches(['/', '.']).is_empty() {
        return Some(invalid("this does not name a file", "write a name or a path from the project's root"));
    }
    if text.starts_with('!') {
        return Some(invalid("a glob cannot be negated here", "move it to the other list without `!`"));
    }
    if text.starts_with(['/', '~']) || text.split('/').any(|part| part == "..") {
        return Some(invalid("this is outside the project", "write a path from the project's root"));
    }
    Glob::try_from(text.to_owned()).err().map(|error| Problem::new(glob.span(), error.to_string()))
}
