//! A store in a folder that cannot be written, as a copy on a read-only disk.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_store::{AuditOptions, DatabaseHealth, Filter};

use super::sample::{Home, NOW, options_at, record};

fn files(folder: &Path, all: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else if path.is_file() {
            all.insert(path.clone(), std::fs::read(&path).unwrap());
        }
    }
}

fn set_mode(folder: &Path, mode: u32) {
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// Permissions do not bind root, so a lock that leads to where nobody can write stands for a read-only disk.
fn make_read_only(home: &Home) {
    let lock = home.state().join("fold.lock");
    let _ = std::fs::remove_file(&lock);
    std::os::unix::fs::symlink("/sys/flyball", &lock).unwrap();
    set_mode(&home.state().join("sessions"), 0o500);
    set_mode(home.state(), 0o500);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_store_is_listed_and_verified_and_not_changed() {
    let home = Home::new();
    home.commit(&record(1));
    drop(home.index());
    home.commit(&record(2));
    make_read_only(&home);
    let mut before = BTreeMap::new();
    files(home.state(), &mut before);
    // Long after all of it would have been forgotten.
    let later = NOW + Duration::from_secs(10 * 365 * 24 * 60 * 60);
    let settings = Default::default();
    let index = home.store.open(Some(&options_at(&settings, later))).unwrap();
    assert_eq!(index.events(&Filter::default()).unwrap().len(), 2);
    drop(index);
    let options = AuditOptions { session: None, since: None, checkpoints: &[], wait: Duration::ZERO };
    let audit = home.store.audit(&options, &mut |_, _| {}).unwrap();
    assert_eq!((audit.proven, audit.findings.len()), (2, 0));
    let health = home.store.health().unwrap();
    assert!(matches!(health.database, DatabaseHealth::Sound { .. }) && !health.is_damaged(), "{health:?}");
    let mut after = BTreeMap::new();
    files(home.state(), &mut after);
    set_mode(home.state(), 0o700);
    set_mode(&home.state().join("sessions"), 0o700);
    assert!(before == after, "something was changed");
}
