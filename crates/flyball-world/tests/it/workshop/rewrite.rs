//! Disks that refuse a rewrite.

use std::path::Path;
use std::process::Command;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::workshop::FileChanges;

use crate::workshop::sample::machine;

const FILE: &str = "FLYBALL_TEST_FILE";

/// What the other process does, whose files cannot be long; nothing in this one.
#[test]
fn entry() {
    let Ok(file) = std::env::var(FILE) else { return };
    let error = machine().rewrite(&AbsolutePath::new(&*file).unwrap(), b"old", &[b'x'; 100_000]).unwrap_err();
    assert_eq!(
        error,
        PolicyError::World {
            what: format!("`{file}` could not be rewritten and is as it was: File too large (os error 27)"),
            fix: "make room on the disk".to_owned(),
        }
    );
}

/// The limit of a file's size simulates a disk that fills up: a part of the write succeeds.
#[test]
fn what_does_not_fit_leaves_the_file_as_it_was_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.py");
    std::fs::write(&file, "old").unwrap();
    // In units of 512 bytes. The signal is ignored, so that the write fails instead.
    let (_, module) = module_path!().split_once("::").unwrap();
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &format!("{module}::entry"), "--test-threads=1"])
        .env(FILE, &file)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&limited.stdout);
    assert!(limited.status.success() && printed.contains("1 passed"), "{printed}");
    assert_eq!(std::fs::read(&file).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// A directory that takes no files, even from root.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_an_error_that_names_the_file() {
    let path = AbsolutePath::from_root("/proc/version");
    let content = std::fs::read(&path).unwrap();
    let error = machine().rewrite(&path, &content, b"mine").unwrap_err();
    let expected = format!("`{path}` could not be rewritten and is as it was: ");
    assert!(error.to_string().starts_with(&expected), "{error}");
    assert!(Path::new(&path).exists());
}
