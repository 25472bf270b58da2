//! The loop: implement, review, plan tests, test; an agent stops when all of it has passed.

mod agents;
mod content;
pub(super) mod defaults;
mod evidence;
mod gather;
pub mod machine;
mod marker;
mod messages;
pub mod report;
pub mod settings;
pub mod state;
mod stopping;
#[cfg(test)]
mod tests;
mod written;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{Agent, Event, EventData, EventKind, Outcome, Tool, ToolCall};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Snippet, Verdict};

use self::gather::Inputs;
pub use self::report::{one_line, report};
pub use self::settings::Settings;
use self::state::Ending;
pub use self::state::State;
use self::written::Written;
use super::limits;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.feedback"),
    summary: "code that was edited is reviewed and tested before the agent stops",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::PromptSubmit,
        EventKind::BeforeCompact,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::AgentStart,
        EventKind::AgentStop,
        EventKind::Stop,
    ],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::compiled::<Written>(),
    run: judge,
    gather: Some(gather::gather),
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::AfterTool { call, outcome } => after(situation, call, Some(outcome)),
        // A command may have edited before it failed; an edit that failed did not.
        EventData::ToolFailed { call, .. } if matches!(call.tool, Tool::Shell { .. }) => {
            after(situation, call, None)
        }
        EventData::SessionStart { source } if matches!(source.as_str(), "startup" | "clear") => {
            content::note_base(situation, true)?;
            forget(situation)
        }
        EventData::SessionStart { source } if source != "compact" => Ok(Verdict::silent()),
        EventData::PromptSubmit { by_machine: true, .. } => Ok(Verdict::silent()),
        EventData::PromptSubmit { .. } => {
            content::note_base(situation, false)?;
            in_the_loop(situation)
        }
        EventData::SessionStart { .. }
        | EventData::BeforeCompact { .. }
        | EventData::AgentStart
        | EventData::AgentStop { .. }
        | EventData::Stop(_) => in_the_loop(situation),
        _ => Ok(Verdict::silent()),
    }
}

/// A session begins anew: what was before is over.
fn forget(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if situation.remembers()? {
        situation.remember(&State::default())?;
    }
    Ok(Verdict::silent())
}

/// After a call: what it edited, and what a subagent said.
fn after(
    situation: &Situation<'_>,
    call: &ToolCall,
    outcome: Option<&Outcome>,
) -> Result<Verdict, PolicyError> {
    let touched = match &call.tool {
        Tool::Edit(_) | Tool::Shell { .. } | Tool::Mcp { .. } => content::touched(situation)?,
        _ => Vec::new(),
    };
    let agent = agent_with_role(situation.event);
    let is_about_agents = agent.is_some() || matches!(call.tool, Tool::SpawnAgent { .. });
    let is_about_agents = is_about_agents && situation.remembers()?;
    if touched.is_empty() && !is_about_agents {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let redefined = content::redefined(&settings, &touched);
    let is_in_loop = |file: &content::Touched| settings.domain_of(&file.name).is_some();
    if !is_about_agents && redefined.is_empty() && !touched.iter().any(is_in_loop) {
        return Ok(Verdict::silent());
    }
    let before: State = situation.recall()?;
    let mut state = before.clone();
    state.redefined.extend(redefined);
    if let Some(agent) = agent {
        agents::restart_if_changed(situation, &settings, &mut state, agent);
    }
    for input in content::edit_events(situation, &settings, &before, &touched) {
        state.apply(&settings, input, situation.world.unix_millis());
    }
    if let (Tool::SpawnAgent { role, .. }, Some(outcome)) = (&call.tool, outcome) {
        agents::answered(situation, &settings, &mut state, (role, outcome));
    }
    if state != before {
        situation.remember(&state)?;
    }
    Ok(Verdict::silent())
}

/// The subagent that an event is about. The client's own helpers have no role.
fn agent_with_role(event: &Event) -> Option<&Agent> {
    event.agent.as_ref().filter(|agent| !agent.role.is_empty())
}

/// What matters to a session that edited something, or in which one starts who may speak of that later.
fn in_the_loop(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let before: State = situation.recall()?;
    let starting =
        agent_with_role(situation.event).filter(|_| situation.event.happening == EventData::AgentStart);
    if before.domains.is_empty() && starting.is_none() {
        return Ok(Verdict::silent());
    }
    let (settings, broken) = settings_in_force(situation)?;
    // Who starts before the first edit has not seen it, whatever it says of it later.
    if before.domains.is_empty() && !starting.is_some_and(|agent| agents::serves(&settings, &agent.role)) {
        return Ok(Verdict::silent());
    }
    let mut state = before.clone();
    let brought = situation.gathered::<Inputs>();
    let is_nested = brought.is_some_and(|brought| brought.is_nested);
    let mut verdict = match (&situation.event.happening, agent_with_role(situation.event)) {
        (EventData::AgentStart, Some(agent)) => {
            // A formatter may have been at it since the edit.
            content::refresh(situation, &settings, &mut state);
            agents::started(situation, &settings, &mut state, agent);
            with_context(agents::result_instructions(situation, &settings, &state, agent)?)
        }
        (EventData::AgentStop { stopping, .. }, Some(agent)) => {
            let proofs = brought.map(|brought| brought.proofs.as_slice()).unwrap_or_default();
            let said = agents::Reply { agent, text: &stopping.last_message, proofs, is_nested };
            agents::stopped(situation, &settings, &mut state, &said)?
        }
        (EventData::Stop(stopping), _) => {
            stopping::decide(situation, &settings, &mut state, (stopping, brought))?
        }
        (EventData::PromptSubmit { .. }, _) => with_context(prompted(&settings, &mut state)),
        (EventData::SessionStart { .. } | EventData::BeforeCompact { .. }, _) => {
            with_context(compaction_snippet(&settings, &state))
        }
        _ => Verdict::silent(),
    };
    if let Some(broken) = broken.filter(|why| state.limits_told.as_ref() != Some(why)) {
        verdict.notices.push(broken.clone());
        state.limits_told = Some(broken);
    }
    if state != before {
        situation.remember(&state)?;
    }
    Ok(verdict)
}

/// The settings, with what a file of limits says in the place of defaults; and what is wrong with that file.
fn settings_in_force(situation: &Situation<'_>) -> Result<(Settings, Option<String>), PolicyError> {
    let settings: Settings = situation.config()?;
    match limits::read(situation.world, &settings.limits_file) {
        Ok(None) => Ok((settings, None)),
        Ok(Some(limits)) => Ok((settings.with_limits(&limits), None)),
        Err(why) => {
            let told =
                format!("`{}` is not used: {why}; the limits of flyball.toml hold", settings.limits_file);
            Ok((settings, Some(told)))
        }
    }
}

/// What goes with a prompt: how the loop stands, and once what became of it.
fn prompted(settings: &Settings, state: &mut State) -> Option<Snippet> {
    let text = match &state.ending {
        Some(Ending::Escalated(escalation)) if !escalation.told => messages::advised(escalation),
        Some(Ending::HandedOver { workflow, told: false }) => {
            messages::handed_over(state, settings, workflow)
        }
        Some(Ending::Escalated(_) | Ending::Aborted | Ending::HandedOver { .. }) => return None,
        None => return report::one_line(state, settings).map(|line| messages::snippet("status", line)),
    };
    if let Some(Ending::Escalated(state::Escalation { told, .. }) | Ending::HandedOver { told, .. }) =
        &mut state.ending
    {
        *told = true;
    }
    Some(messages::snippet("ending", text))
}

/// What is carried over a compaction.
fn compaction_snippet(settings: &Settings, state: &State) -> Option<Snippet> {
    let open = if state.ending.is_none() { state.open_phases(settings) } else { Vec::new() };
    (!open.is_empty()).then(|| messages::snippet("open", messages::compacted(state, settings, &open)))
}

fn with_context(snippet: Option<Snippet>) -> Verdict {
    Verdict { context: snippet.into_iter().collect(), ..Verdict::silent() }
}
