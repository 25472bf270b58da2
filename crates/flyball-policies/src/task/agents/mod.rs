//! A worker of a task gets its constraints and lessons, and reports back.
//!
//! It never takes a stance: whether an agent may be started is for the user and the client to say, whatever is put in
//! front of its prompt.

mod brief;
mod ended;
mod settings;
mod telling;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{Event, EventKind, Happening, Tool};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyId, Situation, Trouble, World};
use flyball_core::verdict::{Snippet, Verdict};
use flyball_core::workshop::Workshop;
use flyball_knowledge::{lock, plan};

pub use self::settings::Settings;

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
    section: SectionSpec::of::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// The lock of the active task is bound to the session whose coordinator has come back.
fn gather(situation: &Situation<'_>, shop: &dyn Workshop) -> Result<Option<Gathered>, Trouble> {
    let Some(role) = ended_role(situation.event) else { return Ok(None) };
    let settings: Settings = situation.config()?;
    if !settings.is_coordinator(role) || situation.mode != Mode::Enforce {
        return Ok(None);
    }
    let Some(plan) = startable(shop)? else { return Ok(None) };
    let binding = lock::bind(shop, &plan, who(situation.event))?;
    Ok(Some(Box::new((plan, binding))))
}

/// The role of the agent that came back in this event, if one did.
fn ended_role(event: &Event) -> Option<&str> {
    match &event.happening {
        Happening::AfterTool { call, outcome } => match &call.tool {
            // What goes on in the background has not come back.
            Tool::SpawnAgent { role, .. } => {
                outcome.spawned.as_ref().filter(|it| !it.is_running).map(|_| role.as_str())
            }
            _ => None,
        },
        Happening::AgentStop { .. } => event.agent.as_ref().map(|agent| agent.role.as_str()),
        _ => None,
    }
}

/// The active task, if it was started and has not ended.
fn startable(world: &dyn World) -> Result<Option<String>, Trouble> {
    let Some(active) = plan::active(world)? else { return Ok(None) };
    let is_open = plan::read(world, &active)?.is_some_and(|plan| !plan.status.is_terminal());
    Ok(if is_open && lock::read(world, &active)?.is_some() { Some(active) } else { None })
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    let event = situation.event;
    match &event.happening {
        Happening::BeforeTool(call) => match &call.tool {
            Tool::SpawnAgent { role, prompt, .. } => brief::given(situation, role, prompt),
            _ => Ok(Verdict::silent()),
        },
        Happening::AfterTool { call, outcome } => match &call.tool {
            Tool::SpawnAgent { role, .. } => ended::came_back(situation, role, outcome.spawned.as_ref()),
            _ => Ok(Verdict::silent()),
        },
        // A person who interrupts an agent knows what is next.
        Happening::ToolFailed { call, interrupted: false, .. } => match &call.tool {
            Tool::SpawnAgent { role, .. } => ended::failed(situation, role),
            _ => Ok(Verdict::silent()),
        },
        Happening::AgentStop { .. } => match &event.agent {
            Some(agent) => ended::stopped(situation, agent),
            None => Ok(Verdict::silent()),
        },
        Happening::PromptSubmit { .. } if event.agent.is_none() => ended::told_later(situation),
        _ => Ok(Verdict::silent()),
    }
}

/// The session of an event.
fn who(event: &Event) -> (&str, &str) {
    (&event.client, event.session.as_str())
}

/// How the session of an event stands to tasks.
enum Standing {
    /// It works on this plan.
    Ours(String),
    /// The active task, this plan, was started, and no session works on it yet.
    Unbound(String),
    /// It has nothing to do with any.
    Nothing,
}

impl Standing {
    fn of(situation: &Situation<'_>) -> Result<Standing, Trouble> {
        let (world, who) = (situation.world, who(situation.event));
        let bound = lock::all_bound(world, who)?;
        if let [_, _, ..] = bound.as_slice()
            && let Some(plan) = lock::all_open(world, who)?.into_iter().next()
        {
            return Ok(Standing::Ours(plan));
        }
        if let Some(plan) = bound.into_iter().next() {
            return Ok(Standing::Ours(plan));
        }
        let Some(active) = startable(world)? else { return Ok(Standing::Nothing) };
        Ok(match lock::read(world, &active)?.map(|lock| lock.holder) {
            Some(Some(holder)) if holder.is(who) => Standing::Ours(active),
            Some(None) => Standing::Unbound(active),
            Some(Some(_)) | None => Standing::Nothing,
        })
    }
}

/// Something for the model.
fn told(key: &str, text: String) -> Verdict {
    let snippet = Snippet { key: format!("task.agents {key}"), rank: 20, text };
    Verdict { context: vec![snippet], ..Verdict::default() }
}
