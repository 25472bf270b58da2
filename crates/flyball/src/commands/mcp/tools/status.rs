//! `loop_status` and `task_status`: the progress of the work.

use std::path::PathBuf;

use flyball_core::time::Time;
use flyball_core::world::{Files, Place};
use flyball_knowledge::lock::{self, Lock};
use flyball_knowledge::plan::{self, Phase};
use serde::Serialize;

use super::nothing::Nothing;
use crate::commands::mcp::projects::{Projects, Refusal};
use crate::commands::memory::place::machine;
use crate::project_context::ProjectContext;
use crate::session;
use crate::views::r#loop::{self as view, SessionOutput};

/// Longer files are not plans.
const PLAN_BYTES: u64 = 1024 * 1024;

/// A session and its loop, in the words of `flyball loop status --json`.
#[derive(Serialize)]
struct SessionLoop {
    #[serde(flatten)]
    output: SessionOutput,
    /// Whether it is the session whose client started this server.
    is_yours: bool,
    has_ended: bool,
}

/// The loops of all sessions that have one.
pub(super) fn loops(projects: &Projects, _: &Nothing) -> Result<String, Refusal> {
    let own = session::own();
    let mut found = Vec::new();
    for root in &projects.roots {
        let here = ProjectContext::at(root.clone());
        let archive = here.archive()?;
        for looped in view::all(&here, &archive)? {
            let session = &looped.session;
            let is_yours =
                own.as_ref().is_some_and(|(client, id)| *client == session.client && *id == session.session);
            let has_ended = session.has_ended;
            let output = SessionOutput::find(looped, &archive)?;
            found.extend(output.map(|output| SessionLoop { output, is_yours, has_ended }));
        }
    }
    if found.is_empty() {
        return Ok(
            "No loop is open: no session has edited code that has to be reviewed and tested.".to_owned()
        );
    }
    Ok(serde_json::to_string_pretty(&found).unwrap_or_default())
}

/// The active task of a project.
#[derive(Serialize)]
struct Task {
    project: PathBuf,
    plan: String,
    title: String,
    status: String,
    progress: String,
    phases: Vec<PhaseLine>,
    /// What is due in the current phase.
    open: Vec<String>,
    decisions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worked_on_by: Option<Worker>,
    /// What the user wrote to pause it.
    #[serde(skip_serializing_if = "Option::is_none")]
    paused: Option<String>,
}

#[derive(Serialize)]
struct PhaseLine {
    phase: String,
    title: String,
    is_complete: bool,
    is_current: bool,
}

/// The session that works on it.
#[derive(Serialize)]
struct Worker {
    client: String,
    session: String,
    is_yours: bool,
    #[serde(with = "flyball_core::time::millis")]
    last_heard_of: Time,
}

/// The active tasks of all projects.
pub(super) fn tasks(projects: &Projects, _: &Nothing) -> Result<String, Refusal> {
    let mut found = Vec::new();
    for root in &projects.roots {
        found.extend(active(root)?);
    }
    if found.is_empty() {
        return Ok("No task is active: `.claude/TASK.md` names no plan.".to_owned());
    }
    Ok(serde_json::to_string_pretty(&found).unwrap_or_default())
}

fn active(root: &std::path::Path) -> Result<Option<Task>, Refusal> {
    let machine = machine(root);
    let Some(path) = plan::active(&machine)? else { return Ok(None) };
    let Some(plan) = plan::read(&machine, &path)? else { return Ok(None) };
    let real = machine.real_path(machine.project_root(), &path);
    let text = machine.read(&real, PLAN_BYTES)?.unwrap_or_default();
    let lock = lock::read(&machine, &path)?;
    let paused = lock.as_ref().and_then(|lock| lock.paused.as_ref()).map(|pause| pause.text.clone());
    let current = plan.current.and_then(|at| plan.phases.get(at));
    let phase = |phase: &Phase| PhaseLine {
        phase: phase.label(),
        title: phase.title.clone(),
        is_complete: phase.is_complete,
        is_current: current == Some(phase),
    };
    Ok(Some(Task {
        project: root.to_path_buf(),
        title: plan.title.clone(),
        status: plan.status.as_str().to_owned(),
        progress: plan.progress(),
        phases: plan.phases.iter().map(phase).collect(),
        open: current.map(|phase| phase.open.clone()).unwrap_or_default(),
        decisions: plan::decisions(&String::from_utf8_lossy(&text)),
        worked_on_by: lock.and_then(worker),
        paused,
        plan: path.into(),
    }))
}

fn worker(lock: Lock) -> Option<Worker> {
    let holder = lock.holder?;
    let own = session::own();
    let is_yours = own.is_some_and(|(client, id)| client == holder.client && id.as_str() == holder.session);
    Some(Worker { client: holder.client, session: holder.session, is_yours, last_heard_of: holder.heard_at })
}
