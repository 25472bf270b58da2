//! Checks where subagents put their documents, and whether they used the required skills.
//!
//! - [`watch`] records who wrote what and who used which skill;
//! - [`gather`] asks git, through [`trees`], what exists when an agent starts and what is new when it stops;
//! - [`ownership`] finds the author of a new document, [`revert`] what of an agent's work could be undone;
//! - [`agent`] judges an agent when it stops, [`stop`] what is left when the main agent stops.

mod agent;
mod gather;
mod memory;
mod messages;
mod metadata;
mod ownership;
mod revert;
mod settings;
mod stop;
#[cfg(test)]
mod tests;
mod trees;
mod watch;
mod words;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;

use self::memory::{Session, StartSnapshots, remember_snapshots};
pub use self::settings::Settings;
use super::events::is_new_session;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.output"),
    summary: "agents put documents where they belong, and use the required skills",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::BeforeTool,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::AgentStart,
        EventKind::AgentStop,
        EventKind::Stop,
    ],
    on_error: OnError::Hold,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    run: judge,
    gather: Some(gather::gather),
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let agent = situation.event.agent.as_ref().filter(|agent| !agent.role.is_empty());
    match (&situation.event.happening, agent) {
        (happening, _) if is_new_session(happening) => forget(situation)?,
        (EventData::BeforeTool(call), Some(agent)) if may_write(&call.tool) => {
            watch::before(situation, agent)?
        }
        (EventData::AfterTool { call, .. }, _) if may_write(&call.tool) => watch::after(situation, agent)?,
        // A command may have written before it failed; an edit that failed did not.
        (EventData::ToolFailed { call, .. }, _) if matches!(call.tool, Tool::Shell { .. }) => {
            watch::after(situation, agent)?;
        }
        (EventData::AfterTool { call, outcome }, _) => match (&call.tool, agent) {
            (Tool::Skill { name, .. }, Some(agent)) => watch::skill(situation, agent, name)?,
            (Tool::SpawnAgent { role, .. }, _) => return agent::report_to_spawner(situation, role, outcome),
            _ => {}
        },
        (EventData::AgentStart, Some(agent)) => agent::start(situation, agent)?,
        (EventData::AgentStop { stopping, .. }, Some(agent)) => {
            return agent::stop(situation, agent, stopping);
        }
        (EventData::Stop(stopping), _) => return stop::judge(situation, stopping),
        _ => {}
    }
    Ok(Verdict::silent())
}

fn may_write(tool: &Tool) -> bool {
    matches!(tool, Tool::Edit(_) | Tool::Shell { .. })
}

/// A session that starts anew knows no agents. One that is resumed or compacted does.
fn forget(situation: &Situation<'_>) -> Result<(), PolicyError> {
    if situation.remembers()? {
        situation.remember(&Session::default())?;
        remember_snapshots(situation, StartSnapshots::new(), &Session::default())?;
    }
    Ok(())
}
