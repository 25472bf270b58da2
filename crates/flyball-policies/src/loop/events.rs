//! Reads events: what a call edited, how a session starts.

use std::time::Duration;

use flyball_core::event::{Change, EventData};
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;

use crate::worktree_updates::{only_updates_worktree, updates_worktree};

/// How long a call may have taken where the client does not say.
const DEFAULT_CALL: Duration = Duration::from_secs(60);
/// Clocks of file systems are coarse.
const SLACK: Duration = Duration::from_millis(50);
/// How far they are behind a time that was noted: the clock of the kernel ticks.
const TICK: Duration = Duration::from_millis(10);

/// How much later than the end of a call the hook may look at its clock.
const SLOW_START: Duration = Duration::from_secs(10);
/// When the last calls began, in milliseconds, and their ids, line by line.
const STARTS: &str = "loop.call-starts";
const MOST_STARTS: usize = 16;

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

/// Notes when a call begins that may change what it does not name.
pub(super) fn note_call_start(situation: &Situation<'_>) -> Result<(), PolicyError> {
    let Some(id) = situation.event.call().and_then(|call| call.id.as_deref()) else { return Ok(()) };
    let known = situation.memory.peek(STARTS)?.unwrap_or_default();
    let mut starts: Vec<String> = known.lines().map(str::to_owned).collect();
    starts.push(format!("{} {id}", situation.world.now().as_millis()));
    let surplus = starts.len().saturating_sub(MOST_STARTS);
    situation.memory.write(STARTS, starts.split_off(surplus).join("\n"))
}

/// When the call began.
pub(super) fn call_start(situation: &Situation<'_>) -> Time {
    let outcome = match &situation.event.happening {
        EventData::AfterTool { outcome, .. } | EventData::ToolFailed { outcome, .. } => Some(outcome),
        _ => None,
    };
    let took = outcome.and_then(|outcome| outcome.took).unwrap_or(DEFAULT_CALL);
    let reckoned = situation.world.now() - took.saturating_add(SLACK);
    match noted_start(situation) {
        // A person may have been asked before it ran, and the hook may have been slow to start after it.
        Some(noted) => (noted - TICK).max(reckoned - SLOW_START),
        None => reckoned,
    }
}

fn noted_start(situation: &Situation<'_>) -> Option<Time> {
    let id = situation.event.call()?.id.as_deref()?;
    // What cannot be read is reckoned.
    let known = situation.memory.peek(STARTS).ok()??;
    let (millis, _) =
        known.lines().rev().filter_map(|line| line.split_once(' ')).find(|(_, it)| *it == id)?;
    Some(Time::from_millis(millis.parse().ok()?))
}
