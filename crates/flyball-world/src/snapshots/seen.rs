//! What was seen of a tree when a snapshot of it was last taken or found to be still right, in a form that is compared with
//! what is there now without reading the snapshot itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use flyball_core::snapshot::{Snapshot, SnapshotId};
use flyball_core::time::{self, Time};
use flyball_system::OpenFolder;
use serde::{Deserialize, Serialize};

use super::Snapshots;
use super::manifest::{Content, Entry, FileStat, Manifest, Missing, Ref};
use super::survey::{Entries, Folder, Survey};
use crate::content_store::write_atomic;

/// Beside the snapshots.
const FILE: &str = "seen";
/// The first bytes of the file. Another program would have another version.
const FORM: &[u8] = b"flyball seen 1\n";
/// More files than these are looked at by two threads: starting one costs as much as looking at a hundred files.
const MOST_FOR_ONE: usize = 1_000;

/// Files by their paths; `None` for one that is not there.
type Files = BTreeMap<String, Option<FileStat>>;

/// A tree as it was seen.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Seen<'a> {
    /// The snapshot that has these files.
    pub(super) snapshot: SnapshotId,
    /// How many of them it could not copy.
    pub(super) left_out: usize,
    /// When the files were looked at.
    #[serde(with = "time::micros")]
    pub(super) read_at: Time,
    pub(super) refs: Vec<Ref>,
    pub(super) survey: Survey,
    /// The files of each folder of the survey.
    #[serde(borrow)]
    pub(super) files: Vec<Vec<File<'a>>>,
}

/// A file that was seen.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct File<'a> {
    /// In its folder.
    pub(super) name: &'a str,
    pub(super) stat: FileStat,
}

/// The files of a tree as they are now.
pub(super) struct Now {
    /// In the order in which they were seen.
    pub(super) stats: Vec<FileStat>,
    /// Whether each is as it was seen.
    pub(super) is_same: bool,
}

impl Snapshots {
    /// What was last seen of the tree, to be parsed.
    pub(super) fn seen_bytes(&self) -> Option<Vec<u8>> {
        fs::read(self.folder.join(FILE)).ok()
    }

    /// Notes that these files of a tree are as a snapshot has them, unless there is more to be done about it the next time.
    pub(super) fn note_seen(&self, survey: Option<&Survey>, files: &Files, manifest: &Manifest) {
        let seen = survey.and_then(|survey| Seen::of(survey, files, manifest));
        let bytes = seen.and_then(|seen| seen.to_bytes());
        let is_written = bytes.is_some_and(|bytes| write_atomic(&self.folder.join(FILE), &bytes).is_ok());
        if !is_written {
            self.forget_seen();
        }
    }

    /// Has the next tree listed by git again.
    pub(super) fn forget_seen(&self) {
        // It is usually there, and matters only then.
        _ = fs::remove_file(self.folder.join(FILE));
    }
}

impl<'a> Seen<'a> {
    fn of(survey: &Survey, all: &'a Files, manifest: &Manifest) -> Option<Seen<'a>> {
        // There may be room for those the next time.
        let is_left = |entry: &Entry| entry.content == Content::Missing(Missing::TooMuch);
        if manifest.entries.values().any(is_left) {
            return None;
        }
        let mut files: BTreeMap<&str, Vec<File<'a>>> =
            survey.folders.keys().map(|folder| (folder.as_str(), Vec::new())).collect();
        for (path, stat) in all {
            let Some(stat) = *stat else { continue };
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            files.get_mut(folder)?.push(File { name, stat });
        }
        let files = files.into_values().collect();
        Some(Seen {
            snapshot: manifest.id,
            left_out: manifest.left_out(),
            read_at: manifest.read_at,
            refs: manifest.refs.clone(),
            survey: survey.clone(),
            files,
        })
    }

    /// Whether it has a file.
    pub(super) fn has(&self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let place = self.survey.folders.keys().position(|it| it == folder);
        let files = place.and_then(|place| self.files.get(place));
        files.is_some_and(|files| files.iter().any(|file| file.name == name))
    }

    /// `None` if the bytes are damaged or of another form.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Seen<'a>> {
        let (seen, rest) = postcard::take_from_bytes::<Seen<'_>>(bytes.strip_prefix(FORM)?).ok()?;
        (rest.is_empty() && seen.files.len() == seen.survey.folders.len()).then_some(seen)
    }

    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        postcard::to_extend(self, FORM.to_vec()).ok()
    }

    /// What is told of the snapshot if nothing has changed.
    pub(super) fn as_snapshot(&self) -> Snapshot {
        let (id, left_out) = (self.snapshot, self.left_out);
        Snapshot { id, is_tree: true, is_new: false, left_out, is_cut: false }
    }

    /// The files by their paths below the root, in their order.
    pub(super) fn paths(&self) -> impl Iterator<Item = String> {
        let folders = self.survey.folders.keys().zip(&self.files);
        folders.flat_map(|(folder, files)| {
            files.iter().map(move |file| {
                if folder.is_empty() { file.name.to_owned() } else { format!("{folder}/{}", file.name) }
            })
        })
    }

    /// Looks at all of it again; `None` if git has to be asked which files there are.
    pub(super) fn look(&self, root: &Path, surroundings: &str) -> Option<Now> {
        let survey = &self.survey;
        if !survey.has_same_sources(surroundings) || !survey.has_same_rules() {
            return None;
        }
        let folders: Vec<Seat<'_>> = survey
            .folders
            .iter()
            .zip(&self.files)
            .map(|((path, folder), files)| Seat { path, folder, files })
            .collect();
        let looking =
            Looking { at: OpenFolder::open(root)?, root, surveyed_at: survey.at, read_at: self.read_at };
        let count: usize = self.files.iter().map(Vec::len).sum();
        if count <= MOST_FOR_ONE {
            return looking.look(&folders);
        }
        let (first, second) = folders.split_at(half(&folders, count));
        let (first, second) = thread::scope(|scope| {
            let other = scope.spawn(|| looking.look(second));
            (looking.look(first), other.join().ok().flatten())
        });
        let (mut first, second) = (first?, second?);
        first.stats.extend(second.stats);
        Some(Now { is_same: first.is_same && second.is_same, ..first })
    }
}

/// How many folders have half of the files.
fn half(folders: &[Seat<'_>], count: usize) -> usize {
    let mut before = 0;
    let is_first = |seat: &&Seat<'_>| {
        before += seat.files.len();
        before <= count / 2
    };
    folders.iter().take_while(is_first).count()
}

/// A folder, and what was seen of it.
struct Seat<'s> {
    path: &'s str,
    folder: &'s Folder,
    files: &'s [File<'s>],
}

/// What is needed to look at folders.
struct Looking<'l> {
    at: OpenFolder,
    root: &'l Path,
    surveyed_at: Time,
    read_at: Time,
}

impl Looking<'_> {
    fn look(&self, folders: &[Seat<'_>]) -> Option<Now> {
        let mut now = Now { stats: Vec::new(), is_same: true };
        for seat in folders {
            self.look_into(seat, &mut now)?;
        }
        Some(now)
    }

    /// Files are looked at from their folder: the kernel need not find it for each.
    fn look_into(&self, seat: &Seat<'_>, now: &mut Now) -> Option<()> {
        let path = if seat.path.is_empty() { "." } else { seat.path };
        let open = self.at.below(path)?;
        let was = seat.folder.stat;
        let is_proven = was.is_older_than(self.surveyed_at);
        // A file that was replaced changes its folder, but not which names there are.
        let has_same_names = || {
            Entries::of(&self.root.join(seat.path)).is_some_and(|entries| entries.names == seat.folder.names)
        };
        if !is_proven || (FileStat::in_folder(&open, "") != Some(was) && !has_same_names()) {
            return None;
        }
        for file in seat.files {
            let stat = FileStat::in_folder(&open, file.name)?;
            now.is_same &= stat == file.stat && stat.is_older_than(self.read_at);
            now.stats.push(stat);
        }
        Some(())
    }
}
