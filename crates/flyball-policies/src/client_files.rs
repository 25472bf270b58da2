//! Files that clients read in the project and in the user's own folders, and the subagents that they define.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;

/// The roles of all subagents that are defined for the project or for the user.
#[must_use]
pub fn defined_roles(world: &dyn World) -> BTreeSet<String> {
    let is_definition = |path: &AbsolutePath| path.ends_with(".md") || path.ends_with(".toml");
    let stem = |path: &AbsolutePath| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split_once('.').map_or(name, |(stem, _)| stem).to_owned()
    };
    let role = |path: AbsolutePath| declared_role(world, &path).unwrap_or_else(|| stem(&path));
    let files = agent_files(world).into_iter();
    files.filter(is_definition).map(role).filter(|role| !role.is_empty()).collect()
}

/// The files in the folders for definitions of subagents.
pub(crate) fn agent_files(world: &dyn World) -> Vec<AbsolutePath> {
    let names = world.clients().iter().filter_map(|client| client.agents_folder);
    let folders = folders_named(world, names).into_iter();
    folders.flat_map(|folder| files_below(world, &folder)).collect()
}

/// The role that a definition names, which need not be the name of its file.
pub(crate) fn declared_role(world: &dyn World, path: &AbsolutePath) -> Option<String> {
    const MOST: u64 = 64 * 1024;
    let text = world.read(path, MOST).ok()??;
    let text = String::from_utf8_lossy(&text).into_owned();
    let value = text.lines().find_map(|line| {
        let value = line.trim_start().strip_prefix("name")?.trim_start();
        value.strip_prefix(':').or_else(|| value.strip_prefix('='))
    })?;
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

/// The files of a folder, and of the folders in it.
pub(crate) fn files_below(world: &dyn World, folder: &AbsolutePath) -> Vec<AbsolutePath> {
    let list = |folder: &AbsolutePath| -> Vec<AbsolutePath> {
        world.list(folder).iter().map(|name| folder.join(name)).collect()
    };
    let is_folder = |path: &AbsolutePath| world.stat(path).is_some_and(|stat| stat.is_folder);
    let (folders, mut files): (Vec<_>, Vec<_>) = list(folder).into_iter().partition(is_folder);
    files.extend(folders.iter().flat_map(list).filter(|path| !is_folder(path)));
    files
}

/// Folders of the project and of the user's home, for folders that clients name by their path in either.
pub(crate) fn folders_named<'n>(
    world: &dyn World,
    names: impl IntoIterator<Item = &'n str>,
) -> BTreeSet<AbsolutePath> {
    let mut folders = BTreeSet::new();
    for folder in names {
        folders.insert(world.real_path(world.project_root(), folder));
        folders.insert(world.real_path(world.project_root(), &format!("~/{folder}")));
        // Also where a variable moved them: there they are beside the settings that flyball is registered in.
        let name = folder.rsplit('/').next().unwrap_or(folder);
        folders.extend(world.own_files().iter().map(|own| own.path.folder().join(name)));
    }
    folders
}
