//! What to remove of the files that flyball once added.

use std::path::PathBuf;

use crate::install::Step;

/// What to remove, and the folders that were made for it.
pub(in crate::commands) struct Removal {
    pub(in crate::commands) steps: Vec<Step>,
    pub(in crate::commands) folders: Vec<PathBuf>,
}
