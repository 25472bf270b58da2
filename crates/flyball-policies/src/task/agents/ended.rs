//! Agents that came back, at once or later.
//!
//! A background agent ends while the main agent does something else, and a message at its end would reach only
//! itself. So it is stored until the main agent's next prompt, by which the client reports the end.

use flyball_core::event::{Agent, SpawnedAgent};
use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::Verdict;
use flyball_knowledge::lock::Binding;
use serde::{Deserialize, Serialize};

use super::messages::{self, EndedWorker, Ending, context_verdict};
use super::settings::Settings;
use super::status::TaskStatus;

/// How many ended agents are remembered.
const MOST: usize = 50;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// Ended agents that were not reported to the main agent yet.
    ended: Vec<Ended>,
    /// The coordinators that have run. They may be defined in a place that only the client knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coordinators: Vec<String>,
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
pub(super) fn record_stop(situation: &Situation<'_>, agent: &Agent) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let is_coordinator = settings.is_coordinator(&agent.role);
    if is_coordinator {
        note_coordinator(situation, &agent.role)?;
    }
    let news = if is_coordinator { binding_message(situation) } else { String::new() };
    let is_worker =
        settings.is_worker(&agent.role) && !matches!(TaskStatus::read(situation)?, TaskStatus::NoTask);
    if !is_worker && news.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut memory: State = situation.recall()?;
    // An agent that another policy blocks stops more than once.
    memory.ended.retain(|ended| ended.id != agent.id);
    memory.ended.push(Ended { id: agent.id.clone(), role: agent.role.clone(), news });
    let surplus = memory.ended.len().saturating_sub(MOST);
    memory.ended.drain(..surplus);
    situation.remember(&memory)?;
    Ok(Verdict::silent())
}

/// A call that started an agent is over: it came back, or goes on in the background.
pub(super) fn handle_return(
    situation: &Situation<'_>,
    role: &str,
    spawned: Option<&SpawnedAgent>,
) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let is_coordinator = settings.is_coordinator(role);
    if !is_coordinator && !settings.is_worker(role) {
        return Ok(Verdict::silent());
    }
    if is_coordinator {
        note_coordinator(situation, role)?;
    }
    if spawned.is_some_and(|spawned| spawned.is_running) {
        return ask_for_coordinator(situation, &settings, role);
    }
    let ended = take(situation, role, spawned)?;
    // A client that does not say which agent it was may not have waited for it.
    if spawned.is_none() && ended.is_none() {
        return ask_for_coordinator(situation, &settings, role);
    }
    if is_coordinator {
        let earlier = ended.map(|ended| ended.news).unwrap_or_default();
        let news = if earlier.is_empty() { binding_message(situation) } else { earlier };
        return Ok(if news.is_empty() { Verdict::silent() } else { context_verdict("lock", news) });
    }
    after_worker(situation, &settings, &EndedWorker { role, ending: Ending::Done })
}

/// A call that should have started an agent, or waited for it, failed.
pub(super) fn failed(situation: &Situation<'_>, role: &str) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    if !settings.is_worker(role) {
        return Ok(Verdict::silent());
    }
    // Its stop may have been seen before its call failed; it must not be reported twice.
    take(situation, role, None)?;
    after_worker(situation, &settings, &EndedWorker { role, ending: Ending::Failed })
}

/// The main agent gets a prompt: reports the agents that ended meanwhile.
pub(super) fn report_ended(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if !situation.remembers()? {
        return Ok(Verdict::silent());
    }
    let mut memory: State = situation.recall()?;
    if memory.ended.is_empty() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let ended = std::mem::take(&mut memory.ended);
    situation.remember(&memory)?;
    let mut verdict = Verdict::silent();
    for ended in ended {
        verdict.join(match ended.news.is_empty() {
            true => after_worker(
                situation,
                &settings,
                &EndedWorker { role: &ended.role, ending: Ending::Stopped },
            )?,
            false => context_verdict("lock", ended.news),
        });
    }
    Ok(verdict)
}

/// What is next after a worker.
fn after_worker(
    situation: &Situation<'_>,
    settings: &Settings,
    worker: &EndedWorker<'_>,
) -> Result<Verdict, PolicyError> {
    let verdict = match TaskStatus::read(situation)? {
        TaskStatus::Bound(plan) => {
            let run = coordinators(situation)?;
            let coordinator = settings.coordinator(situation.world, &run);
            let text = messages::next_step(situation.world, &plan, worker, coordinator)?;
            if text.is_empty() {
                return Ok(Verdict::silent());
            }
            context_verdict(worker.role, text).with_evidence("task", plan).with_evidence("agent", worker.role)
        }
        TaskStatus::Unbound(plan) => ask_to_bind(situation, settings, plan)?,
        TaskStatus::NoTask => Verdict::silent(),
    };
    Ok(verdict)
}

/// Hints at the coordinator while no session works on the task; the worker's end is not awaited for that.
fn ask_for_coordinator(
    situation: &Situation<'_>,
    settings: &Settings,
    role: &str,
) -> Result<Verdict, PolicyError> {
    if !settings.is_worker(role) {
        return Ok(Verdict::silent());
    }
    Ok(match TaskStatus::read(situation)? {
        TaskStatus::Unbound(plan) => ask_to_bind(situation, settings, plan)?,
        TaskStatus::Bound(_) | TaskStatus::NoTask => Verdict::silent(),
    })
}

fn ask_to_bind(
    situation: &Situation<'_>,
    settings: &Settings,
    plan: ProjectPath,
) -> Result<Verdict, PolicyError> {
    let run = coordinators(situation)?;
    let text = messages::unbound(&plan, settings.coordinator(situation.world, &run));
    Ok(context_verdict("unbound", text).with_evidence("task", plan))
}

/// The coordinators that have run in this session.
fn coordinators(situation: &Situation<'_>) -> Result<Vec<String>, PolicyError> {
    if situation.remembers()? { Ok(situation.recall::<State>()?.coordinators) } else { Ok(Vec::new()) }
}

fn note_coordinator(situation: &Situation<'_>, role: &str) -> Result<(), PolicyError> {
    let mut memory: State = situation.recall()?;
    if memory.coordinators.iter().any(|known| known == role) {
        return Ok(());
    }
    memory.coordinators.push(role.to_owned());
    situation.remember(&memory)
}

/// Takes an agent out of the unreported ones: by its id, else the oldest of its role.
fn take(
    situation: &Situation<'_>,
    role: &str,
    spawned: Option<&SpawnedAgent>,
) -> Result<Option<Ended>, PolicyError> {
    if !situation.remembers()? {
        return Ok(None);
    }
    let mut memory: State = situation.recall()?;
    let is_it = |ended: &Ended| spawned.map_or(ended.role == role, |spawned| ended.id == spawned.id);
    let Some(at) = memory.ended.iter().position(is_it) else { return Ok(None) };
    let ended = memory.ended.remove(at);
    situation.remember(&memory)?;
    Ok(Some(ended))
}

/// What became of the lock when the coordinator came back, if that is new.
fn binding_message(situation: &Situation<'_>) -> String {
    match situation.gathered::<(ProjectPath, Binding)>() {
        Some((plan, binding)) => messages::binding(plan, binding),
        None => String::new(),
    }
}
