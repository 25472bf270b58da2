//! What is preferred to what.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::avoided::Avoided;
use super::search::Search;
use super::shape::Shape;
use crate::globs::Glob;
use crate::period::Period;

/// One preference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Preference {
    /// What is replaced: `search` and `glob` (the client's own searches in files and for file
    /// names), the programs `grep`, `git-grep`, `rg`, `ag`, `ack`, `find`, `fd`, or tools of a
    /// tool server, `mcp:server/tool`, with globs.
    pub(super) instead_of: Vec<Avoided>,
    /// The tool to use.
    #[serde(rename = "use")]
    pub(super) preferred: String,
    /// Only searches in these places of the project. Globs; a search of all of it counts.
    #[serde(default)]
    pub(super) paths: Vec<Glob>,
    /// Only searches of such files. Globs of names; a search of all files counts.
    #[serde(default)]
    pub(super) files: Vec<Glob>,
    /// Only patterns of this shape: `symbol`, `text` or `any`.
    #[serde(default)]
    pub(super) pattern: Shape,
    /// `remind` lets the call pass with a hint to the model, `deny` stops it.
    #[serde(default)]
    pub(super) action: Action,
    /// At most one reminder in this time and session.
    #[serde(default = "ten_minutes")]
    pub(super) every: Period,
    /// While this file exists, everything passes. Relative to the project.
    #[serde(default)]
    pub(super) unless_file: Option<String>,
    /// The reason to show instead of ours.
    #[serde(default)]
    pub(super) message: Option<String>,
}

const fn ten_minutes() -> Period {
    Period::minutes(10)
}

/// What is done about a call that is not preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    /// The call passes, with a hint to the model.
    #[default]
    Remind,
    /// The call is stopped.
    Deny,
}

/// The call that a preference is about.
pub(super) enum Match {
    Search(Search),
    /// A tool of a tool server.
    ServerTool(String),
}

impl Match {
    pub(super) fn tool(&self) -> &str {
        match self {
            Match::Search(search) => &search.tool,
            Match::ServerTool(tool) => tool,
        }
    }
}
