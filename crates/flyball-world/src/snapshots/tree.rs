//! Which files a snapshot of a whole tree has: those that git does not ignore, in the repositories inside, too; without
//! git, all but those that were installed or built.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use flyball_core::path::AbsolutePath;
use flyball_core::walk;
use flyball_core::world::GitAnswer;

use crate::git::Git;

/// How deep repositories inside repositories are followed, and folders where there is no git.
const DEEPEST_REPOSITORY: usize = 3;
const DEEPEST_FOLDER: usize = 24;
/// Whoever waits for a snapshot of a very large folder waits no longer.
const LONGEST_WALK: Duration = Duration::from_secs(3);

/// The files of a tree.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Their paths below the root.
    pub(super) paths: BTreeSet<String>,
    /// The repositories that they are in, below the root: empty for the root itself.
    pub(super) repositories: Vec<String>,
    /// Whether there are more.
    pub(super) is_cut: bool,
}

impl Tree {
    /// The files below a root, up to a number.
    pub(super) fn list(git: &Git, root: &Path, most: usize) -> Tree {
        let mut tree = Tree::default();
        tree.add(&Listing { git, root, most, deadline: Instant::now() + LONGEST_WALK }, "", 0);
        // A name that is not UTF-8 has lost its letters, and its file cannot be found by what is left.
        tree.is_cut |= tree.paths.iter().any(|path| path.contains(char::REPLACEMENT_CHARACTER));
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
        self.repositories.push(below.to_owned());
        for name in answer.split_terminator('\0') {
            let path = format!("{below}{name}");
            // A repository of its own, which is in no list of this one: `name/` if it is untracked, `name` if it is a
            // submodule.
            let is_repository = name.ends_with('/') || listing.root.join(&path).join(".git").exists();
            if is_repository {
                let inner = format!("{}/", path.trim_end_matches('/'));
                if depth < DEEPEST_REPOSITORY {
                    self.add(listing, &inner, depth + 1);
                } else {
                    self.is_cut = true;
                }
            } else if self.paths.len() < listing.most {
                self.paths.insert(path);
            } else {
                self.is_cut = true;
            }
        }
    }

    fn walk(&mut self, listing: &Listing<'_>, below: &str, levels: usize) {
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
                Ok(kind) if !(kind.is_file() || kind.is_symlink()) => {}
                _ if self.paths.len() < listing.most => _ = self.paths.insert(path),
                _ => self.is_cut = true,
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
