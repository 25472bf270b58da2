//! What a call did to manifests and documents.

use flyball_core::event::{Change, Tool};
use flyball_core::facts::TargetPaths;
use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Snippet, Verdict};
use flyball_effects::FileAct;

use super::settings::Settings;
use super::state::{ManifestSource, change};
use crate::worktree_updates::only_updates_worktree;

/// Records the manifests that a call wrote, and the documents if a subagent did.
pub(super) fn record_writes(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let paths = written(situation)?;
    if paths.is_empty() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let root = situation.world.project_root();
    let name = |path: &str| strip_folder(path, root).unwrap_or(path).to_owned();
    let manifests: Vec<&AbsolutePath> =
        paths.iter().filter(|path| settings.is_manifest(name(path).trim_start_matches('/'))).collect();
    let by = situation.event.agent.as_ref().map(|agent| agent.role.as_str()).filter(|role| !role.is_empty());
    let is_document = |path: &&AbsolutePath| settings.is_document(name(path).trim_start_matches('/'));
    let documents: Vec<&AbsolutePath> = paths.iter().filter(is_document).filter(|_| by.is_some()).collect();
    if manifests.is_empty() && documents.is_empty() {
        return Ok(Verdict::silent());
    }
    let (world, now) = (situation.world, situation.world.now());
    let state = change(situation, |state| {
        for path in &manifests {
            state.progress.adopt(world, (*path).clone(), ManifestSource::Writing);
        }
        // The session's manifest may be the one that was just written.
        state.progress.refresh(world);
        for path in &documents {
            state.trail.wrote(name(path), by.unwrap_or_default(), now);
        }
    })?;
    let current = state.progress.manifest.filter(|current| manifests.contains(&&current.path));
    let broken = current.filter(|current| !current.summary.broken.is_empty());
    Ok(broken
        .map_or_else(Verdict::silent, |current| unreadable(&name(&current.path), &current.summary.broken)))
}

/// A manifest that is read while a workflow is active counts as its manifest.
pub(super) fn record_read(situation: &Situation<'_>, path: &str) -> Result<Verdict, PolicyError> {
    if !situation.remembers()? {
        return Ok(Verdict::silent());
    }
    let path = situation.world.real_path(&situation.event.cwd, path);
    let name = path.strip_folder(situation.world.project_root()).unwrap_or(&path).trim_start_matches('/');
    let settings: Settings = situation.config()?;
    if settings.is_manifest(name) {
        let world = situation.world;
        change(situation, |state| state.progress.adopt(world, path.clone(), ManifestSource::Reading))?;
    }
    Ok(Verdict::silent())
}

/// The files that a call names, wrote and left behind. What is only found changed on disk may be another session's.
fn written(situation: &Situation<'_>) -> Result<Vec<AbsolutePath>, PolicyError> {
    let mut paths = Vec::new();
    if let Some(Tool::Edit(_)) = situation.event.call().map(|call| &call.tool) {
        for edit in situation.edits()? {
            match &edit.change {
                Some(Change::Delete) => {}
                Some(Change::Move { to }) => paths.push(situation.world.real_path(&situation.event.cwd, to)),
                _ => paths.push(edit.path.clone()),
            }
        }
    } else if let Some(line) = situation.line().filter(|line| !only_updates_worktree(line)) {
        for effect in &line.effects.files {
            let target = match &effect.act {
                FileAct::Write(_) | FileAct::Append(_) | FileAct::Change => &effect.target,
                FileAct::Move { to } => to,
                _ => continue,
            };
            if let TargetPaths::Known(known) = situation.locate(target) {
                paths.extend(known);
            }
        }
    }
    paths.retain(|path| situation.world.stat(path).is_some_and(|stat| !stat.is_folder));
    Ok(paths)
}

fn unreadable(path: &str, why: &str) -> Verdict {
    let text =
        format!("Fix `{path}`: it is not a valid manifest ({why}), so the phase of the workflow is unknown.");
    let snippet = Snippet { key: "loop.workflow manifest".to_owned(), rank: 0, text };
    Verdict::context(snippet)
}
