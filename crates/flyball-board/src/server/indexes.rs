//! Open indexes, put back after use: an index is used by one thread at a time.

use std::sync::{Mutex, PoisonError};

use flyball_store::{Queries, ReadStore, Store, StoreError};

/// How many stay open.
const MOST: usize = 4;

/// The indexes of one store.
pub(super) struct OpenIndexes {
    store: Store,
    /// Each with the file it was opened from.
    open: Mutex<Vec<(u64, Box<dyn ReadStore>)>>,
}

impl OpenIndexes {
    pub(super) fn new(store: &Store) -> OpenIndexes {
        OpenIndexes { store: store.clone(), open: Mutex::default() }
    }

    /// Does something with an index. One that failed is not used again.
    pub(super) fn with<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce(&dyn Queries) -> Result<T, E>,
    ) -> Result<T, E> {
        let (file, index) = self.take()?;
        // Outside of the lock: several pages are made at the same time.
        let done = work(&*index)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() < MOST {
            open.push((file, index));
        }
        Ok(done)
    }

    fn take(&self) -> Result<(u64, Box<dyn ReadStore>), StoreError> {
        let present = self.store.index_identity();
        let taken = {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            // After a repair, the old file is still open here and would show old events for ever.
            open.retain(|(known, _)| *known == present);
            if present == 0 { None } else { open.pop() }
        };
        match taken {
            Some(index) => Ok(index),
            None => {
                let index = self.store.open(None)?;
                Ok((self.store.index_identity(), index))
            }
        }
    }
}
