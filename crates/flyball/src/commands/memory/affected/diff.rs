//! What changed since a commit, as git tells it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::commands::lint::git::Git;
use crate::outcome::Failed;

/// The tree without files, which every repository knows.
const EMPTY: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/// How much of the changed lines is read, in bytes.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// A file that changed, by its path from the project's root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) kind: ChangeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ChangeKind {
    Added,
    Modified,
    Deleted,
    /// It was here before.
    Renamed(String),
}

/// Why a branch was not compared with where it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// The history ends before that.
    Shallow,
    /// Nobody knows the default branch.
    NoTrunk,
    /// This is the default branch itself.
    OnTrunk(String),
}

impl Gap {
    /// What was not done, and what to do, in one line each.
    pub(super) fn describe(&self) -> (String, &'static str) {
        let named = "name the branch or commit that this one began at: `flyball memory affected REF`";
        match self {
            Gap::Shallow => (
                "compared with nothing but HEAD: this clone is shallow, so the place where the branch began is not in it".to_owned(),
                "fetch the history (`git fetch --unshallow`, in CI `fetch-depth: 0`), then name the branch: `flyball memory \
                 affected origin/main`",
            ),
            Gap::NoTrunk => {
                ("compared with nothing but HEAD: the default branch is not known".to_owned(), named)
            }
            Gap::OnTrunk(name) => {
                (format!("compared with nothing but HEAD: it has no commit that `{name}` has not"), named)
            }
        }
    }
}

/// What a diff begins with.
struct Base {
    commit: String,
    shown: String,
    gap: Option<Gap>,
}

/// A diff from a commit to the files as they are.
pub(super) struct Diff {
    /// The commit, or the empty tree.
    pub(super) base: String,
    /// What it was compared with, for people.
    pub(super) shown: String,
    /// Why that says little, if it does.
    pub(super) gap: Option<Gap>,
    pub(super) changes: Vec<Change>,
    /// The files at the base.
    pub(super) before: BTreeSet<String>,
    /// The files now.
    pub(super) now: BTreeSet<String>,
    /// The lines that are gone and those that are new, by file.
    pub(super) removed: BTreeMap<String, Vec<String>>,
    pub(super) added: BTreeMap<String, Vec<String>>,
    /// The project's folder below the repository, with a `/` at its end; empty for its top.
    pub(super) prefix: String,
}

impl Diff {
    pub(super) fn read(git: &Git, root: &Path, reference: Option<&str>) -> Result<Diff, Failed> {
        let prefix = git.prefix_of(root);
        let Base { commit: base, shown, gap } = base(git, reference)?;
        let tree = git.run(&["ls-tree", "-r", "-z", "--name-only", &base])?;
        let mut diff = Diff {
            changes: Vec::new(),
            before: names(&tree).filter_map(|name| below(&prefix, &name)).collect(),
            now: BTreeSet::new(),
            removed: BTreeMap::new(),
            added: BTreeMap::new(),
            base,
            shown,
            gap,
            prefix,
        };
        diff.read_changes(git)?;
        diff.read_lines(git)?;
        Ok(diff)
    }

    fn read_changes(&mut self, git: &Git) -> Result<(), Failed> {
        let changed = git.run(&["diff", "--no-ext-diff", "--name-status", "-z", "-M", &self.base, "--"])?;
        let mut words = names(&changed);
        while let Some(status) = words.next() {
            let Some(first) = words.next() else { break };
            if status.starts_with(['R', 'C']) {
                let Some(second) = words.next() else { break };
                match (below(&self.prefix, &first), below(&self.prefix, &second)) {
                    (Some(old), Some(path)) if status.starts_with('R') => {
                        self.changes.push(Change { path, kind: ChangeKind::Renamed(old) });
                    }
                    (Some(old), None) if status.starts_with('R') => self.push(old, ChangeKind::Deleted),
                    (_, Some(path)) => self.push(path, ChangeKind::Added),
                    (_, None) => {}
                }
                continue;
            }
            let Some(path) = below(&self.prefix, &first) else { continue };
            let kind = match status.chars().next() {
                Some('A') => ChangeKind::Added,
                Some('D') => ChangeKind::Deleted,
                _ => ChangeKind::Modified,
            };
            self.push(path, kind);
        }
        let new = git.run(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        let new: Vec<String> = names(&new).filter_map(|name| below(&self.prefix, &name)).collect();
        for path in new {
            self.push(path, ChangeKind::Added);
        }
        self.now = self.before.clone();
        for change in &self.changes {
            match &change.kind {
                ChangeKind::Deleted => {
                    self.now.remove(&change.path);
                }
                ChangeKind::Renamed(old) => {
                    self.now.remove(old);
                    self.now.insert(change.path.clone());
                }
                ChangeKind::Added | ChangeKind::Modified => {
                    self.now.insert(change.path.clone());
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, path: String, kind: ChangeKind) {
        self.changes.push(Change { path, kind });
    }

    fn read_lines(&mut self, git: &Git) -> Result<(), Failed> {
        let query = ["diff", "--no-ext-diff", "--no-color", "--no-textconv", "-U0", "-M", &self.base, "--"];
        let bytes = git.run(&query)?;
        let text = String::from_utf8_lossy(bytes.get(..MOST_BYTES.min(bytes.len())).unwrap_or_default());
        let (mut old, mut new) = (None, None);
        let mut is_head = false;
        for line in text.lines() {
            if line.starts_with("diff --git ") {
                (old, new, is_head) = (None, None, true);
            } else if let Some(name) = line.strip_prefix("--- ").filter(|_| is_head) {
                old = name.strip_prefix("a/").and_then(|name| below(&self.prefix, name));
            } else if let Some(name) = line.strip_prefix("+++ ").filter(|_| is_head) {
                new = name.strip_prefix("b/").and_then(|name| below(&self.prefix, name));
            } else if line.starts_with("@@") {
                is_head = false;
            } else if let (Some(line), Some(file)) = (line.strip_prefix('-'), &old) {
                self.removed.entry(file.clone()).or_default().push(line.to_owned());
            } else if let (Some(line), Some(file)) = (line.strip_prefix('+'), &new) {
                self.added.entry(file.clone()).or_default().push(line.to_owned());
            }
        }
        Ok(())
    }

    /// Where a file is now that was there at the base.
    pub(super) fn new_place(&self, old: &str) -> Option<&str> {
        self.changes.iter().find_map(|change| match &change.kind {
            ChangeKind::Renamed(from) if from == old => Some(change.path.as_str()),
            _ => None,
        })
    }

    /// The text of a file at the base.
    pub(super) fn old_text(&self, git: &Git, path: &str) -> Option<String> {
        if !self.before.contains(path) {
            return None;
        }
        let blob = format!("{}:{}{path}", self.base, self.prefix);
        git.run(&["show", &blob]).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Names of default branches, where the remote does not say.
const TRUNKS: [&str; 10] = [
    "origin/main",
    "origin/master",
    "origin/trunk",
    "origin/develop",
    "origin/development",
    "main",
    "master",
    "trunk",
    "develop",
    "development",
];

/// The commit to compare with, and how it is shown.
fn base(git: &Git, reference: Option<&str>) -> Result<Base, Failed> {
    let parse = |name: &str| {
        let commit = format!("{name}^{{commit}}");
        let line = git.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).ok()?;
        Some(line.to_string_lossy().into_owned()).filter(|commit| !commit.is_empty())
    };
    let new = |commit: String, shown: &str| Base { commit, shown: shown.to_owned(), gap: None };
    let Some(head) = parse("HEAD") else { return Ok(new(EMPTY.to_owned(), "the empty tree")) };
    let parted = |commit: &str| {
        git.line(&["merge-base", commit, &head]).ok().map(|line| line.to_string_lossy().into_owned())
    };
    if let Some(name) = reference {
        // `main...HEAD` and `main..HEAD` are ways to name the same start.
        let name = name.split("..").next().unwrap_or(name);
        let commit = parse(name).ok_or_else(|| {
            Failed::new(
                format!("git knows no commit `{name}`"),
                "name a branch, tag or commit; in CI, fetch the history first (`fetch-depth: 0`)",
            )
        })?;
        return Ok(new(parted(&commit).unwrap_or(commit), name));
    }
    let default = git.line(&["symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"]).ok();
    let default = default.map(|name| name.to_string_lossy().into_owned());
    let names: Vec<&str> = default.iter().map(String::as_str).chain(TRUNKS).collect();
    let mut found = names.iter().filter_map(|name| Some((parted(&parse(name)?)?, *name)));
    let first = found.next();
    if let Some((commit, name)) = first.as_ref().filter(|(commit, _)| *commit != head) {
        return Ok(new(commit.clone(), name));
    }
    let is_shallow =
        git.line(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|line| line.as_os_str() == "true");
    let gap = match first {
        _ if is_shallow => Gap::Shallow,
        Some((_, name)) => Gap::OnTrunk(name.to_owned()),
        None => Gap::NoTrunk,
    };
    Ok(Base { gap: Some(gap), ..new(head, "HEAD") })
}

fn names(bytes: &[u8]) -> impl Iterator<Item = String> {
    bytes
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| String::from_utf8_lossy(name).into_owned())
}

/// A path of the repository as a path of the project.
fn below(prefix: &str, name: &str) -> Option<String> {
    name.strip_prefix(prefix).map(str::to_owned)
}
