//! What was shown in this session, so that it is not repeated.

use std::collections::BTreeSet;

use flyball_core::config::Mode;
use flyball_core::policy::{PolicyError, Situation};
use serde::{Deserialize, Serialize};

use crate::memory::agents;

/// How many agents are remembered, the last active ones. Others get the rules again if they come back.
const MOST_AGENTS: usize = 32;
/// How many of one kind are remembered. Beyond that nothing more is shown, rather than everything again.
const MOST_THINGS: usize = 2_000;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct History {
    /// What each agent has seen, the last active one at the end: each has its own context.
    agents: Vec<AgentHistory>,
    /// Nodes that the session was reminded of.
    pub(super) nodes: PathSet,
    /// Folders with a hint that nothing covers them.
    pub(super) uncovered: PathSet,
    /// Folders that were looked at for being new.
    pub(super) looked_at: PathSet,
    /// Whether it was collected in observe mode, so that no agent saw it.
    is_observed: bool,
}

/// What one agent has seen, by fingerprints.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AgentHistory {
    agent: String,
    /// What it has seen.
    #[serde(rename = "told")]
    shown: BTreeSet<u64>,
    /// What did not fit. It is shown later only at an edit that it is about.
    left_out: BTreeSet<u64>,
}

impl History {
    /// The history of this session in the present mode.
    pub(super) fn load(situation: &Situation<'_>) -> Result<History, PolicyError> {
        let is_observed = situation.mode != Mode::Enforce;
        let history: History = situation.recall()?;
        // What was only observed was not shown, so it must not count after a switch to enforce, nor the
        // reverse.
        Ok(if history.is_observed == is_observed {
            history
        } else {
            History { is_observed, ..History::default() }
        })
    }

    /// What an agent has seen; nothing in observe mode.
    pub(super) fn for_agent(&self, agent: &str) -> Option<&AgentHistory> {
        self.agents.iter().find(|entry| !self.is_observed && entry.agent == agent)
    }

    /// Takes out what an agent has seen, to be put back; the main agent has no name.
    pub(super) fn take(&mut self, agent: &str) -> AgentHistory {
        let known = self.agents.iter().position(|entry| entry.agent == agent);
        let new = || AgentHistory { agent: agent.to_owned(), ..AgentHistory::default() };
        known.map_or_else(new, |at| self.agents.remove(at))
    }

    /// Puts back what an agent has seen.
    pub(super) fn put(&mut self, entry: AgentHistory) {
        self.agents.push(entry);
        let over = self.agents.len().saturating_sub(MOST_AGENTS);
        self.agents.drain(..over);
    }
}

impl AgentHistory {
    pub(super) fn has_seen(&self, thing: u64) -> bool {
        self.shown.contains(&thing)
    }

    pub(super) fn was_left_out(&self, thing: u64) -> bool {
        self.left_out.contains(&thing)
    }

    pub(super) fn record(&mut self, thing: u64) {
        self.left_out.remove(&thing);
        insert(&mut self.shown, thing);
    }

    pub(super) fn leave_out(&mut self, thing: u64) {
        insert(&mut self.left_out, thing);
    }
}

/// The client's id of the agent of an event; empty for the main agent.
pub(super) fn agent_id<'a>(situation: &Situation<'a>) -> &'a str {
    situation.event.agent.as_ref().map_or("", |agent| &agent.id)
}

/// Counts the rules that a subagent got at its start as shown.
pub(super) fn add_start_rules(
    situation: &Situation<'_>,
    history: &mut AgentHistory,
) -> Result<(), PolicyError> {
    agents::injected_rules(situation)?.into_iter().for_each(|rule| history.record(rule));
    Ok(())
}

/// Fingerprints have no age, so the smallest goes: as good as any.
fn insert(things: &mut BTreeSet<u64>, thing: u64) {
    if things.len() >= MOST_THINGS {
        things.pop_first();
    }
    things.insert(thing);
}

/// Paths with a message.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct PathSet(BTreeSet<String>);

impl PathSet {
    /// Whether this is the first time; never after too many of them.
    pub(super) fn insert(&mut self, path: &str) -> bool {
        self.0.len() < MOST_THINGS && self.0.insert(path.to_owned())
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut history = History::default();
        for agent in 0..100 {
            let mut entry = history.take(&format!("a{agent}"));
            entry.record(1);
            history.put(entry);
        }
        assert_eq!(history.agents.len(), MOST_AGENTS);
        assert!(history.take("a99").has_seen(1));
        assert!(!history.take("a0").has_seen(1), "it was forgotten");
        let mut entry = history.take("");
        for thing in 0..10_000 {
            entry.record(thing);
            history.nodes.insert(&thing.to_string());
        }
        assert_eq!(entry.shown.len(), MOST_THINGS);
        assert!(entry.has_seen(9_999));
        assert!(!history.nodes.insert("one more"));
    }
}
