//! What a rule does, and how often.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a rule does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Blocks the call, the prompt or the end of the turn; after a tool, reports to the agent.
    Deny,
    /// Lets the user decide.
    Ask,
    /// Lets the call pass without asking the user.
    Allow,
    /// Notifies the user.
    Warn,
    /// Adds context for the model.
    Inject,
    /// Changes the command, prompt or content.
    Rewrite,
}

impl Action {
    /// The name used in the config.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Action::Deny => "deny",
            Action::Ask => "ask",
            Action::Allow => "allow",
            Action::Warn => "warn",
            Action::Inject => "inject",
            Action::Rewrite => "rewrite",
        }
    }
}

/// How often a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Once {
    /// Once in a session.
    Session,
}
