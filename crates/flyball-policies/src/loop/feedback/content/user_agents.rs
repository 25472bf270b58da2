//! The definitions of subagents in the user's own folders: no call of the project's git shows that they changed, so they
//! are looked at when a result of theirs is reported.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;

use super::{call_start, role_of};

/// When the session was first seen.
const BEGAN: &str = "loop.feedback.began";
/// More definitions are not looked at.
const MOST_FILES: usize = 512;

/// Notes when the session began, unless that is known or it begins `anew`.
pub(in super::super) fn note_begin(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    if anew || !situation.memory.has(BEGAN)? {
        // The call that is the first to be seen may have written a definition.
        let now =
            if situation.event.call().is_some() { call_start(situation) } else { situation.world.now() };
        situation.memory.write(BEGAN, now.as_millis().to_string())?;
    }
    Ok(())
}

/// The roles of the user's subagents whose definitions changed since the session began.
pub(in super::super) fn redefined_by_user_files(
    situation: &Situation<'_>,
) -> Result<BTreeSet<String>, PolicyError> {
    let Some(began) = situation.memory.read(BEGAN)?.and_then(|millis| millis.parse().ok()) else {
        return Ok(BTreeSet::new());
    };
    let (world, began) = (situation.world, Time::from_millis(began));
    let is_new = |path: &AbsolutePath| world.stat(path).is_some_and(|stat| stat.changed >= began);
    let files = folders(situation).into_iter().flat_map(|folder| files_below(situation, &folder));
    Ok(files.take(MOST_FILES).filter(is_new).map(|path| role_of(situation, &path)).collect())
}

/// The roles of all subagents that are defined for the project or for the user.
pub(in super::super) fn defined_roles(situation: &Situation<'_>) -> BTreeSet<String> {
    let world = situation.world;
    let project = world.clients().iter().filter_map(|client| client.agents_folder);
    let project = project.map(|folder| world.real_path(world.project_root(), folder));
    let files = project.chain(folders(situation)).flat_map(|folder| files_below(situation, &folder));
    let is_definition = |path: &AbsolutePath| path.ends_with(".md") || path.ends_with(".toml");
    let stem = |path: &AbsolutePath| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split_once('.').map_or(name, |(stem, _)| stem).to_owned()
    };
    let role = |path: AbsolutePath| super::declared_role(situation, &path).unwrap_or_else(|| stem(&path));
    files.filter(is_definition).take(MOST_FILES).map(role).filter(|role| !role.is_empty()).collect()
}

/// The user's folders with definitions: the clients' own, also where a variable moved them. There they are beside the
/// settings that flyball is registered in.
fn folders(situation: &Situation<'_>) -> BTreeSet<AbsolutePath> {
    let world = situation.world;
    let mut folders = BTreeSet::new();
    for folder in world.clients().iter().filter_map(|client| client.agents_folder) {
        folders.insert(world.real_path(world.project_root(), &format!("~/{folder}")));
        let name = folder.rsplit('/').next().unwrap_or(folder);
        folders.extend(world.own_files().iter().map(|own| own.path.folder().join(name)));
    }
    // Those of the project are noticed when they are edited, and not when a commit is checked out.
    folders.retain(|folder| !folder.is_in(world.project_root()));
    folders
}

/// The files of a folder, and of the folders in it.
fn files_below(situation: &Situation<'_>, folder: &AbsolutePath) -> Vec<AbsolutePath> {
    let world = situation.world;
    let list = |folder: &AbsolutePath| -> Vec<AbsolutePath> {
        world.list(folder).iter().map(|name| folder.join(name)).collect()
    };
    let is_folder = |path: &AbsolutePath| world.stat(path).is_some_and(|stat| stat.is_folder);
    let (folders, mut files): (Vec<_>, Vec<_>) = list(folder).into_iter().partition(is_folder);
    files.extend(folders.iter().flat_map(list).filter(|path| !is_folder(path)));
    files
}
