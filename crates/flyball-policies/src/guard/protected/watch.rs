//! What a session knows of the protected files: how it found them and how they are now.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{ContentHash, FileNote, PolicyError, Stat, World};
use serde::{Deserialize, Serialize};

use super::extent::{Extent, MOST_BYTES, extract};
use super::find::ProtectedProject;

/// Clocks of file systems are coarse.
pub(super) const SLACK_MILLIS: u64 = 50;
/// No project has more of them; what comes after is not watched.
const MOST_FILES: usize = 300;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Watched {
    /// When the session began, in milliseconds since 1970.
    began: u64,
    files: BTreeMap<AbsolutePath, WatchedFile>,
    /// The contents that were reported to the agent.
    pub(super) told: BTreeMap<AbsolutePath, Option<ContentHash>>,
    /// All contents that blocked it from stopping.
    pub(super) stopped: BTreeMap<AbsolutePath, Vec<Option<ContentHash>>>,
    /// How often in a row it was blocked from stopping.
    pub(super) in_a_row: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct WatchedFile {
    /// Its content when the session began; `None` if it was not there.
    was: Option<ContentHash>,
    /// Its content when it was last looked at.
    now: Option<ContentHash>,
    /// What it looked like from outside then.
    stamp: Option<Stamp>,
}

/// The time of its last change, its number and its length: while they are the same, so is the
/// content.
type Stamp = (u64, u64, u64);

fn stamp(stat: &Stat) -> Stamp {
    (stat.changed_nanos, stat.inode, stat.bytes)
}

/// A file that is not what it was, and that nobody approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileChange {
    pub(super) path: AbsolutePath,
    pub(super) was: Option<ContentHash>,
    pub(super) now: Option<ContentHash>,
    /// Whether it can be put back as a whole.
    pub(super) is_whole: bool,
}

impl Watched {
    /// How a session finds the protected files; each is put aside.
    pub(super) fn begin(ground: &ProtectedProject<'_>) -> Result<Watched, PolicyError> {
        let mut watched = Watched { began: ground.world.unix_millis(), ..Watched::default() };
        let mut notes = Vec::new();
        // Our own are watched before they exist: a settings file can switch off hooks by appearing.
        let paths = ground.find_existing()?.into_iter().chain(ground.own_watched());
        for path in paths.take(MOST_FILES) {
            let Some(extent) = ground.extent(&path) else { continue };
            let stat = ground.world.stat(&path).filter(|stat| !stat.is_folder);
            let content = hash_content(ground.world, &path, extent, Snapshot::Store)?;
            if let Some(content) = content.as_ref().filter(|_| stat.is_some()) {
                notes.push((path.clone(), FileNote::Found(content.clone())));
            }
            let seen = WatchedFile { was: content.clone(), now: content, stamp: stat.as_ref().map(stamp) };
            watched.files.insert(path, seen);
        }
        ground.world.add_notes(&notes)?;
        Ok(watched)
    }

    /// Whether a person accepted this content since the session began. What they accepted in an
    /// earlier session was another question.
    pub(super) fn is_approved(
        &self,
        path: &AbsolutePath,
        content: Option<&ContentHash>,
        world: &dyn World,
    ) -> Result<bool, PolicyError> {
        // A session whose start was not seen began with nothing.
        let since = if self.began == 0 { u64::MAX } else { self.began };
        let approved = world.approval(path, since)?;
        Ok(approved.is_some_and(|approval| approval.content.as_ref() == content))
    }

    /// Whether this was a file's content when the session began.
    pub(super) fn began_with(&self, path: &str, content: &ContentHash) -> bool {
        self.files.get(path).is_some_and(|seen| seen.was.as_ref() == Some(content))
    }

    /// Looks at all of them again.
    pub(super) fn refresh(&mut self, ground: &ProtectedProject<'_>) -> Result<(), PolicyError> {
        for (path, seen) in &mut self.files {
            refresh_file(path, seen, ground)?;
        }
        let folders: BTreeSet<AbsolutePath> = ground.folders(self.files.keys());
        for path in ground.list_protected(&folders) {
            if self.files.len() >= MOST_FILES || self.files.contains_key(&path) {
                continue;
            }
            let mut seen = WatchedFile::default();
            refresh_file(&path, &mut seen, ground)?;
            // A new manifest brings its own tables; there were none to weaken. And what is older
            // than the session only came into view, by another config or a longer look.
            let stat = ground.world.stat(&path);
            let is_older = stat.is_some_and(|stat| stat.changed_millis + SLACK_MILLIS < self.began);
            if is_older || matches!(ground.extent(&path), Some(Extent::Only(_))) {
                seen.was.clone_from(&seen.now);
            }
            if seen.stamp.is_some() {
                self.files.insert(path, seen);
            }
        }
        Ok(())
    }

    /// The files that changed and that nobody approved.
    pub(super) fn unapproved_changes(
        &self,
        ground: &ProtectedProject<'_>,
    ) -> Result<Vec<FileChange>, PolicyError> {
        let mut changed = Vec::new();
        for (path, seen) in self.files.iter().filter(|(_, seen)| seen.was != seen.now) {
            let Some(extent) = ground.extent(path) else { continue };
            if self.is_approved(path, seen.now.as_ref(), ground.world)? {
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
        ground.world.add_notes(&changed.iter().map(note).collect::<Vec<_>>())?;
        Ok(changed)
    }
}

fn refresh_file(
    path: &AbsolutePath,
    seen: &mut WatchedFile,
    ground: &ProtectedProject<'_>,
) -> Result<(), PolicyError> {
    let stat = ground.world.stat(path).filter(|stat| !stat.is_folder);
    let stamp = stat.as_ref().map(stamp);
    if stamp == seen.stamp {
        return Ok(());
    }
    seen.now = match ground.extent(path) {
        Some(extent) => hash_content(ground.world, path, extent, Snapshot::HashOnly)?,
        None => None,
    };
    seen.stamp = stamp;
    Ok(())
}

/// Whether a content is put aside.
#[derive(Clone, Copy)]
enum Snapshot {
    Store,
    HashOnly,
}

/// The hash of what is protected of a file.
fn hash_content(
    world: &dyn World,
    path: &AbsolutePath,
    extent: Extent,
    keep: Snapshot,
) -> Result<Option<ContentHash>, PolicyError> {
    let protected = match (world.read(path, MOST_BYTES)?, world.stat(path), extent) {
        (Some(text), _, _) => extract(&text, extent),
        // There, but too long or no file: a content of its own, which nothing equals.
        (None, Some(stat), _) => return Ok(Some(ContentHash::new(format!("unread-{}", stat.bytes)))),
        (None, None, Extent::Whole) => return Ok(None),
        (None, None, Extent::Only(part)) => part.nothing().as_bytes().to_vec(),
    };
    match keep {
        Snapshot::Store => world.store(&protected).map(Some),
        Snapshot::HashOnly => Ok(Some(world.hash(&protected))),
    }
}
