//! The folder of all snapshots, and who may use the contents in it.

use std::fs::{self, File};
use std::path::Path;

use flyball_core::snapshot::SnapshotId;
use flyball_files::open_private;

/// Below a state directory.
pub(super) const FOLDER: &str = "snapshots";

/// The numbers that are names of files in a folder, in their order.
pub(super) fn numbers(folder: &Path) -> Vec<SnapshotId> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok().map(SnapshotId);
    let mut found: Vec<SnapshotId> = names.filter_map(number).collect();
    found.sort_unstable();
    found
}

/// How the contents are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Contents are added, as others may do meanwhile.
    Together,
    /// Contents are deleted.
    Alone,
}

/// Waits until the contents can be used, and keeps them so until the returned file is closed.
pub(super) fn lock_contents(folder: &Path, how: Use) -> std::io::Result<File> {
    let lock = open_private(&folder.join("contents.lock"))?;
    match how {
        Use::Together => lock.lock_shared()?,
        Use::Alone => lock.lock()?,
    }
    Ok(lock)
}
