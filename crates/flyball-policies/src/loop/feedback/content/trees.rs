//! The checkouts of the project's repository: its main worktree and the linked ones, wherever they are. They are found by
//! what git keeps on disk, without a process of git.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Situation, World};
use flyball_core::time::Time;

use crate::r#loop::feedback::settings::Settings;

/// The files by which git connects a worktree with its repository are short.
const MOST_BYTES: u64 = 4096;
/// More worktrees are not looked at.
const MOST_TREES: usize = 64;
/// In how many new checkouts git is asked what a command changed.
const MOST_ASKED: usize = 8;

/// The checkouts of the repository that the project is in.
pub(in super::super) struct Checkouts<'a> {
    world: &'a dyn World,
    /// The project's root, without symlinks.
    root: AbsolutePath,
    /// The checkout that it is in; `None` without git.
    own: Option<Checkout>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Checkout {
    top: AbsolutePath,
    /// The folder of the repository that all its checkouts share.
    common: AbsolutePath,
}

/// A file of the project in one of its checkouts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Located {
    /// Where the project is in another checkout; `None` in its own.
    pub(in super::super) tree: Option<AbsolutePath>,
    /// Below that.
    pub(in super::super) name: String,
}

impl<'a> Checkouts<'a> {
    pub(in super::super) fn new(world: &'a dyn World) -> Checkouts<'a> {
        let root = flyball_core::world::real_root(world);
        let own = checkout_of(world, &root);
        Checkouts { world, root, own }
    }

    pub(in super::super) fn root(&self) -> &AbsolutePath {
        &self.root
    }

    pub(super) fn has_git(&self) -> bool {
        has_git(self.world, &self.root)
    }

    /// Whether a file is in a domain of the loop.
    pub(in super::super) fn is_covered(&self, settings: &Settings, path: &AbsolutePath) -> bool {
        self.locate(path).is_some_and(|place| settings.domain_of(&place.name).is_some())
    }

    /// Where a file is, if it is in the project at all.
    pub(in super::super) fn locate(&self, path: &AbsolutePath) -> Option<Located> {
        self.in_another(path).or_else(|| {
            let name = path.strip_folder(&self.root)?.to_owned();
            Some(Located { tree: None, name })
        })
    }

    fn in_another(&self, path: &AbsolutePath) -> Option<Located> {
        let own = self.own.as_ref()?;
        let found = checkout_of(self.world, &path.folder())?;
        if found.top == own.top || found.common != own.common {
            return None;
        }
        let tree = self.project_in(&found.top);
        let name = path.strip_folder(&tree)?.to_owned();
        Some(Located { tree: Some(tree), name })
    }

    /// Where the project is in a checkout.
    fn project_in(&self, top: &AbsolutePath) -> AbsolutePath {
        let within = self.own.as_ref().and_then(|own| self.root.strip_folder(&own.top));
        within.map_or_else(|| top.clone(), |within| top.join(within))
    }

    /// The other checkouts that a call may have written to, by where the project is in them: where it ran, those that it
    /// names, those in which files were edited before, and those that are new since the session began.
    pub(super) fn asked(
        &self,
        situation: &Situation<'_>,
        edited: &BTreeSet<AbsolutePath>,
        began: Time,
    ) -> Vec<AbsolutePath> {
        let text = situation.effective_text();
        let is_named = |top: &AbsolutePath| top.rsplit('/').next().is_some_and(|name| text.contains(name));
        let is_meant = |other: &Other| {
            situation.event.cwd.is_in(&other.top)
                || is_named(&other.top)
                || edited.contains(&self.project_in(&other.top))
        };
        let (meant, others): (Vec<Other>, Vec<Other>) = self.others().into_iter().partition(is_meant);
        let new = others.into_iter().filter(|other| other.made >= began).take(MOST_ASKED);
        meant.into_iter().chain(new).map(|other| self.project_in(&other.top)).collect()
    }

    /// The folders in which git keeps what belongs to one checkout, for each of them.
    pub(super) fn git_folders(&self) -> Vec<AbsolutePath> {
        let Some(own) = &self.own else { return Vec::new() };
        let linked = own.common.join("worktrees");
        let linked = self.world.list(&linked).into_iter().take(MOST_TREES).map(|name| linked.join(&name));
        std::iter::once(own.common.clone()).chain(linked).collect()
    }

    fn others(&self) -> Vec<Other> {
        let Some(own) = &self.own else { return Vec::new() };
        let folder = own.common.join("worktrees");
        let linked = self.world.list(&folder).into_iter().take(MOST_TREES).filter_map(|name| {
            let entry = folder.join(&name);
            let pointer = read_line(self.world, &entry.join("gitdir"))?;
            let top = self.world.real_path(&entry, &pointer).parent()?;
            // git writes it once, and whatever else is done there changes nothing in it.
            let made = self.world.stat(&entry.join("gitdir")).map(|stat| stat.changed).unwrap_or_default();
            Some(Other { top, made })
        });
        let main = own.common.strip_suffix("/.git").and_then(AbsolutePath::new);
        let main = main.map(|top| Other { top, made: Time::default() });
        let is_there = |other: &Other| other.top != own.top && self.world.stat(&other.top).is_some();
        main.into_iter().chain(linked).filter(is_there).collect()
    }
}

/// Another checkout.
struct Other {
    top: AbsolutePath,
    made: Time,
}

/// Whether a folder is in a repository.
pub(super) fn has_git(world: &dyn World, folder: &AbsolutePath) -> bool {
    // An empty folder of this name is none.
    let is_one = |git: &AbsolutePath| {
        world.stat(git).is_some_and(|stat| !stat.is_folder || world.stat(&git.join("HEAD")).is_some())
    };
    folder.ancestors().any(|above| is_one(&above.join(".git")))
}

/// The folder of the repository that a checkout belongs to.
pub(super) fn repository(world: &dyn World, checkout: &AbsolutePath) -> Option<AbsolutePath> {
    // A bare repository is the folder itself.
    if world.stat(&checkout.join("HEAD")).is_some() && world.stat(&checkout.join("objects")).is_some() {
        return Some(checkout.clone());
    }
    checkout_of(world, checkout).map(|found| found.common)
}

/// The checkout that a folder is in.
fn checkout_of(world: &dyn World, folder: &AbsolutePath) -> Option<Checkout> {
    folder.ancestors().find_map(|top| {
        let pointer = top.join(".git");
        let stat = world.stat(&pointer)?;
        if stat.is_folder {
            return Some(Checkout { common: pointer, top });
        }
        let text = read_line(world, &pointer)?;
        let kept = world.real_path(&top, text.strip_prefix("gitdir:")?.trim());
        // Anyone can write such a file; only the repository itself knows its worktrees.
        let back = read_line(world, &kept.join("gitdir"));
        let is_known =
            back.is_some_and(|back| world.real_path(&kept, &back) == world.real_path(&top, ".git"));
        let common = kept.parent().filter(|parent| parent.ends_with("/worktrees")).and_then(|it| it.parent());
        Some(Checkout { common: common.filter(|_| is_known).unwrap_or(kept), top })
    })
}

fn read_line(world: &dyn World, path: &AbsolutePath) -> Option<String> {
    let text = world.read(path, MOST_BYTES).ok()??;
    Some(String::from_utf8_lossy(&text).trim().to_owned())
}
