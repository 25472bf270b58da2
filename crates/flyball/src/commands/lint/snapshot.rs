//! The staged files in a temporary folder: where the working copy differs, checking it would not check
//! what is committed.

use std::path::{Path, PathBuf};

use flyball_system::symlink;

use super::git::Git;
use crate::outcome::Failed;
use crate::temporary::TemporaryFolder;

/// Folders that linters need and git does not store.
const INSTALLED: &[&str] = &[".venv", "venv", "node_modules"];

/// All staged files in a temporary folder.
pub(super) struct Snapshot {
    folder: TemporaryFolder,
}

impl Snapshot {
    /// Writes the whole index out: linters read configs and imports too.
    pub(super) fn write(git: &Git, staged: &[PathBuf]) -> Result<Snapshot, Failed> {
        let snapshot = Snapshot { folder: TemporaryFolder::new()? };
        let prefix = format!("--prefix={}/", snapshot.folder.path().display());
        // From the index, as git itself would commit it.
        git.run(&["checkout-index", "--all", &prefix])?;
        // Lets git find its history from here, for comparisons with the last commit.
        let directory = git.line(&["rev-parse", "--absolute-git-dir"])?;
        snapshot.folder.write(".git", &format!("gitdir: {}\n", directory.display()))?;
        snapshot.link_installed(git, staged);
        Ok(snapshot)
    }

    /// Where a path of the repository is in here.
    pub(super) fn place(&self, git: &Git, path: &Path) -> PathBuf {
        let below = path.strip_prefix(&git.top);
        below.map_or_else(|_| path.to_path_buf(), |below| self.folder.path().join(below))
    }

    /// Links what is installed beside the staged files and above them.
    fn link_installed(&self, git: &Git, staged: &[PathBuf]) {
        let folders = staged.iter().flat_map(|file| file.ancestors().skip(1));
        for folder in folders.filter(|folder| folder.starts_with(&git.top)) {
            for name in INSTALLED.iter().filter(|name| folder.join(name).is_dir()) {
                // It may be linked already, or be part of what is staged.
                drop(symlink(folder.join(name), self.place(git, folder).join(name)));
            }
        }
    }
}
