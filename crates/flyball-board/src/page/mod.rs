//! The pages.

mod context;
mod event;
mod events;
mod layout;
mod loop_status;
mod overview;
pub(crate) mod parts;
mod policies;
mod session;
mod sessions;
mod span;
mod tasks;

pub use context::{Page, PageContext, PageError};
pub use event::explanation_document;

use crate::route::Route;

/// Makes a page.
///
/// # Errors
/// When there is nothing at that address, or the store cannot be read.
pub fn render(scene: &PageContext<'_>) -> Result<Page, PageError> {
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
