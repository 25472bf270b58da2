//! Pauses between the steps of the demo, so that a person can read along.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use flyball_world::interrupt;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// A step without a message, and the most that any step gets.
const SHORTEST: Duration = Duration::from_millis(700);
const LONGEST: Duration = Duration::from_secs(4);
/// How long it takes to read a character.
const PER_CHARACTER: Duration = Duration::from_millis(14);

/// How the terminal was before; the shell would be left without an echo.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// The pace of the demo.
pub(super) enum Pace {
    /// Nobody reads along.
    Fast,
    /// A pause after each step, which a key ends.
    Paused(Keys),
}

/// Keys are read one by one and not shown, until this is dropped.
pub(super) struct Keys;

impl Pace {
    pub(super) fn paused() -> Pace {
        Keys::listen().map_or(Pace::Fast, Pace::Paused)
    }

    /// Waits until a text of this many characters can have been read, or a key is pressed.
    pub(super) fn pause_for(&self, characters: usize) {
        if let Pace::Paused(keys) = self {
            let characters = u32::try_from(characters).unwrap_or(u32::MAX);
            keys.wait(PER_CHARACTER.saturating_mul(characters).clamp(SHORTEST, LONGEST));
        }
    }
}

impl Keys {
    fn listen() -> Option<Keys> {
        let before = tcgetattr(std::io::stdin()).ok()?;
        let mut changed = before.clone();
        changed.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        // Ctrl-C ends the process without dropping anything.
        interrupt::at_exit(restore);
        tcsetattr(std::io::stdin(), OptionalActions::Now, &changed).ok()?;
        Some(Keys)
    }

    fn wait(&self, limit: Duration) {
        let stdin = std::io::stdin();
        let limit = Timespec {
            tv_sec: i64::try_from(limit.as_secs()).unwrap_or(1),
            tv_nsec: limit.subsec_nanos().into(),
        };
        let is_pressed =
            poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&limit)).is_ok_and(|ready| ready > 0);
        if is_pressed {
            // One key, one pause; what it was does not matter. The standard library would read all keys at once.
            rustix::io::read(&stdin, &mut [0_u8; 1]).ok();
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // A terminal that is gone needs nothing.
        tcsetattr(std::io::stdin(), OptionalActions::Now, &before).ok();
    }
}
