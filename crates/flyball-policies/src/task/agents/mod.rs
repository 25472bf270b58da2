//! A worker of a task gets its constraints and lessons, and reports back.
//!
//! It never allows or denies: whether an agent may be started is for the user and the client to decide, whatever is put
//! in front of its prompt.

mod brief;
mod ended;
mod messages;
mod settings;
mod status;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{Event, EventData, EventKind, Tool};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;
use flyball_core::workshop::Workshop;
use flyball_knowledge::lock;

pub use self::settings::Settings;
use self::status::started_task;
use crate::task::session_key;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("task.agents"),
    summary: "a worker of a task gets its constraints and lessons, and reports back",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::BeforeTool,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::AgentStop,
        EventKind::PromptSubmit,
    ],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// Binds the lock of the active task to the session whose coordinator has returned.
fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    let Some(role) = ended_role(situation.event) else { return Ok(None) };
    let settings: Settings = situation.config()?;
    if !settings.is_coordinator(role) || situation.mode != Mode::Enforce {
        return Ok(None);
    }
    let Some(plan) = started_task(workshop)? else { return Ok(None) };
    let binding = lock::bind(workshop, &plan, session_key(situation.event))?;
    Ok(Some(Box::new((plan, binding))))
}

/// The role of the agent that returned in this event, if one did.
fn ended_role(event: &Event) -> Option<&str> {
    match &event.happening {
        EventData::AfterTool { call, outcome } => match &call.tool {
            // An agent in the background has not returned.
            Tool::SpawnAgent { role, .. } => {
                outcome.spawned.as_ref().filter(|it| !it.is_running).map(|_| role.as_str())
            }
            _ => None,
        },
        EventData::AgentStop { .. } => event.agent.as_ref().map(|agent| agent.role.as_str()),
        _ => None,
    }
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let event = situation.event;
    match &event.happening {
        EventData::BeforeTool(call) => match &call.tool {
            Tool::SpawnAgent { role, prompt, .. } => {
                brief::prepend_brief(situation, worker_role(situation, role), prompt)
            }
            _ => Ok(Verdict::silent()),
        },
        EventData::AfterTool { call, outcome } => match &call.tool {
            Tool::SpawnAgent { role, .. } => {
                ended::handle_return(situation, worker_role(situation, role), outcome.spawned.as_ref())
            }
            _ => Ok(Verdict::silent()),
        },
        // A person who interrupts an agent knows what is next.
        EventData::ToolFailed { call, interrupted: false, .. } => match &call.tool {
            Tool::SpawnAgent { role, .. } => ended::failed(situation, worker_role(situation, role)),
            _ => Ok(Verdict::silent()),
        },
        EventData::AgentStop { .. } => match &event.agent {
            Some(agent) => ended::record_stop(situation, agent),
            None => Ok(Verdict::silent()),
        },
        EventData::PromptSubmit { .. } if event.agent.is_none() => ended::report_ended(situation),
        _ => Ok(Verdict::silent()),
    }
}

/// The role of the agent that a call starts. One without a role is the worker that the client has everywhere.
fn worker_role<'r>(situation: &Situation<'_>, role: &'r str) -> &'r str {
    let client = || situation.world.clients().iter().find(|client| client.id == situation.event.client);
    if role.is_empty() { client().and_then(|client| client.worker).unwrap_or_default() } else { role }
}
