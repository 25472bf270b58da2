//! Agents that came back, at once or later.
//!
//! An agent in the background ends while the main agent does something else, and what is said at its end only it
//! would hear. So that is kept until the main agent gets its next prompt: the one by which the client tells it.

use flyball_core::event::{Agent, Spawned};
use flyball_core::policy::{Situation, Trouble};
use flyball_core::verdict::Verdict;
use flyball_knowledge::lock::Binding;
use serde::{Deserialize, Serialize};

use super::telling::{self, Ending};
use super::{Settings, Standing, told};

/// So many agents that ended are kept; nobody has more in the background.
const MOST: usize = 50;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Memory {
    /// Agents that ended and of which the main agent was not told.
    ended: Vec<Ended>,
}

/// An agent that ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Ended {
    id: String,
    role: String,
    /// What became of the lock, if it was a coordinator and there is something to say.
    news: String,
}

/// An agent wants to end. If it was waited for, the call that started it is about to return.
pub(super) fn stopped(situation: &Situation<'_>, agent: &Agent) -> Result<Verdict, Trouble> {
    let settings: Settings = situation.config()?;
    let is_coordinator = settings.is_coordinator(&agent.role);
    let news = if is_coordinator { news(situation) } else { String::new() };
    let is_worker = settings.is_worker(&agent.role) && !matches!(Standing::of(situation)?, Standing::Nothing);
    if !is_worker && news.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut memory: Memory = situation.recall()?;
    memory.ended.retain(|ended| ended.id != agent.id);
    memory.ended.push(Ended { id: agent.id.clone(), role: agent.role.clone(), news });
    let surplus = memory.ended.len().saturating_sub(MOST);
    memory.ended.drain(..surplus);
    situation.remember(&memory)?;
    Ok(Verdict::silent())
}

/// A call that started an agent is over: it came back, or goes on in the background.
pub(super) fn came_back(
    situation: &Situation<'_>,
    role: &str,
    spawned: Option<&Spawned>,
) -> Result<Verdict, Trouble> {
    let settings: Settings = situation.config()?;
    let is_coordinator = settings.is_coordinator(role);
    if !is_coordinator && !settings.is_worker(role) {
        return Ok(Verdict::silent());
    }
    if spawned.is_some_and(|spawned| spawned.is_running) {
        return first_the_coordinator(situation, &settings, role);
    }
    let ended = take(situation, role, spawned)?;
    // A client that does not say which agent it was may not have waited for it.
    if spawned.is_none() && ended.is_none() {
        return first_the_coordinator(situation, &settings, role);
    }
    if is_coordinator {
        let earlier = ended.map(|ended| ended.news).unwrap_or_default();
        let news = if earlier.is_empty() { news(situation) } else { earlier };
        return Ok(if news.is_empty() { Verdict::silent() } else { told("lock", news) });
    }
    about(situation, &settings, (role, Ending::Done))
}

/// A call that should have started an agent, or waited for it, failed.
pub(super) fn failed(situation: &Situation<'_>, role: &str) -> Result<Verdict, Trouble> {
    let settings: Settings = situation.config()?;
    if !settings.is_worker(role) {
        return Ok(Verdict::silent());
    }
    take(situation, role, None)?;
    about(situation, &settings, (role, Ending::Failed))
}

/// The main agent gets a prompt: what ended meanwhile is told.
pub(super) fn told_later(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    if !situation.remembers()? {
        return Ok(Verdict::silent());
    }
    let mut memory: Memory = situation.recall()?;
    if memory.ended.is_empty() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let ended = std::mem::take(&mut memory.ended);
    situation.remember(&memory)?;
    let mut verdict = Verdict::silent();
    for ended in ended {
        verdict.join(match ended.news.is_empty() {
            true => about(situation, &settings, (&ended.role, Ending::Stopped))?,
            false => told("lock", ended.news),
        });
    }
    Ok(verdict)
}

/// What is next after a worker.
fn about(
    situation: &Situation<'_>,
    settings: &Settings,
    (role, ending): (&str, Ending),
) -> Result<Verdict, Trouble> {
    let verdict = match Standing::of(situation)? {
        Standing::Ours(plan) => {
            let text = telling::next(situation.world, &plan, (settings, role, ending))?;
            if text.is_empty() {
                return Ok(Verdict::silent());
            }
            told(role, text).seen("task", plan).seen("agent", role)
        }
        Standing::Unbound(plan) => told("unbound", telling::unbound(&plan, settings)).seen("task", plan),
        Standing::Nothing => Verdict::silent(),
    };
    Ok(verdict)
}

/// A worker that was started before anyone took the task is no reason to wait for its end.
fn first_the_coordinator(
    situation: &Situation<'_>,
    settings: &Settings,
    role: &str,
) -> Result<Verdict, Trouble> {
    if !settings.is_worker(role) {
        return Ok(Verdict::silent());
    }
    Ok(match Standing::of(situation)? {
        Standing::Unbound(plan) => told("unbound", telling::unbound(&plan, settings)).seen("task", plan),
        Standing::Ours(_) | Standing::Nothing => Verdict::silent(),
    })
}

/// Takes an agent out of those of which nobody was told: by its id, else the oldest of its role.
fn take(situation: &Situation<'_>, role: &str, spawned: Option<&Spawned>) -> Result<Option<Ended>, Trouble> {
    if !situation.remembers()? {
        return Ok(None);
    }
    let mut memory: Memory = situation.recall()?;
    let is_it = |ended: &Ended| spawned.map_or(ended.role == role, |spawned| ended.id == spawned.id);
    let Some(at) = memory.ended.iter().position(is_it) else { return Ok(None) };
    let ended = memory.ended.remove(at);
    situation.remember(&memory)?;
    Ok(Some(ended))
}

/// What became of the lock when the coordinator came back, if that is new.
fn news(situation: &Situation<'_>) -> String {
    match situation.gathered::<(String, Binding)>() {
        Some((plan, binding)) => telling::binding(plan, binding),
        None => String::new(),
    }
}
