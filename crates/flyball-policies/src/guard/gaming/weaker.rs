//! Something about checks that has become weaker.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loosened {
    pub(super) what: String,
    /// The line in the new version, if it is still there.
    pub(super) line: Option<usize>,
}
