//! What was said in this session, so that it is not said again.

use std::collections::BTreeSet;

use flyball_core::config::Mode;
use flyball_core::policy::{Situation, Trouble};
use serde::{Deserialize, Serialize};

/// How many agents are remembered: those that were told something last. Others are told again if they come back.
const MOST_AGENTS: usize = 32;
/// How many of one kind are remembered. Beyond that nothing more is said of it, rather than everything again.
const MOST_THINGS: usize = 2_000;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Told {
    /// What each agent heard, the last that heard something at the end: their contexts are their own.
    agents: Vec<Listener>,
    /// Nodes that the session was reminded of.
    pub(super) nodes: Things,
    /// Folders of which was said that nothing covers them.
    pub(super) uncovered: Things,
    /// Folders that were looked at for being new.
    pub(super) looked_at: Things,
    /// Whether all of it was only observed, so that nobody heard it.
    is_observed: bool,
}

/// What one agent heard, by fingerprints.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Listener {
    agent: String,
    /// What it was told.
    told: BTreeSet<u64>,
    /// What there was no room for. It is told only where it is about the very edit.
    left_out: BTreeSet<u64>,
}

impl Told {
    /// What was said in this session so far, as far as this policy was heard as it is now.
    pub(super) fn of(situation: &Situation<'_>) -> Result<Told, Trouble> {
        let is_observed = situation.mode != Mode::Enforce;
        let told: Told = situation.recall()?;
        Ok(if told.is_observed == is_observed { told } else { Told { is_observed, ..Told::default() } })
    }

    /// What an agent heard, and nothing of what was only observed.
    pub(super) fn heard_by(&self, agent: &str) -> Option<&Listener> {
        self.agents.iter().find(|listener| !self.is_observed && listener.agent == agent)
    }

    /// What an agent heard; the main one has no name. To be put back.
    pub(super) fn take(&mut self, agent: &str) -> Listener {
        let known = self.agents.iter().position(|listener| listener.agent == agent);
        let new = || Listener { agent: agent.to_owned(), ..Listener::default() };
        known.map_or_else(new, |at| self.agents.remove(at))
    }

    /// Keeps what an agent heard.
    pub(super) fn put(&mut self, listener: Listener) {
        self.agents.push(listener);
        let over = self.agents.len().saturating_sub(MOST_AGENTS);
        self.agents.drain(..over);
    }
}

impl Listener {
    pub(super) fn was_told(&self, thing: u64) -> bool {
        self.told.contains(&thing)
    }

    pub(super) fn had_no_room_for(&self, thing: u64) -> bool {
        self.left_out.contains(&thing)
    }

    pub(super) fn tell(&mut self, thing: u64) {
        self.left_out.remove(&thing);
        insert(&mut self.told, thing);
    }

    pub(super) fn leave_out(&mut self, thing: u64) {
        insert(&mut self.left_out, thing);
    }
}

/// Fingerprints have no age, so the smallest goes: as good as any.
fn insert(things: &mut BTreeSet<u64>, thing: u64) {
    if things.len() >= MOST_THINGS {
        things.pop_first();
    }
    things.insert(thing);
}

/// Paths that something was said of.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Things(BTreeSet<String>);

impl Things {
    /// Whether this is the first time; never after too many of them.
    pub(super) fn is_first(&mut self, path: &str) -> bool {
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
        let mut told = Told::default();
        for agent in 0..100 {
            let mut listener = told.take(&format!("a{agent}"));
            listener.tell(1);
            told.put(listener);
        }
        assert_eq!(told.agents.len(), MOST_AGENTS);
        assert!(told.take("a99").was_told(1));
        assert!(!told.take("a0").was_told(1), "it was forgotten");
        let mut listener = told.take("");
        for thing in 0..10_000 {
            listener.tell(thing);
            told.nodes.is_first(&thing.to_string());
        }
        assert_eq!(listener.told.len(), MOST_THINGS);
        assert!(listener.was_told(9_999));
        assert!(!told.nodes.is_first("one more"));
    }
}
