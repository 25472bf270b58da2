//! What has to be as it was so that git would list the same files again: the folders that it looks into, its index and its
//! rules. Looking at all of that is faster than asking git, and as exact.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use flyball_core::path::AbsolutePath;
use flyball_core::time::{self, Time};
use flyball_system::MetadataExt as _;
use serde::{Deserialize, Serialize};

use super::manifest::FileStat;
use super::tree::{Repository, Tree};
use crate::content_store::hash;
use crate::git::Git;

/// A project with more folders of which git knows nothing is listed by git each time.
const MOST_ASKED: usize = 4_000;
/// How deep such folders are followed.
const MOST_ROUNDS: usize = 32;

/// What decides which files there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Survey {
    /// When git was asked. What had changed shortly before, or has changed since, proves nothing.
    #[serde(with = "time::micros")]
    pub(super) at: Time,
    /// What git's environment was.
    pub(super) surroundings: String,
    /// The repositories, below the root.
    pub(super) repositories: Vec<String>,
    /// The indexes, configurations, and rules that are in no folder below.
    sources: Vec<Source>,
    /// The rules in these folders.
    rules: Vec<Source>,
    /// Whether anything was staged. What nobody knows better may have been.
    pub(super) has_staged: bool,
    /// The folders that git looks into, below the root.
    pub(super) folders: BTreeMap<String, Folder>,
}

/// A file that decides, and what it was like; `None` if it was not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Source {
    path: PathBuf,
    stat: Option<FileStat>,
}

/// What a folder was like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Folder {
    pub(super) stat: FileStat,
    /// The names of all that is in it, also of what git ignores, as a hash.
    pub(super) names: String,
}

impl Survey {
    /// Begins before git is asked; `None` where folders do not show when something in them has changed. What an earlier
    /// survey has is taken from it, if that still holds.
    pub(super) fn begin(git: &Git, root: &Path, earlier: Option<&Survey>) -> Option<Survey> {
        if !shows_changes(root) {
            return None;
        }
        let mut survey = Survey {
            at: Time::now(),
            surroundings: String::new(),
            repositories: Vec::new(),
            sources: Vec::new(),
            rules: Vec::new(),
            has_staged: true,
            folders: BTreeMap::new(),
        };
        match earlier.filter(|earlier| earlier.has_same_sources(&git.surroundings())) {
            Some(earlier) => {
                survey.repositories.clone_from(&earlier.repositories);
                survey.sources.clone_from(&earlier.sources);
                survey.has_staged = earlier.has_staged;
            }
            None => survey.add_repository(git, root, "")?,
        }
        // Looks for git in all folders of `PATH`, and where there is no repository nobody needs it.
        survey.surroundings = git.surroundings();
        Some(survey)
    }

    /// Whether indexes and configurations are as they were.
    pub(super) fn has_same_sources(&self, surroundings: &str) -> bool {
        self.surroundings == surroundings && self.sources.iter().all(|source| source.is_same(self.at))
    }

    /// Whether the rules in the folders are as they were.
    pub(super) fn has_same_rules(&self) -> bool {
        self.rules.iter().all(|rules| rules.is_same(self.at))
    }

    /// Adds what the answer of git depends on; `None` if that cannot be known.
    pub(super) fn finish(mut self, git: &Git, root: &Path, tree: &Tree) -> Option<Survey> {
        if tree.is_cut || tree.is_walked {
            return None;
        }
        let device = fs::symlink_metadata(root).ok()?.dev();
        for repository in &tree.repositories {
            if !self.repositories.contains(&repository.below) {
                self.add_repository(git, root, &repository.below)?;
                self.has_staged = true;
            }
            Walk { git, root, device, survey: &mut self, repository }.run()?;
        }
        self.repositories = tree.repositories.iter().map(|repository| repository.below.clone()).collect();
        // Each file is looked at with its folder.
        let is_in_folder = |path: &String| self.folders.contains_key(folder_of(path));
        tree.files.keys().all(is_in_folder).then_some(self)
    }

    fn add_repository(&mut self, git: &Git, root: &Path, below: &str) -> Option<()> {
        let found = git.sources(&AbsolutePath::from_path(&root.join(below))).ok()??;
        self.sources.extend(found.into_iter().map(Source::at));
        self.repositories.push(below.to_owned());
        Some(())
    }
}

impl Source {
    fn at(path: PathBuf) -> Source {
        Source { stat: stat_of_source(&path), path }
    }

    /// Whether it is as it was at a time.
    fn is_same(&self, at: Time) -> bool {
        let stat = stat_of_source(&self.path);
        stat == self.stat && stat.is_none_or(|stat| stat.is_older_than(at))
    }
}

/// Where a link leads is what is read. Of a folder only its being there counts.
fn stat_of_source(path: &Path) -> Option<FileStat> {
    let data = fs::metadata(path).ok()?;
    let folder = FileStat { mode: data.mode(), inode: data.ino(), ..FileStat::default() };
    Some(FileStat::of(&data).unwrap_or(folder))
}

/// The folder of a path below the root.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Looks into all folders of a repository that git looks into.
struct Walk<'a> {
    git: &'a Git,
    root: &'a Path,
    device: u64,
    survey: &'a mut Survey,
    repository: &'a Repository,
}

impl Walk<'_> {
    fn run(&mut self) -> Option<()> {
        let mut to_read: Vec<String> = self.repository.folders.iter().cloned().collect();
        let mut asked = 0;
        for _ in 0..MOST_ROUNDS {
            let mut unknown = Vec::new();
            for folder in &to_read {
                unknown.extend(self.read(folder)?);
            }
            asked += unknown.len();
            if asked > MOST_ASKED {
                return None;
            }
            if unknown.is_empty() {
                return Some(());
            }
            let ignored = self.ignored(&unknown)?;
            unknown.retain(|path| !ignored.contains(path));
            to_read = unknown;
        }
        None
    }

    /// Adds a folder, and returns those in it of which git has no files: it may ignore them. `None` if it is on another
    /// file system.
    fn read(&mut self, folder: &str) -> Option<Vec<String>> {
        let place = self.root.join(folder);
        // What is not there, or no folder now, is seen by the folder that it would be in.
        let Some(data) = fs::symlink_metadata(&place).ok().filter(fs::Metadata::is_dir) else {
            return Some(Vec::new());
        };
        let Entries { names, folders, has_rules } = Entries::of(&place)?;
        if data.dev() != self.device {
            return None;
        }
        if has_rules {
            self.survey.rules.push(Source::at(place.join(".gitignore")));
        }
        self.survey.folders.insert(folder.to_owned(), Folder { stat: FileStat::of_any(&data), names });
        let path = |name: String| if folder.is_empty() { name } else { format!("{folder}/{name}") };
        let is_unknown =
            |path: &String| !self.repository.folders.contains(path) && !self.repository.nested.contains(path);
        Some(folders.into_iter().map(path).filter(is_unknown).collect())
    }

    /// Those of some folders that git ignores.
    fn ignored(&self, folders: &[String]) -> Option<BTreeSet<String>> {
        let below = &self.repository.below;
        let names: Vec<&str> = folders.iter().filter_map(|path| path.strip_prefix(below.as_str())).collect();
        let folder = AbsolutePath::from_path(&self.root.join(below));
        let ignored = self.git.ignored_folders(&folder, &names).ok()?;
        Some(ignored.into_iter().map(|name| format!("{below}{name}")).collect())
    }
}

/// What is in a folder.
pub(super) struct Entries {
    /// All names and kinds, as a hash.
    pub(super) names: String,
    /// The folders, without git's own.
    folders: Vec<String>,
    /// Whether it has rules of what is ignored.
    has_rules: bool,
}

impl Entries {
    /// `None` if it cannot be listed.
    pub(super) fn of(place: &Path) -> Option<Entries> {
        let mut all = Vec::new();
        let mut found = Entries { names: String::new(), folders: Vec::new(), has_rules: false };
        for entry in fs::read_dir(place).ok()? {
            let entry = entry.ok()?;
            let kind = entry.file_type().ok()?;
            let letter = if kind.is_dir() {
                b'd'
            } else if kind.is_file() {
                b'f'
            } else if kind.is_symlink() {
                b'l'
            } else {
                b'o'
            };
            let name = entry.file_name();
            found.has_rules |= name == ".gitignore";
            let mut bytes = name.as_encoded_bytes().to_vec();
            bytes.extend([0, letter]);
            all.push(bytes);
            if kind.is_dir() && name != ".git" {
                // A snapshot with a name that is not UTF-8 is not complete anyway.
                found.folders.push(name.into_string().ok()?);
            }
        }
        all.sort_unstable();
        found.names = hash(&all.concat()).as_str().to_owned();
        Some(found)
    }
}

/// Whether the file system of a folder changes the time of a folder whenever a name in it comes or goes.
#[cfg(target_os = "linux")]
fn shows_changes(root: &Path) -> bool {
    /// ext2 to 4, xfs, btrfs, tmpfs, overlayfs, f2fs, zfs, bcachefs.
    const KNOWN: [u64; 8] =
        [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0xf2f5_2010, 0x2fc1_2fc1, 0xca45_1a4e];
    rustix::fs::statfs(root).is_ok_and(|found| {
        u64::try_from(found.f_type).is_ok_and(|kind| KNOWN.contains(&(kind & 0xffff_ffff)))
    })
}

/// Nothing was measured there.
#[cfg(not(target_os = "linux"))]
fn shows_changes(_: &Path) -> bool {
    false
}
