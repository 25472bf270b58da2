//! Folds what hooks have written into the index, when they have written something.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use flyball_core::config::StoreSettings;
use flyball_core::time::Time;
use flyball_store::{FoldOptions, Store, StoreError};

/// The journals of a store, and how far they were taken in.
pub(super) struct Intake {
    store: Store,
    settings: StoreSettings,
    state: Mutex<FoldState>,
}

#[derive(Default)]
struct FoldState {
    /// What the journals looked like when they were last folded as a whole.
    fingerprint: Option<u64>,
    /// How often something may have become new in the index.
    times: u64,
}

impl Intake {
    pub(super) fn new(store: &Store, settings: StoreSettings) -> Intake {
        Intake { store: store.clone(), settings, state: Mutex::default() }
    }

    /// Folds if something is new. Returns how often something was, over all callers.
    pub(super) fn refresh(&self) -> Result<u64, StoreError> {
        // Two threads would only wait for each other.
        let mut taken = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Looked at before the fold: what comes during it looks new the next time.
        let present = self.store.fingerprint();
        if taken.fingerprint == Some(present) {
            return Ok(taken.times);
        }
        let now = Time::now();
        // Without waiting: whoever folds does our work, and a page should not wait for it.
        let options = FoldOptions { now, ..FoldOptions::now(&self.settings, Duration::ZERO) };
        taken.times += 1;
        taken.fingerprint = match self.store.fold(&options) {
            Ok(_) => Some(present),
            // Another process does it for us, but perhaps not all of it: check again.
            Err(StoreError::Busy { .. }) => None,
            Err(error) => {
                taken.fingerprint = None;
                return Err(error);
            }
        };
        Ok(taken.times)
    }
}
