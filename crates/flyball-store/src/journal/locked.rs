//! A journal that this process has locked.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use serde_json::value::RawValue;

use super::line::{Call, HEADER, Header, Line, Place, WorkTime};
use super::tail::Tail;
use crate::chain::Link;
use crate::error::StoreError;
use flyball_files::{is_gone, open_private, read_at};

/// The same call within this time is a duplicate; after it, it is a new call.
const SAME_CALL: Duration = Duration::from_secs(1);

/// The same for the end of a turn. An agent that is blocked from stopping may end with the same message as soon as
/// the model has answered; the processes of one call start together.
const SAME_STOP: Duration = Duration::from_millis(250);

const fn same_call(kind: EventKind) -> Duration {
    match kind {
        EventKind::Stop | EventKind::AgentStop => SAME_STOP,
        _ => SAME_CALL,
    }
}

/// How many calls are remembered for that.
// Each line repeats them, so this bounds what parallel calls add to every line.
const SAME_CALL_MOST: usize = 16;

/// An open journal whose lock is held until it is dropped.
pub(crate) struct Locked {
    file: File,
    /// The length of the file.
    pub(crate) len: u64,
    tail: Tail,
    /// The number of the last record; 0 if there is none.
    pub(crate) seq: u64,
    /// Its link; none at the beginning, and after a record from before there were chains.
    pub(crate) link: Option<Link>,
    /// Whether the header is from before there were chains.
    is_older: bool,
    /// The calls around the last record.
    recent: Vec<Call>,
    pub(crate) work: WorkTime,
    /// The end of the last record, without its line feed.
    pub(crate) last_end: u64,
    /// Where each key was last set.
    pub(crate) state: BTreeMap<String, Place>,
    /// What the line sets from which a key was read last: the first line of a session sets several. Lines never change.
    last_read: RefCell<Option<(Place, Values)>>,
}

/// The values that a line sets, by their keys, as JSON.
type Values = BTreeMap<String, Box<RawValue>>;

impl Locked {
    /// Opens, locks and reads the end of a journal.
    pub(crate) fn open(path: &Path, waiter: &mut LockWaiter) -> Result<Locked, StoreError> {
        loop {
            // Opened again in each round: a lock on a file that was replaced protects nothing.
            let file = open_private(path).map_err(|error| StoreError::io(path, error))?;
            waiter.lock(&file, path)?;
            let metadata = file.metadata().map_err(|error| StoreError::io(path, error))?;
            // The process that had the lock before us may have put a shorter journal in place of this one.
            if !is_gone(&metadata) {
                let locked = Locked::read_state(file, metadata.len(), path)?;
                // The rest of a header that was cut short: the next line comes with a whole one.
                if locked.len < metadata.len() {
                    locked.file.set_len(0).map_err(|error| StoreError::io(path, error))?;
                }
                return Ok(locked);
            }
        }
    }

    /// Reads the end of a journal without its lock: what is being written is not seen yet. It can be locked later, by
    /// [`Released::lock`].
    pub(crate) fn open_to_read(path: &Path) -> Result<Released, StoreError> {
        let failed = |error| StoreError::io(path, error);
        let file = open_private(path).map_err(failed)?;
        let len = file.metadata().map_err(failed)?.len();
        Locked::read_state(file, len, path).map(Released)
    }

    /// Reads the end of a journal without its lock, to show it. Nothing can be appended to it.
    pub(crate) fn open_unlocked(path: &Path) -> Result<Locked, StoreError> {
        let failed = |error| StoreError::io(path, error);
        let file = File::open(path).map_err(failed)?;
        let len = file.metadata().map_err(failed)?.len();
        Locked::read_state(file, len, path)
    }

    fn read_state(file: File, mut len: u64, path: &Path) -> Result<Locked, StoreError> {
        let failed = |error| StoreError::io(path, error);
        let mut tail = Tail::read(&file, len).map_err(failed)?;
        let mut is_older = false;
        if len > 0 {
            match header(&file, &tail).map_err(failed)? {
                Header::Known => {}
                Header::Older => is_older = true,
                // As if it were empty.
                Header::CutShort => (len, tail) = (0, Tail::read(&file, 0).map_err(failed)?),
                Header::Newer(found) => return Err(Header::newer(path, found)),
                Header::Damaged => return Err(StoreError::DamagedHeader { path: path.to_owned() }),
            }
        }
        let mut locked = Locked {
            file,
            len,
            tail,
            seq: 0,
            link: None,
            is_older,
            recent: Vec::new(),
            work: WorkTime::default(),
            last_end: 0,
            state: BTreeMap::new(),
            last_read: RefCell::default(),
        };
        // Backwards from the end: the cost does not depend on the length of the journal.
        while !locked.find_last() && locked.tail.grow(&locked.file).map_err(failed)? {}
        Ok(locked)
    }

    /// Reads the end again, after something was appended.
    pub(crate) fn read_again(&mut self, path: &Path) -> Result<(), StoreError> {
        let failed = |error| StoreError::io(path, error);
        self.tail = Tail::read(&self.file, self.len).map_err(failed)?;
        while !self.find_last() && self.tail.grow(&self.file).map_err(failed)? {}
        Ok(())
    }

    fn find_last(&mut self) -> bool {
        let Some((place, line)) = self.tail.lines().next() else {
            return false;
        };
        // Each line says where all keys were last set, so the last one is enough to find them all.
        let mut state = line.state;
        state.extend(line.set.into_keys().map(|key| (key, place)));
        self.seq = line.seq;
        self.link = line.link;
        self.last_end = place.0 + place.1 as u64;
        self.recent = line.recent;
        self.work = line.work;
        self.state = state;
        true
    }

    /// Whether a text is stored under a key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.state.contains_key(key)
    }

    /// The text stored under a key.
    pub(crate) fn value(&self, key: &str, path: &Path) -> Result<Option<String>, StoreError> {
        let Some(place) = self.state.get(key).copied() else {
            return Ok(None);
        };
        let damaged =
            || StoreError::DamagedState { path: path.to_owned(), key: key.to_owned(), offset: place.0 };
        let mut last_read = self.last_read.borrow_mut();
        if last_read.as_ref().is_none_or(|(read, _)| *read != place) {
            let values = match self.tail.get(place) {
                Some(bytes) => Line::values(bytes),
                None => Line::values(
                    &read_at(&self.file, place.0, place.1).map_err(|error| StoreError::io(path, error))?,
                ),
            };
            *last_read = Some((place, values.ok_or_else(damaged)?));
        }
        let raw = last_read.as_ref().and_then(|(_, values)| values.get(key)).ok_or_else(damaged)?;
        serde_json::from_str(raw.get()).map(Some).map_err(|_| damaged())
    }

    /// The calls of the last moments before this record.
    pub(crate) fn calls_before(&self, record: &Record, awake: Duration) -> Vec<Call> {
        let window = same_call(record.kind);
        let surplus = (self.recent.len() + 1).saturating_sub(SAME_CALL_MOST);
        // Also those that are ahead by a moment: of two processes, the one that began later may be first.
        let is_near = |call: &Call| call.0.abs_diff(awake) <= window;
        self.recent.iter().skip(surplus).copied().filter(is_near).collect()
    }

    /// What has to be between the end of the file and a new line.
    pub(crate) fn prefix(&self) -> &'static [u8] {
        match self.len {
            0 => HEADER,
            // A line that was cut short gets its end here, so that the new one does not become part of it.
            _ if self.tail.is_cut_short() => b"\n",
            _ => b"",
        }
    }

    /// Appends in one write, all or nothing.
    pub(crate) fn append(&mut self, bytes: &[u8], path: &Path) -> Result<(), StoreError> {
        if self.is_older {
            renew_header(path).map_err(|error| StoreError::io(path, error))?;
            self.is_older = false;
        }
        // A full disk may take half of the line.
        if let Err(error) = self.file.write_all(bytes) {
            // If this fails too, what was written is a line cut short: the next writer skips it.
            let _ = self.file.set_len(self.len);
            return Err(StoreError::io(path, error));
        }
        self.len += bytes.len() as u64;
        Ok(())
    }
}

/// A journal that was read, and is no longer locked.
pub(crate) struct Released(Locked);

impl Released {
    pub(crate) fn new(locked: Locked) -> Released {
        // If it fails, the lock lasts until the journal is used or closed.
        let _ = locked.file.unlock();
        Released(locked)
    }

    /// How long had been worked when it was read.
    pub(crate) fn work(&self) -> WorkTime {
        self.0.work
    }

    /// What was stored under a key when it was read.
    pub(crate) fn value(&self, key: &str, path: &Path) -> Result<Option<String>, StoreError> {
        self.0.value(key, path)
    }

    /// Whether a text was stored under a key when it was read.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.has(key)
    }

    /// Locks it again. None if somebody else has written to it meanwhile.
    pub(crate) fn lock(self, waiter: &mut LockWaiter, path: &Path) -> Result<Option<Locked>, StoreError> {
        waiter.lock(&self.0.file, path)?;
        let metadata = self.0.file.metadata().map_err(|error| StoreError::io(path, error))?;
        // Journals only grow, or are replaced by another file.
        Ok((metadata.len() == self.0.len && !is_gone(&metadata)).then_some(self.0))
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing is not enough: a process that another thread is just starting has a copy of the
        // file until it executes its program, and the lock with it. If unlocking fails, the lock lasts that long.
        let _ = self.file.unlock();
    }
}

/// Prevents programs that know no links from writing to a journal that has some.
fn renew_header(path: &Path) -> std::io::Result<()> {
    // Opened again: what is written through the other one goes to its end.
    std::fs::OpenOptions::new().write(true).open(path)?.write_all(HEADER)
}

fn header(file: &File, tail: &Tail) -> std::io::Result<Header> {
    match tail.whole() {
        Some(start) => Ok(Header::read(start)),
        None => Ok(Header::read(&read_at(file, 0, HEADER.len() * 2)?)),
    }
}

/// How much longer to wait for locks.
pub(crate) struct LockWaiter {
    wait: Duration,
    started: Option<Instant>,
}

impl LockWaiter {
    /// Waits that long at most, counted from the first lock that is not free.
    pub(crate) fn new(wait: Duration) -> LockWaiter {
        LockWaiter { wait, started: None }
    }

    /// Takes the lock of a file; tries at least once, even when the time is over.
    pub(crate) fn lock(&mut self, file: &File, path: &Path) -> Result<(), StoreError> {
        let mut pause = Duration::from_micros(100);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::Error(error)) => return Err(StoreError::io(path, error)),
                Err(TryLockError::WouldBlock) => {}
            }
            let waited = self.started.get_or_insert_with(Instant::now).elapsed();
            if waited >= self.wait {
                return Err(StoreError::Locked { path: path.to_owned(), waited });
            }
            std::thread::sleep(pause.min(self.wait - waited));
            // Short enough that the next process loses little, long enough that a dozen of them
            // leave the processor to the one that works.
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }
}
