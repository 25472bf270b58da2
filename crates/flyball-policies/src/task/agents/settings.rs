//! What can be set.

use std::collections::BTreeSet;

use flyball_core::policy::World;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::client_files::defined_roles;

/// Agents that run a task or the client itself. They do no work of a task.
const SYSTEM_AGENTS: [&str; 16] = [
    "bc-coordinator",
    "brewcode:bc-coordinator",
    "bc-knowledge-manager",
    "brewcode:bc-knowledge-manager",
    "bc-auto-sync-processor",
    "brewcode:bc-auto-sync-processor",
    "bc-grepai-configurator",
    "brewcode:bc-grepai-configurator",
    "Explore",
    "Plan",
    "Bash",
    crate::client_defaults::GUIDE,
    "skill-creator",
    "agent-creator",
    "text-optimizer",
    "statusline-setup",
];

/// Settings of `task.agents`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether a worker gets the constraints of the plan: those for all, and those for its role.
    pub(super) constraints: bool,
    /// Whether a worker gets the lessons of the task.
    pub(super) knowledge: bool,
    /// The most tokens of lessons for a worker, of 4 letters each.
    pub(super) tokens: usize,
    /// Agents that are not workers, by their exact names. Your list replaces the default.
    pub(super) system_agents: Vec<String>,
    /// The agents that coordinate a task, by their exact names. One is named to the main agent only if it is defined for
    /// the project or the user, or has run in the session; without one, the main agent ticks the plan itself.
    pub(super) coordinators: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            constraints: true,
            knowledge: true,
            tokens: 500,
            system_agents: SYSTEM_AGENTS.map(str::to_owned).to_vec(),
            coordinators: vec!["bc-coordinator".to_owned(), "brewcode:bc-coordinator".to_owned()],
        }
    }
}

impl Settings {
    /// Whether an agent coordinates a task.
    pub(super) fn is_coordinator(&self, role: &str) -> bool {
        self.coordinators.iter().any(|name| name == role)
    }

    /// The first coordinator that exists: it is defined here, or it has run.
    #[must_use]
    pub fn coordinator(&self, world: &dyn World, has_run: &[String]) -> Option<&str> {
        let names = || self.coordinators.iter().map(String::as_str);
        let known = names().find(|name| has_run.iter().any(|run| run == name));
        known.or_else(|| {
            let defined = if self.coordinators.is_empty() { BTreeSet::new() } else { defined_roles(world) };
            names().find(|name| defined.contains(*name))
        })
    }

    /// Whether an agent does the work of a task.
    pub(super) fn is_worker(&self, role: &str) -> bool {
        !role.is_empty() && !self.is_coordinator(role) && !self.system_agents.iter().any(|name| name == role)
    }
}
