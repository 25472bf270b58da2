//! Whether a folder is in a repository, found without git: whoever is in none need not ask it.

use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use flyball_system::MetadataExt;

use crate::unknown::is_known_absence;

/// What a folder has at least one of if it is, or was, the data of a repository.
const PARTS: [&str; 5] = ["HEAD", "objects", "refs", "index", "config"];
/// What the data of a repository without files beside it has all of.
const BARE: [&str; 3] = ["HEAD", "objects", "refs"];

/// Whether git would find a repository for a folder, or would if that were not damaged. Git does not look into folders
/// in `ceilings`, nor beyond the file system. An error means that it cannot be known.
pub(super) fn is_inside(folder: &Path, ceilings: &[PathBuf]) -> Result<bool> {
    // As git does: from the folder without symlinks. What does not exist is in no repository.
    let Some(folder) = unless_absent(fs::canonicalize(folder))? else { return Ok(false) };
    let mut device = None;
    for (depth, above) in folder.ancestors().enumerate() {
        if depth > 0 && ceilings.iter().any(|ceiling| ceiling == above) {
            return Ok(false);
        }
        let Some(data) = unless_absent(fs::metadata(above))? else { return Ok(false) };
        if *device.get_or_insert(data.dev()) != data.dev() {
            return Ok(false);
        }
        if is_repository(above)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_repository(folder: &Path) -> Result<bool> {
    let git = folder.join(".git");
    if let Some(data) = unless_absent(fs::metadata(&git))? {
        // A file names the folder of the data. An empty folder of this name is none.
        return if data.is_dir() { has_any(&git, &PARTS) } else { Ok(true) };
    }
    // Most folders lack the first of them.
    for name in BARE {
        if !is_there(&folder.join(name))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn has_any(folder: &Path, names: &[&str]) -> Result<bool> {
    for name in names {
        if is_there(&folder.join(name))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_there(path: &Path) -> Result<bool> {
    Ok(unless_absent(fs::symlink_metadata(path))?.is_some())
}

fn unless_absent<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(cause) if is_known_absence(&cause) => Ok(None),
        Err(cause) => Err(Error::other(format!("the folder cannot be looked at: {cause}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_found_without_git() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let folders =
            ["repo/.git/objects", "repo/sub", "marked/.git", "bare.git/objects", "bare.git/refs", "plain"];
        for folder in folders {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join("bare.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::create_dir_all(root.join("tree")).unwrap();
        fs::write(root.join("tree/.git"), "gitdir: elsewhere\n").unwrap();
        std::os::unix::fs::symlink(root.join("repo/sub"), root.join("link")).unwrap();
        let cases = [
            ("repo", true),
            ("repo/sub", true),
            ("link", true),
            ("tree", true),
            ("bare.git/refs", true),
            ("marked", false),
            ("plain", false),
            ("repo/none", false),
        ];
        for (folder, expected) in cases {
            assert_eq!(is_inside(&root.join(folder), &[]).unwrap(), expected, "{folder}");
        }
        let ceiling = [root.join("repo")];
        assert!(!is_inside(&root.join("repo/sub"), &ceiling).unwrap());
        assert!(is_inside(&root.join("repo"), &ceiling).unwrap());
    }
}
