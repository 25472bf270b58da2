//! Deletes snapshots that are too old, and the oldest ones where all together have too much.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flyball_core::snapshot::{SnapshotId, SnapshotRetention};
use flyball_core::time::Time;

use super::folder::{FOLDER, Use, lock_contents, numbers};
use super::manifest::{Content, Manifest, Stored};
use crate::content_store::ContentStore;

/// A copy that is younger may belong to a snapshot that is being taken.
const YOUNG: Duration = Duration::from_secs(60 * 60);
/// The file whose time says when this was last done.
const DONE: &str = "pruned";

/// What is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    pub deleted: usize,
    pub left: usize,
    pub bytes: u64,
}

/// How often it is done.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Whether it is time to prune again.
#[must_use]
pub fn is_prune_due(state: &Path) -> bool {
    let done = fs::metadata(state.join(FOLDER).join(DONE)).and_then(|data| data.modified());
    // A time in the future is of a clock that was wrong.
    done.map_or(true, |at| at.elapsed().map_or(true, |age| age >= EVERY))
}

/// Prunes the snapshots of all projects below a state directory.
///
/// # Errors
/// When a folder or a lock cannot be used.
pub fn prune(state: &Path, retention: SnapshotRetention, now: Time) -> std::io::Result<Pruned> {
    let folder = state.join(FOLDER);
    let _lock = lock_contents(&folder, Use::Alone)?;
    File::create(folder.join(DONE))?;
    let mut all = read_all(&folder);
    // The latest first: their contents are what there is room for.
    all.sort_by_key(|it| std::cmp::Reverse(it.stored.manifest.at));
    let limit = now - retention.age;
    let mut kept = Kept::default();
    let mut pruned = Pruned::default();
    for it in &all {
        let manifest = &it.stored.manifest;
        if manifest.at >= limit && kept.bytes + kept.more_for(manifest) <= retention.bytes {
            kept.add(it);
            // A base is as old as it is: what needs it keeps it.
            kept.ids.extend(it.stored.base.map(|base| (it.project.clone(), base)));
        }
    }
    for it in &all {
        let place = it.project.join(it.stored.manifest.id.to_string());
        if kept.ids.contains(&it.key()) {
            kept.add(it);
            pruned.left += 1;
        } else if fs::remove_file(place).is_ok() {
            pruned.deleted += 1;
        }
    }
    let before = SystemTime::now() - YOUNG;
    let wanted: BTreeSet<String> = kept.contents.into_keys().collect();
    pruned.bytes = ContentStore::at(folder.join("contents")).retain(&wanted, before)?;
    Ok(pruned)
}

/// A snapshot of some project.
struct Found {
    /// The folder of the project's snapshots.
    project: PathBuf,
    stored: Stored,
}

impl Found {
    fn key(&self) -> (PathBuf, SnapshotId) {
        (self.project.clone(), self.stored.manifest.id)
    }
}

/// All that can be read; what cannot stays where it is, for a person to look at.
fn read_all(folder: &Path) -> Vec<Found> {
    let mut all = Vec::new();
    for project in fs::read_dir(folder).into_iter().flatten().flatten() {
        let project = project.path();
        for id in numbers(&project) {
            let stored =
                fs::read(project.join(id.to_string())).ok().and_then(|text| Stored::parse(id, &text));
            all.extend(stored.map(|stored| Found { project: project.clone(), stored }));
        }
    }
    all
}

/// What is kept so far.
#[derive(Default)]
struct Kept {
    ids: BTreeSet<(PathBuf, SnapshotId)>,
    /// The contents, with their sizes.
    contents: BTreeMap<String, u64>,
    bytes: u64,
}

impl Kept {
    fn more_for(&self, manifest: &Manifest) -> u64 {
        let new = contents(manifest).filter(|(hash, _)| !self.contents.contains_key(*hash));
        // One that is there twice is counted twice: files that are alike are rare.
        new.map(|(_, bytes)| bytes).sum()
    }

    fn add(&mut self, found: &Found) {
        self.ids.insert(found.key());
        for (hash, bytes) in contents(&found.stored.manifest) {
            if self.contents.insert(hash.to_owned(), bytes).is_none() {
                self.bytes += bytes;
            }
        }
    }
}

/// The stored contents of a snapshot, without those of its base. What was staged is rare, and counted as nothing.
fn contents(manifest: &Manifest) -> impl Iterator<Item = (&str, u64)> {
    let files = manifest.entries.values().filter_map(|entry| match &entry.content {
        Content::Stored(hash) => Some((hash.as_str(), entry.stat.bytes)),
        _ => None,
    });
    files.chain(manifest.staged.iter().map(|it| (it.content.as_str(), 0)))
}
