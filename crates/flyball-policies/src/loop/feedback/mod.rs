//! The loop: implement, review, plan tests, test; an agent stops when all of it has passed.

mod agents;
mod checks;
mod content;
pub(super) mod defaults;
mod evidence;
mod gather;
pub mod machine;
mod marker;
mod messages;
mod question;
pub mod report;
mod result_format;
mod roster;
mod scripts;
mod session;
pub mod settings;
mod spawns;
pub mod state;
mod stopping;
mod test_runs;
#[cfg(test)]
mod tests;
mod trivial;
mod workflow_end;

use std::cell::LazyCell;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{Agent, Event, EventData, EventKind, Outcome, Tool, ToolCall};
use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Snippet, Verdict};
use flyball_effects::Line;

use self::gather::Inputs;
use self::machine::LoopEvent;
pub use self::report::{one_line, report};
use self::session::Session;
pub use self::settings::Settings;
use self::settings::Written;
pub use self::state::State;
use self::state::{Ending, Escalation};
use super::author::{self, LeftWriter};
use super::events::{call_start, is_new_session, note_call_start};
use super::{limits, own_tasks};
use crate::worktree_updates::updates_worktree;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.feedback"),
    summary: "code that was edited is reviewed and tested before the agent stops",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::PromptSubmit,
        EventKind::PromptExpanded,
        EventKind::BeforeCompact,
        EventKind::BeforeTool,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::PermissionDenied,
        EventKind::AgentStart,
        EventKind::AgentStop,
        EventKind::Stop,
    ],
    on_error: OnError::Hold,
    mode: Mode::Off,
    section: SectionSpec::compiled::<Written>(),
    run: judge,
    gather: Some(gather::gather),
    review: Some(spawns::review),
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::BeforeTool(call) => {
            let may_commit = situation.line().is_some_and(content::may_commit)
                || matches!(call.tool, Tool::Mcp { .. } | Tool::Other);
            if may_commit || situation.changes_unnamed_files() || names_writes(situation) {
                note_call_start(situation)?;
            }
            if may_commit {
                content::note_uncommitted(situation)?;
            }
            Ok(Verdict::silent())
        }
        EventData::AfterTool { call, outcome } => {
            or_overlooked(situation, after(situation, call, Some(outcome)))
        }
        // A command may have edited before it failed; an edit that failed did not.
        EventData::ToolFailed { call, .. } if may_have_written(call, situation) => {
            or_overlooked(situation, after(situation, call, None))
        }
        EventData::ToolFailed { call, .. } | EventData::PermissionDenied { call, .. } => {
            spawns::withdraw(situation, call)?;
            Ok(Verdict::silent())
        }
        happening if is_new_session(happening) => {
            content::note_base(situation, true)?;
            note_begin(situation, true)?;
            forget(situation)
        }
        EventData::SessionStart { source } if source == "fork" && !situation.remembers()? => {
            Ok(Verdict::notice(messages::FORKED.to_owned()))
        }
        // A resumed session still has its context; only a compaction removes it.
        EventData::SessionStart { source } if source != "compact" => Ok(Verdict::silent()),
        EventData::PromptSubmit { by_machine: true, .. } => Ok(Verdict::silent()),
        EventData::PromptSubmit { .. } => {
            content::note_base(situation, false)?;
            note_begin(situation, false)?;
            in_the_loop(situation)
        }
        EventData::AgentStart => {
            if let Some(agent) = agent_with_role(situation.event) {
                spawns::was_asked_for(situation, agent)?;
            }
            in_the_loop(situation)
        }
        EventData::SessionStart { .. }
        | EventData::BeforeCompact { .. }
        | EventData::AgentStop { .. }
        | EventData::Stop(_) => in_the_loop(situation),
        _ => Ok(Verdict::silent()),
    }
}

/// Notes what defines a proof, as the session begins: the definitions of agents, the limits, the scripts behind commands.
fn note_begin(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    content::note_begin(situation, anew)?;
    roster::note(situation, anew)?;
    if anew || !own_tasks::is_noted(situation)? {
        own_tasks::note(situation, anew)?;
    }
    if anew || !limits::is_noted(situation)? || !scripts::is_noted(situation)? {
        let settings: Settings = situation.config()?;
        limits::note(situation, &settings.limits_file, anew)?;
        scripts::note(situation, &settings, anew)?;
    }
    Ok(())
}

/// A new session starts without the state of the one before.
fn forget(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if situation.remembers()? {
        situation.remember(&State::default())?;
    }
    Ok(Verdict::silent())
}

/// After a call: records its edits, and the report of a subagent.
fn after(
    situation: &Situation<'_>,
    call: &ToolCall,
    outcome: Option<&Outcome>,
) -> Result<Verdict, PolicyError> {
    note_begin(situation, false)?;
    let content::CallTrace { touched, arrived } = match &call.tool {
        _ if may_have_written(call, situation) || matches!(call.tool, Tool::Edit(_)) => {
            content::trace(situation)?
        }
        _ => content::CallTrace::default(),
    };
    let agent = agent_with_role(situation.event);
    let is_about_agents = agent.is_some() || matches!(call.tool, Tool::SpawnAgent { .. });
    let is_about_agents = is_about_agents && situation.remembers()?;
    let ran_tests =
        situation.remembers()? && outcome.is_some_and(|outcome| test_runs::ran_tests(situation, outcome));
    let moved = situation.line().is_some_and(updates_worktree);
    let leaves_writer = left_writer(situation, call);
    let is_shell = matches!(call.tool, Tool::Shell { .. });
    let is_watching =
        is_shell && situation.remembers()? && situation.recall::<State>()?.left_running.is_some();
    let is_about_more = is_about_agents || ran_tests || moved || leaves_writer.is_some() || is_watching;
    if touched.is_empty() && !is_about_more {
        return Ok(Verdict::silent());
    }
    let mut settings: Settings = situation.config()?;
    roster::admit_worker(situation, &mut settings)?;
    let roles = content::redefined_roles(situation, &touched);
    let root = content::real_root(situation.world);
    let is_covered = |name: &str| settings.domain_of(name).is_some();
    let is_in_loop = |file: &content::Touched| {
        // What only looks like another checkout is below the project, too.
        is_covered(file.name()) || file.name_below(&root).is_some_and(|name| is_covered(&name))
    };
    if !is_about_more && roles.is_empty() && !touched.iter().any(is_in_loop) {
        return Ok(Verdict::silent());
    }
    let before: State = situation.recall()?;
    let settings = settings.with_trees(&before.trees);
    let mut session = Session { situation, settings, state: before.clone() };
    if is_watching {
        session.look_and_forget_ended()?;
    }
    if let Some(writer) = leaves_writer {
        session.state.note_writer(writer, call_start(situation));
    }
    session.state.redefined_roles.extend(roles);
    // Before its edits are recorded, which must not count as changes that it has not seen.
    if let Some(agent) = agent {
        session.restart_if_changed(agent);
    }
    if moved {
        let texts = situation.gathered::<Inputs>().map(|inputs| inputs.texts.clone()).unwrap_or_default();
        session.apply_move(&arrived, &texts)?;
    }
    session.apply_edits(&touched)?;
    if ran_tests {
        session.note_test_run()?;
    }
    if let (Tool::SpawnAgent { role, .. }, Some(outcome)) = (&call.tool, outcome) {
        session.agent_answered(role, outcome)?;
    }
    session.save(&before)?;
    Ok(Verdict::silent())
}

/// What is not known after a call is looked up before the agent may stop.
fn or_overlooked(
    situation: &Situation<'_>,
    judged: Result<Verdict, PolicyError>,
) -> Result<Verdict, PolicyError> {
    if judged.is_err() {
        content::note_overlooked(situation)?;
    }
    judged
}

fn names_writes(situation: &Situation<'_>) -> bool {
    let writes = |line: &Line| line.effects.files.iter().any(|effect| effect.act.changes_target());
    situation.effective_line().is_some_and(writes)
}

/// Whether a call may have written what it does not name, even if it failed: a command, a tool of a server, and one that is
/// not known but is given paths or commands.
fn may_have_written(call: &ToolCall, situation: &Situation<'_>) -> bool {
    match call.tool {
        Tool::Shell { .. } | Tool::Mcp { .. } => true,
        Tool::Other => situation.server_call().is_some_and(|server| {
            let names_some = !server.names.is_empty() || !server.edits.is_empty();
            !server.only_reads() && (names_some || !server.line.is_empty() || server.deletes.is_some())
        }),
        _ => false,
    }
}

/// What a call started that may write after it.
fn left_writer(situation: &Situation<'_>, call: &ToolCall) -> Option<LeftWriter> {
    let Tool::Shell { background, .. } = call.tool else { return None };
    let settings = LazyCell::new(|| situation.config::<Settings>().ok());
    let checkouts = LazyCell::new(|| content::Checkouts::new(situation.world));
    let is_code =
        |path: &AbsolutePath| settings.as_ref().is_none_or(|settings| checkouts.is_covered(settings, path));
    let may_be_code = |target: &TargetPaths| match target {
        TargetPaths::Known(paths) => paths.iter().any(is_code),
        _ => true,
    };
    author::left_writer(situation, background, may_be_code)
}

/// The subagent that an event is about. The client's own helpers have no role.
fn agent_with_role(event: &Event) -> Option<&Agent> {
    event.agent.as_ref().filter(|agent| !agent.role.is_empty())
}

/// Handles an event of a session that edited something, or in which an agent starts that may report on it later.
fn in_the_loop(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let before: State = situation.recall()?;
    let happening = &situation.event.happening;
    let agent = agent_with_role(situation.event);
    let starting = agent.filter(|_| *happening == EventData::AgentStart);
    let mut notices = Vec::new();
    let overlooked = match (happening, overlooked_edits(situation)) {
        (_, Ok(overlooked)) => overlooked,
        (EventData::Stop(stopping), Err(error)) if !stopping.again => {
            return Ok(Verdict::deny(messages::unknown_edits(&error)));
        }
        (_, Err(error)) => {
            notices.push(format!("the agent stopped, and it is not known what it edited: {error}"));
            Vec::new()
        }
    };
    if let EventData::Stop(stopping) = happening
        && let Some(unknown) = content::take_unknowable(situation)?
    {
        if !stopping.again {
            return Ok(Verdict::deny(messages::unknown_edits(&unknown)));
        }
        notices.push(format!("the agent stopped, and it is not known what it edited: {unknown}"));
    }
    let is_idle =
        before.domains.is_empty() && before.writing_since().is_none() && before.by_others.is_empty();
    if is_idle && starting.is_none() && overlooked.is_empty() {
        return Ok(Verdict { notices, ..Verdict::default() });
    }
    let (mut session, limits_notice) = Session::with_limits(situation, before.clone())?;
    session.state.redefined_roles.extend(content::redefined_roles(situation, &overlooked));
    session.apply_edits(&overlooked)?;
    // An agent that starts before the first edit has not seen it, whatever it reports on it later.
    if session.state.domains.is_empty()
        && session.state.writing_since().is_none()
        && !starting.is_some_and(|agent| session.settings.is_served_by(&agent.role))
    {
        notices.extend(session.take_notice_of_others());
        session.save(&before)?;
        return Ok(Verdict { notices, ..Verdict::default() });
    }
    let inputs = situation.gathered::<Inputs>();
    let mut verdict = match (happening, agent) {
        (EventData::AgentStart, Some(agent)) => {
            // A formatter may have changed files since the edit.
            session.refresh();
            // It has read its definition now, whatever that says later.
            session.state.redefined_roles.extend(content::redefined_by_content(situation)?);
            session.agent_started(agent);
            with_context(session.result_instructions(agent)?)
        }
        (EventData::AgentStop { stopping, .. }, Some(agent)) => {
            session.agent_stopped(agent, &stopping.last_message, inputs)?
        }
        (EventData::Stop(stopping), _) => session.decide_stop(stopping, inputs)?,
        (EventData::PromptSubmit { .. }, _) => {
            if session.state.left_running.is_some() {
                session.look_and_forget_ended()?;
            }
            let verdict = with_context(session.prompt_context());
            let planning = situation.event.is_planning();
            session.apply(LoopEvent::Prompted { planning });
            verdict
        }
        (EventData::SessionStart { .. } | EventData::BeforeCompact { .. }, _) => {
            with_context(session.compaction_context())
        }
        _ => Verdict::silent(),
    };
    verdict.notices.extend(limits_notice.into_iter().chain(notices));
    session.save(&before)?;
    Ok(verdict)
}

/// What was edited by calls after which git did not answer. It is looked up when the agent stops.
fn overlooked_edits(situation: &Situation<'_>) -> Result<Vec<content::Touched>, PolicyError> {
    match &situation.event.happening {
        EventData::Stop(_) => content::find_overlooked(situation),
        _ => Ok(Vec::new()),
    }
}

impl Session<'_> {
    /// The context of a prompt: the status of the loop, and once how it ended.
    fn prompt_context(&mut self) -> Option<Snippet> {
        let text = match &self.state.ending {
            Some(Ending::Escalated(escalation)) if !escalation.told => messages::advised(escalation),
            Some(Ending::HandedOver { workflow, told: false }) => self.handed_over(workflow),
            Some(Ending::Escalated(_) | Ending::Aborted | Ending::HandedOver { .. }) => return None,
            // What was left to a person is not the agent's.
            None if self.open_phases().is_empty() => return None,
            None => {
                let line = one_line(&self.state, &self.settings);
                return line.map(|line| messages::snippet("status", line));
            }
        };
        if let Some(Ending::Escalated(Escalation { told, .. }) | Ending::HandedOver { told, .. }) =
            &mut self.state.ending
        {
            *told = true;
        }
        Some(messages::snippet("ending", text))
    }

    /// For the user, at a stop: what others changed.
    fn take_notice_of_others(&mut self) -> Option<String> {
        let is_stop = matches!(self.situation.event.happening, EventData::Stop(_));
        let changed = if is_stop { std::mem::take(&mut self.state.by_others) } else { return None };
        (!changed.is_empty()).then(|| messages::by_others(&changed))
    }

    /// The context that survives a compaction.
    fn compaction_context(&self) -> Option<Snippet> {
        let open = if self.state.ending.is_none() { self.open_phases() } else { Vec::new() };
        (!open.is_empty()).then(|| messages::snippet("open", self.compacted(&open)))
    }
}

fn with_context(snippet: Option<Snippet>) -> Verdict {
    snippet.map_or_else(Verdict::silent, Verdict::context)
}
