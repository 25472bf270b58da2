//! Events that could not be appended to their journal: they wait in a file beside it, in order, until somebody can lock
//! the journal. So a process that holds a lock for too long costs others time, and no record.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_core::record::Record;
use serde::{Deserialize, Serialize};

use super::line::{frame, strip_frame};
use super::locked::LockWaiter;
use crate::aside::copy_aside;
use crate::error::StoreError;
use flyball_files::{is_gone, open_private};

/// The end of the name of such a file.
pub(crate) const EXTENSION: &str = "spool";

/// How long an event waits for the file. Nobody has it longer than it takes to copy it.
const WAIT: Duration = Duration::from_millis(500);

/// No more than that is read at once.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// An event that waits to be appended.
#[derive(Serialize, Deserialize)]
pub(crate) struct Spooled {
    pub(crate) record: Record,
    /// What it was to change in the memory.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) changes: BTreeMap<String, Change>,
    /// How long the machine was awake when it happened.
    pub(crate) awake: Duration,
}

/// A change of the memory, and what it was based on.
#[derive(Serialize, Deserialize)]
pub(crate) struct Change {
    pub(crate) base: Base,
    pub(crate) after: String,
}

/// What an event knew of a key that it changed.
#[derive(Serialize, Deserialize)]
pub(crate) enum Base {
    /// It was not read.
    Unknown,
    Absent,
    Text(String),
}

impl Change {
    /// What to write over what is there now. None if it was based on something else, which must not be lost.
    pub(crate) fn rebase(self, now: Option<&str>) -> Option<String> {
        let is_based_on_now = match &self.base {
            Base::Unknown => true,
            Base::Absent => now.is_none(),
            Base::Text(text) => now == Some(text),
        };
        is_based_on_now.then_some(self.after)
    }
}

/// The file beside a journal.
pub(crate) fn beside(journal: &Path) -> PathBuf {
    journal.with_extension(EXTENSION)
}

/// How many events wait beside a journal, without taking them.
pub(crate) fn count_waiting(journal: &Path) -> u64 {
    let bytes = std::fs::read(beside(journal)).unwrap_or_default();
    bytes.split(|byte| *byte == b'\n').filter_map(strip_frame).count() as u64
}

/// Adds an event to those that wait.
pub(crate) fn add(journal: &Path, spooled: &Spooled) -> Result<(), StoreError> {
    let path = beside(journal);
    let failed = |error| StoreError::io(&path, error);
    let json = serde_json::to_vec(spooled).map_err(|source| StoreError::Unwritable { source })?;
    let mut waiter = LockWaiter::new(WAIT);
    loop {
        let mut file = open_private(&path).map_err(failed)?;
        waiter.lock(&file, &path)?;
        // Somebody may have taken all of it while we waited.
        let data = file.metadata().map_err(failed)?;
        if is_gone(&data) {
            continue;
        }
        // Whoever was killed before us may have left half a line: it gets its end here.
        let line = [b"\n", frame(&json).as_slice()].concat();
        let written = file.write_all(&line);
        if written.is_err() {
            // If this fails too, what was written is half a line.
            let _ = file.set_len(data.len());
        }
        return written.map_err(failed);
    }
}

/// The events that wait beside a journal, taken by whoever has the journal's lock.
pub(crate) struct Waiting {
    path: PathBuf,
    /// Locked, so that nothing is added to a file that goes.
    file: File,
    pub(crate) events: Vec<Spooled>,
    /// Whether all of it could be read.
    is_whole: bool,
}

impl Waiting {
    /// None if there are none, or if somebody is adding one: then the next event finds them.
    pub(crate) fn beside(journal: &Path) -> Option<Waiting> {
        let path = beside(journal);
        let file = OpenOptions::new().read(true).write(true).open(&path).ok()?;
        file.try_lock().ok()?;
        let mut bytes = Vec::new();
        (&file).take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
        // A line that was cut short belongs to an event whose process was killed: it has reported no record.
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let read = |line| strip_frame(line).and_then(|json| serde_json::from_slice(json).ok());
        let all: Vec<Option<Spooled>> = lines.map(read).collect();
        let is_whole = all.iter().all(Option::is_some) && (bytes.len() as u64) < MOST_BYTES;
        Some(Waiting { path, file, events: all.into_iter().flatten().collect(), is_whole })
    }

    /// Deletes them, once they are in the journal. If some could not be read, the file is moved aside instead.
    pub(crate) fn remove(self) -> Result<(), StoreError> {
        if !self.is_whole {
            copy_aside(&self.path)?;
        }
        // Deleted also then: whoever waits to add one sees that the file is gone.
        let removed = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
        match removed {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(StoreError::io(&self.path, error)),
            _ => Ok(()),
        }
    }
}
