//! What a session remembers of the protected files: their content at its start and now.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_core::grant::Grant;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{ContentHash, FileNote, PolicyError, World};
use flyball_core::time::{self, Time};
use serde::{Deserialize, Serialize};

use super::extent::{Extent, MOST_BYTES, extract};
use super::find::ProtectedProject;
use super::names::is_project_folder;
use crate::stamp::{Stamp, stamp};

/// Clocks of file systems are coarse.
pub(super) const SLACK: Duration = Duration::from_millis(50);
/// Files beyond this number are not watched; no project has so many.
const MOST_FILES: usize = 300;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Watched {
    /// When the session began.
    #[serde(with = "time::millis")]
    began: Time,
    files: BTreeMap<AbsolutePath, WatchedFile>,
    /// The contents that were reported to the agent.
    // The name in the sessions that are already stored.
    #[serde(rename = "told")]
    pub(super) reported: BTreeMap<AbsolutePath, Option<ContentHash>>,
    /// All contents that blocked it from stopping.
    pub(super) stopped: BTreeMap<AbsolutePath, Vec<Option<ContentHash>>>,
    /// How often in a row it was blocked from stopping.
    pub(super) in_a_row: u32,
    /// The folders of the project in which a new config is noticed.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    folders: BTreeSet<AbsolutePath>,
    /// Files with tests that were there when the session began and are not known to be gone.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    tests: BTreeSet<AbsolutePath>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct WatchedFile {
    /// Its content when the session began; `None` if it did not exist.
    was: Option<ContentHash>,
    /// Its content at the last check.
    now: Option<ContentHash>,
    /// Its metadata at the last check.
    stamp: Option<Stamp>,
}

/// How the protected files are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Find {
    ByGit,
    WithoutGit,
}

/// A file with a change that nobody approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileChange {
    pub(super) path: AbsolutePath,
    pub(super) was: Option<ContentHash>,
    pub(super) now: Option<ContentHash>,
    /// Whether all of it is protected, so that it can be restored.
    pub(super) is_whole: bool,
}

impl Watched {
    /// Stores the protected files as they are when a session begins: all that git knows of, or without its answer
    /// those that are found.
    pub(super) fn begin(project: &ProtectedProject<'_>, find: Find) -> Result<Watched, PolicyError> {
        let (folders, tests, existing) = match find {
            Find::ByGit => (project.tracked_folders()?, project.tracked_tests()?, project.find_existing()?),
            Find::WithoutGit => (project.walked_folders(), BTreeSet::new(), project.find_without_git()),
        };
        let mut watched = Watched { began: project.world.now(), folders, tests, ..Watched::default() };
        let mut notes = Vec::new();
        // Our own are watched before they exist: a new settings file can disable hooks.
        let paths = existing.into_iter().chain(project.own_watched());
        for path in paths.take(MOST_FILES) {
            let Some(extent) = project.extent(&path) else { continue };
            let stat = project.world.stat(&path).filter(|stat| !stat.is_folder);
            let content = hash_content(project.world, &path, extent, Snapshot::Store)?;
            if let Some(content) = content.as_ref().filter(|_| stat.is_some()) {
                notes.push((path.clone(), FileNote::Found(content.clone())));
            }
            let seen = WatchedFile { was: content.clone(), now: content, stamp: stat.as_ref().map(stamp) };
            watched.files.insert(path, seen);
        }
        project.world.add_notes(&notes)?;
        Ok(watched)
    }

    /// Whether a person approved this content since the session began. Approvals from earlier sessions
    /// do not count.
    pub(super) fn is_approved(
        &self,
        path: &AbsolutePath,
        content: Option<&ContentHash>,
        world: &dyn World,
    ) -> Result<bool, PolicyError> {
        // Without a recorded start of the session, no approval counts.
        let since = if self.began == Time::default() { Time::MAX } else { self.began };
        let approved = world.approval(path, since)?;
        Ok(approved.is_some_and(|approval| approval.content.as_ref() == content))
    }

    /// Whether this was a file's content when the session began.
    pub(super) fn began_with(&self, path: &str, content: &ContentHash) -> bool {
        self.files.get(path).is_some_and(|seen| seen.was.as_ref() == Some(content))
    }

    /// The tests that are gone, once.
    pub(super) fn take_lost_tests(&mut self, world: &dyn World) -> Vec<AbsolutePath> {
        let lost: Vec<AbsolutePath> =
            self.tests.iter().filter(|path| world.stat(path).is_none()).cloned().collect();
        self.tests.retain(|path| !lost.contains(path));
        lost
    }

    /// The folders in which something was added or removed since then, and the new ones below them.
    fn changed_folders(&mut self, project: &ProtectedProject<'_>, since: Time) -> BTreeSet<AbsolutePath> {
        let is_recent = |path: &AbsolutePath| {
            project.world.stat(path).is_some_and(|stat| stat.is_folder && stat.changed >= since)
        };
        let mut waiting: Vec<AbsolutePath> =
            self.folders.iter().filter(|path| is_recent(path)).cloned().collect();
        if is_recent(project.root()) {
            waiting.push(project.root().clone());
        }
        let mut changed = BTreeSet::new();
        while let Some(folder) = waiting.pop() {
            // A guess by the name, which saves a system call for most files.
            let names = project
                .world
                .list(&folder)
                .into_iter()
                .filter(|name| !name.contains('.') && is_project_folder(name));
            for below in names.map(|name| folder.join(&name)) {
                if self.folders.len() < MOST_FILES && !self.folders.contains(&below) && is_recent(&below) {
                    self.folders.insert(below.clone());
                    waiting.push(below);
                }
            }
            changed.insert(folder);
        }
        changed
    }

    /// When the session began.
    pub(super) const fn began(&self) -> Time {
        self.began
    }

    /// Checks all files again, and the folders that changed since then for new ones.
    pub(super) fn refresh(&mut self, project: &ProtectedProject<'_>, since: Time) -> Result<(), PolicyError> {
        for (path, seen) in &mut self.files {
            refresh_file(path, seen, project)?;
        }
        let mut folders: BTreeSet<AbsolutePath> = project.folders(self.files.keys());
        folders.extend(self.changed_folders(project, since));
        self.notice(project.list_protected(&folders), project)
    }

    /// Checks what git lists: a config that was staged may be in a folder that nobody watches.
    pub(super) fn notice_listed(&mut self, project: &ProtectedProject<'_>) -> Result<(), PolicyError> {
        // Without git's answer, the folders that are watched have to do.
        self.notice(project.listed_by_git().unwrap_or_default(), project)
    }

    /// Takes up the files that are not watched yet.
    fn notice(
        &mut self,
        paths: Vec<AbsolutePath>,
        project: &ProtectedProject<'_>,
    ) -> Result<(), PolicyError> {
        for path in paths {
            if self.files.len() >= MOST_FILES || self.files.contains_key(&path) {
                continue;
            }
            let mut seen = WatchedFile::default();
            refresh_file(&path, &mut seen, project)?;
            // A new manifest has no earlier tables to weaken. A file older than the session did not
            // change: only the config or the search did.
            let stat = project.world.stat(&path);
            let is_older = stat.is_some_and(|stat| stat.changed + SLACK < self.began);
            if is_older || matches!(project.extent(&path), Some(Extent::Only(_))) {
                seen.was.clone_from(&seen.now);
            }
            if seen.stamp.is_some() {
                self.files.insert(path, seen);
            }
        }
        Ok(())
    }

    /// Forgets the changes that were reported and have been undone since, here and in the ledger.
    pub(super) fn forget_undone(&mut self, world: &dyn World) -> Result<(), PolicyError> {
        let mut notes = Vec::new();
        let files = &self.files;
        self.reported.retain(|path, _| {
            let undone = files.get(path).filter(|seen| seen.was == seen.now);
            let content = undone.and_then(|seen| seen.was.clone());
            notes.extend(content.map(|content| (path.clone(), FileNote::Found(content))));
            undone.is_none()
        });
        if notes.is_empty() { Ok(()) } else { world.add_notes(&notes) }
    }

    /// The files that changed and that nobody approved.
    pub(super) fn unapproved_changes(
        &self,
        project: &ProtectedProject<'_>,
    ) -> Result<Vec<FileChange>, PolicyError> {
        let mut changed = Vec::new();
        for (path, seen) in self.files.iter().filter(|(_, seen)| seen.was != seen.now) {
            let Some(extent) = project.extent(path) else { continue };
            if self.is_approved(path, seen.now.as_ref(), project.world)?
                || accept_allowed(path, extent, project)?
            {
                continue;
            }
            changed.push(FileChange {
                path: path.clone(),
                was: seen.was.clone(),
                now: seen.now.clone(),
                is_whole: extent == Extent::Whole,
            });
        }
        let note = |it: &FileChange| (it.path.clone(), FileNote::Changed(it.was.clone()));
        project.world.add_notes(&changed.iter().map(note).collect::<Vec<_>>())?;
        Ok(changed)
    }
}

/// Whether a file is what it became while a person allowed it to change. From then on, that content is approved.
fn accept_allowed(
    path: &AbsolutePath,
    extent: Extent,
    project: &ProtectedProject<'_>,
) -> Result<bool, PolicyError> {
    let world = project.world;
    let changed = world.stat(path).map(|stat| stat.changed);
    let is_of_its_time = |grant: &Grant| match changed {
        // What changed after the end is a change that nobody allowed.
        Some(changed) => grant.from <= changed + SLACK && changed < grant.until + SLACK,
        None => grant.is_active(world.now()),
    };
    let is_own = project.own_files().iter().any(|own| path.is_in(own));
    if is_own || !world.grants()?.iter().any(|grant| grant.is_for_file(path) && is_of_its_time(grant)) {
        return Ok(false);
    }
    let content = hash_content(world, path, extent, Snapshot::Store)?;
    world.add_notes(&[(path.clone(), FileNote::Allowed(content))])?;
    Ok(true)
}

fn refresh_file(
    path: &AbsolutePath,
    seen: &mut WatchedFile,
    project: &ProtectedProject<'_>,
) -> Result<(), PolicyError> {
    let stat = project.world.stat(path).filter(|stat| !stat.is_folder);
    let stamp = stat.as_ref().map(stamp);
    if stamp == seen.stamp {
        return Ok(());
    }
    seen.now = match project.extent(path) {
        Some(extent) => hash_content(project.world, path, extent, Snapshot::HashOnly)?,
        None => None,
    };
    seen.stamp = stamp;
    Ok(())
}

/// Whether a content is stored.
#[derive(Clone, Copy)]
enum Snapshot {
    Store,
    HashOnly,
}

/// The hash of the protected content of a file.
fn hash_content(
    world: &dyn World,
    path: &AbsolutePath,
    extent: Extent,
    snapshot: Snapshot,
) -> Result<Option<ContentHash>, PolicyError> {
    let protected = match (world.read(path, MOST_BYTES)?, world.stat(path), extent) {
        (Some(text), _, _) => extract(&text, extent),
        // It exists, but is too long or not a file: a hash that equals no other content.
        (None, Some(stat), _) => return Ok(Some(ContentHash::new(format!("unread-{}", stat.bytes)))),
        (None, None, Extent::Whole) => return Ok(None),
        (None, None, Extent::Only(part)) => part.nothing().as_bytes().to_vec(),
    };
    match snapshot {
        Snapshot::Store => world.store(&protected).map(Some),
        Snapshot::HashOnly => Ok(Some(world.hash(&protected))),
    }
}
