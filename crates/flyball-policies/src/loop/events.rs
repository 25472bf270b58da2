//! Reads events: what a call edited, how a session starts.

pub(super) use flyball_core::call_start::{call_start, note_call_start};
use flyball_core::event::{Change, EventData};
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};

use crate::worktree_updates::{only_updates_worktree, updates_worktree};

/// The edits of a call. Files that git restored from the history are not edits.
pub(super) fn own_edits<'a>(situation: &Situation<'a>) -> Result<Vec<&'a SeenEdit>, PolicyError> {
    let line = situation.line();
    if line.is_some_and(only_updates_worktree) {
        return Ok(Vec::new());
    }
    let is_moved = line.is_some_and(updates_worktree);
    // While git moves the worktree, what is only noticed as changed comes from git.
    let is_own = |edit: &&SeenEdit| !(is_moved && edit.route == EditRoute::Noticed);
    Ok(situation.edits()?.iter().filter(is_own).collect())
}

/// The paths of an edit: the file, and where it was moved to.
pub(super) fn edited_paths(situation: &Situation<'_>, edit: &SeenEdit) -> Vec<AbsolutePath> {
    let mut paths = vec![edit.path.clone()];
    if let Some(Change::Move { to }) = &edit.change {
        paths.push(situation.world.real_path(&situation.event.cwd, to));
    }
    paths
}

/// Whether a session starts without anything from before.
pub(super) fn is_new_session(happening: &EventData) -> bool {
    matches!(happening, EventData::SessionStart { source } if matches!(source.as_str(), "startup" | "clear"))
}
