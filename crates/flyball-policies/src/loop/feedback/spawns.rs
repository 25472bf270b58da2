//! Which subagents somebody asked for: a result counts only from an agent whose spawn was seen in this session, once.
//!
//! An agent can make up that a reviewer started and finished. It cannot make up the client's call that spawns one, without
//! spawning one.

use flyball_core::config::Mode;
use flyball_core::engine::Ruling;
use flyball_core::event::{Agent, EventData, Tool, ToolCall};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Stance, Verdict};
use serde::{Deserialize, Serialize};

use crate::globs::without_plugin;

/// Where they are stored: apart from the loop, because agents are spawned before anything is edited, too.
const SPAWNS: &str = "loop.feedback.spawns";
/// How many spawns without an agent are remembered.
const MOST_WAITING: usize = 64;
/// How many agents are remembered.
const MOST_AGENTS: usize = 512;
/// Parts of the names of tools that start agents in a way that nobody described yet.
const UNKNOWN_STARTERS: [&str; 4] = ["agent", "workflow", "team", "subtask"];

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Spawns {
    /// The spawns that no agent has come of yet, oldest first.
    waiting: Vec<Spawn>,
    /// The agents that were seen, oldest first.
    agents: Vec<SeenAgent>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Spawn {
    /// The client's id of the call.
    call: String,
    /// The role that was asked for; empty if the client chooses it.
    role: String,
    /// Whether any number of agents may come of it.
    any_number: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct SeenAgent {
    id: String,
    was_asked_for: bool,
}

/// Remembers a call or a typed command of which agents will come, after all policies: one that is denied spawns nothing.
pub(super) fn review(situation: &Situation<'_>, rulings: &[Ruling]) -> Result<Verdict, PolicyError> {
    let is_denied = |ruling: &Ruling| {
        ruling.mode == Mode::Enforce && !ruling.skipped && ruling.verdict.stance == Stance::Deny
    };
    if let Some(spawn) = spawn_of(&situation.event.happening)
        && !rulings.iter().any(is_denied)
    {
        change(situation, |spawns| spawns.wait_for(spawn))?;
    }
    Ok(Verdict::silent())
}

/// A call that spawns an agent failed: no agent comes of it any more.
pub(super) fn withdraw(situation: &Situation<'_>, call: &ToolCall) -> Result<(), PolicyError> {
    match (&call.tool, &call.id) {
        (Tool::SpawnAgent { .. }, Some(id)) => {
            change(situation, |spawns| spawns.waiting.retain(|spawn| spawn.call != *id))
        }
        _ => Ok(()),
    }
}

/// Whether somebody asked for this agent. That is decided when it is first seen.
pub(super) fn was_asked_for(situation: &Situation<'_>, agent: &Agent) -> Result<bool, PolicyError> {
    change(situation, |spawns| spawns.was_asked_for(agent))
}

/// What comes of an event; `None` if no agent does.
fn spawn_of(happening: &EventData) -> Option<Spawn> {
    let any_role = |any_number| Spawn { any_number, ..Spawn::default() };
    match happening {
        EventData::BeforeTool(call) => {
            let spawn = match &call.tool {
                Tool::SpawnAgent { role, .. } => Spawn { role: role.clone(), ..Spawn::default() },
                // A skill may run as an agent, whose role its file says.
                Tool::Skill { .. } => any_role(false),
                Tool::Other if starts_agents(&call.name) => any_role(true),
                _ => return None,
            };
            Some(Spawn { call: call.id.clone().unwrap_or_default(), ..spawn })
        }
        EventData::PromptExpanded { .. } => Some(any_role(false)),
        // Clients that do not report a typed command report its text.
        EventData::PromptSubmit { text, by_machine: false } if text.trim_start().starts_with('/') => {
            Some(any_role(false))
        }
        _ => None,
    }
}

fn starts_agents(tool: &str) -> bool {
    let name = tool.to_lowercase();
    UNKNOWN_STARTERS.iter().any(|part| name.contains(part))
}

impl Spawns {
    fn wait_for(&mut self, spawn: Spawn) {
        // A client may report a call twice.
        if !spawn.call.is_empty() && self.waiting.iter().any(|known| known.call == spawn.call) {
            return;
        }
        self.waiting.push(spawn);
        drop_oldest(&mut self.waiting, MOST_WAITING);
    }

    fn was_asked_for(&mut self, agent: &Agent) -> bool {
        if let Some(known) = self.agents.iter().find(|known| known.id == agent.id) {
            return known.was_asked_for;
        }
        let was_asked_for = self.take(&agent.role);
        self.agents.push(SeenAgent { id: agent.id.clone(), was_asked_for });
        drop_oldest(&mut self.agents, MOST_AGENTS);
        was_asked_for
    }

    /// Uses up the spawn that an agent of this role comes of: one for its role, else one for any.
    fn take(&mut self, role: &str) -> bool {
        let of_role = |spawn: &Spawn| is_same_role(&spawn.role, role);
        let of_any = |spawn: &Spawn| spawn.role.is_empty();
        let at = self.waiting.iter().position(of_role).or_else(|| self.waiting.iter().position(of_any));
        if let Some(at) = at
            && self.waiting.get(at).is_some_and(|spawn| !spawn.any_number)
        {
            self.waiting.remove(at);
        }
        at.is_some()
    }
}

/// Roles may be written with the plugin that brings them, or without it.
fn is_same_role(asked: &str, role: &str) -> bool {
    !asked.is_empty() && without_plugin(asked).eq_ignore_ascii_case(without_plugin(role))
}

fn drop_oldest<T>(list: &mut Vec<T>, most: usize) {
    let surplus = list.len().saturating_sub(most);
    list.drain(..surplus);
}

fn change<R>(situation: &Situation<'_>, with: impl FnOnce(&mut Spawns) -> R) -> Result<R, PolicyError> {
    let stored = situation.memory.read(SPAWNS)?;
    // What cannot be read is from another version.
    let before: Spawns = stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let mut spawns = before.clone();
    let result = with(&mut spawns);
    if spawns != before {
        situation.memory.write(SPAWNS, serde_json::to_string(&spawns).unwrap_or_default())?;
    }
    Ok(result)
}
