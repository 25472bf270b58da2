//! Whether something changed, without opening anything: for a process that checks several times a second.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use crate::store::Store;

impl Store {
    /// A number that changes whenever a journal has grown or the index was replaced.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut sum = self.index_identity();
        let Ok(entries) = std::fs::read_dir(self.sessions_dir()) else { return sum };
        for entry in entries.flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            let mut hasher = DefaultHasher::new();
            // Length and time from the directory: opening a thousand journals several times a second would be
            // too slow.
            (entry.file_name(), metadata.len(), metadata.modified().ok()).hash(&mut hasher);
            // In whatever order the directory is listed.
            sum = sum.wrapping_add(hasher.finish());
        }
        sum
    }

    /// Which index it is: a repair puts another one in its place. Zero if there is none.
    #[must_use]
    pub fn index_identity(&self) -> u64 {
        identity(&self.index_path())
    }
}

/// Where files have no number, one that is open is not replaced; whether there is one still counts.
fn identity(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |file| flyball_system::MetadataExt::ino(&file))
}
