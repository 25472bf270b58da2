//! Where a checkout and its data are, found without git.

use std::fs;
use std::path::{Path, PathBuf};

/// The checkout that a folder is in.
pub(super) struct Places {
    /// The data of this checkout.
    pub(super) own: PathBuf,
    /// The data that all checkouts of the repository share.
    pub(super) common: PathBuf,
    /// The file that leads to them from a checkout that they are not in.
    pointer: Option<PathBuf>,
}

impl Places {
    pub(super) fn of(folder: &Path) -> Option<Places> {
        let git = folder.ancestors().map(|above| above.join(".git")).find(|git| git.exists())?;
        // In another working tree or a submodule `.git` is a file that names the folder.
        let pointer = Some(&git).filter(|git| git.is_file()).cloned();
        let own = if git.is_file() { follow(&git).unwrap_or(git) } else { git };
        let common = follow(&own.join("commondir")).unwrap_or_else(|| own.clone());
        Some(Places { own, common, pointer })
    }

    /// The configuration files of the repository that hold in this checkout.
    pub(super) fn configs(&self) -> [PathBuf; 2] {
        [self.common.join("config"), self.own.join("config.worktree")]
    }

    /// Those of its other checkouts and of its submodules, too.
    pub(super) fn all_configs(&self) -> Vec<PathBuf> {
        let checkouts = self.checkout_data().into_iter().chain([self.common.clone()]);
        let others = checkouts.map(|data| data.join("config.worktree"));
        let modules = self.modules().into_iter().map(|data| data.join("config"));
        self.configs().into_iter().chain(others).chain(modules).collect()
    }

    /// The folders with the hooks of the repository and of its submodules.
    pub(super) fn hooks(&self) -> Vec<PathBuf> {
        [self.common.clone()].into_iter().chain(self.modules()).map(|data| data.join("hooks")).collect()
    }

    /// Files that lead git from a checkout to its data, and back.
    pub(super) fn pointers(&self) -> Vec<PathBuf> {
        let lead = |data: PathBuf| [data.join("commondir"), data.join("gitdir")];
        self.checkout_data().into_iter().flat_map(lead).chain(self.pointer.clone()).collect()
    }

    /// The data of the checkouts that the repository knows, besides the one that its data are in.
    fn checkout_data(&self) -> Vec<PathBuf> {
        folders_in(&self.common.join("worktrees"))
    }

    /// The data of submodules, also of theirs. The name of one may have slashes.
    fn modules(&self) -> Vec<PathBuf> {
        const MOST: usize = 64;
        let mut found = Vec::new();
        let mut open = vec![self.common.join("modules")];
        while let Some(folder) = open.pop()
            && found.len() < MOST
        {
            for below in folders_in(&folder) {
                if below.join("HEAD").exists() {
                    open.push(below.join("modules"));
                    found.push(below);
                } else {
                    open.push(below);
                }
            }
        }
        found
    }

    /// The checkouts that the repository knows, besides the one that its data are in.
    pub(super) fn checkouts(&self) -> Vec<PathBuf> {
        let pointers = self.checkout_data().into_iter().filter_map(|data| follow(&data.join("gitdir")));
        pointers.filter_map(|pointer| pointer.parent().map(Path::to_owned)).collect()
    }

    pub(super) fn index(&self) -> PathBuf {
        self.own.join("index")
    }

    /// Files of which one changes when something is committed or checked out.
    pub(super) fn marks(&self) -> [PathBuf; 3] {
        [self.index(), self.own.join("HEAD"), self.own.join("logs/HEAD")]
    }
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

/// The path that a file names.
fn follow(file: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(file).ok()?;
    let path = text.trim().trim_start_matches("gitdir:").trim().to_owned();
    Some(file.parent()?.join(path))
}
