//! Disk errors, explained.

use std::path::Path;
use std::process::Command;

use flyball_core::policy::PolicyError;
use flyball_store::{Store, StoreError};

use super::child::Writer;
use super::sample::{Home, LONG_WAIT, options_at, record, session};

/// The error of a commit in that state directory.
fn error_in(state: &Path) -> (String, String) {
    let journal = Store::at(state).session("claude-code", &session(), LONG_WAIT);
    match journal.commit(&mut record(1)).unwrap_err() {
        PolicyError::World { what, fix } => (what, fix),
        other => panic!("{other:?}"),
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let home = Home::new();
    std::fs::create_dir_all(home.state().join("sessions")).unwrap();
    std::os::unix::fs::symlink("/dev/full", home.journal_path()).unwrap();
    let (what, fix) = error_in(home.state());
    let path = home.journal_path();
    let expected = format!(
        "the disk is full: `{}` cannot be written (No space left on device (os error 28))",
        path.display()
    );
    assert_eq!(what, expected);
    assert_eq!(fix, "free some space, or set FLYBALL_STATE_DIR to a writable directory");
}

/// The limit of a file's size simulates a disk that fills up in the middle of a line: a part of
/// the write succeeds.
#[cfg(unix)]
#[test]
fn what_does_not_fit_leaves_no_trace() {
    let home = Home::new();
    let mut limited = Command::new("sh");
    // In units of 512 bytes. The signal is ignored, so that the write fails instead.
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap());
    let messages = Writer::start_below(limited, home.state(), 20).finish();
    let (refused, done): (Vec<String>, Vec<String>) =
        messages.into_iter().partition(|line| line.starts_with("error: the disk is full"));
    assert!(done.len() > 1 && refused.len() > 1, "{done:?} {refused:?}");
    assert_eq!(home.read("counter"), Some(done.len().to_string()));
    let health = home.store.health().unwrap();
    assert_eq!(health.corrupt_lines, 0);
    assert_eq!(home.commit(&record(99)).seq, done.len() as u64 + 1);
}

/// A directory that takes no files, even from root.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_written_is_named() {
    let (what, fix) = error_in(Path::new("/sys/flyball"));
    assert!(what.starts_with("permission denied: `/sys/flyball") || what.contains("is read-only"), "{what}");
    assert!(fix.contains("FLYBALL_STATE_DIR"), "{fix}");
    let (what, fix) = error_in(Path::new("/proc/flyball"));
    assert!(what.starts_with("`/proc/flyball"), "{what}");
    assert_eq!(fix, "set FLYBALL_STATE_DIR to a writable directory");
}

#[test]
fn a_file_in_the_way_is_named() {
    let home = Home::new();
    let file = home.dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let (what, fix) = error_in(&file.join("state"));
    assert!(what.starts_with("part of the path `") && what.ends_with("` is not a directory"), "{what}");
    assert_eq!(fix, "move the file that blocks the path, or set FLYBALL_STATE_DIR to a writable directory");
    let error = Store::at(&file.join("state")).open(None).err().unwrap();
    assert!(matches!(error, StoreError::NotADirectory { .. }), "{error:?}");
}

#[test]
fn a_journal_of_the_future_is_left_alone() {
    let home = Home::new();
    home.commit(&record(1));
    let path = home.journal_path();
    let future = "flyball-journal 3\nin words we do not know\n";
    std::fs::write(&path, future).unwrap();
    let (what, fix) = error_in(home.state());
    let expected = format!(
        "`{}` was written by a newer flyball (journal format 3, this program knows 2)",
        path.display()
    );
    assert_eq!(what, expected);
    assert_eq!(fix, "update flyball or set FLYBALL_STATE_DIR");
    let report = home.store.fold(&options_at(&Default::default(), super::sample::NOW)).unwrap();
    assert_eq!(report.skipped, [(path.clone(), expected)]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), future);
}

#[test]
fn a_damaged_header_is_named_and_repaired() {
    let home = Home::new();
    home.commit(&record(1));
    let path = home.journal_path();
    std::fs::write(&path, "\0\0\0\0\0\0").unwrap();
    let (what, fix) = error_in(home.state());
    assert_eq!(what, format!("`{}` is damaged: invalid journal header", path.display()));
    assert!(fix.starts_with("`flyball doctor --repair` repairs `"), "{fix}");
    let report = home.store.rebuild(&options_at(&Default::default(), super::sample::NOW)).unwrap();
    assert_eq!(report.moved.len(), 1);
    assert_eq!(home.commit(&record(2)).seq, 1);
}

#[test]
fn damaged_state_is_named() {
    let home = Home::new();
    home.commit_with(&record(1), "loop", "one");
    home.commit(&record(2));
    let path = home.journal_path();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"set\":{\"loop\":\"one\"", "\"set\":{\"loop\":\"two\"")).unwrap();
    let journal = home.store.session("claude-code", &session(), LONG_WAIT);
    use flyball_core::policy::Memory;
    let error = journal.read("loop").unwrap_err();
    assert_eq!(error.to_string(), format!("`{}` is damaged at byte 18 (the state of loop)", path.display()));
    assert_eq!(journal.commit(&mut record(3)).unwrap().seq, 3);
}
