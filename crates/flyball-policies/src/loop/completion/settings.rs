//! `[loop.completion]`: what each role has to answer, and the opinion command.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::globs::{Glob, Globs, any_matches_name};

/// `[loop.completion]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Globs of the roles of agents that are not checked.
    pub skip_agents: Vec<Glob>,
    /// What an agent's answer has to contain, by its role. Every entry that matches counts.
    pub role: Vec<Role>,
    /// Whether files that an answer claims to have written have to exist.
    pub files: bool,
    /// A command that gives an opinion on each answer: it reads `role` and `answer` as JSON on standard input and prints
    /// its opinion. It only advises.
    pub opinion_command: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            skip_agents: crate::client_defaults::HELPERS.map(Glob::builtin).to_vec(),
            role: Vec::new(),
            files: true,
            opinion_command: Vec::new(),
        }
    }
}

/// What the answer of a role has to contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// Globs of the roles.
    pub(super) agents: Globs,
    /// Headings, all of which are required: `## Summary`.
    #[serde(default)]
    pub(super) headings: Vec<String>,
    /// Words, one of which has to be on a line of its own.
    #[serde(default)]
    pub(super) markers: Vec<String>,
}

impl Settings {
    /// Whether agents of this role are not checked.
    pub(super) fn skips(&self, role: &str) -> bool {
        role.is_empty() || any_matches_name(&self.skip_agents, role)
    }

    /// What the answer of an agent of this role has to contain.
    pub(super) fn requirements_for(&self, role: &str) -> impl Iterator<Item = &Role> {
        self.role.iter().filter(move |entry| entry.agents.match_name(role))
    }
}
