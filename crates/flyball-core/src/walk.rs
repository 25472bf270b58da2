//! The files below a folder, without those of what was installed or built.

use crate::path::AbsolutePath;
use crate::world::World;

/// More entries are not looked at: what is not known is told at the next stop.
const MOST_ENTRIES: usize = 100_000;
/// More entries are not read as what a command depends on.
const MOST_READ: usize = 20_000;
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
/// What a folder has that Python packages are installed in.
const INSTALLED: &str = "pyvenv.cfg";

/// What was found in a folder.
#[derive(Debug, Default)]
pub struct Walk {
    pub files: Vec<AbsolutePath>,
    /// Symbolic links to folders.
    pub links: Vec<AbsolutePath>,
    /// Whether there is more.
    pub is_cut: bool,
}

/// All files below a folder, sorted; `None` if they are too many to read.
#[must_use]
pub fn files(world: &dyn World, root: &AbsolutePath) -> Option<Vec<AbsolutePath>> {
    let walk = walk_up_to(MOST_READ, world, root);
    (!walk.is_cut).then_some(walk.files)
}

/// The files below a folder, sorted.
#[must_use]
pub fn walk(world: &dyn World, root: &AbsolutePath) -> Walk {
    walk_up_to(MOST_ENTRIES, world, root)
}

fn walk_up_to(most: usize, world: &dyn World, root: &AbsolutePath) -> Walk {
    let mut found = Walk::default();
    let mut folders = vec![(root.clone(), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop() {
        let names = world.list(&folder);
        if depth > 0 && names.iter().any(|name| name == INSTALLED) {
            continue;
        }
        for name in names {
            seen += 1;
            if seen > most {
                found.is_cut = true;
                found.files.sort_unstable();
                return found;
            }
            let path = folder.join(&name);
            let is_folder = world.stat(&path).is_some_and(|stat| stat.is_folder);
            if is_folder && is_foreign_name(&name) {
                continue;
            }
            if !is_folder {
                found.files.push(path);
            } else if world.real_path(&path, ".") != path {
                // What a link leads to is elsewhere, too.
                found.links.push(path);
            } else if depth < DEEPEST {
                folders.push((path, depth + 1));
            }
        }
    }
    found.files.sort_unstable();
    found
}

/// Whether a folder of this name has what was installed or built.
#[must_use]
pub fn is_foreign_name(name: &str) -> bool {
    FOREIGN.contains(&name)
}

/// Whether something below a folder is of what was installed or built.
#[must_use]
pub fn is_foreign(world: &dyn World, root: &AbsolutePath, path: &AbsolutePath) -> bool {
    let Some(name) = path.strip_folder(root) else { return false };
    name.split('/').any(is_foreign_name)
        || path.ancestors().take_while(|folder| folder != root).any(|folder| is_installed(world, &folder))
}

/// Whether Python packages are installed in a folder.
#[must_use]
pub fn is_installed(world: &dyn World, folder: &AbsolutePath) -> bool {
    world.stat(&folder.join(INSTALLED)).is_some()
}
