//! The journal as one event uses it: read, write, and commit once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use flyball_core::policy::{Memory, PolicyError};
use flyball_core::record::Record;

use super::line::{Call, Chained, Draft, WorkTime};
use super::locked::{LockWaiter, Locked, Released};
use super::spool::{self, Base, Change, Spooled, Waiting};
use crate::chain::Link;
use crate::error::StoreError;
use crate::name;

/// The memory key of the last event that had waited beside the journal.
const LAST_WAITED: &str = "engine.waited";

/// The journal of one session. It is read without a lock, and locked only to append to it: nobody waits for what
/// another hook does between reading and writing. If another hook has changed meanwhile what this one has read, this
/// one [begins again](SessionJournal::reserve).
pub struct SessionJournal {
    path: PathBuf,
    /// How long the machine is awake: the clock of calls that come twice, and of the time that was worked.
    awake: Duration,
    inner: Mutex<Inner>,
}

struct Inner {
    lock_waiter: LockWaiter,
    /// Held from [`SessionJournal::reserve`] to [`SessionJournal::commit`].
    locked: Option<Locked>,
    /// The journal as it was when it was first read.
    snapshot: Option<Released>,
    /// What was read, and what it was.
    known: BTreeMap<String, Option<String>>,
    /// The keys that were looked for, and whether they were there.
    present: BTreeMap<String, bool>,
    staged: BTreeMap<String, String>,
}

impl Inner {
    /// The locked journal, if what was read of it is still true; else as it is now.
    fn lock(&mut self, path: &Path) -> Result<Result<Locked, Locked>, StoreError> {
        if let Some(locked) = self.locked.take() {
            return Ok(Ok(locked));
        }
        let unchanged = self.snapshot.take().map(|snapshot| snapshot.lock(&mut self.lock_waiter, path));
        let (mut locked, is_unchanged) = match unchanged.transpose()?.flatten() {
            Some(locked) => (locked, true),
            None => (Locked::open(path, &mut self.lock_waiter)?, false),
        };
        // Before it is compared: what waited may have changed what was read.
        let has_more = append_waiting_to(&mut locked, path);
        let is_current = (is_unchanged && !has_more) || self.is_current(&locked, path)?;
        Ok(if is_current { Ok(locked) } else { Err(locked) })
    }

    /// Whether a journal still has what was read of it.
    fn is_current(&self, locked: &Locked, path: &Path) -> Result<bool, StoreError> {
        for (key, was) in &self.known {
            if locked.value(key, path)? != *was {
                return Ok(false);
            }
        }
        Ok(self.present.iter().all(|(key, was)| locked.has(key) == *was))
    }

    /// Reads from the journal: from the locked one, or from the one that was read first. Where there can be none, nothing was
    /// remembered; that nothing can be recorded either is reported when the event is recorded.
    fn look<T>(
        &mut self,
        path: &Path,
        of_locked: impl FnOnce(&Locked) -> Result<T, StoreError>,
        of_snapshot: impl FnOnce(&Released) -> Result<T, StoreError>,
    ) -> Result<T, StoreError>
    where
        T: Default,
    {
        if let Some(locked) = &self.locked {
            return of_locked(locked);
        }
        let snapshot = match self.snapshot.take() {
            Some(snapshot) => snapshot,
            None => match Locked::open_to_read(path) {
                Err(_) if is_absent(path) => return Ok(T::default()),
                opened => opened?,
            },
        };
        of_snapshot(self.snapshot.insert(snapshot))
    }

    fn value(&mut self, key: &str, path: &Path) -> Result<Option<String>, StoreError> {
        self.look(path, |locked| locked.value(key, path), |snapshot| snapshot.value(key, path))
    }

    /// What was staged or read before.
    fn remembered(&self, key: &str) -> Option<Option<&String>> {
        self.staged.get(key).map(Some).or_else(|| self.known.get(key).map(Option::as_ref))
    }

    /// What was written to the memory and differs from what is stored.
    fn take_changes(&mut self) -> BTreeMap<String, String> {
        let mut changes = std::mem::take(&mut self.staged);
        let known = std::mem::take(&mut self.known);
        // Unchanged values are not written again: lines would grow with everything that is remembered.
        changes.retain(|key, text| known.get(key).and_then(Option::as_ref) != Some(text));
        changes
    }
}

/// Whether there is certainly no such file. What cannot be reached may be there: a session must not get rid of what it was
/// begun with by closing a folder.
fn is_absent(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| flyball_files::is_absent(&error))
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
            snapshot: None,
            known: BTreeMap::new(),
            present: BTreeMap::new(),
            staged: BTreeMap::new(),
        };
        SessionJournal { path, awake, inner: Mutex::new(inner) }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Locks the journal until [`SessionJournal::commit`]. False if another process has changed what was read here:
    /// then what was written is dropped, what is read from now on is up to date, and the event has to be judged again.
    ///
    /// # Errors
    /// When the journal cannot be used.
    pub fn reserve(&self) -> Result<bool, PolicyError> {
        let mut inner = self.inner();
        let is_current = match inner.lock(&self.path)? {
            Ok(locked) => {
                inner.locked = Some(locked);
                true
            }
            Err(newer) => {
                inner.staged.clear();
                inner.known.clear();
                inner.present.clear();
                inner.snapshot = Some(Released::new(newer));
                false
            }
        };
        Ok(is_current)
    }

    /// Appends the record and what was written to the memory, both or neither, and releases the
    /// lock. If the same call was recorded within the last second, the record is marked as a
    /// duplicate and what was written is dropped: answered twice, counted once.
    ///
    /// # Errors
    /// When the journal cannot be used, or what was read of it has changed; nothing is stored then.
    pub fn commit(&self, record: &mut Record) -> Result<Committed, PolicyError> {
        let mut inner = self.inner();
        // The lock is taken here at the latest, and released when `locked` goes out of scope.
        let mut locked = self.lock(&mut inner)?;
        let event = NewEvent { record, set: inner.take_changes(), awake: self.awake, order: Order::InTime };
        Ok(append_event(&mut locked, &self.path, event)?)
    }

    /// Keeps the record and what was written to the memory beside the journal, for the next event that can lock it.
    ///
    /// # Errors
    /// When that cannot be written either.
    pub fn spool(&self, record: &Record) -> Result<(), PolicyError> {
        let mut inner = self.inner();
        inner.locked = None;
        let known = inner.known.clone();
        let change = |(key, after)| {
            let base = match known.get(&key) {
                None => Base::Unknown,
                Some(None) => Base::Absent,
                Some(Some(text)) => Base::Text(text.clone()),
            };
            (key, Change { base, after })
        };
        let changes = inner.take_changes().into_iter().map(change).collect();
        Ok(spool::add(&self.path, &Spooled { record: record.clone(), changes, awake: self.awake })?)
    }

    /// Appends what was written to the memory, without a record, and releases the lock: for an
    /// event that is not to be recorded.
    ///
    /// # Errors
    /// When the journal cannot be used, or what was read of it has changed; nothing is stored then.
    pub fn keep_memory(&self) -> Result<(), PolicyError> {
        let mut inner = self.inner();
        // An event that changes nothing does not even open the journal.
        if inner.staged.is_empty() {
            inner.locked = None;
            return Ok(());
        }
        let mut locked = self.lock(&mut inner)?;
        let set = inner.take_changes();
        if !set.is_empty() {
            let work = locked.work.next(self.awake, None);
            append(&mut locked, &self.path, Additions { set, recent: Vec::new(), work, record: None })?;
        }
        Ok(())
    }

    /// Whether anything was written to the memory.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        !self.inner().staged.is_empty()
    }

    fn lock(&self, inner: &mut Inner) -> Result<Locked, StoreError> {
        // What was written stays: it can still wait beside the journal.
        inner.lock(&self.path)?.map_err(|_| StoreError::Overtaken { path: self.path.clone() })
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

/// Appends what waits beside the journals in a folder. What cannot be appended now goes on waiting.
pub(crate) fn append_all_waiting(journals: &Path) {
    let entries = std::fs::read_dir(journals).into_iter().flatten().flatten();
    let waiting = entries.map(|entry| entry.path());
    for path in waiting.filter(|path| path.extension().is_some_and(|it| it == spool::EXTENSION)) {
        let journal = path.with_extension(name::EXTENSION);
        let locked = Locked::open(&journal, &mut LockWaiter::new(Duration::ZERO));
        // A journal that cannot be used is reported where it is looked at.
        drop(locked.map(|mut locked| append_waiting_to(&mut locked, &journal)));
    }
}

/// Appends what waits beside a locked journal; whether there was something. What cannot be appended goes on waiting: the
/// event that finds it must not be lost, too.
fn append_waiting_to(locked: &mut Locked, path: &Path) -> bool {
    let Some(mut waiting) = Waiting::beside(path) else { return false };
    let events = std::mem::take(&mut waiting.events);
    // A process that was killed after it had appended some of them has noted the last one.
    let last = locked.value(LAST_WAITED, path).ok().flatten();
    let done = events.iter().position(|event| Some(event.record.id.as_str()) == last.as_deref());
    for event in events.into_iter().skip(done.map_or(0, |at| at + 1)) {
        if append_spooled(locked, path, event).is_err() {
            return true;
        }
    }
    // If it stays, the note says that all of it is done.
    drop(waiting.remove());
    true
}

fn append_spooled(locked: &mut Locked, path: &Path, event: Spooled) -> Result<(), StoreError> {
    let Spooled { mut record, changes, awake } = event;
    let mut set = BTreeMap::from([(LAST_WAITED.to_owned(), record.id.as_str().to_owned())]);
    for (key, change) in changes {
        // What cannot be read any more is not what the change was based on.
        let now = locked.value(&key, path).ok().flatten();
        set.extend(change.rebase(now.as_deref()).map(|text| (key, text)));
    }
    append_event(locked, path, NewEvent { record: &mut record, set, awake, order: Order::Late })?;
    locked.read_again(path)
}

/// An event that is to be recorded.
struct NewEvent<'a> {
    record: &'a mut Record,
    /// What it changes in the memory.
    set: BTreeMap<String, String>,
    /// How long the machine was awake when it happened.
    awake: Duration,
    order: Order,
}

/// Whether an event is recorded when it happens.
#[derive(Clone, Copy)]
enum Order {
    InTime,
    /// It had to wait, and others may have been recorded before it.
    Late,
}

fn append_event(locked: &mut Locked, path: &Path, event: NewEvent<'_>) -> Result<Committed, StoreError> {
    let NewEvent { record, mut set, awake, order } = event;
    let mut recent = locked.calls_before(record, awake);
    let call = Call::from_record(record, awake);
    record.duplicate = recent.iter().any(|other| other.1 == call.1);
    recent.push(call);
    if record.duplicate {
        set.retain(|key, _| key == LAST_WAITED);
    }
    // The payload is beside the record, not in it.
    let payload = record.payload.take();
    let text = serde_json::to_string(record).map_err(|source| StoreError::Unwritable { source });
    record.payload = payload;
    let chained = Chained { text: &text?, payload: record.payload.as_deref() };
    let work = match order {
        Order::InTime => locked.work.next(awake, Some(&*record)),
        Order::Late => locked.work.next_late(awake, record),
    };
    append(locked, path, Additions { set, recent, work, record: Some(chained) })
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
        if let Some(text) = inner.remembered(key) {
            return Ok(text.cloned());
        }
        let value = inner.value(key, &self.path)?;
        inner.known.insert(key.to_owned(), value.clone());
        Ok(value)
    }

    fn has(&self, key: &str) -> Result<bool, PolicyError> {
        let mut inner = self.inner();
        if let Some(text) = inner.remembered(key) {
            return Ok(text.is_some());
        }
        let is_there =
            inner.look(&self.path, |locked| Ok(locked.has(key)), |snapshot| Ok(snapshot.has(key)))?;
        inner.present.insert(key.to_owned(), is_there);
        Ok(is_there)
    }

    fn peek(&self, key: &str) -> Result<Option<String>, PolicyError> {
        let mut inner = self.inner();
        if let Some(text) = inner.remembered(key) {
            return Ok(text.cloned());
        }
        Ok(inner.value(key, &self.path)?)
    }

    fn lasts(&self) -> bool {
        !is_absent(&self.path)
    }

    fn write(&self, key: &str, text: String) -> Result<(), PolicyError> {
        self.inner().staged.insert(key.to_owned(), text);
        Ok(())
    }

    fn active_time(&self) -> Result<Duration, PolicyError> {
        let mut inner = self.inner();
        let until = |work: WorkTime| Ok(work.until(self.awake));
        Ok(inner.look(&self.path, |locked| until(locked.work), |snapshot| until(snapshot.work()))?)
    }
}
