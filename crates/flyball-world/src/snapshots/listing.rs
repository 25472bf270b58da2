//! What is to be in a snapshot of a tree: the files of the project, of the checkout that the call runs in, and those that it
//! names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use flyball_core::path::AbsolutePath;

use super::Snapshots;
use super::manifest::{FileStat, Manifest, Ref};
use super::seen::Seen;
use super::survey::Survey;
use super::tree::Tree;
use crate::git::{self, Git};
use crate::machine::project_root;

/// How many names of commits are noted.
const MOST_REFS: usize = 2_000;
/// What names more files is not worth a short cut.
const MOST_NAMED: usize = 16;

/// What is to be in a snapshot.
#[derive(Default)]
pub(super) struct Listed {
    /// By their names in the snapshot; `None` for one that is not there.
    pub(super) files: BTreeMap<String, Option<FileStat>>,
    /// The repositories of these files.
    pub(super) repositories: Vec<PathBuf>,
    /// The checkout elsewhere that is in it, too.
    pub(super) elsewhere: Option<String>,
    pub(super) refs: Vec<Ref>,
    pub(super) is_cut: bool,
    /// What decides which files there are; `None` if there are others than those of the project, too.
    pub(super) survey: Option<Survey>,
}

impl Listed {
    /// Whether it is about the same as an earlier snapshot, apart from the files themselves.
    pub(super) fn has_same_extent(&self, last: &Manifest) -> bool {
        self.elsewhere == last.elsewhere && self.refs == last.refs && self.is_cut == last.is_cut
    }
}

/// What is to be listed.
pub(super) struct Listing<'a> {
    pub(super) snapshots: &'a Snapshots,
    pub(super) git: &'a Git,
    /// Where the call runs.
    pub(super) folder: &'a AbsolutePath,
    /// The files that it names.
    pub(super) named: &'a [AbsolutePath],
    /// How many files are listed in a checkout.
    pub(super) most: usize,
}

impl Listing<'_> {
    fn root(&self) -> &Path {
        self.snapshots.root()
    }

    /// Whether a tree that was seen is all that is to be in a snapshot, and the names of commits are as then.
    pub(super) fn is_all(&self, seen: &Seen<'_>) -> bool {
        let repositories = self.places(&seen.survey.repositories);
        let is_seen = |path: &AbsolutePath| {
            let path = Path::new(path);
            seen.has(&self.snapshots.name(path)) || FileStat::at(path).is_none()
        };
        // Each is looked for among all that was seen.
        self.named.len() <= MOST_NAMED
            && self.checkout_elsewhere(&repositories).is_none()
            && self.named.iter().all(is_seen)
            && refs_of(&repositories) == seen.refs
    }

    /// Of a tree in which git would list the same files as when it was seen.
    pub(super) fn listed_as_seen(&self, seen: &Seen<'_>, stats: Vec<FileStat>) -> Listed {
        self.with_others(Listed {
            files: seen.paths().zip(stats.into_iter().map(Some)).collect(),
            repositories: self.places(&seen.survey.repositories),
            survey: Some(seen.survey.clone()),
            ..Listed::default()
        })
    }

    pub(super) fn listed_by_git(&self, seen: Option<&Seen<'_>>) -> Listed {
        let survey = Survey::begin(self.git, self.root(), seen.map(|seen| &seen.survey));
        let tree = Tree::list(self.git, self.root(), self.most);
        let survey = survey.and_then(|survey| survey.finish(self.git, self.root(), &tree));
        self.with_others(Listed {
            is_cut: tree.is_cut,
            repositories: self.places(tree.repositories.iter().map(|repository| &repository.below)),
            files: tree.files.into_iter().map(|(path, stat)| (path, Some(stat))).collect(),
            survey,
            ..Listed::default()
        })
    }

    /// Adds what is not of the project.
    fn with_others(&self, mut listed: Listed) -> Listed {
        let count = listed.files.len();
        if let Some(checkout) = self.checkout_elsewhere(&listed.repositories) {
            let other = Tree::list(self.git, &checkout, self.most);
            listed.is_cut |= other.is_cut;
            let below = other.repositories.iter().map(|repository| checkout.join(&repository.below));
            listed.repositories.extend(below);
            let name = |path: &str| self.snapshots.name(&checkout.join(path));
            listed.files.extend(other.files.iter().map(|(path, stat)| (name(path), Some(*stat))));
            listed.elsewhere = Some(name(""));
        }
        for path in self.named {
            let path = Path::new(path);
            listed.files.insert(self.snapshots.name(path), FileStat::at(path));
        }
        listed.refs = refs_of(&listed.repositories);
        if listed.elsewhere.is_some() || listed.files.values().flatten().count() != count {
            listed.survey = None;
        }
        listed
    }

    /// A working tree elsewhere in which the call runs, or one in a folder that git ignores.
    fn checkout_elsewhere(&self, repositories: &[PathBuf]) -> Option<PathBuf> {
        let (root, checkout) = (self.root(), project_root(Path::new(self.folder), None));
        let is_nested = || repositories.iter().any(|it| it.as_path() != root && checkout.starts_with(it));
        let is_listed = checkout == root || (checkout.starts_with(root) && is_nested());
        let is_elsewhere = !is_listed && !root.starts_with(&checkout) && checkout.join(".git").exists();
        is_elsewhere.then_some(checkout)
    }

    fn places(&self, below: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<PathBuf> {
        below.into_iter().map(|below| self.root().join(below.as_ref())).collect()
    }
}

/// The names of commits in the first of some repositories, so that what a command moves or deletes can be told. They are
/// read without git, which takes milliseconds; a repository that stores them in another way has none here.
fn refs_of(repositories: &[PathBuf]) -> Vec<Ref> {
    let Some(common) = repositories.first().and_then(|first| git::common_folder(first)) else {
        return Vec::new();
    };
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
