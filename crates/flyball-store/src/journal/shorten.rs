//! Removes or shortens a journal once the index has all of it.
//!
//! Both functions take the journal's lock, without waiting for it, and check again that the
//! index has every whole line. Writers that wait for the old file notice that it is gone.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use super::line::{Draft, HEADER};
use super::locked::{LockWaiter, Locked};
use crate::error::StoreError;
use flyball_files::open_private;

/// What is left of a shortened journal.
pub(crate) struct ShortenedJournal {
    pub(crate) len: u64,
    pub(crate) metadata: Metadata,
}

/// Deletes a journal of which `folded` bytes are in the index, after `record` has recorded that. `false` if it is
/// in use, or if there is more in it; then nothing is recorded.
pub(crate) fn remove(
    path: &Path,
    folded: u64,
    record: impl FnOnce() -> Result<(), StoreError>,
) -> Result<bool, StoreError> {
    let Some(_locked) = lock_if_folded(path, folded) else { return Ok(false) };
    record()?;
    Ok(std::fs::remove_file(path).is_ok())
}

/// Puts a journal in place of this one that has nothing but the session's state. `None` if it is
/// in use, has more than the index, or cannot be replaced: then it stays as it is.
pub(crate) fn shorten(path: &Path, folded: u64) -> Option<ShortenedJournal> {
    let locked = lock_if_folded(path, folded)?;
    let fresh = path.with_extension("new");
    let written = write_state(&locked, path, &fresh).ok();
    // Under the lock of the old file: a writer that waits for it sees that it is gone and opens the new one.
    let replaced = written.filter(|_| std::fs::rename(&fresh, path).is_ok());
    if replaced.is_none() {
        // If it stays, the next attempt overwrites it.
        let _ = std::fs::remove_file(&fresh);
    }
    replaced
}

fn lock_if_folded(path: &Path, folded: u64) -> Option<Locked> {
    // A hook may have it: cleaning up can wait an hour, an event cannot wait at all.
    let locked = Locked::open(path, &mut LockWaiter::new(Duration::ZERO)).ok()?;
    (locked.last_end <= folded).then_some(locked)
}

fn write_state(locked: &Locked, path: &Path, fresh: &Path) -> Result<ShortenedJournal, StoreError> {
    let failed = |error| StoreError::io(fresh, error);
    let mut set = BTreeMap::new();
    for key in locked.state.keys() {
        if let Some(text) = locked.value(key, path)? {
            set.insert(key.clone(), text);
        }
    }
    let mut bytes = HEADER.to_vec();
    // With the number and the link of the last record, so that the chain goes on.
    let (state, recent) = (&BTreeMap::new(), &[]);
    Draft { seq: locked.seq, state, set: &set, recent, work: locked.work, record: None, link: locked.link }
        .write(&mut bytes)
        .map_err(|source| StoreError::Unwritable { source })?;
    let mut file: File = open_private(fresh).map_err(failed)?;
    // An attempt that was killed may have left something.
    file.set_len(0).and_then(|()| file.write_all(&bytes)).and_then(|()| file.sync_all()).map_err(failed)?;
    Ok(ShortenedJournal { len: bytes.len() as u64, metadata: file.metadata().map_err(failed)? })
}
