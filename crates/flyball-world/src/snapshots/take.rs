//! Takes a snapshot: looks at every file's stat, and copies what is not copied yet.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use flyball_core::error::PolicyError;
use flyball_core::path::AbsolutePath;
use flyball_core::redact::redact;
use flyball_core::snapshot::{Extent, Snapshot, SnapshotId, SnapshotLimits, SnapshotRequest};
use flyball_core::time::Time;

use super::Snapshots;
use super::folder::{Use, lock_contents};
use super::manifest::{Content, Entry, FileStat, Manifest, Missing, Ref};
use super::tree::Tree;
use crate::content_store::{lock_beside, write_atomic};
use crate::git::{self, Git};
use crate::machine::project_root;

/// A file that changed so shortly before it was read may have changed again in the same tick of the clock.
const TICK_NANOS: u64 = 20_000_000;
/// A snapshot is stored whole if this share of it differs from its base.
const SHARE_OF_BASE: usize = 4;
/// The longest text about a call.
const MOST_LETTERS: usize = 200;
/// The mode of a link, as git writes it.
const LINK: &str = "120000";
/// How many names of commits are noted.
const MOST_REFS: usize = 2_000;

impl Snapshots {
    /// Takes a snapshot; see [`flyball_core::snapshot::Snapshots`].
    ///
    /// # Errors
    /// When the tree cannot be listed, or nothing can be stored.
    pub(crate) fn take(&self, git: &Git, wanted: &SnapshotRequest<'_>) -> Result<Snapshot, PolicyError> {
        let _lock = lock_beside(&self.place(SnapshotId(0))).map_err(|cause| self.failed(&cause))?;
        let _contents = self.use_contents()?;
        let all = self.all();
        // What cannot be read is no base; everything is stored anew then. A few files are read sooner than all that is
        // known of a tree.
        let is_tree = matches!(wanted.extent, Extent::Tree { .. });
        let last = if is_tree { self.last_tree(&all).ok().flatten() } else { None };
        let now = Time::now();
        let id = SnapshotId(all.last().map_or(1, |id| id.0 + 1));
        let mut taking = Taking {
            snapshots: self,
            git,
            last: last.as_ref(),
            limits: wanted.limits,
            new_bytes: 0,
            deadline: Instant::now() + wanted.limits.time,
        };
        let listed = match wanted.extent {
            Extent::Tree { folder, named } => taking.list(folder, named),
            Extent::Files(files) => taking.listed_files(files),
        };
        let files = taking.look_at(&listed.files);
        let is_same_tree =
            |last: &&Manifest| is_tree && listed.has_same_extent(last) && files.there == last.entries.len();
        if let Some(last) = last.as_ref().filter(is_same_tree)
            && files.fresh.is_empty()
        {
            return Ok(last.as_snapshot(false));
        }
        let copied = taking.copy(&files.fresh, &listed.repositories)?;
        if let Some(last) = last.as_ref().filter(is_same_tree)
            && copied.iter().all(|(path, entry)| last.entries.get(path) == Some(entry))
        {
            // Some were changed so shortly before they were copied that they had to be read again.
            self.write(&Manifest { read_at: now, ..last.clone() }, &all)?;
            return Ok(last.as_snapshot(false));
        }
        let mut entries = taking.reused(&files.reused);
        entries.extend(copied);
        if !is_tree {
            // In a tree, what is not in it was not there.
            let absent = || Entry { stat: FileStat::default(), content: Content::Absent };
            entries.extend(files.absent.iter().map(|path| ((*path).to_owned(), absent())));
        }
        let cause: String = redact(wanted.cause).chars().take(MOST_LETTERS).collect();
        let manifest = Manifest {
            id,
            at: now,
            read_at: now,
            session: wanted.session.as_str().to_owned(),
            cause,
            is_tree,
            is_cut: listed.is_cut,
            elsewhere: listed.elsewhere,
            repositories: listed.repositories.iter().map(|folder| self.name(folder)).collect(),
            refs: listed.refs,
            entries,
        };
        self.write(&manifest, &all)?;
        Ok(manifest.as_snapshot(true))
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
    fn last_tree(&self, all: &[SnapshotId]) -> Result<Option<Manifest>, PolicyError> {
        for id in all.iter().rev() {
            if let Some(manifest) = self.read(*id)?.filter(|manifest| manifest.is_tree) {
                return Ok(Some(manifest));
            }
        }
        Ok(None)
    }

    fn write(&self, manifest: &Manifest, all: &[SnapshotId]) -> Result<(), PolicyError> {
        // Only a whole one can be a base; the latest is nearest.
        let whole = || {
            let others = all.iter().rev().filter(|id| **id != manifest.id);
            let stored = others.filter_map(|id| self.read_stored(*id).ok().flatten());
            stored.filter(|stored| stored.manifest.is_tree).find(|stored| stored.base.is_none())
        };
        let base = manifest.is_tree.then(whole).flatten().map(|stored| stored.manifest);
        let is_near = |base: &Manifest| manifest.difference(base) * SHARE_OF_BASE <= manifest.entries.len();
        let base = base.filter(is_near);
        write_atomic(&self.place(manifest.id), &manifest.to_text(base.as_ref()))
            .map_err(|cause| self.failed(&cause))
    }
}

/// What is to be in a snapshot.
#[derive(Default)]
struct Listed {
    /// By their names in the snapshot; `None` for one that is not there.
    files: BTreeMap<String, Option<FileStat>>,
    /// The repositories of these files.
    repositories: Vec<PathBuf>,
    /// The checkout elsewhere that is in it, too.
    elsewhere: Option<String>,
    refs: Vec<Ref>,
    is_cut: bool,
}

impl Listed {
    /// Whether it is about the same as an earlier snapshot, apart from the files themselves.
    fn has_same_extent(&self, last: &Manifest) -> bool {
        self.elsewhere == last.elsewhere && self.refs == last.refs && self.is_cut == last.is_cut
    }
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
    last: Option<&'a Manifest>,
    limits: SnapshotLimits,
    /// How much was copied.
    new_bytes: u64,
    /// When no more is copied.
    deadline: Instant,
}

impl Taking<'_> {
    fn root(&self) -> &Path {
        &self.snapshots.root
    }

    /// The files of the project, of the checkout that a folder is in, and those that are named.
    fn list(&self, folder: &AbsolutePath, named: &[AbsolutePath]) -> Listed {
        let tree = Tree::list(self.git, self.root(), self.limits.files);
        let mut listed = Listed {
            is_cut: tree.is_cut,
            repositories: tree.repositories.iter().map(|below| self.root().join(below)).collect(),
            files: tree.files.into_iter().map(|(path, stat)| (path, Some(stat))).collect(),
            ..Listed::default()
        };
        let checkout = project_root(Path::new(folder), None);
        let is_listed = |place: &Path| {
            let below = place.strip_prefix(self.root()).ok();
            below.is_some_and(|below| {
                below.as_os_str().is_empty()
                    || listed
                        .repositories
                        .iter()
                        .any(|it| it.as_path() != self.root() && place.starts_with(it))
            })
        };
        // A working tree elsewhere, or one in a folder that git ignores.
        if checkout.join(".git").exists() && !is_listed(&checkout) && !self.root().starts_with(&checkout) {
            let other = Tree::list(self.git, &checkout, self.limits.files);
            listed.is_cut |= other.is_cut;
            listed.repositories.extend(other.repositories.iter().map(|below| checkout.join(below)));
            let named = |(path, stat): (&String, &FileStat)| (self.name(&checkout.join(path)), Some(*stat));
            listed.files.extend(other.files.iter().map(named));
            listed.elsewhere = Some(self.name(&checkout));
        }
        for path in named {
            listed.files.insert(self.name(Path::new(path)), stat(Path::new(path)));
        }
        if let Some(first) = listed.repositories.first() {
            listed.refs = refs(first);
        }
        listed
    }

    fn listed_files(&self, files: &[AbsolutePath]) -> Listed {
        let named = |path: &AbsolutePath| (self.name(Path::new(path)), stat(Path::new(path)));
        Listed { files: files.iter().map(named).collect(), ..Listed::default() }
    }

    fn name(&self, path: &Path) -> String {
        self.snapshots.name(path)
    }

    /// Compares each file.
    fn look_at<'p>(&self, files: &'p BTreeMap<String, Option<FileStat>>) -> Looked<'p> {
        let mut looked = Looked::default();
        for (path, stat) in files {
            let Some(stat) = *stat else {
                looked.absent.push(path);
                continue;
            };
            looked.there += 1;
            if self.last.is_some_and(|last| is_reusable(last, path, stat)) {
                looked.reused.push(path);
            } else {
                looked.fresh.push(Fresh { path, stat });
            }
        }
        looked
    }

    /// What the last snapshot has of files that have not changed.
    fn reused(&self, paths: &[&str]) -> BTreeMap<String, Entry> {
        let entry = |path: &&str| Some(((*path).to_owned(), self.last?.entries.get(*path)?.clone()));
        paths.iter().filter_map(entry).collect()
    }

    /// Copies what is new, or notes which object of git it is.
    fn copy(
        &mut self,
        fresh: &[Fresh<'_>],
        repositories: &[PathBuf],
    ) -> Result<BTreeMap<String, Entry>, PolicyError> {
        let bytes: u64 = fresh.iter().map(|file| file.stat.bytes).sum();
        let is_much = bytes > self.limits.committed_bytes;
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
        if stat.bytes > self.limits.file_bytes {
            return Ok(Content::Missing(Missing::TooLong));
        }
        if self.new_bytes + stat.bytes > self.limits.new_bytes || Instant::now() > self.deadline {
            return Ok(Content::Missing(Missing::TooMuch));
        }
        self.new_bytes += stat.bytes;
        match read_whole(&place, self.limits.file_bytes) {
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
                    found.insert(self.name(&repository.join(name)), object.to_owned());
                }
            }
        }
        Ok(found)
    }
}

/// Whether a file is as the last snapshot has it. There may be room now for one that was left out.
fn is_reusable(last: &Manifest, path: &str, stat: FileStat) -> bool {
    let read_at = u64::try_from(last.read_at.as_micros()).unwrap_or_default() * 1_000;
    last.entries.get(path).is_some_and(|entry| {
        entry.stat == stat
            && stat.changed.saturating_add(TICK_NANOS) < read_at
            && entry.content != Content::Missing(Missing::TooMuch)
    })
}

/// The names of commits in a repository, so that what a command moves or deletes can be told. They are read without
/// git, which takes milliseconds; a repository that stores them in another way has none here.
fn refs(repository: &Path) -> Vec<Ref> {
    let Some(common) = git::common_folder(repository) else { return Vec::new() };
    let mut found = BTreeMap::new();
    let packed = fs::read_to_string(common.join("packed-refs")).unwrap_or_default();
    for line in packed.lines() {
        match line.split_once(' ') {
            Some((commit, name)) if name.starts_with("refs/heads/") || name == "refs/stash" => {
                found.insert(name.to_owned(), commit.to_owned());
            }
            _ => {}
        }
    }
    add_loose_refs(&common, "refs/stash", &mut found);
    add_loose_refs(&common, "refs/heads", &mut found);
    found.into_iter().take(MOST_REFS).map(|(name, commit)| Ref { name, commit }).collect()
}

fn add_loose_refs(common: &Path, name: &str, found: &mut BTreeMap<String, String>) {
    let place = common.join(name);
    if let Ok(commit) = fs::read_to_string(&place) {
        found.insert(name.to_owned(), commit.trim().to_owned());
        return;
    }
    for entry in fs::read_dir(&place).into_iter().flatten().flatten().take(MOST_REFS) {
        add_loose_refs(common, &format!("{name}/{}", entry.file_name().to_string_lossy()), found);
    }
}

fn is_link(stat: FileStat) -> bool {
    stat.mode & 0o170_000 == 0o120_000
}

/// The stat of a file or a link, not of what the link leads to; `None` if there is neither.
pub(super) fn stat(path: &Path) -> Option<FileStat> {
    FileStat::of(&fs::symlink_metadata(path).ok()?)
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
