//! What a deletion reaches.

use flyball_core::path::AbsolutePath;

/// One thing that goes away with everything in it.
#[derive(Debug)]
pub(super) struct Deletion {
    pub(super) named: String,
    pub(super) by: String,
    pub(super) reach: Reach,
}

/// How far a deletion reaches.
#[derive(Debug)]
pub(super) enum Reach {
    /// All of this path, which may end in a pattern.
    All(AbsolutePath),
    /// Some of what is below this path.
    Part(AbsolutePath),
    /// Only known when the line runs.
    Unknown,
}
