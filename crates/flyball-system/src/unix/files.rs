//! Files.

use std::fs::OpenOptions;
use std::io::{Error, Result};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, OFlags, access};
use rustix::io::Errno;

/// Has a pipe without a writer opened all the same.
pub fn open_without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default())
}

/// Whether an error says that there cannot be a file of this name.
#[must_use]
pub fn is_absent(cause: &Error) -> bool {
    is_one_of(cause, &[Errno::NOENT, Errno::NOTDIR, Errno::NAMETOOLONG, Errno::LOOP])
}

/// Whether an error says that there is nothing, or nothing for this user. A command of the agent would find no more.
#[must_use]
pub fn is_known_absence(cause: &Error) -> bool {
    // Without a number it is Rust's own, for a name with a NUL in it.
    let denied = [Errno::ACCESS, Errno::PERM, Errno::INVAL];
    cause.raw_os_error().is_none() || is_absent(cause) || is_one_of(cause, &denied)
}

fn is_one_of(cause: &Error, errors: &[Errno]) -> bool {
    errors.iter().any(|error| cause.raw_os_error() == Some(error.raw_os_error()))
}

/// Whether this process may run a file.
#[must_use]
pub fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

/// Whether this process may write to a file; the error says why not.
pub fn is_writable(path: &Path) -> Result<()> {
    access(path, Access::WRITE_OK).map_err(Error::from)
}

/// Whether two names are of one file.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| std::fs::symlink_metadata(path).ok().map(|file| (file.dev(), file.ino()));
    id(one).is_some_and(|one| Some(one) == id(other))
}

/// A path as a program printed it.
#[must_use]
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}
