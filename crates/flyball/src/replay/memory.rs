//! What policies remember of a session while it is played again: in memory only.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use flyball_core::policy::{Memory, Trouble};

/// The memory of one session.
#[derive(Default)]
pub(super) struct Remembered {
    texts: Mutex<HashMap<String, String>>,
}

impl Memory for Remembered {
    fn read(&self, key: &str) -> Result<Option<String>, Trouble> {
        Ok(self.texts.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned())
    }

    fn has(&self, key: &str) -> Result<bool, Trouble> {
        Ok(self.texts.lock().unwrap_or_else(PoisonError::into_inner).contains_key(key))
    }

    fn write(&self, key: &str, text: String) -> Result<(), Trouble> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), text);
        Ok(())
    }
}
