//! Examines the store, for `flyball doctor`. Changes nothing.

use std::path::Path;

use crate::database;
use crate::error::StoreError;
use crate::journal::{Entry, JournalFile, Reader};
use crate::maintenance::Health;
use crate::store::Store;

impl Store {
    /// Examines the store. Slow: it reads the whole database.
    ///
    /// # Errors
    /// When the directory of the journals cannot be listed.
    pub fn health(&self) -> Result<Health, StoreError> {
        let (mut health, index) = database::examine(&self.index_path());
        for journal in JournalFile::list(&self.sessions_dir())? {
            let progress = index.as_ref().map(|index| index.progress(&journal)).unwrap_or_default();
            health.journals += 1;
            health.journal_bytes += journal.len;
            health.unfolded_bytes += journal.len.saturating_sub(progress.folded);
            match corrupt_after(&journal.path, progress.folded) {
                Ok(corrupt) => health.corrupt_lines += progress.corrupt + corrupt,
                Err(error) => health.unreadable.push((journal.path, error)),
            }
        }
        Ok(health)
    }
}

fn corrupt_after(path: &Path, offset: u64) -> Result<u64, StoreError> {
    let Some(mut reader) = Reader::open(path, offset)? else {
        return Ok(0);
    };
    let mut corrupt = 0;
    while let Some(entry) = reader.next().map_err(|error| StoreError::io(path, error))? {
        corrupt += u64::from(matches!(entry, Entry::Corrupt));
    }
    let end = std::fs::metadata(path).map_err(|error| StoreError::io(path, error))?.len();
    // A last line without its end: a writer at work, or one that was killed.
    Ok(corrupt + u64::from(end > reader.offset))
}
