//! The memory of a session: calls that start subagents, until one starts, and the rules that each subagent got.

use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::time::{self, Time};

use flyball_knowledge::node::Rule;
use serde::{Deserialize, Serialize};

use crate::digest::digest;

/// How many calls and how many subagents are remembered.
const MOST_CALLS: usize = 64;
const MOST_AGENTS: usize = 64;

/// A call without a start for this long was refused by a person, or its client died.
const FORGOTTEN_AFTER: Duration = Duration::from_hours(1);

/// Calls of one message of the model come this close together; the first of them starts first.
const TOGETHER: Duration = Duration::from_mins(1);

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    /// Calls that were not denied and whose subagent has not started, oldest first.
    pub(super) calls: Vec<Call>,
    /// By the client's id of a subagent: the digests of the rules it got. Oldest first.
    #[serde(rename = "told")]
    pub(super) shown: Vec<(String, BTreeSet<u64>)>,
}

/// A call that starts a subagent. Of its prompt only what is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Call {
    /// The client's id of the call; may be empty.
    pub(super) id: String,
    /// The role it asks for; empty for the client's default.
    pub(super) role: String,
    /// The paths that the prompt names, relative to the project's root.
    pub(super) paths: Vec<String>,
    /// The rules that the prompt is about, by digest, the best first.
    #[serde(default)]
    pub(super) about: Vec<u64>,
    /// A fingerprint of the prompt.
    pub(super) digest: u64,
    #[serde(with = "time::millis")]
    pub(super) at: Time,
}

/// A fingerprint of a rule: the same rule in two files has one, a changed text has another.
#[must_use]
pub fn rule_digest(rule: &Rule) -> u64 {
    digest([rule.topic.heading(), &rule.title, &rule.lead, &rule.text])
}

impl State {
    /// Adds a call that was not denied. A retry replaces the call that it repeats.
    pub(super) fn add_call(&mut self, call: Call) {
        let now = call.at;
        let is_same = |other: &Call| other.digest == call.digest && other.role == call.role;
        // Two calls with the same words in one message are two.
        let is_retry = |other: &Call| is_same(other) && now.since(other.at) > TOGETHER;
        self.calls.retain(|other| !is_retry(other) && now.since(other.at) < FORGOTTEN_AFTER);
        self.calls.push(call);
        let excess = self.calls.len().saturating_sub(MOST_CALLS);
        self.calls.drain(..excess);
    }

    /// Removes a call that has ended: no subagent will start from it.
    pub(super) fn remove_call(&mut self, id: &str) {
        self.calls.retain(|call| id.is_empty() || call.id != id);
    }

    /// The call from which a subagent of this role starts: of those that were made together the first, else the last.
    pub(super) fn claim(&mut self, role: &str, now: Time) -> Option<Call> {
        let age = |call: &Call| now.since(call.at);
        let of = |role: &str| {
            let fits = |call: &&Call| call.role.eq_ignore_ascii_case(role) && age(call) < FORGOTTEN_AFTER;
            let recent = self.calls.iter().filter(fits).position(|call| age(call) <= TOGETHER);
            let at = recent.or_else(|| self.calls.iter().filter(fits).count().checked_sub(1))?;
            self.calls.iter().filter(fits).nth(at).cloned()
        };
        // A call without a role starts the client's default agent, which reports a role at its start.
        let call = of(role).or_else(|| of(""))?;
        let at = self.calls.iter().position(|other| *other == call)?;
        Some(self.calls.remove(at))
    }

    /// The rules that a subagent has seen.
    pub(super) fn known_rules(&self, agent: &str) -> BTreeSet<u64> {
        self.shown.iter().find(|(id, _)| id == agent).map(|(_, shown)| shown.clone()).unwrap_or_default()
    }

    /// A subagent got these rules.
    pub(super) fn record_rules(&mut self, agent: &str, rules: impl IntoIterator<Item = u64>) {
        let mut shown = self.known_rules(agent);
        shown.extend(rules);
        self.shown.retain(|(id, _)| id != agent);
        self.shown.push((agent.to_owned(), shown));
        let excess = self.shown.len().saturating_sub(MOST_AGENTS);
        self.shown.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(role: &str, path: &str, at: u64) -> Call {
        let (role, paths) = (role.to_owned(), vec![path.to_owned()]);
        Call {
            id: format!("{path}{at}"),
            role,
            paths,
            about: Vec::new(),
            digest: path.len() as u64,
            at: Time::from_millis(at),
        }
    }

    fn claimed(state: &mut State, role: &str, now: u64) -> Option<String> {
        state.claim(role, Time::from_millis(now)).and_then(|call| call.paths.first().cloned())
    }

    #[test]
    fn parallel_calls_of_one_role_are_claimed_in_their_order() {
        let mut state = State::default();
        for call in [call("dev", "a", 1), call("dev", "bb", 2), call("test", "ccc", 3), call("dev", "a", 4)] {
            state.add_call(call);
        }
        let order = ["dev", "DEV", "test", "dev", "dev"].map(|role| claimed(&mut state, role, 10));
        assert_eq!(
            order,
            [Some("a"), Some("bb"), Some("ccc"), Some("a"), None].map(|it| it.map(str::to_owned))
        );
        assert_eq!(state, State::default());
    }

    #[test]
    fn a_call_without_a_role_is_claimed_by_an_agent_of_any_role() {
        let mut state = State::default();
        state.add_call(call("", "a", 1));
        state.add_call(call("dev", "bb", 2));
        assert_eq!(claimed(&mut state, "dev", 10).as_deref(), Some("bb"));
        assert_eq!(claimed(&mut state, "general-purpose", 10).as_deref(), Some("a"));
    }

    #[test]
    fn a_call_that_never_started_does_not_block_later_ones() {
        let mut state = State::default();
        state.add_call(call("dev", "refused", 0));
        state.add_call(call("dev", "b", 100_000));
        assert_eq!(claimed(&mut state, "dev", 100_001).as_deref(), Some("b"));
        // The user took long to approve it.
        assert_eq!(claimed(&mut state, "dev", 1_000_000).as_deref(), Some("refused"));
        state.add_call(call("dev", "again", 0));
        state.add_call(call("dev", "again", 100_000));
        assert_eq!(state.calls.len(), 1);
        assert_eq!(claimed(&mut state, "dev", 100_000 + 3_600_000), None);
        state.remove_call("again100000");
        assert_eq!(state, State::default());
    }

    #[test]
    fn memory_is_bounded() {
        let mut state = State::default();
        for at in 0..1_000 {
            state.add_call(call("dev", &"x".repeat(usize::try_from(at).unwrap()), at));
            state.record_rules(&format!("a{at}"), [at]);
        }
        assert_eq!((state.calls.len(), state.shown.len()), (MOST_CALLS, MOST_AGENTS));
        state.record_rules("a999", [7]);
        assert_eq!(state.known_rules("a999"), [7, 999].into());
        assert_eq!(state.known_rules("a0"), BTreeSet::new());
    }
}
