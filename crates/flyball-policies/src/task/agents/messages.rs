//! The messages to the main agent when a subagent has returned.

use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::verdict::{Snippet, Verdict};
use flyball_knowledge::lock::Binding;
use flyball_knowledge::plan::{self, Phase, Plan};
use flyball_knowledge::role::Role;
use flyball_knowledge::{layout, timestamp};

const MOST_ATTEMPTS: u32 = 20;

/// How a worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// It returned with an answer.
    Done,
    /// It could not be started, or broke.
    Failed,
    /// It ended in the background; only its result says how.
    Stopped,
}

/// A worker that ended, by its role.
pub(super) struct EndedWorker<'a> {
    pub(super) role: &'a str,
    pub(super) ending: Ending,
}

pub(super) fn context_verdict(key: &str, text: String) -> Verdict {
    let snippet = Snippet { key: format!("task.agents {key}"), rank: 20, text };
    Verdict { context: vec![snippet], ..Verdict::default() }
}

/// The next step after a worker; empty if the task is over.
pub(super) fn next_step(
    world: &dyn World,
    path: &ProjectPath,
    worker: &EndedWorker<'_>,
    coordinator: Option<&str>,
) -> Result<String, PolicyError> {
    let EndedWorker { role, ending } = *worker;
    let (name, task) = (role.to_uppercase(), plan::task_name(path));
    let Some(plan) = plan::read(world, path)? else {
        return Ok(format!("{name} returned, but the plan of task `{task}` no longer exists: `{path}`."));
    };
    if plan.status.is_terminal() {
        return Ok(String::new());
    }
    let report = format!("{}/{}_output.md", artifacts(world, path, (&plan, role)), file_name(role));
    let progress = plan.progress();
    let then = record_progress(coordinator, path);
    let failed =
        format!("retry it once; if that fails too, mark the phase failed in `{path}` and write no report");
    Ok(match ending {
        Ending::Done => {
            format!(
                "{name} done (task `{task}`, {progress}). Next: 1. write its report to `{report}`; 2. {then}."
            )
        }
        Ending::Failed => format!("{name} failed (task `{task}`, {progress}). Next: {failed}."),
        Ending::Stopped => format!(
            "{name} has ended in the background (task `{task}`, {progress}). Next, if it did its work: 1. write its \
             report to `{report}`; 2. {then}. If it failed: {failed}."
        ),
    })
}

/// What is done with a report: by the coordinator, else by the main agent itself.
fn record_progress(coordinator: Option<&str>, path: &ProjectPath) -> String {
    match coordinator {
        Some(name) => format!("call the agent `{name}`"),
        None => format!("tick the boxes that are done in `{path}`; `flyball task status` shows what is open"),
    }
}

/// The message after a worker of a task that no session works on.
pub(super) fn unbound(path: &ProjectPath, coordinator: Option<&str>) -> String {
    let task = plan::task_name(path);
    let first = match coordinator {
        Some(name) => {
            format!("call the agent `{name}` first, which binds it to this session")
        }
        None => format!("run `flyball task start {task}` to bind it to this session"),
    };
    format!("Task `{task}` was started, but no session works on it yet: {first}.")
}

/// The result of binding the task; empty if nothing changed.
pub(super) fn binding(path: &ProjectPath, binding: &Binding) -> String {
    let task = plan::task_name(path);
    match binding {
        Binding::Bound => format!("Task `{task}` is bound to this session now: its plan is `{path}`."),
        Binding::HeldBy(holder) => {
            let since = timestamp::iso_seconds(holder.bound_at);
            let session: String = holder.session.chars().take(8).collect();
            format!(
                "Task `{task}` is not bound to this session: session {session} has worked on it since {since}. To see all \
                 tasks, run `flyball task list`."
            )
        }
        Binding::AlreadyBound | Binding::Unbound => String::new(),
    }
}

/// Where the reports of this attempt at the present phase go, relative to the project's root.
pub(super) fn artifacts(world: &dyn World, path: &ProjectPath, (plan, role): (&Plan, &str)) -> String {
    let phase = plan.phase().or_else(|| plan.phases.last());
    let number = phase.map_or(1, |phase| phase.number);
    let letter = if is_verification(phase, role) { 'v' } else { 'e' };
    let folder =
        |attempt: u32| format!("{}/{number}-{attempt}{letter}", plan::sibling_path(path, layout::ARTIFACTS));
    let is_there = |attempt: &u32| world.stat(&plan::absolute_path(world, &folder(*attempt))).is_some();
    // Agents of one attempt share its folder; the next attempt counts up.
    folder((1..=MOST_ATTEMPTS).take_while(is_there).last().unwrap_or(1))
}

fn is_verification(phase: Option<&Phase>, role: &str) -> bool {
    phase.is_some_and(|phase| phase.verifies)
        || matches!(Role::from_agent(role), Some(Role::Test | Role::Review))
}

/// The name of an agent as a part of a file's name.
fn file_name(role: &str) -> String {
    let plain =
        |letter: char| if letter.is_alphanumeric() || matches!(letter, '-' | '_') { letter } else { '_' };
    role.chars().map(plain).collect()
}
