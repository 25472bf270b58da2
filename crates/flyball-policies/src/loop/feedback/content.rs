//! The content of the files in the loop: after a call that edited, and again whenever it matters, because people and
//! programs edit too.

mod base;
mod moves;
mod overlooked;
mod user_agents;

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::event::{EventData, Tool};
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::time::Time;
use flyball_effects::{Directory, FileAct, Line, Target};

pub(super) use self::base::note as note_base;
pub(super) use self::overlooked::{find_overlooked, note_overlooked};
pub(super) use self::user_agents::{defined_roles, note_begin, redefined_by_user_files};
use super::super::events::edited_paths;
use super::evidence::definition;
use super::machine::LoopEvent;
use super::session::Session;
use super::settings::Settings;
use super::state::FileState;
use crate::digest::digest;
use crate::stamp::stamp;
use crate::worktree_updates::{only_updates_worktree, updates_worktree};
use flyball_core::path::{AbsolutePath, strip_folder};

/// How long a call may have taken where the client does not say.
const DEFAULT_CALL: Duration = Duration::from_secs(60);
/// Clocks of file systems are coarse.
const SLACK: Duration = Duration::from_millis(50);

/// Longer files are not read: only their stamp is compared.
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// The files that this call may have edited, by path below the project's root. Files that git restored from the history
/// are not edits.
pub(super) fn touched(situation: &Situation<'_>) -> Result<Vec<Touched>, PolicyError> {
    let root = root(situation);
    let line = situation.line();
    let applies_new = line.is_some_and(moves::applies_new_content);
    let applies = |line: &Line| line.effects.files.iter().any(|it| it.act == FileAct::ApplyPatch);
    let is_move = line.is_some_and(updates_worktree) && !applies_new;
    let mut touched = Vec::new();
    if !(is_move && line.is_some_and(only_updates_worktree)) {
        // Files that still differ from the history after a move were not restored by git.
        touched.extend(situation.edits()?.iter().flat_map(|edit| edit_targets(situation, edit, &root)));
    }
    // Tools that are neither edits nor shells do not say what they write.
    let is_edit = matches!(situation.event.call().map(|call| &call.tool), Some(Tool::Edit(_)));
    if applies_new || line.map_or(!is_edit, applies) {
        touched.extend(changed_on_disk(situation, &root, call_start(situation))?);
    }
    if let Some(line) = line.filter(|_| !is_move) {
        touched.extend(linked(situation, line, &root));
        let renames = |act: &FileAct| matches!(act, FileAct::Link { .. } | FileAct::Move { .. });
        if !line.effects.opaque.is_empty() || line.effects.files.iter().any(|it| renames(&it.act)) {
            touched.extend(replaced(situation, &root, call_start(situation))?);
        }
    }
    // Asking git costs time, so only lines that can have committed are checked.
    let may_commit = |line: &Line| !line.effects.opaque.is_empty() || moves::calls_git(line);
    if line.is_some_and(may_commit) {
        // Called after a move as well, so that the last seen commit is remembered.
        let committed = committed(situation, &root, call_start(situation))?;
        touched.extend(committed.into_iter().flatten().filter(|_| !is_move));
    }
    touched.sort_unstable();
    // A file that is named comes before the same file that was noticed, and stays.
    touched.dedup_by(|later, first| later.name == first.name);
    Ok(touched)
}

/// The files that changed on disk since a call began whose effects are not known.
fn changed_on_disk(
    situation: &Situation<'_>,
    root: &AbsolutePath,
    since: Time,
) -> Result<Vec<Touched>, PolicyError> {
    let paths = situation.world.changed_files(since)?;
    let real = |path: &AbsolutePath| situation.world.real_path(path, ".");
    let names = paths.iter().filter_map(|path| strip_folder(&real(path), root).map(str::to_owned));
    Ok(names.map(|name| Touched { name, is_noticed: true }).collect())
}

/// The links that a line made. A link that is followed may leave the project, so its name is taken as written.
fn linked(situation: &Situation<'_>, line: &Line, root: &AbsolutePath) -> Vec<Touched> {
    let links = line.effects.files.iter().filter_map(|effect| match &effect.act {
        FileAct::Link { name } => Some(name),
        _ => None,
    });
    let paths = links.flat_map(|link| link_paths(situation, link));
    let names = paths.filter_map(|path| strip_folder(&path, root).map(str::to_owned));
    names.map(|name| Touched { name, is_noticed: false }).collect()
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
        match &link.or_below {
            Some(below) if world.stat(&made).is_some_and(|stat| stat.is_folder) => made.join(below),
            _ => made,
        }
    };
    bases.into_iter().map(path).collect()
}

/// The files that were deleted since a call began, or replaced by something else, like a link. The time is not in
/// the file any more, but its folder changed then.
fn replaced(
    situation: &Situation<'_>,
    root: &AbsolutePath,
    since: Time,
) -> Result<Vec<Touched>, PolicyError> {
    let world = situation.world;
    // `D` is deleted, `T` is of another type: a link instead of a file.
    let question = ["diff", "--name-only", "--no-renames", "--relative", "--diff-filter=DT", "-z", "HEAD"];
    // Without a commit, nothing that it has can be gone.
    let gone = world.git(root, &question)?.text().unwrap_or_default();
    let went_now = |name: &&str| {
        let folders = root.join(name).folder().ancestors().take_while(|folder| folder.is_in(root));
        let nearest = folders.into_iter().find_map(|folder| world.stat(&folder));
        nearest.is_some_and(|stat| stat.changed >= since)
    };
    let names = gone.split('\0').filter(|name| !name.is_empty()).filter(went_now);
    Ok(names.map(|name| Touched { name: name.to_owned(), is_noticed: true }).collect())
}

/// What was written and committed since a call began, so that it does not look changed any more. `None` while the project
/// is at the same commit.
fn committed(
    situation: &Situation<'_>,
    root: &AbsolutePath,
    since: Time,
) -> Result<Option<Vec<Touched>>, PolicyError> {
    let world = situation.world;
    let Some(head) = moves::head(world)? else { return Ok(None) };
    let Some(before) = moves::last_seen(situation, &head)? else {
        moves::remember(situation, &head)?;
        return Ok(None);
    };
    let is_young = |name: &String| {
        let stat = world.stat(&root.join(name));
        stat.is_none_or(|stat| !stat.is_folder && stat.changed >= since)
    };
    let names = moves::between(world, root, &before, &head)?;
    // Only now: without an answer, the commits are compared later.
    moves::remember(situation, &head)?;
    let names = names.into_iter().filter(is_young);
    Ok(Some(names.map(|name| Touched { name, is_noticed: true }).collect()))
}

/// When the call began.
fn call_start(situation: &Situation<'_>) -> Time {
    let outcome = match &situation.event.happening {
        EventData::AfterTool { outcome, .. } | EventData::ToolFailed { outcome, .. } => Some(outcome),
        _ => None,
    };
    let took = outcome.and_then(|outcome| outcome.took).unwrap_or(DEFAULT_CALL);
    situation.world.now() - took.saturating_add(SLACK)
}

/// The files among these that say what a command of a phase does.
pub(super) fn redefined(settings: &Settings, touched: &[Touched]) -> Vec<String> {
    let commands: Vec<&str> = settings.commands().collect();
    let is_part = |name: &str| commands.iter().any(|command| definition::is_part(command, name));
    touched.iter().map(|file| file.name.as_str()).filter(|name| is_part(name)).map(str::to_owned).collect()
}

/// Stands for all roles in [`State::redefined_roles`](super::state::State::redefined_roles).
pub(super) const ANY_ROLE: &str = "*";

/// The roles of the subagents whose definitions are among the files: an agent could write itself a reviewer that
/// approves of everything.
pub(super) fn redefined_roles(situation: &Situation<'_>, touched: &[Touched]) -> Vec<String> {
    let folders: Vec<&str> =
        situation.world.clients().iter().filter_map(|client| client.agents_folder).collect();
    let mut roles = Vec::new();
    for file in touched {
        if folders.iter().any(|folder| strip_folder(&file.name, folder).is_some()) {
            roles.push(role_of(situation, &root(situation).join(&file.name)));
        }
    }
    roles
}

/// The role that a definition is for.
fn role_of(situation: &Situation<'_>, path: &AbsolutePath) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    // A definition whose name is not plain may be that of any role.
    let declared = declared_role(situation, path).unwrap_or_else(|| stem.to_owned());
    if declared == stem { declared } else { ANY_ROLE.to_owned() }
}

/// The role that a definition names, which need not be the name of its file.
fn declared_role(situation: &Situation<'_>, path: &AbsolutePath) -> Option<String> {
    const MOST: u64 = 64 * 1024;
    let text = situation.world.read(path, MOST).ok()??;
    let text = String::from_utf8_lossy(&text).into_owned();
    let value = text.lines().find_map(|line| {
        let value = line.trim_start().strip_prefix("name")?.trim_start();
        value.strip_prefix(':').or_else(|| value.strip_prefix('='))
    })?;
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

/// A file that a call may have edited.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Touched {
    /// Below the project's root.
    pub(super) name: String,
    /// Nothing names it: it was found to have changed while a command ran, or shortly before.
    is_noticed: bool,
}

fn edit_targets(situation: &Situation<'_>, edit: &SeenEdit, root: &AbsolutePath) -> Vec<Touched> {
    let is_noticed = edit.route == EditRoute::Noticed;
    // A file that is found on disk may be behind a link out of the project.
    let paths = edited_paths(situation, edit).into_iter().map(|path| situation.world.real_path(&path, "."));
    let names = paths.filter_map(|path| strip_folder(&path, root).map(str::to_owned));
    names.map(|name| Touched { name, is_noticed }).collect()
}

impl Session<'_> {
    /// Records the current content of the touched files, domain by domain. Files without a domain are left out.
    pub(super) fn apply_edits(&mut self, touched: &[Touched]) {
        let (world, root) = (self.situation.world, root(self.situation));
        let mut domains: BTreeMap<String, BTreeMap<String, FileState>> = BTreeMap::new();
        for file in touched {
            let Some(domain) = self.settings.domain_of(&file.name) else { continue };
            let known = self.state.domains.get(&domain.name).and_then(|domain| domain.files.get(&file.name));
            let Some(now) = read_file(world, &root.join(&file.name), known) else { continue };
            // A change that is only noticed now may be an older one, which was recorded when it happened.
            let is_old = file.is_noticed && known.is_some_and(|known| known.stamp == now.stamp);
            if !is_old {
                domains.entry(domain.name.clone()).or_default().insert(file.name.clone(), now);
            }
        }
        let role = self.situation.event.agent.as_ref().map(|agent| agent.role.clone());
        let by = role.filter(|role| !role.is_empty());
        for (domain, files) in domains {
            self.apply(LoopEvent::Edited { domain, files, by: by.clone() });
        }
    }

    /// Records changes in the files of the loop by anyone. Files with the same stamp are not read.
    pub(super) fn refresh(&mut self) {
        let (world, root) = (self.situation.world, root(self.situation));
        let mut events = Vec::new();
        for (domain, known) in &self.state.domains {
            // A folder instead of a file is other content, too.
            let now =
                |name: &str, before| read_file(world, &root.join(name), Some(before)).unwrap_or_default();
            let files = known.files.iter().map(|(name, before)| (name, before, now(name, before)));
            let changed = files.filter(|(_, before, now)| *before != now);
            let files: BTreeMap<String, FileState> =
                changed.map(|(name, _, now)| (name.clone(), now)).collect();
            if !files.is_empty() {
                events.push(LoopEvent::Edited { domain: domain.clone(), files, by: None });
            }
        }
        events.into_iter().for_each(|event| self.apply(event));
    }
}

/// The state of a file; `None` for a folder. It is read only if its stamp changed.
fn read_file(world: &dyn World, path: &AbsolutePath, before: Option<&FileState>) -> Option<FileState> {
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
        Some(bytes) => digest([world.hash(&bytes).as_str()]),
        None => digest([format!("{stamp:?}").as_str()]),
    };
    Some(FileState { content: Some(content), stamp })
}

fn root(situation: &Situation<'_>) -> AbsolutePath {
    flyball_core::world::real_root(situation.world)
}
