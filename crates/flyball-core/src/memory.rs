//! What policies remember of a session.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::PolicyError;
use crate::time::whole_micros;

/// The key of the client that a session belongs to, as far as it was seen above the hook.
pub const CLIENT: &str = "engine.client";

/// The key of the session whose agent started the client of this one, if one did.
pub const OUTER_SESSION: &str = "engine.outer-session";

/// What policies remember of a session. If another event of the session changes what was read before this one is
/// recorded, this one is judged again: what is written always follows from what was there.
pub trait Memory: Send + Sync {
    /// The text stored under a key.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn read(&self, key: &str) -> Result<Option<String>, PolicyError>;

    /// Whether a text is stored under a key. Cheaper than reading it.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn has(&self, key: &str) -> Result<bool, PolicyError>;

    /// The text stored under a key, for what does not depend on it being the latest: the event is not judged again if
    /// another one changes it meanwhile.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn peek(&self, key: &str) -> Result<Option<String>, PolicyError>;

    /// Whether what is written now will be there at the next event. Where it will not, what is reported once in a session would
    /// be reported at every event.
    fn lasts(&self) -> bool {
        true
    }

    /// Whether texts may be stored: not while a policy only gathers what it judges afterwards.
    fn may_write(&self) -> bool {
        true
    }

    /// Stores a text under a key, with the record of this event.
    ///
    /// # Errors
    /// When the store cannot be used.
    fn write(&self, key: &str, text: String) -> Result<(), PolicyError>;

    /// How long was worked in this session, until now: without the time in which the machine slept or nothing happened.
    /// It never goes back, whatever happens to the clock.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn active_time(&self) -> Result<Duration, PolicyError>;
}

/// The memory of a session that is judged without a store: as long as this value lasts.
#[derive(Default)]
pub struct InMemory {
    texts: Mutex<BTreeMap<String, String>>,
    active_micros: AtomicU64,
}

impl InMemory {
    fn texts(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets how long was worked in the session.
    pub fn set_active_time(&self, active: Duration) {
        self.active_micros.store(whole_micros(active), Ordering::Relaxed);
    }
}

impl Memory for InMemory {
    fn read(&self, key: &str) -> Result<Option<String>, PolicyError> {
        Ok(self.texts().get(key).cloned())
    }

    fn has(&self, key: &str) -> Result<bool, PolicyError> {
        Ok(self.texts().contains_key(key))
    }

    fn peek(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.read(key)
    }

    fn write(&self, key: &str, text: String) -> Result<(), PolicyError> {
        self.texts().insert(key.to_owned(), text);
        Ok(())
    }

    fn active_time(&self) -> Result<Duration, PolicyError> {
        Ok(Duration::from_micros(self.active_micros.load(Ordering::Relaxed)))
    }
}
