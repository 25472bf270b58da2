//! Paths as reports have them.

use flyball_core::policy::{Situation, World};

/// The path of something in the project, relative to its root; `None` if it is elsewhere.
pub(super) fn below_root(situation: &Situation<'_>, path: &str) -> Option<String> {
    relative(situation.world, &situation.world.real_path(&situation.event.cwd, path))
}

pub(super) fn relative(world: &dyn World, path: &str) -> Option<String> {
    let root = world.real_path(world.project_root(), ".");
    match path.strip_prefix(root.trim_end_matches('/'))? {
        "" | "/" => Some(".".to_owned()),
        below => below.strip_prefix('/').map(str::to_owned),
    }
}
