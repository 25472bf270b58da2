//! What differs in a checkout: what git shows, what it is told not to show, and what is in the repositories inside of it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::world::ChangedFiles;

use super::index::Index;
use super::places::Places;
use super::{Git, MOST_LISTED_BYTES};
use crate::real_path::real_path;

/// How deep repositories inside repositories are followed.
const DEEPEST: usize = 3;

impl Git {
    /// What differs below `root`, whenever it changed.
    pub(crate) fn changes(&self, root: &AbsolutePath) -> Result<ChangedFiles, PolicyError> {
        let mut found = ChangedFiles::default();
        self.add_changes(root, 0, &mut found)?;
        for paths in [&mut found.shown, &mut found.unwatched, &mut found.ignored] {
            paths.sort_unstable();
            paths.dedup();
        }
        Ok(found)
    }

    fn add_changes(
        &self,
        root: &AbsolutePath,
        depth: usize,
        found: &mut ChangedFiles,
    ) -> Result<(), PolicyError> {
        // With `-z`, a rename has a second path without letters in front; without renames all entries are alike.
        // Repositories inside are asked one by one below, whatever the configuration says of them.
        let question = [
            "status",
            "--porcelain=v1",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            "--ignored=matching",
            "--ignore-submodules=all",
            "--",
            ".",
        ];
        let Some(answer) = self.ask_for_list(root, &question)?.text() else { return Ok(()) };
        // Porcelain paths are relative to the top of the repository, which may be above the project.
        let Some(top) = self.ask(root, &["rev-parse", "--show-toplevel"])?.text() else { return Ok(()) };
        let top = AbsolutePath::from_root(top.trim_end_matches('\n'));
        if !real_path(Path::new(root)).starts_with(Path::new(&top)) {
            return Err(elsewhere(root, &top));
        }
        found.is_cut |= answer.len() >= MOST_LISTED_BYTES;
        let mut nested = Vec::new();
        // An entry is two letters, a space, and the path.
        for entry in answer.split('\0') {
            let Some((letters, name)) = entry.split_at_checked(3) else { continue };
            let path = top.join(name.trim_end_matches('/'));
            if name == ".gitignore" || name.ends_with("/.gitignore") {
                found.ignore_rules.push(path.clone());
            }
            match letters {
                "!! " => found.ignored.push(path),
                // A folder that git does not look into.
                "?? " if name.ends_with('/') => nested.push(path),
                _ => found.shown.push(path),
            }
        }
        self.add_index(root, &top, (&mut nested, found))?;
        for inner in nested {
            // Otherwise it was not brought here, and there is nothing in it.
            if !Path::new(&inner.join(".git")).exists() || is_checkout_of(&inner, root) {
                continue;
            }
            if depth >= DEEPEST {
                found.is_cut = true;
                continue;
            }
            self.add_changes(&inner, depth + 1, found)?;
            found.nested.push(inner);
        }
        Ok(())
    }

    /// Adds what the index says of files, and where the rules of what is ignored are.
    fn add_index(
        &self,
        root: &AbsolutePath,
        top: &AbsolutePath,
        (nested, found): (&mut Vec<AbsolutePath>, &mut ChangedFiles),
    ) -> Result<(), PolicyError> {
        let Some(places) = Places::of(Path::new(root)) else { return Ok(()) };
        let path = |file: std::path::PathBuf| AbsolutePath::from_root(file.to_string_lossy());
        found.ignore_rules.extend(places.configs().map(path));
        found.ignore_rules.push(path(places.common.join("info/exclude")));
        let index = match read_index(&places) {
            Some(index) => index,
            // It is split, or newer than this reader.
            None => self.list_index(root)?,
        };
        let real_root = AbsolutePath::from_root(real_path(Path::new(root)).to_string_lossy());
        let inside = |names: Vec<String>| {
            let paths = names.into_iter().map(|name| top.join(&name));
            paths.filter(|path| path.is_in(&real_root)).collect::<Vec<_>>()
        };
        found.unwatched.extend(inside(index.assumed));
        found.unwatched.extend(present(inside(index.skipped)));
        found.ignore_rules.extend(inside(index.rules));
        found.links.extend(inside(index.links));
        nested.extend(inside(index.nested));
        Ok(())
    }

    fn list_index(&self, root: &AbsolutePath) -> Result<Index, PolicyError> {
        let question = ["ls-files", "-v", "--stage", "-z"];
        let Some(answer) = self.ask_for_list(root, &question)?.text() else {
            return Ok(Index::default());
        };
        // The names are below the folder that is asked about.
        let prefix = self.ask(root, &["rev-parse", "--show-prefix"])?.text().unwrap_or_default();
        let prefix = prefix.trim_end_matches('\n');
        let full = |names: &mut Vec<String>| names.iter_mut().for_each(|name| name.insert_str(0, prefix));
        let mut index = Index::from_listing(&answer).ok_or_else(unreadable)?;
        let Index { assumed, skipped, nested, rules, links } = &mut index;
        [assumed, skipped, nested, rules, links].into_iter().for_each(full);
        Ok(index)
    }
}

/// The index; empty where there is none, and `None` where git has to be asked.
fn read_index(places: &Places) -> Option<Index> {
    let bytes = match fs::read(places.index()) {
        Ok(bytes) => bytes,
        Err(cause) => return (cause.kind() == ErrorKind::NotFound).then(Index::default),
    };
    let config = fs::read_to_string(places.common.join("config")).unwrap_or_default().to_lowercase();
    let hash = if config.contains("objectformat") && config.contains("sha256") { 32 } else { 20 };
    Index::parse(&bytes, hash)
}

/// Whether a folder is another checkout of the repository that `root` is in: it is asked by itself. Only the repository
/// knows its checkouts.
fn is_checkout_of(folder: &AbsolutePath, root: &AbsolutePath) -> bool {
    let (Some(inner), Some(outer)) = (Places::of(Path::new(folder)), Places::of(Path::new(root))) else {
        return false;
    };
    let Ok(back) = fs::read_to_string(inner.own.join("gitdir")) else { return false };
    let registered = real_path(&outer.common.join("worktrees"));
    real_path(&inner.own).parent() == Some(&registered)
        && real_path(&inner.own.join(back.trim_end())) == real_path(Path::new(&folder.join(".git")))
}

/// Those files that are there: what a sparse checkout leaves out is not, often whole folders of it.
fn present(files: Vec<AbsolutePath>) -> Vec<AbsolutePath> {
    let mut absent: Option<AbsolutePath> = None;
    let is_there = |file: &AbsolutePath| {
        if absent.as_ref().is_some_and(|folder| file.is_in(folder)) {
            return false;
        }
        let is_there = Path::new(file).symlink_metadata().is_ok();
        if !is_there {
            let is_absent = |folder: &AbsolutePath| !Path::new(folder).exists();
            absent = file.folder().ancestors().take_while(is_absent).last();
        }
        is_there
    };
    files
        .into_iter()
        .filter({
            let mut is_there = is_there;
            move |file| is_there(file)
        })
        .collect()
}

/// The configuration of the repository says that its files are in another folder.
fn elsewhere(root: &AbsolutePath, top: &AbsolutePath) -> PolicyError {
    PolicyError::World {
        what: format!("git looks for the files of {root} in {top}"),
        fix: "look at `core.worktree` in the repository's configuration".to_owned(),
    }
}

fn unreadable() -> PolicyError {
    PolicyError::World {
        what: "git's index could not be read".to_owned(),
        fix: "run `git ls-files -v --stage` by hand to see why".to_owned(),
    }
}
