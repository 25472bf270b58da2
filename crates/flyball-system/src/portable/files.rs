//! Files.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What Windows runs by its name.
const PROGRAMS: [&str; 5] = ["exe", "com", "cmd", "bat", "ps1"];

/// Reading from a place of a file, by whoever shares it.
pub trait FileExt {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<()>;
}

/// The place is the file's, so only one may move it.
static ONE_READER: Mutex<()> = Mutex::new(());

impl FileExt for File {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<()> {
        let _alone = ONE_READER.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = self;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}

/// There are no pipes among files.
pub fn open_without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[must_use]
pub fn is_absent(cause: &Error) -> bool {
    matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename)
}

#[must_use]
pub fn is_known_absence(cause: &Error) -> bool {
    let is_denied = matches!(cause.kind(), ErrorKind::PermissionDenied | ErrorKind::InvalidInput);
    cause.raw_os_error().is_none() || is_absent(cause) || is_denied
}

#[must_use]
pub fn is_program(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    PROGRAMS.iter().any(|program| program.eq_ignore_ascii_case(ending)) && path.is_file()
}

pub fn is_writable(path: &Path) -> Result<()> {
    if path.metadata()?.permissions().readonly() {
        return Err(Error::from(ErrorKind::PermissionDenied));
    }
    Ok(())
}

#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    // The file itself and not what a link leads to: that of the folder is enough.
    let place =
        |path: &Path| Some((path.parent()?.canonicalize().ok()?, path.file_name()?.to_ascii_lowercase()));
    one.symlink_metadata().is_ok() && place(one).is_some_and(|one| Some(one) == place(other))
}

#[must_use]
pub fn path_from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// All that can be said is whether a file may be written.
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    const OWNER_WRITES: u32 = 0o200;
    let mut permissions = path.metadata()?.permissions();
    permissions.set_readonly(mode & OWNER_WRITES == 0);
    std::fs::set_permissions(path, permissions)
}

/// Files keep the owner that made them.
pub fn fchown(_: &File, _: Option<u32>, _: Option<u32>) -> Result<()> {
    Ok(())
}

/// Windows allows it to administrators and developers only.
pub fn symlink(target: impl AsRef<Path>, link: impl AsRef<Path>) -> Result<()> {
    make_link(target.as_ref(), link.as_ref())
}

#[cfg(windows)]
fn make_link(target: &Path, link: &Path) -> Result<()> {
    let place = link.parent().unwrap_or(Path::new("")).join(target);
    if place.is_dir() {
        std::os::windows::fs::symlink_dir(target, link)
    } else {
        std::os::windows::fs::symlink_file(target, link)
    }
}

#[cfg(not(windows))]
fn make_link(_: &Path, _: &Path) -> Result<()> {
    Err(Error::from(ErrorKind::Unsupported))
}
