//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Agents that run a task or the client itself. They do no work of a task.
const SYSTEM_AGENTS: [&str; 17] = [
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
    "general-purpose",
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
    /// The agents that coordinate a task, by their exact names. With an empty list there is none: plans are ticked by
    /// hand then.
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

    /// Whether an agent does the work of a task. The client's default agent has no name.
    pub(super) fn is_worker(&self, role: &str) -> bool {
        !role.is_empty() && !self.is_coordinator(role) && !self.system_agents.iter().any(|name| name == role)
    }
}
