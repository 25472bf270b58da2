//! Takes a snapshot: looks at every file's stat, and copies what is not copied yet.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use flyball_core::error::PolicyError;
use flyball_core::path::AbsolutePath;
use flyball_core::redact::redact;
use flyball_core::snapshot::{Extent, Snapshot, SnapshotId, SnapshotRequest};
use flyball_core::time::Time;

use super::Snapshots;
use super::folder::{Use, lock_contents};
use super::listing::{Listed, Listing};
use super::manifest::{Content, Entry, FileStat, Manifest, Missing, Ref, Staged};
use super::seen::Seen;
use super::staged::Copying;
use crate::content_store::{lock_beside, write_atomic};
use crate::git::Git;

/// A snapshot is stored whole if this share of it differs from its base.
const SHARE_OF_BASE: usize = 4;
/// The file with the number of the latest snapshot of the whole tree, beside the snapshots.
const LAST_TREE: &str = "last-tree";
/// The longest text about a call.
const MOST_LETTERS: usize = 200;
/// The mode of a link, as git writes it.
const LINK: &str = "120000";
impl Snapshots {
    /// Takes a snapshot; see [`flyball_core::snapshot::Snapshots`].
    ///
    /// # Errors
    /// When the tree cannot be listed, or nothing can be stored.
    pub(crate) fn take(&self, git: &Git, wanted: &SnapshotRequest<'_>) -> Result<Snapshot, PolicyError> {
        let _lock = lock_beside(&self.place(SnapshotId(0))).map_err(|cause| self.failed(&cause))?;
        let _contents = self.use_contents()?;
        let taking = Taking {
            snapshots: self,
            git,
            wanted,
            now: Time::now(),
            new_bytes: 0,
            deadline: Instant::now() + wanted.limits.time,
        };
        match wanted.extent {
            Extent::Tree { folder, named } => taking.take_tree(folder, named),
            Extent::Files(files) => taking.take_files(files),
        }
    }

    /// Deletes a snapshot that has shown that nothing is to be done, if none was taken after it.
    ///
    /// # Errors
    /// When it cannot be deleted.
    pub fn discard(&self, id: SnapshotId) -> Result<(), PolicyError> {
        let _lock = lock_beside(&self.place(SnapshotId(0))).map_err(|cause| self.failed(&cause))?;
        // A later one may be stored as a difference from it.
        if self.all().last() == Some(&id) {
            fs::remove_file(self.place(id)).map_err(|cause| self.failed(&cause))?;
        }
        Ok(())
    }

    /// Keeps others from deleting contents until the returned file is closed.
    fn use_contents(&self) -> Result<fs::File, PolicyError> {
        let folder = self.folder.parent().unwrap_or(&self.folder);
        lock_contents(folder, Use::Together).map_err(|cause| self.failed(&cause))
    }

    /// The latest snapshot of the whole tree.
    fn last_tree(&self, all: &[SnapshotId]) -> Result<Option<LastTree>, PolicyError> {
        // Since then, each edit may have made a snapshot of one file.
        let noted = self.noted_tree().filter(|id| all.contains(id));
        for id in noted.iter().chain(all.iter().rev()) {
            if let Some(stored) = self.read_stored(*id)?.filter(|stored| stored.manifest.is_tree) {
                if noted != Some(*id) {
                    self.note_tree(*id);
                }
                let whole = stored.base.unwrap_or(*id);
                return Ok(Some(LastTree { whole, manifest: self.complete(stored)? }));
            }
        }
        Ok(None)
    }

    /// Which snapshot was the latest of the whole tree when it was noted.
    fn noted_tree(&self) -> Option<SnapshotId> {
        fs::read_to_string(self.folder.join(LAST_TREE)).ok()?.parse().ok().map(SnapshotId)
    }

    fn note_tree(&self, id: SnapshotId) {
        // Without the note it is looked for among all.
        _ = fs::write(self.folder.join(LAST_TREE), id.to_string());
    }

    /// Stores a snapshot: if it can be, as what differs from one that is stored whole.
    fn write(&self, manifest: &Manifest, whole: Option<SnapshotId>) -> Result<(), PolicyError> {
        let whole = whole.filter(|id| *id != manifest.id);
        let base = whole.and_then(|id| self.read_stored(id).ok().flatten()).map(|stored| stored.manifest);
        let is_near = |base: &Manifest| manifest.difference(base) * SHARE_OF_BASE <= manifest.entries.len();
        let base = base.filter(is_near);
        if manifest.is_tree {
            // It is about the tree before this one.
            self.forget_seen();
        }
        write_atomic(&self.place(manifest.id), &manifest.to_text(base.as_ref()))
            .map_err(|cause| self.failed(&cause))?;
        if manifest.is_tree {
            self.note_tree(manifest.id);
        }
        Ok(())
    }
}

/// The latest snapshot of a tree.
struct LastTree {
    manifest: Manifest,
    /// The one that is stored whole: itself, or its base.
    whole: SnapshotId,
}

/// The files of a list, compared with the last snapshot.
#[derive(Default)]
struct Looked<'p> {
    /// How many are there.
    there: usize,
    /// Those that are as in the last snapshot.
    reused: Vec<&'p str>,
    /// Those that are not, and those that may not be.
    fresh: Vec<Fresh<'p>>,
    /// Those that are not there.
    absent: Vec<&'p str>,
}

struct Fresh<'p> {
    path: &'p str,
    stat: FileStat,
}

/// Work on one snapshot.
struct Taking<'a> {
    snapshots: &'a Snapshots,
    git: &'a Git,
    wanted: &'a SnapshotRequest<'a>,
    /// When it was begun: before anything was looked at.
    now: Time,
    /// How much was copied.
    new_bytes: u64,
    /// When no more is copied.
    deadline: Instant,
}

impl Taking<'_> {
    fn take_tree(mut self, folder: &AbsolutePath, named: &[AbsolutePath]) -> Result<Snapshot, PolicyError> {
        let stored = self.snapshots.seen_bytes();
        let seen = stored.as_deref().and_then(Seen::parse);
        let snapshots = self.snapshots;
        let note_seen = |listed: &Listed, manifest: &Manifest| {
            let survey = listed.survey.as_ref();
            // Where nothing is to be noted and nothing was, nothing has to be deleted.
            if survey.is_some() || stored.is_some() {
                snapshots.note_seen(survey, &listed.files, manifest);
            }
        };
        let seen = seen.filter(|seen| self.snapshots.place(seen.snapshot).exists());
        let there = seen.as_ref().and_then(|seen| seen.look(self.root(), &self.git.surroundings()));
        let most = self.wanted.limits.files;
        let listing = Listing { snapshots: self.snapshots, git: self.git, folder, named, most };
        if let (Some(seen), Some(there)) = (&seen, &there)
            && there.is_same
            && listing.is_all(seen)
        {
            return Ok(seen.as_snapshot());
        }
        let mut listed = match (&seen, there) {
            (Some(seen), Some(there)) => listing.listed_as_seen(seen, there.stats),
            (seen, _) => listing.listed_by_git(seen.as_ref()),
        };
        let all = self.snapshots.all();
        // What cannot be read is no base; everything is stored anew then.
        let last = self.snapshots.last_tree(&all).ok().flatten();
        let (last, whole) = (last.as_ref().map(|it| &it.manifest), last.as_ref().map(|it| it.whole));
        let refs_seen = seen.as_ref().map(|seen| &seen.refs);
        let staged = self.staged(&mut listed, refs_seen, last);
        let files = look_at(last, &listed.files);
        let is_same_tree = |last: &&Manifest| {
            listed.has_same_extent(last) && last.staged == staged && files.there == last.entries.len()
        };
        let same_tree = last.filter(is_same_tree);
        if let Some(last) = same_tree.filter(|_| files.fresh.is_empty()) {
            note_seen(&listed, last);
            return Ok(last.as_snapshot(false));
        }
        let copied = self.copy(&files.fresh, &listed.repositories)?;
        if let Some(last) = same_tree
            && copied.iter().all(|(path, entry)| last.entries.get(path) == Some(entry))
        {
            // Some were changed so shortly before they were copied that they had to be read again.
            let manifest = Manifest { read_at: self.now, ..last.clone() };
            self.snapshots.write(&manifest, whole)?;
            note_seen(&listed, &manifest);
            return Ok(last.as_snapshot(false));
        }
        let mut entries = reused(last, &files.reused);
        entries.extend(copied);
        let manifest = Manifest {
            is_tree: true,
            is_cut: listed.is_cut,
            elsewhere: listed.elsewhere.clone(),
            repositories: listed.repositories.iter().map(|folder| self.snapshots.name(folder)).collect(),
            refs: listed.refs.clone(),
            staged,
            entries,
            ..self.manifest(&all)
        };
        self.snapshots.write(&manifest, whole)?;
        note_seen(&listed, &manifest);
        Ok(manifest.as_snapshot(true))
    }

    /// What only git's index has. Nobody has to look where nothing was staged, and neither the index nor a commit is
    /// another one since.
    fn staged(
        &self,
        listed: &mut Listed,
        refs_seen: Option<&Vec<Ref>>,
        last: Option<&Manifest>,
    ) -> Vec<Staged> {
        let is_known = listed.survey.as_ref().is_some_and(|survey| !survey.has_staged);
        if is_known && refs_seen == Some(&listed.refs) {
            return Vec::new();
        }
        let (snapshots, git, most_bytes) = (self.snapshots, self.git, self.wanted.limits.file_bytes);
        let index = Copying { snapshots, git, last, most_bytes }.copy(&listed.repositories);
        if let Some(survey) = &mut listed.survey {
            survey.has_staged = index.has_any;
        }
        index.staged
    }

    /// A few files are read sooner than all that is known of a tree.
    fn take_files(mut self, files: &[AbsolutePath]) -> Result<Snapshot, PolicyError> {
        let named =
            |path: &AbsolutePath| (self.snapshots.name(Path::new(path)), FileStat::at(Path::new(path)));
        let listed: BTreeMap<String, Option<FileStat>> = files.iter().map(named).collect();
        let looked = look_at(None, &listed);
        let mut entries = self.copy(&looked.fresh, &[])?;
        // In a tree, what is not in it was not there.
        let absent = || Entry { stat: FileStat::default(), content: Content::Absent };
        entries.extend(looked.absent.iter().map(|path| ((*path).to_owned(), absent())));
        let all = self.snapshots.all();
        let manifest = Manifest { entries, ..self.manifest(&all) };
        self.snapshots.write(&manifest, None)?;
        Ok(manifest.as_snapshot(true))
    }

    /// A new one, without files.
    fn manifest(&self, all: &[SnapshotId]) -> Manifest {
        Manifest {
            id: SnapshotId(all.last().map_or(1, |id| id.0 + 1)),
            at: self.now,
            read_at: self.now,
            session: self.wanted.session.as_str().to_owned(),
            cause: redact(self.wanted.cause).chars().take(MOST_LETTERS).collect(),
            is_tree: false,
            is_cut: false,
            elsewhere: None,
            repositories: Vec::new(),
            refs: Vec::new(),
            staged: Vec::new(),
            entries: BTreeMap::new(),
        }
    }

    fn root(&self) -> &Path {
        &self.snapshots.root
    }

    /// Copies what is new, or notes which object of git it is.
    fn copy(
        &mut self,
        fresh: &[Fresh<'_>],
        repositories: &[PathBuf],
    ) -> Result<BTreeMap<String, Entry>, PolicyError> {
        let bytes: u64 = fresh.iter().map(|file| file.stat.bytes).sum();
        let is_much = bytes > self.wanted.limits.committed_bytes;
        let committed = if is_much { self.committed(repositories)? } else { BTreeMap::new() };
        // The shortest first: if there is no room for all, most files are copied.
        let mut by_length: Vec<&Fresh<'_>> = fresh.iter().collect();
        by_length.sort_by_key(|file| file.stat.bytes);
        let mut copied = BTreeMap::new();
        for Fresh { path, stat } in by_length {
            let content = match committed.get(*path) {
                Some(object) => Content::Committed(object.clone()),
                None => self.copy_one(path, *stat)?,
            };
            copied.insert((*path).to_owned(), Entry { stat: *stat, content });
        }
        Ok(copied)
    }

    fn copy_one(&mut self, path: &str, stat: FileStat) -> Result<Content, PolicyError> {
        let place = self.root().join(path);
        if is_link(stat) {
            let target = fs::read_link(&place).ok();
            let target = target.and_then(|target| target.into_os_string().into_string().ok());
            return Ok(target.map_or(Content::Missing(Missing::Unreadable), Content::Link));
        }
        if stat.bytes > self.wanted.limits.file_bytes {
            return Ok(Content::Missing(Missing::TooLong));
        }
        if self.new_bytes + stat.bytes > self.wanted.limits.new_bytes || Instant::now() > self.deadline {
            return Ok(Content::Missing(Missing::TooMuch));
        }
        self.new_bytes += stat.bytes;
        match read_whole(&place, self.wanted.limits.file_bytes) {
            Ok(bytes) => self.snapshots.contents.store(&bytes).map(Content::Stored),
            Err(_) => Ok(Content::Missing(Missing::Unreadable)),
        }
    }

    /// The objects of the files that are as git has them.
    fn committed(&self, repositories: &[PathBuf]) -> Result<BTreeMap<String, String>, PolicyError> {
        let mut found = BTreeMap::new();
        for repository in repositories {
            let folder = AbsolutePath::from_path(repository);
            let listed = self.git.ask_for_list(&folder, &["ls-files", "-z", "--stage"])?.text();
            let changed = self.git.ask_for_list(
                &folder,
                &["diff-files", "-z", "--name-only", "--relative", "--ignore-submodules=all"],
            )?;
            let changed = changed.text().unwrap_or_default();
            let changed: BTreeSet<&str> = changed.split_terminator('\0').collect();
            for entry in listed.unwrap_or_default().split_terminator('\0') {
                let Some((head, name)) = entry.split_once('\t') else { continue };
                let mut words = head.split(' ');
                let (Some(mode), Some(object), Some("0")) = (words.next(), words.next(), words.next()) else {
                    continue;
                };
                // The target of a link is stored with its name.
                if mode != LINK && !changed.contains(name) {
                    found.insert(self.snapshots.name(&repository.join(name)), object.to_owned());
                }
            }
        }
        Ok(found)
    }
}

/// Compares each file with the last snapshot.
fn look_at<'p>(last: Option<&Manifest>, files: &'p BTreeMap<String, Option<FileStat>>) -> Looked<'p> {
    let mut looked = Looked::default();
    for (path, stat) in files {
        let Some(stat) = *stat else {
            looked.absent.push(path);
            continue;
        };
        looked.there += 1;
        if last.is_some_and(|last| is_reusable(last, path, stat)) {
            looked.reused.push(path);
        } else {
            looked.fresh.push(Fresh { path, stat });
        }
    }
    looked
}

/// What the last snapshot has of files that have not changed.
fn reused(last: Option<&Manifest>, paths: &[&str]) -> BTreeMap<String, Entry> {
    let entry = |path: &&str| Some(((*path).to_owned(), last?.entries.get(*path)?.clone()));
    paths.iter().filter_map(entry).collect()
}

/// Whether a file is as the last snapshot has it. There may be room now for one that was left out.
fn is_reusable(last: &Manifest, path: &str, stat: FileStat) -> bool {
    last.entries.get(path).is_some_and(|entry| {
        entry.stat == stat
            && stat.is_older_than(last.read_at)
            && entry.content != Content::Missing(Missing::TooMuch)
    })
}

fn is_link(stat: FileStat) -> bool {
    stat.mode & 0o170_000 == 0o120_000
}

/// A file that may grow while it is read.
fn read_whole(place: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(place)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}
