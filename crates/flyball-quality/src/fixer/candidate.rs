//! A change that a model proposes, with what it was asked to fix.

use crate::finding::Finding;

/// A change that a model proposes.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The file, relative to the project's root.
    pub path: &'a str,
    /// The file as it is.
    pub before: &'a str,
    /// The file as the model would change it.
    pub after: &'a str,
    /// The findings that it was given.
    pub findings: &'a [Finding],
    /// More changed lines than this are too many.
    pub most_lines: usize,
}
