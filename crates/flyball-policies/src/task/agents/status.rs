//! The task that a session works on.

use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_knowledge::{lock, plan};

use crate::task::session_key;

/// The task of a session.
pub(super) enum TaskStatus {
    /// The session works on this plan.
    Bound(ProjectPath),
    /// This plan was started and no session works on it yet.
    Unbound(ProjectPath),
    NoTask,
}

impl TaskStatus {
    pub(super) fn read(situation: &Situation<'_>) -> Result<TaskStatus, PolicyError> {
        let (world, who) = (situation.world, session_key(situation.event));
        let bound = lock::bound_plans(world, who)?;
        if let [_, _, ..] = bound.as_slice()
            && let Some(plan) = lock::open_plans(world, who)?.into_iter().next()
        {
            return Ok(TaskStatus::Bound(plan));
        }
        if let Some(plan) = bound.into_iter().next() {
            return Ok(TaskStatus::Bound(plan));
        }
        let Some(active) = started_task(world)? else { return Ok(TaskStatus::NoTask) };
        Ok(match lock::read(world, &active)?.map(|lock| lock.holder) {
            Some(Some(holder)) if holder.is_session(who) => TaskStatus::Bound(active),
            Some(None) => TaskStatus::Unbound(active),
            Some(Some(_)) | None => TaskStatus::NoTask,
        })
    }
}

/// The active task, if it was started and has not ended.
pub(super) fn started_task(world: &dyn World) -> Result<Option<ProjectPath>, PolicyError> {
    let Some(active) = plan::active(world)? else { return Ok(None) };
    let is_open = plan::read(world, &active)?.is_some_and(|plan| !plan.status.is_terminal());
    Ok(if is_open && lock::read(world, &active)?.is_some() { Some(active) } else { None })
}
