//! A recursive deletion and its reach.

use flyball_core::path::AbsolutePath;

/// One path that is deleted with everything in it.
#[derive(Debug)]
pub(super) struct Deletion {
    /// The path as the line spells it.
    pub(super) named: String,
    /// The program that deletes it.
    pub(super) by: String,
    pub(super) reach: Reach,
}

/// How far a deletion reaches.
#[derive(Debug)]
pub(super) enum Reach {
    /// All of this path, which may end in a pattern.
    All(AbsolutePath),
    /// Some files below this path.
    Part(AbsolutePath),
    /// Only known at run time.
    Unknown,
}
