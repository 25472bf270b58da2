//! Asks git which files there are, which are staged and which changed.
//!
//! Unlike the hook, a command is started by a person or by git itself, so git's variables
//! (`GIT_INDEX_FILE` while `git commit -a` runs its hooks) are respected. Only `GIT_DIR` alone, which
//! hooks in linked worktrees get, would make every folder the top of the repository.

use std::path::{Path, PathBuf};

use flyball_system::path_from_bytes;
use flyball_world::git::command_for_person;

use crate::environment;
use crate::outcome::Failed;

/// Git's error outside of a repository.
const NO_REPOSITORY: &str = "not a git repository";

/// A repository, and a folder in it.
pub(in crate::commands) struct Git {
    pub(in crate::commands) top: PathBuf,
}

impl Git {
    /// The repository that a folder is in, if it is in one and git is there.
    pub(in crate::commands) fn around(folder: &Path) -> Option<Git> {
        Git::find(folder).ok()
    }

    /// The same, where there must be one.
    pub(in crate::commands) fn required(folder: &Path, option: &str) -> Result<Git, Failed> {
        Git::find(folder).map_err(|why| {
            let why = match why.contains(NO_REPOSITORY) {
                true => "this folder is not in one".to_owned(),
                false => format!("git found none: {why}"),
            };
            let what = format!("`{option}` needs a git repository, and {why}");
            Failed::new(what, "name files or folders instead: `flyball lint src`")
        })
    }

    fn find(folder: &Path) -> Result<Git, String> {
        let top = line(&run_git(folder, &["rev-parse", "--show-toplevel"])?);
        if top.as_os_str().is_empty() { Err(NO_REPOSITORY.to_owned()) } else { Ok(Git { top }) }
    }

    pub(in crate::commands) fn run(&self, query: &[&str]) -> Result<Vec<u8>, Failed> {
        run_git(&self.top, query).map_err(|why| {
            Failed::new(
                format!("`git {}` failed: {why}", query.join(" ")),
                "run the same command by hand to see more",
            )
        })
    }

    /// One line that git prints, as a path or a name.
    pub(in crate::commands) fn line(&self, query: &[&str]) -> Result<PathBuf, Failed> {
        Ok(line(&self.run(query)?))
    }

    /// The files that git lists with `-z`, absolute.
    pub(in crate::commands) fn files(&self, query: &[&str]) -> Result<Vec<PathBuf>, Failed> {
        Ok(names(&self.run(query)?).map(|name| self.top.join(name)).collect())
    }

    /// The files below a folder that git knows or would add, absolute.
    pub(in crate::commands) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
        let here = Git { top: folder.to_path_buf() };
        here.files(&["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
    }

    /// The folder `root` below the top, with a `/` at its end; empty for the top itself.
    pub(in crate::commands) fn prefix_of(&self, root: &Path) -> String {
        let below = root.strip_prefix(&self.top).map(|below| below.to_string_lossy().into_owned());
        below.ok().filter(|below| !below.is_empty()).map(|below| below + "/").unwrap_or_default()
    }
}

/// What git prints in a folder, or why it failed.
fn run_git(folder: &Path, query: &[&str]) -> Result<Vec<u8>, String> {
    let search = environment::variable("PATH");
    let mut command = command_for_person(search.as_deref(), folder).map_err(|error| error.to_string())?;
    command.args(query);
    // With both set, a person or a script means exactly this repository.
    if environment::variable("GIT_WORK_TREE").is_none() {
        command.env_remove("GIT_DIR");
    }
    let output = command.output().map_err(|cause| cause.to_string())?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ")),
    }
}

fn line(bytes: &[u8]) -> PathBuf {
    path_from_bytes(bytes.strip_suffix(b"\n").unwrap_or(bytes))
}

fn names(bytes: &[u8]) -> impl Iterator<Item = PathBuf> {
    bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(path_from_bytes)
}
