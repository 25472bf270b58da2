//! Which rules for a file an agent has seen, for other policies.

use flyball_core::policy::{PolicyError, Situation};
use flyball_core::text;
use flyball_knowledge::node::{Rule, covering, rules};

use super::history::{History, agent_id};
use super::{POLICY, file_path};
use crate::memory::agents;

/// How many rules are named, and how many letters of each.
const MOST_NAMED: usize = 8;
const MOST_LETTERS: usize = 80;

/// The rules for a file, or for a folder whose path ends with `/`, that the agent of this event has seen in this
/// session and that still exist: `src/AGENTS.md: Never share a session`. At most a few.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn injected_rules_for(situation: &Situation<'_>, path: &str) -> Result<Vec<String>, PolicyError> {
    let own = Situation { policy: POLICY.id, ..*situation };
    let at_start = agents::injected_rules(situation)?;
    if at_start.is_empty() && !own.remembers()? {
        return Ok(Vec::new());
    }
    let history: History = own.recall()?;
    let seen = history.for_agent(agent_id(situation));
    let was_shown = |rule: &Rule| {
        let digest = agents::rule_digest(rule);
        at_start.contains(&digest) || seen.is_some_and(|seen| seen.has_seen(digest))
    };
    let nodes = covering(situation.world, path)?;
    // The rules of the nearest nodes matter most.
    let all = nodes.iter().rev().flat_map(rules).filter(was_shown);
    let named =
        |rule: Rule| format!("{}: {}", file_path::display_path(situation.world, &rule.node), title(&rule));
    Ok(all.take(MOST_NAMED).map(named).collect())
}

/// A rule in a few words: its heading, or how it begins.
fn title(rule: &Rule) -> String {
    text::cut_trimmed(&rule.summary(), MOST_LETTERS).into_owned()
}
