//! What policies remember of a session.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::PolicyError;

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

    /// Stores a text under a key, with the record of this event.
    ///
    /// # Errors
    /// When the store cannot be used.
    fn write(&self, key: &str, text: String) -> Result<(), PolicyError>;
}

/// The memory of a session that is judged without a store: as long as this value lasts.
#[derive(Default)]
pub struct InMemory(Mutex<BTreeMap<String, String>>);

impl InMemory {
    fn texts(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
}
