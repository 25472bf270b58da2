//! What only git's index has: a file that was staged, and then changed in the tree. It is in no commit and in no file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flyball_core::path::AbsolutePath;
use flyball_core::world::GitAnswer;

use super::Snapshots;
use super::manifest::{Manifest, Staged};
use crate::git::Git;

/// More files are not copied from an index: each costs a process.
const MOST_COPIED: usize = 100;
/// A repository inside, which has its own index.
const NESTED: &str = "160000";
/// Nothing is there any more.
const GONE: &str = "000000";

/// What is staged in some repositories.
#[derive(Default)]
pub(super) struct Index {
    /// Whether anything is, in files as they are or not.
    pub(super) has_any: bool,
    /// What no file has.
    pub(super) staged: Vec<Staged>,
}

/// What copying from an index needs.
pub(super) struct Copying<'a> {
    pub(super) snapshots: &'a Snapshots,
    pub(super) git: &'a Git,
    /// The last snapshot: what it has is not copied again.
    pub(super) last: Option<&'a Manifest>,
    /// A longer file is left out.
    pub(super) most_bytes: u64,
}

impl Copying<'_> {
    /// Copies what only the indexes of some repositories have. What git does not answer is left out: guards ask before
    /// a command that loses it.
    pub(super) fn copy(&self, repositories: &[PathBuf]) -> Index {
        let mut index = Index::default();
        for repository in repositories {
            let listed = self.ask(repository, &["diff", "--cached", "--raw", "--no-abbrev", "--no-renames"]);
            if listed.is_empty() {
                continue;
            }
            index.has_any = true;
            let changed = self.ask(repository, &["diff-files", "--name-only"]);
            let changed: BTreeSet<&str> = changed.split_terminator('\0').collect();
            let mut parts = listed.split_terminator('\0');
            while let (Some(head), Some(name)) = (parts.next(), parts.next()) {
                let words: Vec<&str> = head.split(' ').collect();
                let [_, mode, _, object, _] = words.as_slice() else { break };
                if changed.contains(name)
                    && ![NESTED, GONE].contains(mode)
                    && index.staged.len() < MOST_COPIED
                {
                    index.staged.extend(self.copy_one(repository, name, mode, object));
                }
            }
        }
        index
    }

    fn copy_one(&self, repository: &Path, name: &str, mode: &str, object: &str) -> Option<Staged> {
        let known = self.last.and_then(|last| last.staged.iter().find(|it| it.object == object));
        let content = match known {
            Some(known) => known.content.clone(),
            None => {
                let bytes = self.git.object(repository, object, self.most_bytes).ok()??;
                self.snapshots.contents.store(&bytes).ok()?
            }
        };
        let path = self.snapshots.name(&repository.join(name));
        Some(Staged { path, mode: mode.to_owned(), object: object.to_owned(), content })
    }

    fn ask(&self, repository: &Path, question: &[&str]) -> String {
        let more = ["--relative", "--ignore-submodules=all", "-z"];
        let question: Vec<&str> = question.iter().copied().chain(more).collect();
        match self.git.ask_for_list(&AbsolutePath::from_path(repository), &question) {
            Ok(GitAnswer::Said(answer)) => answer,
            Ok(GitAnswer::No | GitAnswer::NoRepository) | Err(_) => String::new(),
        }
    }
}
