//! The journal as one event uses it: read, write, and commit once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use flyball_core::policy::{Memory, PolicyError};
use flyball_core::record::Record;

use super::line::{Call, Chained, Draft, WorkTime};
use super::locked::{LockWaiter, Locked, Released};
use crate::chain::Link;
use crate::error::StoreError;

/// The journal of one session. Opened and locked when first used; the lock is held until
/// [`SessionJournal::commit`] or the end of the value, so that what a policy reads and then writes
/// is not overtaken by the hook of a parallel call.
pub struct SessionJournal {
    path: PathBuf,
    /// How long the machine is awake: the clock of calls that come twice, and of the time that was worked.
    awake: Duration,
    inner: Mutex<Inner>,
}

struct Inner {
    lock_waiter: LockWaiter,
    locked: Option<Locked>,
    /// What a peek has read, so that it is not read again if nobody has written meanwhile.
    released: Option<Released>,
    /// What was read, to see whether what is written differs.
    known: BTreeMap<String, String>,
    staged: BTreeMap<String, String>,
}

impl Inner {
    /// The locked journal; opens it if that was not done before.
    fn take_locked(&mut self, path: &Path) -> Result<Locked, StoreError> {
        if let Some(locked) = self.locked.take() {
            return Ok(locked);
        }
        let again = self.released.take().map(|released| released.lock(&mut self.lock_waiter, path));
        match again.transpose()?.flatten() {
            Some(locked) => Ok(locked),
            None => Locked::open(path, &mut self.lock_waiter),
        }
    }

    /// The journal as it is now. The lock is released at once, so this may be outdated when it is read again under the
    /// lock.
    fn peeked(&mut self, path: &Path) -> Result<&Released, StoreError> {
        let released = match self.released.take() {
            Some(released) => released,
            None => Released::new(Locked::open(path, &mut self.lock_waiter)?),
        };
        Ok(self.released.insert(released))
    }
}

/// A record that is in the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Committed {
    /// Its number in the session, from 1 without a gap.
    pub seq: u64,
    /// The length of the journal with it, in bytes.
    pub journal_bytes: u64,
    /// How many of them are new.
    pub appended: u64,
}

impl Committed {
    /// After this many bytes it is worthwhile to fold a journal.
    pub const FOLD_EVERY: u64 = 256 * 1024;

    /// Whether this record took the journal over another such mark: true for one writer, and known
    /// without asking the index.
    #[must_use]
    pub fn is_fold_due(&self) -> bool {
        let before = self.journal_bytes.saturating_sub(self.appended);
        before / Self::FOLD_EVERY != self.journal_bytes / Self::FOLD_EVERY
    }
}

impl SessionJournal {
    pub(crate) fn new(path: PathBuf, wait: Duration, awake: Duration) -> SessionJournal {
        let inner = Inner {
            lock_waiter: LockWaiter::new(wait),
            locked: None,
            released: None,
            known: BTreeMap::new(),
            staged: BTreeMap::new(),
        };
        SessionJournal { path, awake, inner: Mutex::new(inner) }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the record and what was written to the memory, both or neither, and releases the
    /// lock. If the same call was recorded within the last second, the record is marked as a
    /// duplicate and what was written is dropped: answered twice, counted once.
    ///
    /// # Errors
    /// When the journal cannot be used; nothing is stored then.
    pub fn commit(&self, record: &mut Record) -> Result<Committed, PolicyError> {
        let mut inner = self.inner();
        let staged = std::mem::take(&mut inner.staged);
        let known = std::mem::take(&mut inner.known);
        // The lock is taken here at the latest, and released when `locked` goes out of scope.
        let mut locked = inner.take_locked(&self.path)?;
        let mut recent = locked.calls_before(record, self.awake);
        let call = Call::from_record(record, self.awake);
        record.duplicate = recent.iter().any(|other| other.1 == call.1);
        recent.push(call);
        let mut set = staged;
        // Unchanged values are not written again: lines would grow with everything that is remembered.
        set.retain(|key, text| !record.duplicate && known.get(key) != Some(text));
        // The payload is beside the record, not in it.
        let payload = record.payload.take();
        let text = serde_json::to_string(record).map_err(|source| StoreError::Unwritable { source });
        record.payload = payload;
        let chained = Chained { text: &text?, payload: record.payload.as_deref() };
        let work = locked.work.next(self.awake, Some(&*record));
        Ok(append(&mut locked, &self.path, Additions { set, recent, work, record: Some(chained) })?)
    }

    /// Appends what was written to the memory, without a record, and releases the lock: for an
    /// event that is not to be recorded.
    ///
    /// # Errors
    /// When the journal cannot be used; nothing is stored then.
    pub fn keep_memory(&self) -> Result<(), PolicyError> {
        let mut inner = self.inner();
        let mut set = std::mem::take(&mut inner.staged);
        let known = std::mem::take(&mut inner.known);
        set.retain(|key, text| known.get(key) != Some(text));
        // An event that changes nothing does not even open the journal.
        if set.is_empty() {
            inner.locked = None;
            return Ok(());
        }
        let mut locked = inner.take_locked(&self.path)?;
        let work = locked.work.next(self.awake, None);
        append(&mut locked, &self.path, Additions { set, recent: Vec::new(), work, record: None })?;
        Ok(())
    }

    /// What was last stored under a key, read without the lock: hooks do not wait for a command that only shows it.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn read_unlocked(&self, key: &str) -> Result<Option<String>, StoreError> {
        Locked::open_unlocked(&self.path)?.value(key, &self.path)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // A policy that panicked in the middle of a read has changed nothing.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a commit adds.
struct Additions<'a> {
    set: BTreeMap<String, String>,
    recent: Vec<Call>,
    work: WorkTime,
    record: Option<Chained<'a>>,
}

impl Additions<'_> {
    /// About as many bytes as its line will have, so that a long payload is not moved each time the line doubles.
    fn estimated_len(&self) -> usize {
        let record = self.record.as_ref();
        let texts = record
            .map_or(0, |record| record.text.len() + record.payload.map_or(0, |text| text.len() * 9 / 8));
        texts + self.set.values().map(String::len).sum::<usize>() + 1024
    }
}

fn append(locked: &mut Locked, path: &Path, additions: Additions<'_>) -> Result<Committed, StoreError> {
    let mut bytes = Vec::with_capacity(additions.estimated_len());
    bytes.extend_from_slice(locked.prefix());
    let mut state = std::mem::take(&mut locked.state);
    state.retain(|key, _| !additions.set.contains_key(key));
    // Records are numbered without a gap, so that one that is missing is missed. A line without a
    // record passes on the number and the link of the last one.
    let (seq, link) = match &additions.record {
        Some(record) => (locked.seq + 1, Some(record.link(locked))),
        None => (locked.seq, locked.link),
    };
    Draft {
        seq,
        state: &state,
        set: &additions.set,
        recent: &additions.recent,
        work: additions.work,
        record: additions.record,
        link,
    }
    .write(&mut bytes)
    .map_err(|source| StoreError::Unwritable { source })?;
    locked.append(&bytes, path)?;
    Ok(Committed { seq, journal_bytes: locked.len, appended: bytes.len() as u64 })
}

impl Chained<'_> {
    /// The link of this record as the next one of a journal.
    fn link(&self, locked: &Locked) -> Link {
        Link::compute(locked.link, locked.seq + 1, self.text.as_bytes(), self.payload.map(str::as_bytes))
    }
}

impl Memory for SessionJournal {
    fn read(&self, key: &str) -> Result<Option<String>, PolicyError> {
        let mut inner = self.inner();
        if let Some(text) = inner.staged.get(key).or_else(|| inner.known.get(key)) {
            return Ok(Some(text.clone()));
        }
        let locked = inner.take_locked(&self.path)?;
        // The lock stays: what is read here may be written back, and nobody may change it in between.
        let value = inner.locked.insert(locked).value(key, &self.path)?;
        if let Some(text) = &value {
            inner.known.insert(key.to_owned(), text.clone());
        }
        Ok(value)
    }

    fn has(&self, key: &str) -> Result<bool, PolicyError> {
        let mut inner = self.inner();
        if inner.staged.contains_key(key) || inner.known.contains_key(key) {
            return Ok(true);
        }
        let locked = inner.take_locked(&self.path)?;
        Ok(inner.locked.insert(locked).has(key))
    }

    fn peek(&self, key: &str) -> Result<Option<String>, PolicyError> {
        let mut inner = self.inner();
        if let Some(text) = inner.staged.get(key).or_else(|| inner.known.get(key)) {
            return Ok(Some(text.clone()));
        }
        if let Some(locked) = &inner.locked {
            return Ok(locked.value(key, &self.path)?);
        }
        Ok(inner.peeked(&self.path)?.value(key, &self.path)?)
    }

    fn write(&self, key: &str, text: String) -> Result<(), PolicyError> {
        self.inner().staged.insert(key.to_owned(), text);
        Ok(())
    }

    fn active_time(&self) -> Result<Duration, PolicyError> {
        let mut inner = self.inner();
        if let Some(locked) = &inner.locked {
            return Ok(locked.work.until(self.awake));
        }
        Ok(inner.peeked(&self.path)?.work().until(self.awake))
    }
}
