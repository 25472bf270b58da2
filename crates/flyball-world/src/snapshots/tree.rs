//! Which files a snapshot of a whole tree has: those that git does not ignore, in the repositories inside, too; without
//! git, all but those that were installed or built.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use flyball_core::path::AbsolutePath;
use flyball_core::walk;
use flyball_core::world::GitAnswer;

use super::manifest::FileStat;
use crate::git::Git;

/// How deep repositories inside repositories are followed, and folders where there is no git.
const DEEPEST_REPOSITORY: usize = 3;
const DEEPEST_FOLDER: usize = 24;
/// Whoever waits for a snapshot of a very large folder waits no longer.
const LONGEST_WALK: Duration = Duration::from_secs(3);

/// The files of a tree.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Those that are there, by their paths below the root.
    pub(super) files: BTreeMap<String, FileStat>,
    /// The repositories that they are in.
    pub(super) repositories: Vec<Repository>,
    /// Whether folders were walked because git did not list what is in them.
    pub(super) is_walked: bool,
    /// Whether there are more.
    pub(super) is_cut: bool,
}

/// A repository whose files were listed by git.
#[derive(Debug)]
pub(super) struct Repository {
    /// Its folder below the root, with a slash at its end: empty for the root itself.
    pub(super) below: String,
    /// The folders in which git has files of it, whether they are there or not. They are below the root, too.
    pub(super) folders: BTreeSet<String>,
    /// The repositories in it.
    pub(super) nested: BTreeSet<String>,
}

impl Repository {
    fn at(below: &str) -> Repository {
        let folders = BTreeSet::from([below.trim_end_matches('/').to_owned()]);
        Repository { below: below.to_owned(), folders, nested: BTreeSet::new() }
    }

    /// Adds the folders that lead to a path.
    fn add_folders_above(&mut self, path: &str) {
        let mut above = path;
        while let Some((folder, _)) = above.rsplit_once('/') {
            if self.folders.contains(folder) {
                return;
            }
            self.folders.insert(folder.to_owned());
            above = folder;
        }
    }
}

impl Tree {
    /// The files below a root, up to a number.
    pub(super) fn list(git: &Git, root: &Path, most: usize) -> Tree {
        let mut tree = Tree::default();
        tree.add(&Listing { git, root, most, deadline: Instant::now() + LONGEST_WALK }, "", 0);
        tree
    }

    fn add(&mut self, listing: &Listing<'_>, below: &str, depth: usize) {
        let folder = AbsolutePath::from_path(&listing.root.join(below));
        let question = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let answer = match listing.git.ask_for_list(&folder, &question) {
            Ok(GitAnswer::Said(answer)) => answer,
            Ok(GitAnswer::No | GitAnswer::NoRepository) => return self.walk(listing, below, DEEPEST_FOLDER),
            // There is still all that is in the folder, but nobody knows what git ignores.
            Err(_) => {
                self.is_cut = true;
                return self.walk(listing, below, DEEPEST_FOLDER);
            }
        };
        // The outer one comes first.
        let place = self.repositories.len();
        let mut repository = Repository::at(below);
        for name in answer.split_terminator('\0') {
            // A repository of its own, which is in no list of this one: `name/` if it is untracked, `name` if it is a
            // submodule.
            let name = name.trim_end_matches('/');
            let path = format!("{below}{name}");
            let file = listing.root.join(&path);
            repository.add_folders_above(&path);
            match fs::symlink_metadata(&file) {
                Ok(data) if data.is_dir() && !file.join(".git").exists() => {
                    repository.folders.insert(path);
                }
                Ok(data) if data.is_dir() && depth < DEEPEST_REPOSITORY => {
                    repository.nested.insert(path.clone());
                    self.add(listing, &format!("{path}/"), depth + 1);
                }
                Ok(data) if data.is_dir() => self.is_cut = true,
                Ok(data) => self.insert(listing, path, &data),
                // Deleted, though git still has it in its index. But a name that is not UTF-8 has lost its letters, and its
                // file cannot be found by what is left.
                Err(_) => self.is_cut |= path.contains(char::REPLACEMENT_CHARACTER),
            }
        }
        self.repositories.insert(place, repository);
    }

    fn insert(&mut self, listing: &Listing<'_>, path: String, data: &fs::Metadata) {
        let Some(stat) = FileStat::of(data) else { return };
        if self.files.len() < listing.most {
            self.files.insert(path, stat);
        } else {
            self.is_cut = true;
        }
    }

    fn walk(&mut self, listing: &Listing<'_>, below: &str, levels: usize) {
        self.is_walked = true;
        if Instant::now() > listing.deadline {
            self.is_cut = true;
            return;
        }
        let entries = fs::read_dir(listing.root.join(below));
        // A folder that this user cannot list counts as empty, as for git.
        self.is_cut |= entries.as_ref().is_err_and(|cause| cause.kind() != ErrorKind::PermissionDenied);
        for entry in entries.into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{below}{name}");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    let inner = format!("{path}/");
                    if walk::is_foreign_name(&name) || listing.root.join(&inner).join("pyvenv.cfg").exists() {
                        continue;
                    }
                    match levels.checked_sub(1) {
                        Some(levels) => self.walk(listing, &inner, levels),
                        None => self.is_cut = true,
                    }
                }
                _ => match entry.metadata() {
                    Ok(data) if path.contains(char::REPLACEMENT_CHARACTER) => {
                        self.is_cut |= FileStat::of(&data).is_some();
                    }
                    Ok(data) => self.insert(listing, path, &data),
                    Err(_) => {}
                },
            }
        }
    }
}

/// Where files are listed.
struct Listing<'a> {
    git: &'a Git,
    root: &'a Path,
    most: usize,
    /// No folder is looked into later.
    deadline: Instant,
}
