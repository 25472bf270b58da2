//! What is remembered of a session.

use flyball_core::event::ToolCall;
use flyball_knowledge::report::Draft;
use serde::{Deserialize, Serialize};

/// How many files of the agent's last work are remembered.
const FILES: usize = 8;
/// How many denials wait to be reported.
const DENIED: usize = 20;
/// More calls than one message of a model makes.
const FAILED: usize = 32;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    /// Whether the agent did something since the user's last prompt.
    pub(super) acted: bool,
    /// The files it changed since then, relative to the project's root, the last one last.
    pub(super) files: Vec<String>,
    /// What was denied and is not reported yet.
    pub(super) denied: Vec<Draft>,
    /// The calls that failed last, by the client's id: the end of their batch reports them again.
    pub(super) failed: Vec<String>,
}

impl State {
    /// The agent did something, with these files.
    pub(super) fn record_action(&mut self, files: impl IntoIterator<Item = String>) {
        self.acted = true;
        for file in files {
            self.files.retain(|other| *other != file);
            self.files.push(file);
        }
        let late = self.files.len().saturating_sub(FILES);
        self.files.drain(..late);
    }

    pub(super) fn record_failure(&mut self, call: &ToolCall) {
        self.failed.extend(call.id.clone());
        let late = self.failed.len().saturating_sub(FAILED);
        self.failed.drain(..late);
    }

    /// Whether it is known that a call failed.
    pub(super) fn has_failed(&self, call: &ToolCall) -> bool {
        call.id.as_ref().is_some_and(|id| self.failed.contains(id))
    }

    pub(super) fn record_denial(&mut self, draft: Draft) {
        if self.denied.len() < DENIED && !self.denied.iter().any(|other| other.sameness == draft.sameness) {
            self.denied.push(draft);
        }
    }
}
