//! Repairs a journal whose header or state is damaged. Lines carry checksums, so each of them is whole or is none.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::line::{Draft, HEADER, Line, WorkTime, strip_frame};
use super::locked::{LockWaiter, Locked};
use crate::aside::{copy_aside, with_suffix};
use crate::chain::Link;
use crate::error::StoreError;
use flyball_files::{is_gone, open_private};

/// How far into the file the first line may begin, if the header's line feed is gone.
const LONGEST_HEADER: usize = 64;

/// How a journal was repaired.
pub(crate) enum JournalRepair {
    /// Its first line was written again; all others are as they were.
    Header,
    /// Its whole lines are in a new journal; the damaged one was moved aside.
    Salvaged(PathBuf),
    /// It had no whole line: it was moved aside.
    Nothing(PathBuf),
}

/// What keeps a session from being recorded, or a policy from its memory. Nothing is changed.
pub(crate) fn find_damage(path: &Path) -> Option<StoreError> {
    let locked = match Locked::open_unlocked(path) {
        Ok(locked) => locked,
        Err(error @ StoreError::DamagedHeader { .. }) => return Some(error),
        // Reported by whoever reads it.
        Err(_) => return None,
    };
    let damaged = |key: &String| locked.value(key, path).err();
    locked.state.keys().find_map(damaged).filter(|error| matches!(error, StoreError::DamagedState { .. }))
}

/// Repairs a journal in which [`find_damage`] found something.
pub(crate) fn repair(path: &Path, wait: Duration) -> Result<JournalRepair, StoreError> {
    let failed = |error| StoreError::io(path, error);
    let mut file = lock(path, wait)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    if is_whole_but_for_header(&bytes) {
        file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(HEADER)).map_err(failed)?;
        if find_damage(path).is_none() {
            return Ok(JournalRepair::Header);
        }
    }
    let salvaged = Salvaged::read(&bytes);
    let aside = copy_aside(path)?;
    if salvaged.lines.is_empty() {
        std::fs::remove_file(path).map_err(failed)?;
        return Ok(JournalRepair::Nothing(aside));
    }
    let fresh = with_suffix(path, ".new");
    salvaged.write(&fresh)?;
    // Under the lock of the old file, which is gone then: a writer that waits for it opens the new one.
    std::fs::rename(&fresh, path).map_err(failed)?;
    Ok(JournalRepair::Salvaged(aside))
}

fn lock(path: &Path, wait: Duration) -> Result<File, StoreError> {
    let failed = |error| StoreError::io(path, error);
    let mut waiter = LockWaiter::new(wait);
    loop {
        let file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        waiter.lock(&file, path)?;
        if !is_gone(&file.metadata().map_err(failed)?) {
            return Ok(file);
        }
    }
}

/// Whether all lines are whole and in their place if only the first bytes are replaced by the header. The end may have
/// been cut short.
fn is_whole_but_for_header(bytes: &[u8]) -> bool {
    let Some(rest) = bytes.get(HEADER.len()..).filter(|rest| !rest.is_empty()) else { return false };
    let (whole, _) = match rest.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => rest.split_at(end),
        None => (rest, rest),
    };
    whole.split(|byte| *byte == b'\n').all(|line| line.is_empty() || Line::read(line).is_some())
}

/// The whole lines of a damaged journal.
struct Salvaged<'a> {
    lines: Vec<&'a [u8]>,
    /// The newest text of each key that can still be read.
    state: BTreeMap<String, String>,
    seq: u64,
    link: Option<Link>,
    work: WorkTime,
}

impl<'a> Salvaged<'a> {
    fn read(bytes: &'a [u8]) -> Salvaged<'a> {
        let mut salvaged = Salvaged {
            lines: Vec::new(),
            state: BTreeMap::new(),
            seq: 0,
            link: None,
            work: WorkTime::default(),
        };
        let mut lines = bytes.split(|byte| *byte == b'\n');
        // The header may have become a part of the first line.
        let first = lines.next().unwrap_or_default();
        let starts = 0..=first.len().min(LONGEST_HEADER);
        let hidden = starts.filter_map(|at| first.get(at..)).find(|rest| strip_frame(rest).is_some());
        hidden.into_iter().chain(lines).for_each(|line| salvaged.add(line));
        salvaged
    }

    fn add(&mut self, bytes: &'a [u8]) {
        let Some(line) = Line::read(bytes) else { return };
        let values = line.set.keys().filter_map(|key| Some((key.clone(), line.value(key)?)));
        self.state.extend(values);
        (self.seq, self.link, self.work) = (line.seq, line.link, line.work);
        self.lines.push(bytes);
    }

    fn write(&self, place: &Path) -> Result<(), StoreError> {
        let failed = |error| StoreError::io(place, error);
        let mut bytes = HEADER.to_vec();
        for line in &self.lines {
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
        // All of the state once more, behind the lines: the places that they name are those of the damaged file.
        let (state, recent) = (&BTreeMap::new(), &[]);
        Draft {
            seq: self.seq,
            state,
            set: &self.state,
            recent,
            work: self.work,
            record: None,
            link: self.link,
        }
        .write(&mut bytes)
        .map_err(|source| StoreError::Unwritable { source })?;
        let mut file = open_private(place).map_err(failed)?;
        // An attempt that was killed may have left something.
        file.set_len(0).and_then(|()| file.write_all(&bytes)).and_then(|()| file.sync_all()).map_err(failed)
    }
}
