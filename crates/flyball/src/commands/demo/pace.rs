//! Pauses between the steps of the demo, so that a person can read along.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use flyball_system::Keys;
use flyball_world::interrupt;

/// A step without a message, and the most that any step gets.
const SHORTEST: Duration = Duration::from_millis(700);
const LONGEST: Duration = Duration::from_secs(4);
/// How long it takes to read a character.
const PER_CHARACTER: Duration = Duration::from_millis(14);

/// How the terminal was before.
static BEFORE: Mutex<Option<Keys>> = Mutex::new(None);

/// The pace of the demo.
pub(super) enum Pace {
    /// Nobody reads along.
    Fast,
    /// A pause after each step, which a key ends.
    Paused(Listening),
}

/// Keys are read one by one and not shown, until this is dropped.
pub(super) struct Listening;

impl Pace {
    pub(super) fn paused() -> Pace {
        Listening::start().map_or(Pace::Fast, Pace::Paused)
    }

    /// Waits until a text of this many characters can have been read, or a key is pressed.
    pub(super) fn pause_for(&self, characters: usize) {
        if let Pace::Paused(_) = self {
            let characters = u32::try_from(characters).unwrap_or(u32::MAX);
            Keys::wait(PER_CHARACTER.saturating_mul(characters).clamp(SHORTEST, LONGEST));
        }
    }
}

impl Listening {
    fn start() -> Option<Listening> {
        // Ctrl-C ends the process without dropping anything.
        interrupt::at_exit(restore);
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(Keys::listen()?);
        Some(Listening)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        before.restore();
    }
}
