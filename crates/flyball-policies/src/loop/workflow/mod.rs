//! Tracks which orchestration workflow is active, its manifest, and which agents took part.
//!
//! It reads the events of the session, never the text of a transcript: mentioning `/feature` or editing
//! `src/features/a.ts` is not a workflow.

mod definition;
mod messages;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod touched;
mod trail;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{Agent, EventData, EventKind, Outcome, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::time::Time;
use flyball_core::verdict::Verdict;

pub use self::settings::Settings;
pub use self::state::{ActiveWorkflow, FinishedWorkflow, Manifest, WorkflowStart};
use self::state::{ManifestSource, Progress, SessionManifest, State, change};
pub use self::trail::{AgentRun, Artifact, Trail};
use super::events::is_new_session;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.workflow"),
    summary: "tracks the active orchestration workflow and its agents",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::PromptSubmit,
        EventKind::PromptExpanded,
        EventKind::BeforeTool,
        EventKind::PermissionDenied,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::AgentStart,
        EventKind::AgentStop,
        EventKind::BeforeCompact,
        EventKind::Stop,
        EventKind::StopFailed,
        EventKind::Interrupted,
    ],
    on_error: OnError::Hold,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

/// The workflow that is active in this session, if one is. Nothing is looked up where `loop.workflow` is off.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn active(situation: &Situation<'_>) -> Result<Option<ActiveWorkflow>, PolicyError> {
    Ok(progress(situation)?.and_then(|progress| progress.active()))
}

/// The last workflow that a person started, if it ended properly: what it left behind is not reviewed a second time.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn finished(situation: &Situation<'_>) -> Result<Option<FinishedWorkflow>, PolicyError> {
    Ok(progress(situation)?.and_then(|progress| progress.finished))
}

fn progress(situation: &Situation<'_>) -> Result<Option<Progress>, PolicyError> {
    // Only this part is parsed, because other policies ask often and the trail may be long.
    #[derive(serde::Deserialize)]
    struct ProgressOnly {
        #[serde(default, rename = "course")]
        progress: Progress,
    }
    let Some(text) = situation.memory.read(POLICY.id.as_str())? else { return Ok(None) };
    let Ok(ProgressOnly { mut progress }) = serde_json::from_str(&text) else { return Ok(None) };
    progress.refresh(situation.world);
    Ok(Some(progress))
}

/// The workflow that brings its own review and tests, so that nothing else blocks. Only a person starts one, by its command:
/// an agent's own skill lifts nothing, nor does a manifest alone, which the agent may have written. And it has to say what
/// it said when the session began.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn in_charge(situation: &Situation<'_>) -> Result<Option<ActiveWorkflow>, PolicyError> {
    let by_person = |active: &ActiveWorkflow| active.began.is_some_and(|began| began.by_person);
    let Some(active) = active(situation)?.filter(by_person) else { return Ok(None) };
    Ok((!definition::has_changed(situation, &active.name)?).then_some(active))
}

/// The audit trail in what this policy remembers of a session; empty if it remembers none.
#[must_use]
pub fn trail(memory: &str) -> Trail {
    read(memory).trail
}

/// The path of the session's manifest in what this policy remembers of a session.
#[must_use]
pub fn manifest_path(memory: &str) -> Option<AbsolutePath> {
    read(memory).progress.manifest.map(|manifest| manifest.path)
}

/// The memory of a session after `flyball manifest use`.
#[must_use]
pub fn register(memory: Option<&str>, manifest_path: AbsolutePath, now: Time) -> String {
    let mut state = memory.map(read).unwrap_or_default();
    state.progress.manifest = Some(SessionManifest {
        path: manifest_path,
        by: ManifestSource::Command,
        at: now,
        ..SessionManifest::default()
    });
    serde_json::to_string(&state).unwrap_or_default()
}

fn read(memory: &str) -> State {
    serde_json::from_str(memory).unwrap_or_default()
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let is_main = situation.event.agent.is_none();
    match &situation.event.happening {
        happening if is_new_session(happening) => definition::note(situation, true)?,
        EventData::PromptSubmit { .. } | EventData::PromptExpanded { .. } | EventData::AfterTool { .. } => {
            definition::note(situation, false)?;
        }
        _ => {}
    }
    match &situation.event.happening {
        happening if is_new_session(happening) => forget(situation),
        EventData::SessionStart { source } if source == "compact" => messages::compaction_context(situation),
        EventData::PromptExpanded { command, .. } if is_main => begin(situation, command, true),
        // A notice of a background task arrives as a prompt, too, but does not end a workflow.
        EventData::PromptSubmit { by_machine: false, .. } if is_main => {
            change_known(situation, Progress::handle_prompt)
        }
        EventData::Stop(_) | EventData::StopFailed { .. } | EventData::Interrupted if is_main => {
            change_known(situation, Progress::end_turn)
        }
        EventData::BeforeTool(call) if is_main => match &call.tool {
            Tool::Skill { name, .. } => begin(situation, name, false),
            _ => Ok(Verdict::silent()),
        },
        EventData::PermissionDenied { call, .. } => withdraw(situation, call),
        EventData::ToolFailed { call, .. } => match &call.tool {
            // A command may have written before it failed.
            Tool::Shell { .. } => touched::record_writes(situation),
            _ => withdraw(situation, call),
        },
        EventData::AfterTool { call, outcome } => after(situation, call, outcome),
        EventData::AgentStart | EventData::AgentStop { .. } => agent(situation),
        EventData::BeforeCompact { .. } => messages::compaction_context(situation),
        _ => Ok(Verdict::silent()),
    }
}

fn forget(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if situation.remembers()? {
        situation.remember(&State::default())?;
    }
    Ok(Verdict::silent())
}

fn begin(situation: &Situation<'_>, name: &str, by_person: bool) -> Result<Verdict, PolicyError> {
    let name = name.trim().trim_start_matches('/');
    let settings: Settings = situation.config()?;
    if settings.is_workflow(name) {
        let now = situation.world.now();
        change(situation, |state| state.progress.begin(name, now, by_person))?;
    }
    Ok(Verdict::silent())
}

/// A skill that was not invoked in the end did not start a workflow.
fn withdraw(situation: &Situation<'_>, call: &ToolCall) -> Result<Verdict, PolicyError> {
    let Tool::Skill { name, .. } = &call.tool else { return Ok(Verdict::silent()) };
    let name = name.trim().trim_start_matches('/');
    change_known(situation, |progress| progress.withdraw(name))
}

fn after(situation: &Situation<'_>, call: &ToolCall, outcome: &Outcome) -> Result<Verdict, PolicyError> {
    match (&call.tool, &outcome.spawned) {
        (Tool::SpawnAgent { role, .. }, Some(spawned)) => {
            let now = situation.world.now();
            change(situation, |state| {
                state.trail.run(&spawned.id, role, now).spawned(now, spawned.is_running);
            })?;
            Ok(Verdict::silent())
        }
        (Tool::Skill { name, .. }, _) => {
            let name = name.trim().trim_start_matches('/');
            change_known(situation, |progress| progress.confirm(name))
        }
        (Tool::Read { path }, _) => touched::record_read(situation, path),
        (Tool::Edit(_) | Tool::Shell { .. }, _) => touched::record_writes(situation),
        _ => Ok(Verdict::silent()),
    }
}

/// A subagent starts or wants to finish. Those without a role are the client's own.
fn agent(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(Agent { id, role }) = situation.event.agent.as_ref().filter(|agent| !agent.role.is_empty())
    else {
        return Ok(Verdict::silent());
    };
    let now = situation.world.now();
    change(situation, |state| match &situation.event.happening {
        EventData::AgentStop { stopping, .. } => {
            state.trail.run(id, role, now).stopped(now, &stopping.last_message);
        }
        // An agent that is started again has not ended.
        _ => state.trail.run(id, role, now).ended = None,
    })?;
    Ok(Verdict::silent())
}

/// Changes the progress of a session with a memory; in others there is nothing to change.
fn change_known(situation: &Situation<'_>, with: impl FnOnce(&mut Progress)) -> Result<Verdict, PolicyError> {
    if situation.remembers()? {
        change(situation, |state| with(&mut state.progress))?;
    }
    Ok(Verdict::silent())
}
