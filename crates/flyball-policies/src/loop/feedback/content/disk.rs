//! The files of a project without git, found by walking through its folders.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::time::Time;

/// More entries are not looked at.
const MOST_ENTRIES: usize = 20_000;
const DEEPEST: usize = 24;

/// Folders of what was installed or built.
const FOREIGN: [&str; 12] = [
    ".git",
    "node_modules",
    "target",
    ".venv",
    "venv",
    "site-packages",
    "__pycache__",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".pytest_cache",
    ".gradle",
];

/// The files that changed on disk at or after a time, by git or, without it, by a walk.
pub(super) fn changed_files(world: &dyn World, since: Time) -> Result<Vec<AbsolutePath>, PolicyError> {
    let root = flyball_core::world::real_root(world);
    if super::trees::has_git(world, &root) {
        return world.changed_files(since);
    }
    let is_young = |path: &AbsolutePath| world.stat(path).is_some_and(|stat| stat.changed >= since);
    Ok(files(world, &root).unwrap_or_default().into_iter().filter(is_young).collect())
}

/// All files below a folder, sorted; `None` if there are too many.
pub(in super::super) fn files(world: &dyn World, root: &AbsolutePath) -> Option<Vec<AbsolutePath>> {
    let mut found = Vec::new();
    let mut folders = vec![(root.clone(), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop() {
        for name in world.list(&folder) {
            seen += 1;
            if seen > MOST_ENTRIES {
                return None;
            }
            let path = folder.join(&name);
            let is_folder = world.stat(&path).is_some_and(|stat| stat.is_folder);
            if !is_folder {
                found.push(path);
            } else if depth < DEEPEST
                && !FOREIGN.contains(&name.as_str())
                && world.real_path(&path, ".") == path
            {
                // What a link leads to is elsewhere, too.
                folders.push((path, depth + 1));
            }
        }
    }
    found.sort_unstable();
    Some(found)
}
