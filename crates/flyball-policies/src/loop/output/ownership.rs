//! Who wrote a document in the wrong place. A file that an agent is known to have written is its own; one that existed
//! before it started is not; one that appeared while several agents ran, and that nobody is known to have written, is
//! nobody's.

use std::collections::BTreeSet;

use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::Situation;

use super::memory::{Claim, Notes, Session};
use super::settings::{Rule, Settings};
use super::trees::{FileStatus, Snapshot, tree_of};

/// The facts from git and the disk about the files that matter for one event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inputs {
    /// All trees; `None` where there is no repository.
    pub(super) trees: Option<Vec<Snapshot>>,
    /// Files in question that the commit had which the agent started on.
    pub(super) in_base: BTreeSet<AbsolutePath>,
    /// Files in question that git knows now.
    pub(super) tracked: BTreeSet<AbsolutePath>,
    /// Files in question that differ from the commit which the agent started on.
    pub(super) differs: BTreeSet<AbsolutePath>,
    /// Files that were changed before and have the same content still.
    pub(super) unchanged: BTreeSet<AbsolutePath>,
    /// Files in question that exist.
    pub(super) existing: BTreeSet<AbsolutePath>,
}

/// Everything that is known when an agent is judged.
#[derive(Clone, Copy)]
pub(super) struct AgentContext<'a> {
    pub(super) settings: &'a Settings,
    pub(super) session: &'a Session,
    /// The trees when the agent started, if that was seen.
    pub(super) before: Option<&'a [Snapshot]>,
    /// What git says now; nothing where there is no repository.
    pub(super) inputs: &'a Inputs,
    /// The project's root, the one tree where there is no repository.
    pub(super) root: &'a AbsolutePath,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Location<'a, 'p> {
    /// The top of its tree.
    pub(super) tree: &'a AbsolutePath,
    /// Its path below that.
    pub(super) name: &'p str,
}

/// Documents in the wrong place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Suspects {
    /// Those that the agent made.
    pub(super) own: BTreeSet<AbsolutePath>,
    /// Those whose author is not known.
    pub(super) unclaimed: BTreeSet<AbsolutePath>,
}

impl<'a> AgentContext<'a> {
    /// Where a file is, if it is in the project at all.
    pub(super) fn locate<'p>(&self, path: &'p str) -> Option<Location<'a, 'p>> {
        let trees = self.inputs.trees.as_deref().or(self.before).unwrap_or_default();
        let tree = tree_of(trees, path).map_or(self.root, |tree| &tree.path);
        strip_folder(path, tree).map(|name| Location { tree, name })
    }

    /// The top of the tree that the agent works in.
    pub(super) fn home(&self, situation: &Situation<'_>) -> &'a AbsolutePath {
        // Any name inside will do: a folder that is the top of a tree is not below it.
        let inside = situation.world.real_path(&situation.event.cwd, "x");
        self.locate(&inside).map_or(self.root, |location| location.tree)
    }

    /// Whether a folder is the top of a tree.
    pub(super) fn is_top(&self, path: &str) -> bool {
        let trees = self.inputs.trees.as_deref().or(self.before).unwrap_or_default();
        *self.root == *path || trees.iter().any(|tree| tree.path == path)
    }

    /// The rule that a file breaks by its place.
    pub(super) fn rule_broken_by(&self, path: &str) -> Option<&'a Rule> {
        self.settings.broken_by(self.locate(path)?.name)
    }

    /// The documents that an agent wrote, wherever they are.
    pub(super) fn documents<'n>(&self, notes: &'n Notes) -> impl Iterator<Item = &'n AbsolutePath> {
        let is_document = |path: &&AbsolutePath| {
            let name = self.locate(path).map(|location| location.name);
            name.is_some_and(|name| self.settings.is_document(name))
        };
        notes.written.keys().filter(is_document)
    }

    /// The documents in the wrong place that an agent has to answer for.
    pub(super) fn suspects(&self, id: &str, notes: &Notes) -> Suspects {
        let mut suspects = Suspects::default();
        for path in self.appeared() {
            match self.author(id, notes, &path) {
                Author::This => drop(suspects.own.insert(path)),
                Author::Nobody => drop(suspects.unclaimed.insert(path)),
                Author::Another => {}
            }
        }
        let made = self.made(notes).into_iter().filter(|path| self.is_made_here(path));
        suspects.own.extend(made.cloned());
        suspects
    }

    /// Documents in the wrong place that are new since the agent started.
    pub(super) fn appeared(&self) -> BTreeSet<AbsolutePath> {
        let (Some(before), Some(now)) = (self.before, &self.inputs.trees) else { return BTreeSet::new() };
        let mut appeared = BTreeSet::new();
        for tree in now.iter().filter(|tree| tree.is_whole) {
            let was = before.iter().find(|was| was.path == tree.path);
            // A tree that did not exist is new with all its files; nothing is known of one that was not read in full.
            if was.is_some_and(|was| !was.is_whole) {
                continue;
            }
            let is_old = |name: &str| was.is_some_and(|was| was.files.contains_key(name));
            let new = tree.files.iter().filter(|(name, mark)| mark.is_new() && !is_old(name));
            let wrong = new.filter(|(name, _)| self.settings.broken_by(name).is_some());
            appeared.extend(wrong.map(|(name, _)| tree.path.join(name)));
        }
        appeared.retain(|path| !self.inputs.in_base.contains(path));
        appeared
    }

    /// Documents in the wrong place that the agent's own calls made, by what they name.
    pub(super) fn made<'n>(&self, notes: &'n Notes) -> Vec<&'n AbsolutePath> {
        let sure = notes.written.iter().filter(|(_, claim)| **claim == Claim::Sure).map(|(path, _)| path);
        let new = sure.filter(|path| !notes.found.contains(*path));
        new.filter(|path| self.rule_broken_by(path).is_some()).collect()
    }

    /// Whether a file that the agent's calls made counts: not if git ignores it, nor if it was there before.
    fn is_made_here(&self, path: &str) -> bool {
        if !self.inputs.existing.contains(path) || self.inputs.in_base.contains(path) {
            return false;
        }
        let Some(now) = &self.inputs.trees else { return true };
        let Some(tree) = tree_of(now, path) else { return false };
        let Some(name) = strip_folder(path, &tree.path) else { return false };
        let was_there = self.before.and_then(|before| before.iter().find(|was| was.path == tree.path));
        if was_there.is_some_and(|was| was.files.contains_key(name)) {
            return false;
        }
        let is_new = tree.files.get(name).is_some_and(FileStatus::is_new);
        let is_committed = self.before.is_some() && self.inputs.tracked.contains(path);
        // A list that is not whole shows nothing about the file, so the agent's own call counts.
        is_new || is_committed || !tree.is_whole
    }

    fn author(&self, id: &str, notes: &Notes, path: &str) -> Author {
        let own = notes.written.get(path).copied();
        let others = self.session.claimed_by_others(id, path).map(|(_, claim)| claim);
        match (own, others) {
            (Some(Claim::Sure), _) => Author::This,
            (_, Some(Claim::Sure)) | (None, Some(Claim::Noticed)) => Author::Another,
            (Some(Claim::Noticed), Some(Claim::Noticed)) => Author::Nobody,
            (Some(Claim::Noticed), None) => Author::This,
            (None, None) if notes.ran_unknown && !notes.had_company => Author::This,
            // No call can have made it: the user may have.
            (None, None) => Author::Nobody,
        }
    }
}

/// Who made a file.
enum Author {
    This,
    Another,
    /// Not known.
    Nobody,
}
