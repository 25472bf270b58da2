//! What a line runs is often not on it but in a file.

use super::command::Directory;

/// The files on the disk, as far as a reading of a line needs them. Who has a disk implements it; this crate only asks.
pub trait Disk {
    /// The text of the file that a path names from a directory of the line. `None` if there is none, if it is not
    /// text, or if it is longer than the reader wants.
    fn text(&self, directory: &Directory, path: &str) -> Option<String>;

    /// The paths that a pattern of file names matches from a directory of the line: sorted, written as the pattern
    /// is written, and only the first of them if there are many.
    fn matching(&self, directory: &Directory, pattern: &str) -> Vec<String>;

    /// The absolute paths of the files that the session wrote, as far as they are remembered.
    fn session_files(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A file that a line writes, with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenText {
    /// As the line names it.
    pub path: String,
    /// Where the line names it from.
    pub directory: Directory,
    pub text: String,
}
