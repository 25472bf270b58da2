//! The `.lock` file beside a plan, in the form that existing tools know: `task_path`, `started_at`, `session_id` and
//! `bound_at`. It is never deleted: a released one has `released_at`.

use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::time::Time;
use flyball_core::workshop::Workshop;
use serde::{Deserialize, Serialize};

use super::locks::{Holder, Lock, read_all};
use crate::layout::LOCK;
use crate::plan::{absolute_path, sibling_path};
use crate::timestamp;

const MOST_BYTES: u64 = 64 * 1024;

#[derive(Serialize, Deserialize)]
struct LockFile {
    task_path: ProjectPath,
    started_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bound_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    released_at: Option<String>,
}

/// The lock in the file; `None` if there is none that can be read, or it is for another plan.
pub(super) fn read(world: &dyn World, plan: &ProjectPath) -> Option<Lock> {
    let bytes = world.read(&absolute_path(world, &sibling_path(plan, LOCK)), MOST_BYTES).ok()??;
    let form: LockFile = serde_json::from_slice(&bytes).ok()?;
    if form.task_path != *plan || form.released_at.is_some() {
        return None;
    }
    let started_at = timestamp::parse(&form.started_at).unwrap_or_default();
    let bound_at = form.bound_at.as_deref().and_then(timestamp::parse).unwrap_or(started_at);
    let holder = form.session_id.filter(|session| !session.is_empty()).map(|session| Holder {
        client: String::new(),
        session,
        bound_at,
        heard_at: bound_at,
        has_ended: false,
    });
    Some(Lock { started_at, holder, paused: None })
}

/// Copies the note's lock into the file. A file that is not a lock stays unchanged.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(workshop: &dyn Workshop, plan: &ProjectPath) -> Result<(), PolicyError> {
    let change = &mut |before: Option<&[u8]>| {
        let is_foreign =
            |bytes: &&[u8]| !bytes.is_empty() && serde_json::from_slice::<LockFile>(bytes).is_err();
        if before.as_ref().is_some_and(is_foreign) {
            return Ok(None);
        }
        // Read here, under the file's lock, so that the last writer writes the latest state.
        let lock = read_all(workshop)?.0.remove(plan);
        let form = match (lock, before) {
            (Some(lock), _) => lock_file(plan, &lock),
            (None, Some(before)) => match released(before, plan, workshop.now()) {
                Some(form) => form,
                None => return Ok(None),
            },
            (None, None) => return Ok(None),
        };
        let text = serde_json::to_string_pretty(&form).unwrap_or_default();
        Ok(Some(format!("{text}\n").into_bytes()))
    };
    workshop.update(&absolute_path(workshop, &sibling_path(plan, LOCK)), change).map(drop)
}

fn lock_file(plan: &ProjectPath, lock: &Lock) -> LockFile {
    LockFile {
        task_path: plan.clone(),
        started_at: timestamp::iso(lock.started_at),
        session_id: lock.holder.as_ref().map(|holder| holder.session.clone()),
        bound_at: lock.holder.as_ref().map(|holder| timestamp::iso(holder.bound_at)),
        released_at: None,
    }
}

fn released(before: &[u8], plan: &ProjectPath, now: Time) -> Option<LockFile> {
    let form: LockFile = serde_json::from_slice(before).ok()?;
    if form.task_path != *plan || form.released_at.is_some() {
        return None;
    }
    Some(LockFile { session_id: None, bound_at: None, released_at: Some(timestamp::iso(now)), ..form })
}
