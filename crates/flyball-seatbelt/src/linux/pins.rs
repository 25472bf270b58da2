//! Folders that cannot be renamed or deleted, and are otherwise as before.
//!
//! The kernel refuses to rename a folder on which something is mounted. But what is mounted on a folder is another file system for
//! `rename` and `link`, so that package managers could no longer link files from their caches into the project. Both are true of
//! the place where something is mounted, and not of the way there: a file system that is seen in two places can have the mount in
//! the one, and is without it in the other. The second place is below the cover, where nobody gets.

use std::fs;
use std::path::Path;

use rustix::io::Errno;
use rustix::mount::{mount_bind, mount_bind_recursive};

use super::mount_table::{self, Mounted};
use crate::Trouble;

/// Pins folders, each of which comes before those below it.
pub(super) fn set(folders: &[&Path], mounted: &[Mounted], cover: &Path) -> Result<(), Trouble> {
    let (nothing, view) = (cover.join("pin"), cover.join("view"));
    let made = fs::create_dir(&nothing).and_then(|()| fs::create_dir(&view));
    made.map_err(|cause| Trouble::at("write in", cover, &cause))?;
    let root = Path::new("/");
    let is_of_root = |folder: &&Path| {
        let around = folder.parent().and_then(|above| mount_table::around(mounted, above));
        around.is_some_and(|place| place.folder == root)
    };
    // One mount is made faster than a copy of all. Only the administrator may see what lies below the others.
    let is_made = folders.iter().all(is_of_root) && mount_bind(root, &view).is_ok();
    if !is_made {
        mount_bind_recursive(root, &view).map_err(|cause| Trouble::at("bind", root, &cause.into()))?;
    }
    // The deepest first: what is mounted on a folder hides what is below it.
    for folder in folders.iter().rev() {
        let place = view.join(folder.strip_prefix(root).unwrap_or(folder));
        match mount_bind(&nothing, &place) {
            // Who would put something in its place has to make it first.
            Ok(()) | Err(Errno::NOENT) => {}
            Err(cause) => return Err(Trouble::at("pin", folder, &cause.into())),
        }
    }
    Ok(())
}
