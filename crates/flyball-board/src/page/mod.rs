//! The pages.

mod event;
mod events;
mod layout;
mod overview;
pub(crate) mod parts;
mod policies;
mod session;
mod sessions;
mod span;
mod standing;
mod tasks;

pub(crate) use event::{Reading, explained};

use flyball_store::{Questions, StoreError};
use jiff::Zoned;
use maud::Markup;

use crate::desk::Desk;
use crate::route::{Request, Route};

/// What a page is made from.
pub struct Scene<'a> {
    /// The store.
    pub index: &'a dyn Questions,
    /// What the store does not tell.
    pub desk: &'a dyn Desk,
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

impl Page {
    /// The page in its frame: head, navigation, all that stays when the page is fetched again.
    #[must_use]
    pub fn framed(&self, request: &Request) -> Markup {
        layout::frame(self, request)
    }
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageTrouble {
    /// There is no such session, event or policy.
    #[error("{0}")]
    NotFound(String),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PageTrouble {
    /// The page that says so, with a way out.
    #[must_use]
    pub fn page(&self) -> Page {
        layout::trouble(self)
    }
}

/// Makes a page.
///
/// # Errors
/// When there is nothing at that address, or the store cannot be read.
pub fn render(scene: &Scene<'_>) -> Result<Page, PageTrouble> {
    match &scene.request.route {
        Route::Overview => overview::page(scene),
        Route::Sessions => sessions::page(scene),
        Route::Session { client, id } => session::page(scene, client, id),
        Route::Events => events::page(scene),
        Route::Event { answer } => event::page(scene, answer),
        Route::Policies => policies::all(scene),
        Route::Policy { id } => policies::one(scene, id),
        Route::Tasks => tasks::page(scene),
    }
}
