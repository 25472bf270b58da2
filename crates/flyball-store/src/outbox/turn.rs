//! One sender at a time, and whether an event has to start one.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::time::Duration;

use flyball_core::time::{HOUR, Time};

use super::Outbox;
use crate::error::StoreError;
use crate::journal::LockWaiter;
use flyball_files::open_private;

/// The right to send, until it is dropped. The system takes it back from a process that dies.
#[derive(Debug)]
pub struct Turn {
    file: File,
}

impl Outbox {
    /// Whether a sender has to be started: none is running, and none asked to wait. All that an
    /// event does for telemetry.
    #[must_use]
    pub fn wants_sender(&self, now: Time) -> bool {
        // A hook must not fail for telemetry: without the lock, nothing is sent until the next event.
        let Ok(mut file) = open_private(&self.lock_path()) else { return false };
        match file.try_lock() {
            Ok(()) => is_due(pause(&mut file), now),
            // A sender that runs finds this event itself.
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
        }
    }

    /// Takes the turn; nothing if another process has it.
    ///
    /// # Errors
    /// When the lock cannot be used.
    pub fn take_turn(&self, wait: Duration) -> Result<Option<Turn>, StoreError> {
        let path = self.lock_path();
        let file = open_private(&path).map_err(|error| StoreError::io(&path, error))?;
        match LockWaiter::new(wait).lock(&file, &path) {
            Ok(()) => Ok(Some(Turn { file })),
            Err(StoreError::Locked { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Outbox {
    /// Takes the turn; a sender that hooks started is asked to end. Nothing if another process does not end in time.
    ///
    /// # Errors
    /// When a lock cannot be used.
    pub fn claim_turn(&self, wait: Duration) -> Result<Option<Turn>, StoreError> {
        let path = self.claim_path();
        let claim = open_private(&path).map_err(|error| StoreError::io(&path, error))?;
        match LockWaiter::new(wait).lock(&claim, &path) {
            Ok(()) => self.take_turn(wait),
            Err(StoreError::Locked { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether a command waits for the turn. A claim ends with its process.
    #[must_use]
    pub fn is_claimed(&self) -> bool {
        let Ok(claim) = File::open(self.claim_path()) else { return false };
        matches!(claim.try_lock_shared(), Err(TryLockError::WouldBlock))
    }
}

impl Turn {
    /// Records that no sender needs to start before this time.
    pub fn pause_until(&mut self, at: Time) {
        // If it cannot be written, senders start in vain: that costs time, nothing else.
        drop(self.file.set_len(0).and_then(|()| write!(self.file, "{}", at.as_micros())));
    }
}

/// The longest pause there is, whatever a receiver asks for.
pub const LONGEST_PAUSE: Duration = HOUR;

/// Whether a pause up to that time is over. One that is longer than any was begun by a clock that has been set back
/// since: it is over as well, or nothing would be sent until that time came.
#[must_use]
pub fn is_due(not_before: Time, now: Time) -> bool {
    not_before <= now || not_before.since(now) > LONGEST_PAUSE
}

/// The time that was left in the file; 1970 if there is none.
fn pause(file: &mut File) -> Time {
    let mut text = String::new();
    // The file is opened for appending, and its content is at most the digits of a time.
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.take(20).read_to_string(&mut text));
    read.ok().and_then(|_| text.trim().parse().ok()).map(Time::from_micros).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sender_at_a_time_and_none_before_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::below(folder.path());
        assert!(outbox.wants_sender(Time::default()));
        let mut turn = outbox.take_turn(Duration::ZERO).unwrap().unwrap();
        assert!(!outbox.wants_sender(Time::default()));
        assert!(outbox.take_turn(Duration::ZERO).unwrap().is_none());
        turn.pause_until(Time::from_micros(123_456));
        turn.pause_until(Time::from_micros(500));
        drop(turn);
        assert!(!outbox.wants_sender(Time::from_micros(499)));
        assert!(outbox.wants_sender(Time::from_micros(500)));
        assert!(outbox.take_turn(Duration::ZERO).unwrap().is_some());
    }

    #[test]
    fn a_command_that_waits_is_seen_by_the_sender() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::below(folder.path());
        assert!(!outbox.is_claimed());
        let turn = outbox.take_turn(Duration::ZERO).unwrap().unwrap();
        std::thread::scope(|scope| {
            let command = scope.spawn(|| outbox.claim_turn(Duration::from_secs(60)).unwrap().is_some());
            while !outbox.is_claimed() {
                std::thread::yield_now();
            }
            drop(turn);
            assert!(command.join().unwrap());
        });
        assert!(!outbox.is_claimed(), "it ends with the command");
    }

    #[test]
    fn a_clock_that_is_set_back_does_not_stop_senders_until_it_catches_up() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::below(folder.path());
        let year = 365 * 24 * LONGEST_PAUSE;
        let soon = Time::default() + year;
        outbox.take_turn(Duration::ZERO).unwrap().unwrap().pause_until(soon + year);
        assert!(!outbox.wants_sender(soon + year - LONGEST_PAUSE));
        assert!(outbox.wants_sender(soon));
        assert!(outbox.wants_sender(soon + year));
    }
}
