//! Examines the store, for `flyball doctor`. Changes nothing.

use std::path::Path;

use crate::chain::{Anchor, Anchors};
use crate::database::{self, ForgottenTo, SoundIndex};
use crate::error::StoreError;
use crate::journal::{self, Entry, JournalFile, Reader};
use crate::maintenance::{DatabaseHealth, Health};
use crate::read_only::StoreCopy;
use crate::recorded::Recorded;
use crate::store::Store;

impl Store {
    /// Examines the store. Slow: it reads the whole database and all journals.
    ///
    /// # Errors
    /// When the directory of the journals cannot be listed, or a store that is read-only cannot be copied.
    pub fn health(&self) -> Result<Health, StoreError> {
        let copy = StoreCopy::of_read_only(self)?;
        let (mut health, index) =
            database::examine(&copy.as_ref().map_or(self, StoreCopy::store).index_path());
        let mut recorded = Recorded::default();
        for journal in JournalFile::list(&self.sessions_dir())? {
            let folded = examine_journal(&journal, index.as_ref(), &mut health);
            // One that cannot be read is in the report already.
            let _ = recorded.add(&journal, folded);
        }
        if let Some(index) = index {
            match index.compare(&recorded, &self.forgotten()) {
                Ok(rows) => health.add_rows(&rows),
                Err(error) => health.database = DatabaseHealth::Unusable(error),
            }
        }
        Ok(health)
    }

    /// What the index was made to forget, by session.
    fn forgotten(&self) -> ForgottenTo {
        let mut forgotten = ForgottenTo::new();
        // Without anchors, what is older than the settings allow is folded once more, and forgotten again.
        let lines = Anchors::beside(&self.index_path()).read().unwrap_or_default().lines;
        for line in lines {
            if let Anchor::Forgotten { client, session, seq, .. } = line.anchor {
                let to = forgotten.entry((client, session)).or_default();
                *to = seq.max(*to);
            }
        }
        forgotten
    }
}

/// Adds a journal to the report, and returns how much of it is in the index.
fn examine_journal(journal: &JournalFile, index: Option<&SoundIndex>, health: &mut Health) -> u64 {
    let progress = index.map(|index| index.progress(journal)).unwrap_or_default();
    health.journals += 1;
    health.journal_bytes += journal.len;
    health.unfolded_bytes += journal.len.saturating_sub(progress.folded);
    let is_usable = health.unreadable.len();
    if let Some(error) = journal::find_damage(&journal.path) {
        health.unreadable.push((journal.path.clone(), error));
    }
    // From its beginning: what was folded before may have been damaged since.
    match count_corrupt(&journal.path) {
        Ok(corrupt) => health.corrupt_lines += corrupt,
        Err(StoreError::DamagedHeader { .. }) => {}
        Err(error) => health.unreadable.push((journal.path.clone(), error)),
    }
    if health.unreadable.len() > is_usable {
        health.waiting += journal::count_waiting(&journal.path);
    }
    progress.folded
}

fn count_corrupt(path: &Path) -> Result<u64, StoreError> {
    let Some(mut reader) = Reader::open(path, 0)? else {
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
