//! The files that a call may have edited, in whichever checkout of the repository.

use std::cell::RefCell;
use std::collections::BTreeSet;

use flyball_core::arrivals::Arrivals;
use flyball_core::event::{Change, Tool};
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::time::Time;
use flyball_effects::{Directory, FileAct, Line, Target};

use super::base::Originals;
use super::links::{self, Links};
use super::outputs::Outputs;
use super::trees::{Checkouts, Located};
use super::{calls, fetched, git_programs, moves};
use crate::r#loop::author::{Author, author_of_noticed};
use crate::r#loop::events::{call_start, edited_paths};
use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::State;
use crate::worktree_updates::{only_updates_worktree, updates_worktree};

/// A file that a call may have edited.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Touched {
    pub(super) place: Located,
    pub(super) how: Noticing,
}

/// How it is known that a file was edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Noticing {
    /// The call names it.
    Named,
    /// It changed on disk while a command ran that may have written it.
    Noticed,
    /// It changed on disk while a command ran that writes no code.
    ByOthers,
}

impl Touched {
    /// Below the project's root, in whichever checkout.
    pub(in super::super) fn name(&self) -> &str {
        &self.place.name
    }

    /// Below a folder that another checkout is in.
    pub(in super::super) fn name_below(&self, root: &AbsolutePath) -> Option<String> {
        self.place.tree.as_ref()?.join(&self.place.name).strip_folder(root).map(str::to_owned)
    }

    /// Whether it is in the project's own checkout, where what defines the checks is.
    pub(in super::super) fn is_in_own_tree(&self) -> bool {
        self.place.tree.is_none()
    }

    /// Whether this session edited it.
    pub(in super::super) fn is_own(&self) -> bool {
        self.how != Noticing::ByOthers
    }
}

/// What a call did to files.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct CallTrace {
    /// What it may have edited.
    pub(in super::super) touched: Vec<Touched>,
    /// The files that git replaced and that are not as others made them, if the call let it.
    pub(in super::super) arrived: Vec<Located>,
}

/// What looks for the files of a call.
pub(super) struct Search<'a, 's> {
    situation: &'a Situation<'s>,
    checkouts: Checkouts<'a>,
    links: RefCell<Links>,
    noticed: Noticing,
}

/// The files that this call may have edited. Files that git restored from the history are not edits.
pub(in super::super) fn trace(situation: &Situation<'_>) -> Result<CallTrace, PolicyError> {
    let line = situation.line();
    let applies_new = line.is_some_and(moves::applies_new_content);
    let applies = |line: &Line| line.effects.files.iter().any(|it| it.act == FileAct::ApplyPatch);
    let renames = |act: &FileAct| matches!(act, FileAct::Link { .. } | FileAct::Move { .. });
    let renames = line.is_some_and(|line| line.effects.files.iter().any(|it| renames(&it.act)));
    let empties = |act: &FileAct| matches!(act, FileAct::Delete { recursive: true });
    let empties = line.is_some_and(|line| line.effects.files.iter().any(|it| empties(&it.act)));
    let by_git = match line {
        Some(line) => git_programs::starts_own(situation, line)?,
        None => false,
    };
    let is_shared = links::writes_shared_file(situation)?;
    let writes_named = applies_new || renames || empties || by_git || is_shared || line.is_some_and(applies);
    let noticed = match author_of_noticed(situation) {
        Author::Others if !writes_named => Noticing::ByOthers,
        Author::Agent | Author::Others => Noticing::Noticed,
    };
    let search = Search::new(situation, noticed)?;
    // Neither edits nor shells: they do not say what they write.
    let is_server_call =
        matches!(situation.event.call().map(|call| &call.tool), Some(Tool::Mcp { .. } | Tool::Other));
    let may_commit = line.is_some_and(moves::may_commit);
    // First: what is its own depends on it.
    if may_commit || is_server_call {
        calls::note(situation)?;
    }
    let is_move = line.is_some_and(updates_worktree) && !applies_new;
    // Only what git alone did is not looked at.
    let is_all_moved = is_move && line.is_some_and(only_updates_worktree);
    let mut touched = Vec::new();
    if !is_all_moved {
        // Files that still differ from the history after a move were not restored by git.
        touched.extend(situation.edits()?.iter().flat_map(|edit| search.edit_targets(edit)));
    }
    // Tools that are neither edits nor shells do not say what they write.
    let is_edit = matches!(situation.event.call().map(|call| &call.tool), Some(Tool::Edit(_)));
    let since = call_start(situation);
    let own_line = line.filter(|_| !is_all_moved);
    let changes_unnamed = own_line.is_some() && situation.changes_unnamed_files();
    if let Some(line) = own_line {
        touched.extend(search.linked(line)?);
        if changes_unnamed || renames || empties {
            touched.extend(search.replaced(since)?);
            touched.extend(search.gone_from_loop()?);
        }
    }
    let is_unnamed = applies_new || is_shared || (by_git && !is_move);
    // The edits of a call that writes what it does not name have only what git shows.
    if is_unnamed || changes_unnamed || line.map_or(!is_edit, applies) {
        touched.extend(search.changed_on_disk(since)?);
    }
    // A tool server may write anywhere, too, and a name of a file may be in another checkout.
    if changes_unnamed || (empties && own_line.is_some()) || is_server_call || is_shared {
        touched.extend(search.changed_in_other_trees(since)?);
    }
    // Asking git costs time, so only lines that can have committed are checked.
    let mut arrived = Vec::new();
    if let Some(line) = line.filter(|_| may_commit) {
        fetched::note(situation, line)?;
        // Called after a move as well, so that the last seen commit is remembered.
        let committed = match search.committed(since) {
            // What others have is not looked at, however much it is.
            Err(_) if is_all_moved => Vec::new(),
            committed => committed?,
        };
        if is_move {
            arrived = search.replaced_by_git(since)?;
        } else {
            touched.extend(committed);
        }
    }
    Ok(CallTrace { touched: search.work(touched)?, arrived })
}

impl<'a, 's> Search<'a, 's> {
    pub(super) fn new(
        situation: &'a Situation<'s>,
        noticed: Noticing,
    ) -> Result<Search<'a, 's>, PolicyError> {
        let links = RefCell::new(Links::read(situation)?);
        Ok(Search { situation, checkouts: Checkouts::new(situation.world), links, noticed })
    }

    /// Each file once, without what a build made: one that is named comes before the same that was noticed.
    ///
    /// # Errors
    /// When git does not answer.
    pub(super) fn work(&self, mut touched: Vec<Touched>) -> Result<Vec<Touched>, PolicyError> {
        touched.sort_unstable();
        touched.dedup_by(|later, first| later.place == first.place);
        let outputs = Outputs::new(self.situation, &self.checkouts);
        let mut work = Vec::with_capacity(touched.len());
        for file in touched {
            if file.how == Noticing::Named || !outputs.has(&file.place)? {
                work.push(file);
            }
        }
        Ok(work)
    }

    fn edit_targets(&self, edit: &SeenEdit) -> Vec<Touched> {
        let how = if edit.route == EditRoute::Noticed { self.noticed } else { Noticing::Named };
        let paths = edited_paths(self.situation, edit).into_iter();
        paths.flat_map(|path| self.touch(&path, how)).collect()
    }

    /// A file, by all its names in the project: one that is found on disk may be behind a link out of it, and one that is
    /// elsewhere behind a link to it.
    fn touch(&self, path: &AbsolutePath, how: Noticing) -> Vec<Touched> {
        let real = self.situation.world.real_path(path, ".");
        let names = self.links.borrow().names_of(&real);
        let places = names.iter().chain([&real]).filter_map(|name| self.checkouts.locate(name));
        places.map(|place| Touched { place, how }).collect()
    }

    /// The files of the project's own checkout that changed on disk since a call began whose effects are not known.
    pub(super) fn changed_on_disk(&self, since: Time) -> Result<Vec<Touched>, PolicyError> {
        let found = super::disk::changed_files(self.situation, since)?;
        // A link that is made changes the folder that it is in.
        let world = self.situation.world;
        let is_young =
            |link: &&AbsolutePath| world.stat(&link.folder()).is_some_and(|stat| stat.changed >= since);
        let young: Vec<AbsolutePath> = found.links.iter().filter(is_young).cloned().collect();
        let made = self.links.borrow_mut().made(self.situation, &young)?;
        let outside = self.links.borrow().came_outside(self.situation, since)?;
        let here = found.files.iter().chain(&outside);
        let mut touched: Vec<Touched> = here.flat_map(|path| self.touch(path, self.noticed)).collect();
        let made = made.iter().filter_map(|name| self.checkouts.locate(name));
        touched.extend(made.map(|place| Touched { place, how: self.noticed }));
        Ok(touched)
    }

    /// The same for the other checkouts that the call may have written to.
    pub(super) fn changed_in_other_trees(&self, since: Time) -> Result<Vec<Touched>, PolicyError> {
        let (situation, world) = (self.situation, self.situation.world);
        let edited = situation.recall::<State>()?.trees.into_values().collect();
        let began = calls::began(situation)?.unwrap_or(since);
        let mut touched = Vec::new();
        for tree in self.checkouts.asked(situation, &edited, began) {
            // What was written and committed at once differs from where the session began.
            let known = super::base::known_commits(situation)?;
            let committed = match known.lines().next() {
                Some(base) => moves::between(situation, &tree, &[base, "HEAD"])?,
                None => Vec::new(),
            };
            let changed = self.uncommitted(&tree, since)?.into_iter().chain(committed);
            let arrivals = Arrivals::new(world, &tree, since);
            let changed = changed.filter(|name| is_young_or_gone(world, &tree, name, &arrivals));
            touched.extend(changed.map(|name| Touched {
                place: Located { tree: Some(tree.clone()), name },
                how: self.noticed,
            }));
        }
        Ok(touched)
    }

    /// The files of another checkout that changed since a time or are gone, and are not committed.
    fn uncommitted(&self, tree: &AbsolutePath, since: Time) -> Result<Vec<String>, PolicyError> {
        let found = self.situation.world.changed_files(tree, since)?;
        let gone = found.gone.clone();
        let found = super::disk::changed_by_git(self.situation, tree, (found, since))?;
        let name = |path: AbsolutePath| path.strip_folder(tree).map(str::to_owned);
        Ok(found.files.into_iter().chain(gone).filter_map(name).collect())
    }

    /// The files that git may have replaced since a time and that are not as others made them, in all checkouts that the
    /// call may be about.
    fn replaced_by_git(&self, since: Time) -> Result<Vec<Located>, PolicyError> {
        let situation = self.situation;
        let mut found = Vec::new();
        if !self.checkouts.has_git() {
            return Ok(found);
        }
        let edited = situation.recall::<State>()?.trees.into_values().collect();
        let began = calls::began(situation)?.unwrap_or(since);
        for tree in self.checkouts.asked(situation, &edited, began) {
            let names = self.uncommitted(&tree, since)?;
            let names = self.without_originals(&tree, names, since)?;
            found.extend(names.into_iter().map(|name| Located { tree: Some(tree.clone()), name }));
        }
        let here = self.changed_on_disk(since)?.into_iter().chain(self.replaced(since)?);
        let here = here.filter(Touched::is_in_own_tree).map(|file| file.place.name).collect();
        let names = self.without_originals(self.checkouts.root(), here, since)?;
        found.extend(names.into_iter().map(|name| Located { tree: None, name }));
        Ok(found)
    }

    /// These files of a checkout, and what this session committed, as far as they changed since a time, and are not as
    /// others made them.
    fn without_originals(
        &self,
        checkout: &AbsolutePath,
        names: Vec<String>,
        since: Time,
    ) -> Result<Vec<String>, PolicyError> {
        let world = self.situation.world;
        let originals = Originals::read(self.situation, checkout)?;
        let mut names: BTreeSet<String> = names.into_iter().collect();
        if originals.has_own {
            names.extend(originals.differing(self.situation, checkout)?);
        }
        let arrivals = Arrivals::new(world, checkout, since);
        names.retain(|name| is_young_or_gone(world, checkout, name, &arrivals));
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        let theirs = originals.unchanged(world, checkout, &all)?;
        names.retain(|name| !theirs.contains(name));
        Ok(names.into_iter().collect())
    }

    /// The links that a line made, with what is behind them. A link that is followed may leave the project, so its name is
    /// taken as written.
    fn linked(&self, line: &Line) -> Result<Vec<Touched>, PolicyError> {
        let links = line.effects.files.iter().filter_map(|effect| match &effect.act {
            FileAct::Link { name } => Some(name),
            _ => None,
        });
        let paths: Vec<AbsolutePath> = links.flat_map(|link| link_paths(self.situation, link)).collect();
        let behind = self.links.borrow_mut().made(self.situation, &paths)?;
        let places = paths.iter().chain(&behind).filter_map(|path| self.checkouts.locate(path));
        Ok(places.map(|place| Touched { place, how: Noticing::Named }).collect())
    }

    /// The files that were deleted since a call began, or replaced by something else, like a link. The time is not in
    /// the file any more, but its folder changed then.
    pub(super) fn replaced(&self, since: Time) -> Result<Vec<Touched>, PolicyError> {
        let (world, root) = (self.situation.world, self.checkouts.root());
        // `D` is deleted, `T` is of another type: a link instead of a file.
        let question =
            ["diff", "--name-only", "--no-renames", "--relative", "--diff-filter=DT", "-z", "HEAD"];
        let went_now = |name: &&str| {
            let folders = root.join(name).folder().ancestors().take_while(|folder| folder.is_in(root));
            let nearest = folders.into_iter().find_map(|folder| world.stat(&folder));
            nearest.is_some_and(|stat| stat.changed >= since)
        };
        // Without a commit, nothing that it has can be gone.
        let names = moves::names(self.situation, root, &question)?;
        let names = names.iter().filter(|name| went_now(&name.as_str()));
        Ok(names.map(|name| self.noticed_here(name)).collect())
    }

    /// The files of the loop that a line deleted or moved with the folder that they were in.
    fn gone_from_loop(&self) -> Result<Vec<Touched>, PolicyError> {
        let (situation, world) = (self.situation, self.situation.world);
        let is_removal = |edit: &&SeenEdit| matches!(edit.change, Some(Change::Delete | Change::Move { .. }));
        let removed: Vec<&AbsolutePath> =
            situation.edits()?.iter().filter(is_removal).map(|edit| &edit.path).collect();
        if removed.is_empty() {
            return Ok(Vec::new());
        }
        let state: State = situation.recall()?;
        let settings = situation.config::<Settings>()?.with_trees(&state.trees);
        let root = self.checkouts.root();
        let mut gone = Vec::new();
        for (domain, known) in &state.domains {
            let base = settings.domain(domain).and_then(|domain| domain.tree.as_ref()).unwrap_or(root);
            let paths = known.files.keys().map(|name| base.join(name));
            let was_below = |path: &AbsolutePath| removed.iter().any(|folder| path.is_in(folder));
            let paths = paths.filter(|path| was_below(path) && world.stat(path).is_none());
            gone.extend(paths.flat_map(|path| self.touch(&path, Noticing::Named)));
        }
        Ok(gone)
    }

    /// The files that differ between the commit that was last seen and the present one, and that changed on disk since a
    /// call began: it wrote and committed them.
    pub(super) fn committed(&self, since: Time) -> Result<Vec<Touched>, PolicyError> {
        let (situation, world, root) = (self.situation, self.situation.world, self.checkouts.root());
        let Some(head) = moves::head(world)? else { return Ok(Vec::new()) };
        let Some(before) = moves::last_seen(situation, &head)? else {
            moves::remember(situation, &head)?;
            return Ok(Vec::new());
        };
        let names = moves::between(situation, root, &[&before, &head])?;
        // Only now: without an answer, the commits are compared later.
        moves::remember(situation, &head)?;
        let arrivals = Arrivals::new(world, root, since);
        let young = names.iter().filter(|name| is_young_or_gone(world, root, name, &arrivals));
        Ok(young.map(|name| self.noticed_here(name)).collect())
    }

    fn noticed_here(&self, name: &str) -> Touched {
        Touched { place: Located { tree: None, name: name.to_owned() }, how: self.noticed }
    }
}

fn is_young_or_gone<W: World + ?Sized>(
    world: &W,
    tree: &AbsolutePath,
    name: &str,
    arrivals: &Arrivals<'_, W>,
) -> bool {
    let path = tree.join(name);
    world.stat(&path).is_none() || arrivals.has(&path)
}

/// Where a link was made: its folder without symlinks, and its own name.
fn link_paths(situation: &Situation<'_>, link: &Target) -> Vec<AbsolutePath> {
    let (Some(text), world) = (link.word.text.as_deref(), situation.world) else { return Vec::new() };
    let bases = match &link.directory {
        Directory::Start | Directory::Unknown => vec!["."],
        Directory::OneOf(places) => places.iter().map(String::as_str).collect(),
    };
    let path = |base: &str| {
        let base = world.real_path(&situation.event.cwd, base);
        let (folder, name) = text.trim_end_matches('/').rsplit_once('/').unwrap_or((".", text));
        let folder =
            world.real_path(&base, if text.starts_with('/') && folder.is_empty() { "/" } else { folder });
        let made = folder.join(name.trim_end_matches('/'));
        // In a folder that was there, or in place of one that was not: then it leads to a folder itself.
        match &link.or_below {
            Some(below) if world.stat(&made.join(below)).is_some() => made.join(below),
            _ => made,
        }
    };
    bases.into_iter().map(path).collect()
}
