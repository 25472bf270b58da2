//! How many snapshots there are, and how much room they take.

use std::fs;
use std::path::Path;

use super::folder::{FOLDER, numbers};

/// The snapshots of all projects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub projects: usize,
    pub snapshots: usize,
    pub bytes: u64,
}

impl Usage {
    /// Of those below a state directory. What cannot be listed counts as nothing.
    #[must_use]
    pub fn measure(state: &Path) -> Usage {
        let mut usage = Usage::default();
        for folder in fs::read_dir(state.join(FOLDER)).into_iter().flatten().flatten() {
            let folder = folder.path();
            let files = fs::read_dir(&folder).into_iter().flatten().flatten();
            usage.bytes += files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum::<u64>();
            let snapshots = numbers(&folder).len();
            usage.snapshots += snapshots;
            usage.projects += usize::from(snapshots > 0);
        }
        usage
    }
}
