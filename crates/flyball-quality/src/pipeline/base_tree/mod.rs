//! The project as it was before the change, in a folder of its own: linters that look at more than one file, or read nothing
//! from standard input, cannot be given old content.

mod git;
mod installed;
mod tracked;

use std::collections::BTreeMap;
use std::rc::Rc;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Scratch, Workshop};

use self::git::Git;
use self::installed::{Installed, Places};
use self::tracked::Tracked;
use super::RunRequest;
use super::applies::applies_to_path;
use crate::report::LARGEST_FILE;
use crate::scope::Base;

/// With more changed files than this, nobody asks which of them someone else changed.
const MOST_CHANGED: usize = 500;

/// What is known of the project before the change.
#[derive(Default)]
pub(super) struct EarlierProject {
    state: Option<State>,
    tree: Option<Option<Rc<BaseTree>>>,
    /// What edited files were, where they are different now.
    contents: BTreeMap<AbsolutePath, String>,
}

/// How the project was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// As it is.
    Same,
    /// Different; a text that changes with everything in it that matters.
    Different(String),
    Unknown,
}

impl EarlierProject {
    /// Records what an edited file was.
    pub(super) fn record(&mut self, path: &AbsolutePath, before: &str) {
        if self.contents.get(path).is_none_or(|known| known != before) {
            self.contents.insert(path.clone(), before.to_owned());
            (self.state, self.tree) = (None, None);
        }
    }

    pub(super) fn state(&mut self, request: &RunRequest<'_>, workshop: &dyn Workshop) -> State {
        let contents = self.contents(request, workshop);
        let find = || find_state(request, workshop, &contents).unwrap_or(State::Unknown);
        self.state.get_or_insert_with(find).clone()
    }

    /// The project as it was; `None` without git or a commit, or if there is too much of it.
    pub(super) fn tree(&mut self, request: &RunRequest<'_>, workshop: &dyn Workshop) -> Option<Rc<BaseTree>> {
        let contents = self.contents(request, workshop);
        let write = || BaseTree::write(request, workshop, &contents).map(Rc::new);
        self.tree.get_or_insert_with(write).clone()
    }

    /// What edited files were, also those that only linters of the whole project are for.
    fn contents(&self, request: &RunRequest<'_>, workshop: &dyn Workshop) -> BTreeMap<AbsolutePath, String> {
        let mut contents = self.contents.clone();
        for (path, before) in request.earlier {
            let now = || workshop.read(path, LARGEST_FILE).ok().flatten();
            if let Some(before) = before.text().filter(|_| !contents.contains_key(path))
                && now().is_none_or(|now| now != before.as_bytes())
            {
                contents.insert(path.clone(), before.to_owned());
            }
        }
        contents
    }
}

fn find_state(
    request: &RunRequest<'_>,
    workshop: &dyn Workshop,
    contents: &BTreeMap<AbsolutePath, String>,
) -> Option<State> {
    let git = Git::find(workshop)?;
    let commit = commit(&git, request.base)?;
    if contents.is_empty() && is_clean(&git, commit.as_deref()) {
        return Some(State::Same);
    }
    let mut text = match &commit {
        Some(commit) => commit.clone(),
        None => git.ask(&["ls-files", "-s", "-z"])?,
    };
    text.push_str(&Installed::find(&git)?.fingerprint(workshop, &git.top));
    let others = changed_by_others(&git, request, commit.as_deref());
    for (path, content) in contents.iter().map(|(path, text)| (path, text.as_bytes())) {
        text.push_str(&format!("{path}={}\n", workshop.hash(content).as_str()));
    }
    for path in others.iter().map(|file| git.top.join(file)) {
        let content = workshop.read(&path, LARGEST_FILE).ok().flatten().unwrap_or_default();
        text.push_str(&format!("{path}={}\n", workshop.hash(&content).as_str()));
    }
    Some(State::Different(workshop.hash(text.as_bytes()).as_str().to_owned()))
}

/// The commit that is compared with, `Some(None)` for the index.
fn commit(git: &Git<'_>, base: &Base) -> Option<Option<String>> {
    match base {
        Base::Index => Some(None),
        Base::Head | Base::Commit(_) => git.commit(base.commit()?).map(Some),
    }
}

/// Whether git finds nothing that differs.
fn is_clean(git: &Git<'_>, commit: Option<&str>) -> bool {
    let diff = ["diff", "--quiet", "--no-ext-diff", "--no-textconv"];
    let words: Vec<&str> = diff.into_iter().chain(commit).chain(["--"]).collect();
    let untracked = ["ls-files", "-z", "--others", "--exclude-standard", "--directory"];
    git.ask(&words).is_some() && git.ask(&untracked).is_some_and(|names| names.is_empty())
}

/// Files that differ although this session did not edit them: they were like this when it began. Only where all files that it
/// edited are known, and only files that it would have been seen to edit.
fn changed_by_others(git: &Git<'_>, request: &RunRequest<'_>, commit: Option<&str>) -> Vec<String> {
    if !request.project {
        return Vec::new();
    }
    let root = git.project();
    let diff =
        ["diff", "--name-only", "-z", "--no-renames", "--diff-filter=M", "--no-ext-diff", "--no-textconv"];
    let words: Vec<&str> = diff.into_iter().chain(commit).chain(["--"]).collect();
    let names = git.names(&words).filter(|names| names.len() <= MOST_CHANGED).unwrap_or_default();
    let is_others = |name: &String| {
        let Some(file) = name.strip_prefix(&git.prefix) else { return false };
        let is_edited = || request.files.iter().any(|path| path.strip_folder(root) == Some(file));
        let is_seen = |linter| applies_to_path(linter, file, request.settings);
        request.settings.linters.iter().any(is_seen) && !is_edited()
    };
    names.into_iter().filter(is_others).collect()
}

/// The project as it was.
pub(super) struct BaseTree {
    /// It is removed when this is dropped.
    scratch: Box<dyn Scratch>,
    root: AbsolutePath,
    project: AbsolutePath,
}

impl BaseTree {
    fn write(
        request: &RunRequest<'_>,
        workshop: &dyn Workshop,
        contents: &BTreeMap<AbsolutePath, String>,
    ) -> Option<BaseTree> {
        let mut git = Git::find(workshop)?;
        let commit = commit(&git, request.base)?;
        let tracked = Tracked::find(&git, commit.as_deref())?;
        let (installed, others) =
            (Installed::find(&git)?, changed_by_others(&git, request, commit.as_deref()));
        let scratch = workshop.scratch(&[]).ok()?;
        if let Some(commit) = &commit {
            git.index = Some(scratch.path().join("index"));
            git.ask(&["read-tree", commit])?;
        }
        let tree = scratch.path().join("tree");
        let prefix = format!("--prefix={tree}/");
        git.ask_about(&["checkout-index", "--quiet", "-z", "--stdin", &prefix], &tracked.written)?;
        let places = Places { top: &git.top, tree: &tree, scratch: &*scratch };
        for file in &tracked.linked {
            let now = git.top.join(file);
            if workshop.stat(&now).is_some() {
                scratch.link(&tree.join(file), &now);
            }
        }
        installed.link(workshop, &places);
        for file in others {
            if let Ok(Some(content)) = workshop.read(&git.top.join(&file), LARGEST_FILE) {
                scratch.write(&tree.join(&file), &content);
            }
        }
        let root = if git.prefix.is_empty() { tree } else { tree.join(git.prefix.trim_end_matches('/')) };
        let base = BaseTree { root, project: workshop.project_root().clone(), scratch };
        for (path, content) in contents {
            base.scratch.write(&base.place(path), content.as_bytes());
        }
        Some(base)
    }

    /// Where a path of the project is in here.
    pub(super) fn place(&self, path: &AbsolutePath) -> AbsolutePath {
        path.strip_folder(&self.project).map_or_else(|| self.root.clone(), |below| self.root.join(below))
    }

    pub(super) fn root(&self) -> &AbsolutePath {
        &self.root
    }

    /// What a program printed in here, as if it had run in the project.
    pub(super) fn rename(&self, text: &str) -> String {
        text.replace(self.root.as_str(), self.project.as_str())
    }
}
