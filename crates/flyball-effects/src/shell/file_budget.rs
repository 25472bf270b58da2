//! How many files are read for one line, and which were.

use crate::model::{Directory, Word};

/// More files are not read for one line.
const MOST_FILES: usize = 48;
/// More bytes of files are not read for one line.
const MOST_BYTES: usize = 2 * 1024 * 1024;

/// What may still be read from files, and what was.
pub(super) struct FileBudget {
    pub(super) files: usize,
    pub(super) bytes: usize,
    pub(super) names: Vec<String>,
    /// Scripts that were started, with their arguments: one that starts itself is read once.
    started: Vec<String>,
}

impl Default for FileBudget {
    fn default() -> Self {
        Self { files: MOST_FILES, bytes: MOST_BYTES, names: Vec::new(), started: Vec::new() }
    }
}

impl FileBudget {
    /// The names of the files that were read.
    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }

    /// Whether a script is started with these words for the first time.
    pub(super) fn is_new_start(&mut self, words: &[Word], directory: &Directory) -> bool {
        let spelled: Vec<&str> = words.iter().map(|word| word.text.as_deref().unwrap_or(&word.raw)).collect();
        let key = format!("{directory:?} {}", spelled.join("\u{1}"));
        let is_new = !self.started.contains(&key);
        if is_new {
            self.started.push(key);
        }
        is_new
    }
}
