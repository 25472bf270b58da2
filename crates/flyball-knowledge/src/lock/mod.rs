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

pub use self::change::{Binding, bind, heartbeat, mark_ended, quarantine, release, start};
pub use self::locks::{DAMAGED, Holder, Lock, Locks, NOTE, parse, read_all};

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
    let ours = |(path, lock): (ProjectPath, Lock)| {
        let holder = lock.holder.filter(|holder| holder.is_session(who))?;
        Some((holder.bound_at, path))
    };
    let mut found: Vec<(Time, ProjectPath)> = read_all(world)?.0.into_iter().filter_map(ours).collect();
    found.sort_by(|one, other| other.cmp(one));
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// The open plans among them. An unreadable plan is not open.
///
/// # Errors
/// See [`read_all`].
pub fn open_plans(world: &dyn World, who: (&str, &str)) -> Result<Vec<ProjectPath>, PolicyError> {
    let mut plans = bound_plans(world, who)?;
    plans.retain(|path| {
        plan::is_plan_path(path)
            && plan::read(world, path).ok().flatten().is_some_and(|plan| !plan.status.is_terminal())
    });
    Ok(plans)
}
