//! Limits the iterations of one task, and how often a pattern is tried again.

mod pattern;
mod settings;
mod state;
mod stop;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Stopping, Tool, ToolCall};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::Verdict;
use flyball_core::workshop::Workshop;
use flyball_effects::Command;

use self::settings::Written;
pub use self::settings::{Pattern, Settings, Skill};
use self::state::{Active, State};
pub use self::state::{Task, View, start, start_by_agent, stop_task, view};
use super::events::is_new_session;
use super::limits;
use super::run::{IN_LOOP, RunRequest, RunResult, run};
use crate::digest::digest;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("loop.iterations"),
    summary: "a task has a limited number of iterations, and ends when it is done",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::PromptSubmit,
        EventKind::PromptExpanded,
        EventKind::BeforeTool,
        EventKind::AfterTool,
        EventKind::ToolFailed,
        EventKind::Stop,
    ],
    on_error: OnError::Hold,
    mode: Mode::Off,
    section: SectionSpec::compiled::<Written>().raised_by_anyone(),
    run: judge,
    gather: Some(gather),
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    note_limits(situation)?;
    match &situation.event.happening {
        happening if is_new_session(happening) => change(situation, |state| *state = State::default()),
        EventData::PromptSubmit { by_machine: false, .. } => change(situation, |state| state.tried.clear()),
        EventData::PromptExpanded { command, arguments } => {
            begin(situation, command, arguments, Starter::Person)
        }
        EventData::BeforeTool(ToolCall { tool: Tool::Skill { name, .. }, .. }) => {
            pattern::judge(situation, name)
        }
        EventData::AfterTool { call, .. } => {
            confirm_command(situation)?;
            if situation.event.agent.is_some() {
                return Ok(Verdict::silent());
            }
            // Only calls right before a stop count: an agent that got over its errors continues.
            called(situation, call, |errors| *errors = 0)?;
            match &call.tool {
                Tool::Skill { name, arguments } => begin(situation, name, arguments, Starter::Agent),
                _ => Ok(Verdict::silent()),
            }
        }
        EventData::ToolFailed { call, interrupted: false, .. } if situation.event.agent.is_none() => {
            called(situation, call, |errors| *errors += 1)
        }
        EventData::Stop(stopping) => stopped(situation, stopping),
        _ => Ok(Verdict::silent()),
    }
}

/// Notes the limits with which the session begins.
fn note_limits(situation: &Situation<'_>) -> Result<(), PolicyError> {
    let anew = is_new_session(&situation.event.happening);
    let is_due = match situation.event.happening {
        EventData::PromptSubmit { .. } => true,
        // Most calls come after it was noted.
        EventData::AfterTool { .. } => !limits::is_noted(situation)?,
        _ => anew,
    };
    if is_due {
        let settings: Settings = situation.config()?;
        limits::note(situation, &settings.limits_file, anew)?;
    }
    Ok(())
}

/// An agent's `flyball loop start --until COMMAND` ran, so that whoever has to agree to it did: `guard.self` asks a person
/// before. A command that was set in any way that guards do not see is never run.
fn confirm_command(situation: &Situation<'_>) -> Result<(), PolicyError> {
    let Some(line) = situation.line() else { return Ok(()) };
    let set: Vec<&str> = line.script.commands.iter().filter_map(command_set_by).collect();
    if set.is_empty() || !situation.remembers()? {
        return Ok(());
    }
    situation.update(|state: &mut State| {
        if let Some(task) = &mut state.task
            && task.until.as_deref().is_some_and(|until| set.contains(&until))
        {
            task.is_unconfirmed = false;
        }
    })
}

/// The command in `flyball loop start --until COMMAND`.
fn command_set_by(command: &Command) -> Option<&str> {
    let words: Vec<&str> = command.arguments.iter().map(|word| word.text.as_deref().unwrap_or("")).collect();
    if command.program_name() != Some("flyball") || !words.starts_with(&["loop", "start"]) {
        return None;
    }
    let at = words.iter().position(|word| word.starts_with("--until"))?;
    match words.get(at)?.split_once('=') {
        Some((_, text)) => Some(text),
        None => words.get(at + 1).copied(),
    }
}

/// Changes what is remembered, if anything is.
fn change(situation: &Situation<'_>, change: impl FnOnce(&mut State)) -> Result<Verdict, PolicyError> {
    if situation.remembers()? {
        let active = situation.memory.active_time()?;
        situation.update(|state| {
            change(state);
            state.count_from(active);
        })?;
    }
    Ok(Verdict::silent())
}

/// Begins the task of a skill or a command, if it is configured to have one. A person's command replaces the task that
/// is under way; an agent's skill does not, or an agent could start over forever.
fn begin(
    situation: &Situation<'_>,
    name: &str,
    arguments: &str,
    by: Starter,
) -> Result<Verdict, PolicyError> {
    if let Some(task) = task_of(situation, name, arguments)? {
        let active = situation.memory.active_time()?;
        situation.update(|state: &mut State| {
            if by == Starter::Person || state.task.is_none() {
                state.begin(task, situation.world.now());
                state.count_from(active);
            }
        })?;
    }
    Ok(Verdict::silent())
}

/// Who starts a task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Starter {
    Person,
    Agent,
}

/// The task that a skill or a command starts, if it is configured to.
fn task_of(situation: &Situation<'_>, name: &str, arguments: &str) -> Result<Option<Task>, PolicyError> {
    let settings: Settings = situation.config()?;
    let skill = settings.skill.into_iter().find(|skill| skill.is_named(name));
    Ok(skill.map(|skill| Task {
        text: format!("{} {arguments}", skill.name).trim_end().to_owned(),
        max: skill.max,
        until: skill.until,
    }))
}

/// The agent called a tool.
fn called(
    situation: &Situation<'_>,
    call: &ToolCall,
    count: impl FnOnce(&mut u32),
) -> Result<Verdict, PolicyError> {
    change(situation, |state| {
        let Some(task) = &mut state.task else { return };
        count(&mut task.errors);
        let print = digest([call.name.as_str(), &call.input, &format!("{:?}", call.tool)]);
        task.calls = if task.call == print { task.calls + 1 } else { 1 };
        task.call = print;
    })
}

/// The agent wants to stop.
fn stopped(situation: &Situation<'_>, stopping: &Stopping) -> Result<Verdict, PolicyError> {
    if !situation.remembers()? {
        return Ok(Verdict::silent());
    }
    let mut state: State = situation.recall()?;
    let active = situation.memory.active_time()?;
    state.count_from(active);
    let Some(task) = &state.task else { return Ok(Verdict::silent()) };
    let settings: Settings = situation.config()?;
    let (own, known) = (task.max, task.bounds);
    let mut verdict = Verdict::silent();
    // The file of limits is read at the first stop only: editing it later does not change a running task.
    let bounds = match known {
        Some(bounds) => bounds,
        None => {
            let (limits, notice) = state.read_limits(situation, &settings)?;
            verdict.notices.extend(notice);
            settings.bounds(own, &limits)
        }
    };
    let request = stop::StopRequest {
        stopping,
        check_run: situation.gathered::<RunResult>(),
        max_holds: settings.max_holds,
        plans: situation.event.is_planning(),
        active,
    };
    verdict.join(stop::decide(&mut state, bounds, &request));
    situation.remember(&state)?;
    Ok(verdict)
}

/// Runs the command that checks whether the task is done.
fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    let EventData::Stop(stopping) = &situation.event.happening else { return Ok(None) };
    let may_run =
        situation.mode == Mode::Enforce && !stopping.has_running_subagent() && !situation.event.is_planning();
    if !may_run || !situation.remembers()? || workshop.variable(IN_LOOP).is_some() {
        return Ok(None);
    }
    let state: State = situation.recall()?;
    let Some(Active { until: Some(command), is_unconfirmed: false, .. }) = &state.task else {
        return Ok(None);
    };
    let settings: Settings = situation.config()?;
    let folder = situation.world.project_root();
    let request = RunRequest {
        command,
        folder,
        timeout: settings.run_time.duration(),
        tail_lines: settings.tail_lines,
    };
    Ok(Some(Box::new(run(workshop, &request))))
}
