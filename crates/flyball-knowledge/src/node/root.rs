//! Where a repository begins.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use flyball_core::world::real_root;

/// The root of the repository of a folder, or of the project that it is in.
pub(super) fn root_above(world: &dyn World, start: &AbsolutePath) -> Option<AbsolutePath> {
    let has_git = |folder: &AbsolutePath| world.stat(&folder.join(".git")).is_some();
    start.ancestors().find(has_git).or_else(|| Some(real_root(world)).filter(|root| start.is_in(root)))
}
