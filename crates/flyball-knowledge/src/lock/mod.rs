//! Which session works on which plan. The note of the project decides, changed by one process after the other; the
//! `.lock` file beside the plan is a mirror of it for people and other tools.

mod change;
mod mirror;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use flyball_core::policy::{PolicyError, World};
use serde::{Deserialize, Serialize};

use crate::plan;

pub use self::change::{Binding, bind, heartbeat, mark_ended, quarantine, release, start};

/// The note that holds all locks of a project.
pub const NOTE: &str = "task.locks";

/// The note in which locks are kept that could not be read.
pub const DAMAGED: &str = "task.locks.damaged";

/// A holder that was not heard of for so long is taken to be gone, unless a setting says otherwise.
pub const ORPHAN_MILLIS: u64 = 24 * 60 * 60 * 1000;

/// All locks of a project, by the path of the plan relative to its root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Locks(pub BTreeMap<String, Lock>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// When the task was started, in milliseconds since 1970.
    pub started_at: u64,
    /// The session that works on it; `None` until one is bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<Holder>,
}

/// The session that works on a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The client; empty where only the file of another tool names the session.
    pub client: String,
    pub session: String,
    /// When it was bound, in milliseconds since 1970.
    pub bound_at: u64,
    /// When it was last heard of.
    pub heard_at: u64,
    /// Whether it has said since then that it ends.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_ended: bool,
}

impl Holder {
    /// Whether it is this session. Files of other tools do not name the client.
    #[must_use]
    pub fn is_session(&self, (client, session): (&str, &str)) -> bool {
        self.session == session && (self.client == client || self.client.is_empty())
    }

    /// Whether it has ended, or was not heard of for so long that it is taken to be gone.
    #[must_use]
    pub const fn is_gone(&self, now: u64, after_millis: u64) -> bool {
        self.has_ended || now.saturating_sub(self.heard_at) > after_millis
    }
}

/// All locks.
///
/// # Errors
/// When the note cannot be read or is not ours to read. It is never deleted for that.
pub fn read_all(world: &dyn World) -> Result<Locks, PolicyError> {
    let Some(text) = world.project_note(NOTE)? else { return Ok(Locks::default()) };
    parse(&text)
}

/// The lock of a plan: the note's, else the one that another tool left beside the plan. What cannot be read there is
/// no lock, and stays where it is.
///
/// # Errors
/// See [`locks`].
pub fn read(world: &dyn World, plan: &str) -> Result<Option<Lock>, PolicyError> {
    Ok(read_all(world)?.0.remove(plan).or_else(|| mirror::read(world, plan)))
}

/// The plan that a session works on, relative to the project's root: the one it was bound to last.
///
/// # Errors
/// See [`locks`].
pub fn bound_plan(world: &dyn World, who: (&str, &str)) -> Result<Option<String>, PolicyError> {
    Ok(bound_plans(world, who)?.into_iter().next())
}

/// All plans that a session is bound to, the last one first.
///
/// # Errors
/// See [`locks`].
pub fn bound_plans(world: &dyn World, who: (&str, &str)) -> Result<Vec<String>, PolicyError> {
    let ours = |(path, lock): (String, Lock)| {
        let holder = lock.holder.filter(|holder| holder.is_session(who))?;
        Some((holder.bound_at, path))
    };
    let mut found: Vec<(u64, String)> = read_all(world)?.0.into_iter().filter_map(ours).collect();
    found.sort_by(|one, other| other.cmp(one));
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// The plans among them that are open. One that cannot be read is not.
///
/// # Errors
/// See [`locks`].
pub fn open_plans(world: &dyn World, who: (&str, &str)) -> Result<Vec<String>, PolicyError> {
    let mut plans = bound_plans(world, who)?;
    plans.retain(|path| {
        plan::is_plan_path(path)
            && plan::read(world, path).ok().flatten().is_some_and(|plan| !plan.status.is_terminal())
    });
    Ok(plans)
}

/// Reads the note.
///
/// # Errors
/// When it is damaged.
pub fn parse(text: &str) -> Result<Locks, PolicyError> {
    serde_json::from_str(text).map_err(|cause| PolicyError::World {
        what: format!("the locks of this project's tasks cannot be read: {cause}"),
        fix: "`flyball task release` in a terminal of your own puts them aside; plans stay as they are"
            .to_owned(),
    })
}
