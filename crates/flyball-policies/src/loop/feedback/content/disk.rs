//! The files that changed on disk: by git and what it does not show, or without git by walking through the folders.

use flyball_core::arrivals::Arrivals;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;
use flyball_core::walk;
use flyball_core::world::ChangedFiles;

use super::{ignored, nested, unknowable};

/// What is found on disk.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The files that changed.
    pub(super) files: Vec<AbsolutePath>,
    /// The symbolic links, whether they changed or not.
    pub(super) links: Vec<AbsolutePath>,
}

/// The files of the project that changed on disk at or after a time.
pub(super) fn changed_files(situation: &Situation<'_>, since: Time) -> Result<Found, PolicyError> {
    let world = situation.world;
    let root = flyball_core::world::real_root(world);
    if super::trees::has_git(world, &root) {
        let changed = situation.changed_files(since)?;
        return changed_by_git(situation, &root, (changed, since));
    }
    let walk = walk::walk(world, &root);
    if walk.is_cut {
        unknowable::note(situation, None)?;
    }
    let arrivals = Arrivals::new(world, &root, since);
    let files = walk.files.into_iter().filter(|path| arrivals.has(path)).collect();
    Ok(Found { files, links: walk.links })
}

/// The files that changed in a checkout, with those that git does not show.
///
/// # Errors
/// When git does not answer, or there are more than can be read.
pub(super) fn changed_by_git(
    situation: &Situation<'_>,
    tree: &AbsolutePath,
    (changed, since): (ChangedFiles, Time),
) -> Result<Found, PolicyError> {
    if changed.is_cut {
        return Err(PolicyError::World {
            what: format!("{tree}: git shows more changed files than flyball reads"),
            fix: "have git ignore files that are data, or commit them".to_owned(),
        });
    }
    let hidden = ignored::newly_ignored(situation, tree, &changed, since)?;
    if hidden.is_cut {
        unknowable::note(situation, None)?;
    }
    let committed = nested::committed(situation, tree, (&changed.nested, since))?;
    let files = [changed.shown, changed.unwatched, hidden.files, committed].concat();
    Ok(Found { files, links: [changed.links, hidden.links].concat() })
}
