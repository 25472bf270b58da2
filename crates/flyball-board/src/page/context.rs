//! The input and the result of every page.

use flyball_store::{Queries, StoreError};
use jiff::Zoned;
use maud::Markup;

use crate::route::Request;
use crate::view_source::ViewSource;

/// What a page is made from.
pub struct PageContext<'a> {
    pub index: &'a dyn Queries,
    /// What the store does not know.
    pub views: &'a dyn ViewSource,
    /// What was asked for.
    pub request: &'a Request,
    /// The time, in the zone of the reader's machine.
    pub now: &'a Zoned,
}

/// A page without its frame: what the script in the browser fetches when something happened.
pub struct Page {
    /// The title of the window.
    pub title: String,
    /// What is in `<main>`.
    pub body: Markup,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// There is no such session, event or policy.
    #[error("{0}")]
    NotFound(String),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}
