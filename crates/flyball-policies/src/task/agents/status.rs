//! The task that a session works on.

use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_knowledge::plan::Status;
use flyball_knowledge::{lock, plan};

use crate::task::session_key;

/// The task of a session.
pub(super) enum TaskStatus {
    /// The session works on this plan.
    Bound(ProjectPath),
    /// This plan was started, or says that it is in progress, and no session works on it.
    Unbound(ProjectPath),
    NoTask,
}

impl TaskStatus {
    pub(super) fn read(situation: &Situation<'_>) -> Result<TaskStatus, PolicyError> {
        let (world, who) = (situation.world, session_key(situation.event));
        let (paused, bound): (Vec<_>, Vec<_>) =
            lock::bound(world, who)?.into_iter().partition(|(_, lock)| lock.paused.is_some());
        if let [_, _, ..] = bound.as_slice()
            && let Some(plan) = lock::open_plans(world, who)?.into_iter().next()
        {
            return Ok(TaskStatus::Bound(plan));
        }
        if let Some((plan, _)) = bound.into_iter().next() {
            return Ok(TaskStatus::Bound(plan));
        }
        // What is done while a task is paused is not work on it.
        if !paused.is_empty() {
            return Ok(TaskStatus::NoTask);
        }
        let Some(active) = plan::active(world)? else { return Ok(TaskStatus::NoTask) };
        let Some(plan) = plan::read(world, &active)?.filter(|plan| !plan.status.is_terminal()) else {
            return Ok(TaskStatus::NoTask);
        };
        let waits = match lock::read(world, &active)? {
            Some(lock) => lock.holder.is_none() && lock.paused.is_none(),
            // Its plan says that somebody has begun.
            None => matches!(plan.status, Status::InProgress | Status::Handoff),
        };
        Ok(if waits { TaskStatus::Unbound(active) } else { TaskStatus::NoTask })
    }
}

/// The active task, if it was started and has not ended.
pub(super) fn started_task(world: &dyn World) -> Result<Option<ProjectPath>, PolicyError> {
    let Some(active) = plan::active(world)? else { return Ok(None) };
    let is_open = plan::read(world, &active)?.is_some_and(|plan| !plan.status.is_terminal());
    Ok(if is_open && lock::read(world, &active)?.is_some() { Some(active) } else { None })
}
