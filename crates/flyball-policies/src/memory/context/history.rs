//! What each agent of this session has seen, and when, so that it is repeated only where that helps.

use std::collections::BTreeSet;

use flyball_core::config::Mode;
use flyball_core::policy::{PolicyError, Situation};
use serde::{Deserialize, Serialize};

use crate::memory::{agents, session};

/// How many agents are remembered, the last active ones. Others get the rules again if they come back.
const MOST_AGENTS: usize = 32;
/// How many rules are remembered for an agent, those shown last.
const MOST_RULES: usize = 500;
/// How many of one kind are remembered. Beyond that nothing more is shown, rather than everything again.
const MOST_THINGS: usize = 2_000;
/// After so many edits a rule was shown long ago: it is far up in the agent's context.
const LONG_AGO: u32 = 20;
/// Reminders of a broken rule are not repeated at each of a row of edits.
const NOT_AGAIN_WITHIN: u32 = 10;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct History {
    /// What each agent has seen, the last active one at the end: each has its own context.
    agents: Vec<AgentHistory>,
    /// Nodes that the session was reminded of.
    pub(super) nodes: PathSet,
    /// Folders with a hint that nothing covers them.
    pub(super) uncovered: PathSet,
    /// Folders that were not there, or empty, before a call of the agent.
    pub(super) made: PathSet,
    /// Folders that were looked at for being new.
    pub(super) looked_at: PathSet,
    /// Folders whose reports the user was told about, with their number.
    pub(super) risky: PathSet,
    /// Whether it was collected in observe mode, so that no agent saw it.
    is_observed: bool,
}

/// What one agent has seen, by fingerprints.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AgentHistory {
    agent: String,
    /// How many edits it made of files that rules cover, and how many commands that were about to break one.
    edits: u32,
    /// The rules, those shown last at the end.
    shown: Vec<Shown>,
}

/// A rule that was shown.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Shown {
    rule: u64,
    /// After how many edits.
    at: u32,
    /// After how many edits it was shown because the agent was about to break it.
    broken_at: Option<u32>,
}

/// A rule that could be shown at an edit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    pub(super) rule: u64,
    /// Whether the edit brings in what the rule forbids.
    pub(super) is_broken: bool,
    /// Whether the edit is about exactly this.
    pub(super) is_exact: bool,
    /// Since how many edits of the agent the client itself has had it in context; `None` if it does not.
    pub(super) loaded_since: Option<u32>,
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

    /// How many edits an agent made.
    pub(super) fn edits_of(&self, agent: &str) -> u32 {
        self.agents.iter().find(|entry| entry.agent == agent).map_or(0, AgentHistory::edits)
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
    /// How many edits the agent made.
    pub(super) fn edits(&self) -> u32 {
        self.edits
    }

    /// The agent edits a file that rules cover.
    pub(super) fn count_edit(&mut self) {
        self.edits = self.edits.saturating_add(1);
    }

    pub(super) fn has_seen(&self, rule: u64) -> bool {
        self.entry(rule).is_some()
    }

    fn entry(&self, rule: u64) -> Option<&Shown> {
        self.shown.iter().find(|shown| shown.rule == rule)
    }

    /// Whether a rule that is about an edit is to be shown.
    pub(super) fn is_due(&self, chance: &Chance) -> bool {
        let since = |at: u32| self.edits.saturating_sub(at);
        let shown = self.entry(chance.rule);
        let was_reminded =
            shown.and_then(|shown| shown.broken_at).is_some_and(|at| since(at) < NOT_AGAIN_WITHIN);
        if chance.is_broken && !was_reminded {
            return true;
        }
        match (shown, chance.loaded_since) {
            (None, None) => true,
            (Some(shown), None) => since(shown.at) >= LONG_AGO,
            // Once: the client's own context has it too.
            (None, Some(loaded)) => chance.is_exact && since(loaded) >= LONG_AGO,
            (Some(_), Some(_)) => false,
        }
    }

    /// Whether it matters to [`AgentHistory::is_due`] and [`AgentHistory::record`] if the client has a rule in context.
    pub(super) fn asks_for_context(&self, rule: u64, is_broken: bool) -> bool {
        let was_long_ago = |shown: &Shown| self.edits.saturating_sub(shown.at) >= LONG_AGO;
        self.entry(rule).is_none_or(|shown| !is_broken && was_long_ago(shown))
    }

    /// The agent is shown a rule.
    pub(super) fn record(&mut self, chance: &Chance) {
        let was_known = self.entry(chance.rule).is_some();
        let before = self.entry(chance.rule).and_then(|shown| shown.broken_at);
        // The first time it is shown, nobody has been reminded of it yet.
        let is_reminder = chance.is_broken && (was_known || chance.loaded_since.is_some());
        let broken_at = if is_reminder { Some(self.edits) } else { before };
        self.push(Shown { rule: chance.rule, at: self.edits, broken_at });
    }

    /// The agent is reminded of a rule that it is about to break, also if it had not seen it.
    pub(super) fn record_reminder(&mut self, chance: &Chance) {
        self.push(Shown { rule: chance.rule, at: self.edits, broken_at: Some(self.edits) });
    }

    /// The agent saw a rule elsewhere.
    pub(super) fn record_elsewhere(&mut self, rule: u64) {
        if !self.has_seen(rule) {
            self.push(Shown { rule, at: self.edits, broken_at: None });
        }
    }

    fn push(&mut self, shown: Shown) {
        self.shown.retain(|other| other.rule != shown.rule);
        self.shown.push(shown);
        let over = self.shown.len().saturating_sub(MOST_RULES);
        self.shown.drain(..over);
    }
}

/// The client's id of the agent of an event; empty for the main agent.
pub(super) fn agent_id<'a>(situation: &Situation<'a>) -> &'a str {
    situation.event.agent.as_ref().map_or("", |agent| &agent.id)
}

/// Counts the rules that an agent got at its start as shown.
pub(super) fn add_start_rules(
    situation: &Situation<'_>,
    history: &mut AgentHistory,
) -> Result<(), PolicyError> {
    let at_start = agents::injected_rules(situation)?.into_iter().chain(session::shown_rules(situation)?);
    at_start.for_each(|rule| history.record_elsewhere(rule));
    Ok(())
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

    pub(super) fn contains(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Chance = Chance { rule: 1, is_broken: false, is_exact: false, loaded_since: None };

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut history = History::default();
        for agent in 0..100 {
            let mut entry = history.take(&format!("a{agent}"));
            entry.record(&PLAIN);
            history.put(entry);
        }
        assert_eq!(history.agents.len(), MOST_AGENTS);
        assert!(history.take("a99").has_seen(1));
        assert!(!history.take("a0").has_seen(1), "it was forgotten");
        let mut entry = history.take("");
        for thing in 0..10_000 {
            entry.record(&Chance { rule: thing, ..PLAIN });
            history.nodes.insert(&thing.to_string());
        }
        assert_eq!(entry.shown.len(), MOST_RULES);
        assert!(entry.has_seen(9_999));
        assert!(!history.nodes.insert("one more"));
    }

    #[test]
    fn a_rule_comes_again_if_it_was_shown_long_ago_or_is_about_to_be_broken() {
        let mut seen = AgentHistory::default();
        let broken = Chance { is_broken: true, ..PLAIN };
        assert!(seen.is_due(&PLAIN));
        seen.record(&PLAIN);
        assert!(!seen.is_due(&PLAIN));
        assert!(seen.is_due(&broken), "it was shown, and is about to be broken");
        seen.record(&broken);
        seen.count_edit();
        assert!(!seen.is_due(&broken), "the agent was reminded of it just now");
        (0..NOT_AGAIN_WITHIN).for_each(|_| seen.count_edit());
        assert!(seen.is_due(&broken) && !seen.is_due(&PLAIN));
        (0..LONG_AGO).for_each(|_| seen.count_edit());
        assert!(seen.is_due(&PLAIN));
    }

    #[test]
    fn a_rule_that_the_client_has_loaded_is_shown_at_most_once() {
        let mut seen = AgentHistory::default();
        let loaded = Chance { loaded_since: Some(0), is_exact: true, ..PLAIN };
        assert!(!seen.is_due(&loaded));
        assert!(seen.is_due(&Chance { is_broken: true, ..loaded }));
        (0..LONG_AGO).for_each(|_| seen.count_edit());
        assert!(seen.is_due(&loaded) && !seen.is_due(&Chance { is_exact: false, ..loaded }));
        seen.record(&loaded);
        (0..LONG_AGO).for_each(|_| seen.count_edit());
        assert!(!seen.is_due(&loaded));
    }
}
