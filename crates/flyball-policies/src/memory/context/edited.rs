//! The files that a call changes, whatever tool or command does it.

use std::time::Duration;

use flyball_core::event::{Change, EventData, Tool};
use flyball_core::facts::{EditRoute, SeenEdit, TargetPaths};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_effects::{FileAct, FileEffect, Line};
use flyball_knowledge::layout;

use crate::guard::touch::{Location, Touch, TouchKind, touches};
use crate::worktree_updates;

/// How many files of one call are looked at.
const MOST_FILES: usize = 40;
/// A file that a command names and that changed this long before its end was changed by it.
const RECENT: Duration = Duration::from_secs(60);

/// A file that a call changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EditedFile {
    /// Ends with `/` if it is a folder in which files are changed.
    pub(super) path: AbsolutePath,
    /// Whether the call removes it.
    pub(super) is_removed: bool,
}

/// The files that a call would change.
pub(super) fn before(situation: &Situation<'_>) -> Result<Vec<EditedFile>, PolicyError> {
    let mut found = Vec::new();
    if situation.line().is_some_and(worktree_updates::only_updates_worktree) {
        return Ok(found);
    }
    situation.edits()?.iter().for_each(|edit| add_edit(situation, edit, &mut found));
    if situation.line().is_some_and(has_unnamed_files) {
        // The policies that check patches report one that cannot be read.
        touches(situation).unwrap_or_default().iter().for_each(|touch| add_touch(touch, &mut found));
    }
    found.truncate(MOST_FILES);
    Ok(found)
}

/// The files that a call changed. No process is started for those that only git could find.
pub(super) fn after(situation: &Situation<'_>) -> Result<Vec<EditedFile>, PolicyError> {
    let mut found = Vec::new();
    match situation.line() {
        Some(line) if worktree_updates::updates_worktree(line) => {}
        // `edits` would ask git here, which starts a process.
        Some(line) if !line.effects.opaque.is_empty() => {
            line.effects.files.iter().for_each(|effect| add_named(situation, effect, &mut found));
        }
        _ => situation.edits()?.iter().for_each(|edit| add_edit(situation, edit, &mut found)),
    }
    found.truncate(MOST_FILES);
    Ok(found)
}

/// The file that a call read, unless it is one of rules.
pub(super) fn read_path(situation: &Situation<'_>) -> Option<AbsolutePath> {
    let Tool::Read { path } = &situation.event.call()?.tool else { return None };
    let is_node = |path: &str| layout::is_node_path(situation.world.clients(), path);
    // Before and after links are followed: one file of rules is often a link to another of another name.
    (!is_node(path))
        .then(|| situation.world.real_path(&situation.event.cwd, path))
        .filter(|path| !is_node(path))
}

fn push(path: AbsolutePath, is_removed: bool, found: &mut Vec<EditedFile>) {
    if !found.iter().any(|edited| edited.path == path) {
        found.push(EditedFile { path, is_removed });
    }
}

fn add_edit(situation: &Situation<'_>, edit: &SeenEdit, found: &mut Vec<EditedFile>) {
    let is_removed = matches!(edit.change, Some(Change::Delete | Change::Move { .. }));
    push(edit.path.clone(), is_removed, found);
    if let (Some(Change::Move { to }), EditRoute::Tool) = (&edit.change, edit.route) {
        push(situation.world.real_path(&situation.event.cwd, to), false, found);
    }
}

/// Whether a line changes files that its own words do not name: those of a patch, those that match a pattern.
fn has_unnamed_files(line: &Line) -> bool {
    let is_one = |effect: &FileEffect| {
        effect.act == FileAct::ApplyPatch || (effect.act.changes_target() && effect.target.word.glob)
    };
    line.effects.files.iter().any(is_one)
}

fn add_touch(touch: &Touch, found: &mut Vec<EditedFile>) {
    let is_removed = match touch.kind {
        TouchKind::Change => false,
        TouchKind::Delete | TouchKind::Move => true,
        TouchKind::Attributes | TouchKind::Link | TouchKind::PassedTo(_) | TouchKind::Mentioned => return,
    };
    match &touch.location {
        Location::Path(path) => push(path.clone(), is_removed, found),
        // All that is known is where the files are.
        Location::Pattern(pattern) => {
            let fixed = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default();
            let folder = fixed.rsplit_once('/').map_or("", |(folder, _)| folder);
            push(AbsolutePath::from_root(format!("{folder}/")), is_removed, found);
        }
        Location::Text(_) => {}
    }
}

/// A file that a command names, if it is there and changed.
fn add_named(situation: &Situation<'_>, effect: &FileEffect, found: &mut Vec<EditedFile>) {
    if !matches!(effect.act, FileAct::Write(_) | FileAct::Append(_) | FileAct::Change) {
        return;
    }
    let TargetPaths::Known(paths) = situation.locate(&effect.target) else { return };
    let ran_for = match &situation.event.happening {
        EventData::AfterTool { outcome, .. } => outcome.took.unwrap_or_default(),
        _ => Duration::ZERO,
    };
    let since = situation.world.now() - (ran_for + RECENT);
    for path in paths {
        let stat = situation.world.stat(&path);
        if stat.is_some_and(|stat| !stat.is_folder && stat.changed >= since) {
            push(path, false, found);
        }
    }
}
