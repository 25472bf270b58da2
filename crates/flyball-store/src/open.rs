//! Opens the store: the one place that knows which database answers.

use crate::chain::ChainWitness;
use crate::error::StoreError;
use crate::maintenance::FoldOptions;
use crate::progress::OnProgress;
use crate::records::ReadStore;
use crate::sqlite::Index;
use crate::store::Store;

impl Store {
    /// What is recorded of all sessions, brought up to date if there is an order to. If another process
    /// is doing just that and does not end in time, it is opened as it is.
    ///
    /// # Errors
    /// When the index cannot be used; each says the way out.
    pub fn open(&self, fold: Option<&FoldOptions<'_>>) -> Result<Box<dyn ReadStore>, StoreError> {
        self.open_reporting(fold, &|_| {})
    }

    /// The same for someone who waits for it.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open_reporting(
        &self,
        fold: Option<&FoldOptions<'_>>,
        on_progress: OnProgress<'_>,
    ) -> Result<Box<dyn ReadStore>, StoreError> {
        if let Some(order) = fold {
            match self.fold_reporting(order, on_progress) {
                Ok(_) | Err(StoreError::Busy { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Box::new(Index::open(&self.index_path(), on_progress)?))
    }

    /// The chains as they are now, whoever changes the index from now on.
    pub(crate) fn open_chains(&self) -> Result<Box<dyn ChainWitness>, StoreError> {
        let index = Index::open(&self.index_path(), &|_| {})?;
        index.begin_snapshot()?;
        Ok(Box::new(index))
    }
}
