//! Which session works on which plan. The note of the project decides, changed by one process after the other; the
//! `.lock` file beside the plan is a mirror of it for people and other tools.

mod change;
mod locks;
mod mirror;
#[cfg(test)]
mod tests;

use std::time::Duration;

use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::time::{DAY, Time};

use crate::plan;

pub use self::change::{
    Binding, adopt, bind, heartbeat, mark_ended, pause, quarantine, release, resume, start,
};
pub use self::locks::{DAMAGED, Holder, Lock, Locks, NOTE, Pause, parse, read_all};

/// A holder without a sign of life for this long counts as gone, unless a setting says otherwise.
pub const ORPHANED_AFTER: Duration = DAY;

/// The lock of a plan: the note's, else the one that another tool left beside the plan. A file that cannot be read is
/// not a lock and stays in place.
///
/// # Errors
/// See [`read_all`].
pub fn read(world: &dyn World, plan: &ProjectPath) -> Result<Option<Lock>, PolicyError> {
    Ok(read_all(world)?.0.remove(plan).or_else(|| mirror::read(world, plan)))
}

/// The plan that a session works on: the one it was bound to last.
///
/// # Errors
/// See [`read_all`].
pub fn bound_plan(world: &dyn World, who: (&str, &str)) -> Result<Option<ProjectPath>, PolicyError> {
    Ok(bound_plans(world, who)?.into_iter().next())
}

/// All plans that a session is bound to, the last one first.
///
/// # Errors
/// See [`read_all`].
pub fn bound_plans(world: &dyn World, who: (&str, &str)) -> Result<Vec<ProjectPath>, PolicyError> {
    Ok(bound(world, who)?.into_iter().map(|(path, _)| path).collect())
}

/// All plans that a session is bound to with their locks, the last one first: by the note, and the active one by the
/// lock file of another tool.
///
/// # Errors
/// See [`read_all`].
pub fn bound(world: &dyn World, who: (&str, &str)) -> Result<Vec<(ProjectPath, Lock)>, PolicyError> {
    let locks = read_all(world)?;
    let by_others = locked_by_others(world, &locks);
    let ours = |(path, lock): (ProjectPath, Lock)| {
        let bound_at = lock.holder.as_ref().filter(|holder| holder.is_session(who))?.bound_at;
        Some((bound_at, path, lock))
    };
    let mut found: Vec<(Time, ProjectPath, Lock)> =
        locks.0.into_iter().chain(by_others).filter_map(ours).collect();
    found.sort_by(|(at, path, _), other| (&other.0, &other.1).cmp(&(at, path)));
    Ok(found.into_iter().map(|(_, path, lock)| (path, lock)).collect())
}

/// The active plan, if only the file of another tool locks it. No folder is listed: a hook calls this.
fn locked_by_others(world: &dyn World, locks: &Locks) -> Option<(ProjectPath, Lock)> {
    let active = plan::active(world).ok().flatten().filter(|active| !locks.0.contains_key(active))?;
    let lock = mirror::read(world, &active)?;
    Some((active, lock))
}

/// The open plans among them. An unreadable plan is not open, and a paused one is not worked on.
///
/// # Errors
/// See [`read_all`].
pub fn open_plans(world: &dyn World, who: (&str, &str)) -> Result<Vec<ProjectPath>, PolicyError> {
    let is_open = |path: &ProjectPath| {
        plan::is_plan_path(path)
            && plan::read(world, path).ok().flatten().is_some_and(|plan| !plan.status.is_terminal())
    };
    let plans = bound(world, who)?.into_iter().filter(|(_, lock)| lock.paused.is_none());
    Ok(plans.map(|(path, _)| path).filter(is_open).collect())
}
