//! Where a page is read.

/// Where the page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// On the board: sessions, policies and other decisions are a click away.
    Board,
    /// In a file of its own: there is nothing to link to.
    File,
}
