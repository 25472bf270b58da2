//! Temporary folders: private, outside of the project, removed when dropped.

#![cfg_attr(not(unix), expect(dead_code, reason = "elsewhere the system ends a process without asking"))]

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::workshop::Scratch;
use flyball_system::DirBuilderExt;

pub use crate::workshop::signals::{SignalHold, clean_up_on_signal, hold_signals};

/// Numbers the folders of one process.
static NEXT: AtomicU64 = AtomicU64::new(0);
/// Those that are there now.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// This process is about to end.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// How many names are tried: each that is taken was left behind by a process of the same number.
const ATTEMPTS: u32 = 1000;
/// How often a folder is looked at before it counts as gone: another thread may still be writing to it.
const LOOKS: usize = 50;
/// How often in a row it has to be absent.
const ABSENCES: usize = 3;
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// A folder that is gone when this is dropped.
struct Folder {
    path: AbsolutePath,
}

impl Scratch for Folder {
    fn path(&self) -> &AbsolutePath {
        &self.path
    }

    fn link(&self, path: &AbsolutePath, to: &AbsolutePath) -> bool {
        self.make_folder_of(path) && flyball_system::symlink(to, path).is_ok()
    }

    fn write(&self, path: &AbsolutePath, content: &[u8]) -> bool {
        // A link that is there would be followed.
        self.make_folder_of(path) && remove_file(Path::new(path)).is_ok() && fs::write(path, content).is_ok()
    }
}

impl Folder {
    /// Makes the folders above a path in here. Returns whether they are in here: a link on the way may lead out.
    fn make_folder_of(&self, path: &AbsolutePath) -> bool {
        let stays = |folder: &Path| fs::canonicalize(folder).is_ok_and(|real| real.starts_with(&self.path));
        let folder = path.folder();
        let there = Path::new(&folder).ancestors().find(|folder| folder.symlink_metadata().is_ok());
        path.is_in(&self.path) && there.is_some_and(stays) && fs::create_dir_all(&folder).is_ok()
    }
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // There is no one to report to, and what is left behind is private.
        let _ = fs::remove_dir_all(&self.path);
        folders().retain(|path| path != Path::new(&self.path));
    }
}

/// Removes all folders of this process, which is about to end. As long as the returned guard lives, no other
/// is made.
pub(crate) fn clear() -> MutexGuard<'static, Vec<PathBuf>> {
    IS_ENDING.store(true, Ordering::SeqCst);
    let mut there = folders();
    for path in there.drain(..) {
        remove_for_good(&path);
    }
    there
}

/// Removes a folder to which other threads may still be writing.
fn remove_for_good(path: &Path) {
    let mut absent = 0;
    for _ in 0..LOOKS {
        // It may be absent already, or filled again while it is emptied; both are seen below.
        fs::remove_dir_all(path).ok();
        absent = if path.exists() { 0 } else { absent + 1 };
        if absent == ABSENCES {
            return;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

/// Whether this process is about to end, so that results need not be stored.
pub(crate) fn is_ending() -> bool {
    IS_ENDING.load(Ordering::SeqCst)
}

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a folder below `base` with these files in it, by their paths below it.
///
/// # Errors
/// When it cannot be made, or a path leads out of it.
pub fn make(base: &Path, files: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, PolicyError> {
    filled(base, files).map_err(|cause| PolicyError::World {
        what: format!("no scratch folder below `{}`: {cause}", base.display()),
        fix: "make the folder writable, or free some space there".to_owned(),
    })
}

fn filled(base: &Path, files: &[(&str, &[u8])]) -> io::Result<Box<dyn Scratch>> {
    let folder = Folder { path: text(&new_folder(base)?)? };
    for (name, content) in files {
        let path = Path::new(name);
        // `..` or an absolute path would write to the project or the user's files.
        let stays = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !stays || name.is_empty() {
            return Err(io::Error::new(ErrorKind::InvalidInput, format!("`{name}` leads out of it")));
        }
        let path = Path::new(&folder.path).join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content)?;
    }
    Ok(Box::new(folder))
}

fn text(path: &Path) -> io::Result<AbsolutePath> {
    path.to_str().and_then(AbsolutePath::new).ok_or_else(|| ErrorKind::InvalidFilename.into())
}

fn new_folder(base: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(base)?;
    let base = fs::canonicalize(base)?;
    let mut there = folders();
    for _ in 0..ATTEMPTS {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = base.join(format!("flyball-{}-{number}", std::process::id()));
        // Fails if it is there: a folder that someone else prepared is never used.
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => {
                there.push(path.clone());
                return Ok(path);
            }
            Err(cause) if cause.kind() == ErrorKind::AlreadyExists => {}
            Err(cause) => return Err(cause),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn it_has_the_files_is_private_and_is_gone_when_dropped() {
        let base = tempfile::tempdir().unwrap();
        let scratch = make(&base.path().join("new"), &[("src/a.py", b"x = 1\n")]).unwrap();
        let folder = PathBuf::from(scratch.path());
        assert_eq!(fs::read(folder.join("src/a.py")).unwrap(), b"x = 1\n");
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(fs::canonicalize(&folder).unwrap(), folder);
        drop(scratch);
        assert!(!folder.exists());
    }

    #[test]
    fn what_is_written_into_it_stays_in_it() {
        let base = tempfile::tempdir().unwrap();
        let outside = AbsolutePath::from_path(&fs::canonicalize(base.path()).unwrap()).join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("file"), "outside").unwrap();
        let scratch = make(base.path(), &[("a/file", b"old")]).unwrap();
        let path = |name: &str| scratch.path().join(name);
        assert!(scratch.write(&path("a/file"), b"new"));
        assert!(scratch.write(&path("b/c/file"), b"new"));
        assert!(scratch.link(&path("d/e/link"), &outside));
        assert!(scratch.link(&path("file"), &outside.join("file")));
        assert_eq!(fs::read(path("a/file")).unwrap(), b"new");
        assert_eq!(fs::read(path("b/c/file")).unwrap(), b"new");
        assert!(scratch.write(&path("file"), b"new"));
        for name in ["d/e/link/file", "d/e/link/new/file", "../outside/file"] {
            assert!(!scratch.write(&path(name), b"new"), "{name}");
            assert!(!scratch.link(&path(name), &outside), "{name}");
        }
        assert_eq!(fs::read(outside.join("file")).unwrap(), b"outside");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    }

    #[test]
    fn two_at_once_do_not_meet() {
        let base = tempfile::tempdir().unwrap();
        let (one, other) = (make(base.path(), &[]).unwrap(), make(base.path(), &[]).unwrap());
        assert_ne!(one.path(), other.path());
    }

    #[test]
    fn what_leads_out_is_refused_and_nothing_stays() {
        let base = tempfile::tempdir().unwrap();
        for name in ["../a", "/etc/a", "a/../../b", ""] {
            assert!(make(base.path(), &[(name, b"")]).is_err(), "{name}");
        }
        assert_eq!(fs::read_dir(base.path()).unwrap().count(), 0);
    }
}
