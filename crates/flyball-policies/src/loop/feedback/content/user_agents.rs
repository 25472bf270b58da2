//! The definitions of subagents, in the project and in the user's own folders: one that changed since the session began
//! proves nothing.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};

use super::super::super::pins::{Pins, files_below, folders_named};
use super::role_of;

/// Notes what the definitions are, unless that is known or the session begins `anew`.
pub(in super::super) fn note_begin(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    pins(situation).note(anew, || definitions(situation))
}

/// The roles of the subagents whose definitions changed since the session began.
pub(in super::super) fn redefined_by_content(
    situation: &Situation<'_>,
) -> Result<BTreeSet<String>, PolicyError> {
    let changed = pins(situation).changed(definitions(situation))?;
    Ok(changed.iter().map(|path| role_of(situation, path)).collect())
}

fn pins<'a>(situation: &'a Situation<'a>) -> Pins<'a> {
    Pins { situation, key: "loop.feedback.definitions" }
}

/// The roles of all subagents that are defined for the project or for the user.
pub(in super::super) fn defined_roles(situation: &Situation<'_>) -> BTreeSet<String> {
    let is_definition = |path: &AbsolutePath| path.ends_with(".md") || path.ends_with(".toml");
    let stem = |path: &AbsolutePath| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split_once('.').map_or(name, |(stem, _)| stem).to_owned()
    };
    let role = |path: AbsolutePath| super::declared_role(situation, &path).unwrap_or_else(|| stem(&path));
    let files = definitions(situation).into_iter();
    files.filter(is_definition).map(role).filter(|role| !role.is_empty()).collect()
}

fn definitions(situation: &Situation<'_>) -> Vec<AbsolutePath> {
    let world = situation.world;
    let names = world.clients().iter().filter_map(|client| client.agents_folder);
    let folders = folders_named(world, names).into_iter();
    folders.flat_map(|folder| files_below(world, &folder)).collect()
}
