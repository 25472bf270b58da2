//! Where a checkout and its data are, found without git.

use std::fs;
use std::path::{Path, PathBuf};

/// The checkout that a folder is in.
pub(super) struct Places {
    /// The data of this checkout.
    pub(super) own: PathBuf,
    /// The data that all checkouts of the repository share.
    pub(super) common: PathBuf,
}

impl Places {
    pub(super) fn of(folder: &Path) -> Option<Places> {
        let git = folder.ancestors().map(|above| above.join(".git")).find(|git| git.exists())?;
        // In another working tree or a submodule `.git` is a file that names the folder.
        let own = if git.is_file() { follow(&git).unwrap_or(git) } else { git };
        let common = follow(&own.join("commondir")).unwrap_or_else(|| own.clone());
        Some(Places { own, common })
    }

    /// The configuration files of the repository.
    pub(super) fn configs(&self) -> [PathBuf; 2] {
        [self.common.join("config"), self.own.join("config.worktree")]
    }

    /// The checkouts that the repository knows, besides the one that its data are in.
    pub(super) fn checkouts(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.common.join("worktrees")).into_iter().flatten().flatten();
        let pointers = entries.filter_map(|entry| follow(&entry.path().join("gitdir")));
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

/// The path that a file names.
fn follow(file: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(file).ok()?;
    let path = text.trim().trim_start_matches("gitdir:").trim().to_owned();
    Some(file.parent()?.join(path))
}
