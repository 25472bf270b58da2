//! The skills and commands that define workflows: one that changed since the session began lifts nothing.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};

use super::super::pins::Pins;
use super::settings::Settings;
use crate::client_files::{files_below, folders_named};
use crate::globs::without_plugin;

/// Notes what they say, unless that is known or the session begins `anew`.
pub(super) fn note(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    if !anew && is_noted(situation)? {
        return Ok(());
    }
    let settings: Settings = situation.config()?;
    pins(situation).note(anew, || files(situation, |name| settings.is_workflow(name)))
}

fn is_noted(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    situation.memory.has(KEY)
}

const KEY: &str = "loop.workflow.definitions";

/// Whether the skill or command of this name says something else than when the session began.
pub(super) fn has_changed(situation: &Situation<'_>, workflow: &str) -> Result<bool, PolicyError> {
    let workflow = without_plugin(workflow);
    let changed = pins(situation).changed(files(situation, |name| name == workflow))?;
    Ok(changed.iter().any(|path| names(path).contains(&workflow)))
}

fn pins<'a>(situation: &'a Situation<'a>) -> Pins<'a> {
    Pins { situation, key: KEY }
}

/// The files that define skills and commands of these names.
fn files(situation: &Situation<'_>, is_meant: impl Fn(&str) -> bool) -> Vec<AbsolutePath> {
    let world = situation.world;
    let folders = world.clients().iter().flat_map(|client| client.skill_folders).copied();
    let files = folders_named(world, folders).into_iter().flat_map(|folder| files_below(world, &folder));
    files.filter(|path| names(path).iter().any(|name| is_meant(name))).collect()
}

/// What a file may define: `commands/feature.md` and `skills/feature/SKILL.md`.
fn names(path: &AbsolutePath) -> [&str; 2] {
    let mut parts = path.as_str().rsplit('/');
    let (file, folder) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    [file.split('.').next().unwrap_or(file), folder]
}
