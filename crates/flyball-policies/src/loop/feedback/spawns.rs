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

use super::settings::{Phase, Settings};
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
    /// The phases that its prompt asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    phases: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct SeenAgent {
    id: String,
    was_asked_for: bool,
    /// The phases that somebody asked it for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    phases: Vec<String>,
}

/// Remembers a call or a typed command of which agents will come, after all policies: one that is denied spawns nothing.
pub(super) fn review(situation: &Situation<'_>, rulings: &[Ruling]) -> Result<Verdict, PolicyError> {
    let is_denied = |ruling: &Ruling| {
        ruling.mode == Mode::Enforce && !ruling.skipped && ruling.verdict.stance == Stance::Deny
    };
    if let Some(mut spawn) = spawn_of(&situation.event.happening)
        && !rulings.iter().any(is_denied)
    {
        if let EventData::BeforeTool(ToolCall { tool: Tool::SpawnAgent { prompt, .. }, .. }) =
            &situation.event.happening
        {
            spawn.phases = phases_named(&situation.config::<Settings>()?, prompt);
        }
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

/// The phases that somebody asked this agent for, by the prompt that it was spawned with.
pub(super) fn phases_asked_for(situation: &Situation<'_>, agent: &Agent) -> Result<Vec<String>, PolicyError> {
    change(situation, |spawns| {
        spawns.was_asked_for(agent);
        let known = spawns.agents.iter().find(|known| known.id == agent.id);
        known.map(|known| known.phases.clone()).unwrap_or_default()
    })
}

/// The phases that a prompt asks for: it has the word for a result, the heading, or the name of the phase in its first
/// sentence: `Review the change in app.py.`
fn phases_named(settings: &Settings, prompt: &str) -> Vec<String> {
    let lower = prompt.to_lowercase();
    let first =
        lower.split(['.', '\n', ':']).map(str::trim).find(|part| !part.is_empty()).unwrap_or_default();
    let words: Vec<&str> =
        first.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_named = |phase: &&Phase| {
        let name = phase.name.to_lowercase();
        let parts: Vec<&str> = name.split(|letter: char| !letter.is_alphanumeric()).collect();
        let has_result = [&phase.pass, &phase.fail].iter().any(|word| prompt.contains(word.as_str()));
        let has_heading = !phase.heading.is_empty() && lower.contains(&phase.heading.to_lowercase());
        has_result || has_heading || words.windows(parts.len()).any(|words| words == parts)
    };
    let named = settings.phase.iter().filter(|phase| phase.has_marker()).filter(is_named);
    named.map(|phase| phase.name.clone()).collect()
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
        let taken = self.take(&agent.role);
        let was_asked_for = taken.is_some();
        let phases = taken.map(|spawn| spawn.phases).unwrap_or_default();
        self.agents.push(SeenAgent { id: agent.id.clone(), was_asked_for, phases });
        drop_oldest(&mut self.agents, MOST_AGENTS);
        was_asked_for
    }

    /// Uses up the spawn that an agent of this role comes of: one for its role, else one for any.
    fn take(&mut self, role: &str) -> Option<Spawn> {
        let of_role = |spawn: &Spawn| is_same_role(&spawn.role, role);
        let of_any = |spawn: &Spawn| spawn.role.is_empty();
        let at = self.waiting.iter().position(of_role).or_else(|| self.waiting.iter().position(of_any))?;
        let found = self.waiting.get(at)?.clone();
        if !found.any_number {
            self.waiting.remove(at);
        }
        // Which of several that wait for the same role it is, the client does not say.
        let others = self.waiting.iter().filter(|spawn| spawn.role == found.role);
        let common = |phase: &&String| others.clone().all(|spawn| spawn.phases.contains(*phase));
        let phases: Vec<String> = found.phases.iter().filter(common).cloned().collect();
        let is_doubtful = phases != found.phases || others.clone().any(|spawn| spawn.phases != found.phases);
        if is_doubtful {
            let same = self.waiting.iter_mut().filter(|spawn| spawn.role == found.role);
            same.for_each(|spawn| spawn.phases.retain(|phase| phases.contains(phase)));
        }
        Some(Spawn { phases, ..found })
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
