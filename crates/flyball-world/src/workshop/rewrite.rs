//! Replaces the content of a file, unless another process changed it in the meantime.

use std::fs::{self, Metadata};
use std::io::{Error, ErrorKind, Write};
use std::path::Path;

use flyball_core::policy::PolicyError;
use flyball_core::workshop::Rewritten;
use flyball_system::{MetadataExt, fchown, is_writable};

use flyball_files::TempFile;

/// Rewrites the file at a path; a link stays a link to it.
pub(super) fn rewrite(path: &str, from: &[u8], to: &[u8]) -> Result<Rewritten, PolicyError> {
    match replace(Path::new(path), from, to) {
        Ok(rewritten) => Ok(rewritten),
        Err(cause) if cause.kind() == ErrorKind::NotFound && !Path::new(path).exists() => {
            Ok(Rewritten::Overtaken)
        }
        Err(cause) => Err(PolicyError::World {
            what: format!("`{path}` could not be rewritten and is as it was: {cause}"),
            fix: fix(&cause).to_owned(),
        }),
    }
}

fn replace(path: &Path, from: &[u8], to: &[u8]) -> Result<Rewritten, Error> {
    // A rename over a link would replace the link instead of the file.
    let real = path.canonicalize()?;
    let before = fs::metadata(&real)?;
    if !before.is_file() {
        return Err(Error::other("it is not a regular file"));
    }
    // Renaming would get around a file that is read-only.
    is_writable(&real)?;
    // For the owner only until it has the mode of the old one, which may be private.
    let beside = TempFile::create(real.parent().unwrap_or(Path::new("/")), 0o600)?;
    beside.file().write_all(to)?;
    copy_owner_and_mode(&beside, &before)?;
    // As late as possible: what was written since then would be lost.
    if fs::read(&real)? != from {
        return Ok(Rewritten::Overtaken);
    }
    beside.replace(&real)?;
    Ok(Rewritten::Yes)
}

/// Gives the new file the owner and the mode of the old one.
fn copy_owner_and_mode(beside: &TempFile, before: &Metadata) -> Result<(), Error> {
    let file = beside.file();
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (before.uid(), before.gid()) {
        // Only root may change owners. Otherwise the file becomes ours, as with any editor that saves this way.
        _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    // After the owner, whose change takes special bits away.
    file.set_permissions(before.permissions())
}

fn fix(cause: &Error) -> &'static str {
    match cause.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "make it and its folder writable, or leave it out in the configuration"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room on the disk"
        }
        _ => "check the file and its folder",
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn defect_20_mode_and_symlink_survive_a_rewrite() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real.json");
        let link = folder.path().join("link.json");
        fs::write(&real, "{ }").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o754)).unwrap();
        symlink("real.json", &link).unwrap();
        assert_eq!(rewrite(link.to_str().unwrap(), b"{ }", b"{}\n").unwrap(), Rewritten::Yes);
        assert_eq!(fs::read(&real).unwrap(), b"{}\n");
        assert_eq!(mode(&real), 0o754);
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("real.json"));
        assert_eq!(names(folder.path()), ["link.json", "real.json"]);
    }

    #[test]
    fn a_file_that_changed_or_went_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        fs::write(&file, "newer").unwrap();
        assert_eq!(rewrite(file.to_str().unwrap(), b"older", b"formatted").unwrap(), Rewritten::Overtaken);
        assert_eq!(fs::read(&file).unwrap(), b"newer");
        fs::remove_file(&file).unwrap();
        assert_eq!(rewrite(file.to_str().unwrap(), b"older", b"formatted").unwrap(), Rewritten::Overtaken);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn what_is_not_a_file_is_not_replaced_and_the_error_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        assert_eq!(
            rewrite(path, b"", b"x").unwrap_err(),
            PolicyError::World {
                what: format!("`{path}` could not be rewritten and is as it was: it is not a regular file"),
                fix: "check the file and its folder".to_owned(),
            }
        );
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
