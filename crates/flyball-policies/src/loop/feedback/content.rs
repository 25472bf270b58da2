//! The content of the files in the loop: after a call that edited, and again whenever it matters, because people and
//! programs edit too.

mod base;
mod before;
mod calls;
mod disk;
mod fetched;
mod git_programs;
mod ignored;
mod links;
mod merges;
mod moves;
mod nested;
mod outputs;
mod overlooked;
mod source_file;
mod touched;
mod trees;
mod unknowable;
mod user_agents;
mod writers;

use std::collections::BTreeMap;

use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{LeftProcess, PolicyError, Situation, World};

pub(super) use self::before::{note_uncommitted, store as store_before};
pub(super) use self::calls::note_since as note_calls_since;
pub(super) use self::merges::EarlierTexts;
pub(super) use self::moves::may_commit;
pub(super) use self::overlooked::{changed_since, find_overlooked, note_overlooked};
use self::source_file::{SourceFile, fingerprint};
use self::touched::Noticing;
pub(super) use self::touched::{CallTrace, Touched, trace};
pub(super) use self::trees::{Checkouts, Located};
pub(super) use self::unknowable::take as take_unknowable;
pub(super) use self::user_agents::{note_begin, redefined_by_content};
use self::writers::OtherSessions;
pub(super) use self::writers::note_writes;
use super::machine::LoopEvent;
use super::session::Session;
use super::settings::Domain;
use super::state::FileState;
use crate::client_files::declared_role;
use crate::code_files::has_script_name;
use crate::digest::digest;
use crate::r#loop::author::left_running;
use crate::stamp::stamp;
use crate::worktree_updates::updates_worktree;

/// Notes where the session begins, unless that is known or it begins `anew`.
pub(super) fn note_base(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    if base::note(situation, anew)? {
        ignored::note(situation)?;
        git_programs::begin(situation)?;
    }
    Ok(())
}

/// Longer files are not read: only their stamp is compared.
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// Stands for all roles in [`State::redefined_roles`](super::state::State::redefined_roles).
pub(super) const ANY_ROLE: &str = "*";

/// The roles of the subagents whose definitions are among the files: an agent could write itself a reviewer that
/// approves of everything.
pub(super) fn redefined_roles(situation: &Situation<'_>, touched: &[Touched]) -> Vec<String> {
    let folders: Vec<&str> =
        situation.world.clients().iter().filter_map(|client| client.agents_folder).collect();
    let mut roles = Vec::new();
    for file in own(touched).map(Touched::name) {
        if folders.iter().any(|folder| strip_folder(file, folder).is_some()) {
            roles.push(role_of(situation, &real_root(situation.world).join(file)));
        }
    }
    roles
}

/// What this session edited in the project's own checkout, where what defines the checks is.
fn own(touched: &[Touched]) -> impl Iterator<Item = &Touched> {
    touched.iter().filter(|file| file.is_own() && file.is_in_own_tree())
}

/// The role that a definition is for.
fn role_of(situation: &Situation<'_>, path: &AbsolutePath) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    // A definition whose name is not plain may be that of any role.
    let declared = declared_role(situation.world, path).unwrap_or_else(|| stem.to_owned());
    if declared == stem { declared } else { ANY_ROLE.to_owned() }
}

/// Files with their new content, by domain.
pub(super) type Changes = BTreeMap<String, BTreeMap<String, FileState>>;

/// What became of processes that calls left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Watched {
    /// They are servers, which write no code.
    Serves,
    Ended,
}

impl Session<'_> {
    /// Records the current content of the touched files, domain by domain. Files without a domain are left out.
    pub(super) fn apply_edits(&mut self, touched: &[Touched]) -> Result<(), PolicyError> {
        self.add_trees(touched.iter().map(|file| &file.place));
        let is_noticed = touched.iter().any(|file| file.how == Noticing::Noticed);
        let others = is_noticed.then(|| OtherSessions::read(self.situation)).transpose()?;
        let mut edited = Changes::new();
        for file in touched {
            let Some((domain, name)) = self.domain_at(&file.place) else { continue };
            let domain = domain.name.clone();
            let known = self.known(&domain, &name);
            let Some(now) = self.read_file(&self.base(&domain).join(&name), known) else {
                continue;
            };
            // A change that is only noticed now may be an older one, which was recorded when it happened.
            let is_old = file.how != Noticing::Named && known.is_some_and(|known| known.stamp == now.stamp);
            let path = self.base(&domain).join(&name);
            let is_of_another = |others: &OtherSessions| others.wrote(&path, now.content);
            if is_old || (file.how == Noticing::Noticed && others.as_ref().is_some_and(is_of_another)) {
                continue;
            }
            // A check that rewrites a file of the loop is no reason to keep what passed.
            if file.is_own() || known.is_some() {
                edited.entry(domain).or_default().insert(name, now);
            } else {
                self.state.by_others.insert(self.shown_path(&domain, &name));
            }
        }
        let role = self.situation.event.agent.as_ref().map(|agent| agent.role.clone());
        let by = role.filter(|role| !role.is_empty());
        for (domain, files) in edited {
            self.apply(LoopEvent::Edited { domain, files, by: by.clone() });
        }
        Ok(())
    }

    /// Records changes in the files of the loop that no call is known to have made. Files with the same stamp are not
    /// read. While something may run that this session started, the changes are its own.
    pub(super) fn refresh(&mut self) {
        let changes = self.changes();
        if self.state.writing_since().is_some() {
            for (domain, files) in changes {
                self.apply(LoopEvent::Edited { domain, files, by: None });
            }
            return;
        }
        for (domain, files) in &changes {
            // Before anything passed, the reviewer sees it anyway.
            let Some(known) = self.state.domains.get(domain).filter(|known| known.has_passed()) else {
                continue;
            };
            let is_other = |(name, now): &(&String, &FileState)| {
                known.files.get(*name).map(|it| it.content) != Some(now.content)
            };
            let names: Vec<&String> = files.iter().filter(is_other).map(|(name, _)| name).collect();
            let shown: Vec<String> = names.into_iter().map(|name| self.shown_path(domain, name)).collect();
            self.state.by_others.extend(shown);
        }
        self.apply_updates(changes);
    }

    /// The same, and what was written by something that this session started and that may still run.
    pub(super) fn look_again(&mut self) -> Result<(), PolicyError> {
        let left = self.watch_left();
        self.look_while(left)
    }

    /// The same. What changes from here on is not by something that has ended.
    pub(super) fn look_and_forget_ended(&mut self) -> Result<(), PolicyError> {
        let left = self.watch_left();
        self.look_while(left)?;
        if left == Some(Watched::Ended)
            && let Some(ended) = self.state.left_running.take()
        {
            note_calls_since(self.situation, ended.since)?;
        }
        Ok(())
    }

    /// What became of the processes that calls left, if none of them may write any more.
    fn watch_left(&self) -> Option<Watched> {
        let left = self.state.left_running.as_ref()?;
        let running = left_running(self.situation, left.since)?;
        // What they started went on.
        let is_theirs = |process: &&LeftProcess| left.processes.contains(&process.id) || process.is_orphan;
        let (servers, writers): (Vec<&LeftProcess>, Vec<&LeftProcess>) =
            running.iter().filter(is_theirs).partition(|process| process.serves && !left.names_code);
        let all_serve = left.processes.iter().all(|id| servers.iter().any(|process| process.id == *id));
        match (writers.is_empty(), all_serve) {
            (false, _) => None,
            (true, true) => Some(Watched::Serves),
            (true, false) => Some(Watched::Ended),
        }
    }

    fn look_while(&mut self, left: Option<Watched>) -> Result<(), PolicyError> {
        if left == Some(Watched::Serves) {
            self.state.left_running = None;
        }
        if let Some(since) = self.state.writing_since() {
            let touched = changed_since(self.situation, since)?;
            self.apply_edits(&touched)?;
        }
        self.refresh();
        Ok(())
    }

    /// Forgets the files that are as they were before the session.
    pub(super) fn close_unchanged(&mut self, unchanged: &Changes) {
        for (domain, files) in unchanged {
            self.apply(LoopEvent::Restored { domain: domain.clone(), files: files.clone() });
        }
    }

    /// The state of a file; `None` for a folder. It is read only if its stamp changed.
    fn read_file(&self, path: &AbsolutePath, before: Option<&FileState>) -> Option<FileState> {
        let world = self.situation.world;
        let Some(stat) = world.stat(path) else { return Some(FileState::default()) };
        if stat.is_folder {
            return None;
        }
        let stamp = stamp(&stat);
        if let Some(before) = before.filter(|before| before.stamp == stamp && before.content.is_some()) {
            return Some(before.clone());
        }
        // A file that cannot be read must not disable the loop.
        let content = match world.read(path, MOST_BYTES).unwrap_or_default() {
            // An empty file (`__init__.py`) has nothing to review, as if it were not there.
            Some(bytes) if bytes.is_empty() => return Some(FileState { stamp, ..FileState::default() }),
            // What is called like a script may be built: `bin/server`.
            read if has_script_name(path) && is_built(read.as_deref()) => {
                return Some(FileState { stamp, ..FileState::default() });
            }
            Some(bytes) => {
                fingerprint(world, &SourceFile { path, bytes: &bytes, trivial: &self.settings.trivial })
            }
            None => digest([format!("{stamp:?}").as_str()]),
        };
        Some(FileState { content: Some(content), stamp, ..FileState::default() })
    }

    fn apply_updates(&mut self, changes: Changes) {
        for (domain, files) in changes {
            self.apply(LoopEvent::Updated { domain, files });
        }
    }

    /// The files of the loop that are not as they are known.
    fn changes(&self) -> Changes {
        let world = self.situation.world;
        let mut changes = Changes::new();
        for (domain, known) in &self.state.domains {
            let base = self.base(domain);
            // The files of a checkout that was removed stay as they were: they may be on a branch.
            if world.stat(&base).is_none() {
                continue;
            }
            // A folder instead of a file is other content, too.
            let now = |name: &str, before| self.read_file(&base.join(name), Some(before)).unwrap_or_default();
            let files = known.files.iter().map(|(name, before)| (name, before, now(name, before)));
            let changed =
                files.filter(|(_, before, now)| (before.content, before.stamp) != (now.content, now.stamp));
            let mut files: BTreeMap<String, FileState> =
                changed.map(|(name, _, now)| (name.clone(), now)).collect();
            let is_gone = |(name, now): &(&String, &FileState)| {
                now.content.is_none() && world.stat(&base.join(name)).is_none()
            };
            let gone = files.iter().filter(is_gone).map(|(name, _)| name.clone()).collect();
            for name in left_out(world, &base, gone) {
                files.remove(&name);
            }
            if !files.is_empty() {
                changes.insert(domain.clone(), files);
            }
        }
        changes
    }

    fn known(&self, domain: &str, name: &str) -> Option<&FileState> {
        self.state.domains.get(domain)?.files.get(name)
    }

    /// The checkouts that these files are in get their own domains.
    fn add_trees<'p>(&mut self, places: impl Iterator<Item = &'p Located>) {
        let root = real_root(self.situation.world);
        for tree in places.filter_map(|place| place.tree.as_ref()) {
            if !self.state.trees.values().any(|known| known == tree) {
                self.state.trees.insert(shown_tree(tree, &root), tree.clone());
            }
        }
        self.settings = std::mem::take(&mut self.settings).with_trees(&self.state.trees);
    }

    /// The domain of a file, and its name in it.
    fn domain_at(&self, place: &Located) -> Option<(&Domain, String)> {
        let found = self.settings.domain_in(place.tree.as_ref(), &place.name);
        found.map(|domain| (domain, place.name.clone())).or_else(|| {
            // What only looks like another checkout hides no file of this one.
            let path = place.tree.as_ref()?.join(&place.name);
            let name = path.strip_folder(&real_root(self.situation.world))?;
            Some((self.settings.domain_of(name)?, name.to_owned()))
        })
    }

    /// The folder that the names of a domain's files are below.
    pub(super) fn base(&self, domain: &str) -> AbsolutePath {
        let tree = self.settings.domain(domain).and_then(|domain| domain.tree.clone());
        tree.unwrap_or_else(|| real_root(self.situation.world))
    }

    /// A file as people know it.
    fn shown_path(&self, domain: &str, name: &str) -> String {
        shown_tree(&self.base(domain).join(name), &real_root(self.situation.world))
    }

    /// Whether this call let git replace files.
    pub(super) fn is_move(&self) -> bool {
        self.situation.effective_line().is_some_and(updates_worktree)
    }
}

/// Whether a file, as far as it was short enough to read, is no text.
fn is_built(bytes: Option<&[u8]>) -> bool {
    bytes.is_none_or(|bytes| bytes.iter().take(8000).any(|byte| *byte == 0))
}

/// Those of the absent files that a sparse checkout leaves out: they are as they were.
fn left_out(world: &dyn World, base: &AbsolutePath, gone: Vec<String>) -> Vec<String> {
    if gone.is_empty() {
        return gone;
    }
    let names: Vec<&str> = gone.iter().map(String::as_str).collect();
    let question = [&["--literal-pathspecs", "ls-files", "-v", "-z", "--"][..], &names].concat();
    let answer = match world.git(base, &question) {
        Ok(answer) => answer.text().unwrap_or_default(),
        // Then they count as deleted.
        Err(_) => return Vec::new(),
    };
    let left_out =
        |entry: &str| entry.strip_prefix("S ").or_else(|| entry.strip_prefix("s ")).map(str::to_owned);
    answer.split('\0').filter_map(left_out).collect()
}

/// A path from the project's root on, or beside it, or as it is.
fn shown_tree(path: &AbsolutePath, root: &AbsolutePath) -> String {
    let beside = || path.strip_folder(&root.folder()).map(|name| format!("../{name}"));
    path.strip_folder(root).map(str::to_owned).or_else(beside).unwrap_or_else(|| path.to_string())
}

pub(super) fn real_root(world: &dyn World) -> AbsolutePath {
    flyball_core::world::real_root(world)
}
