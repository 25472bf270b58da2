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
pub fn render(context: &PageContext<'_>) -> Result<Page, PageError> {
    match &context.request.route {
        Route::Overview => overview::page(context),
        Route::Sessions => sessions::page(context),
        Route::Session { client, id } => session::page(context, client, id),
        Route::Events => events::page(context),
        Route::Event { answer } => event::page(context, answer),
        Route::Policies => policies::all(context),
        Route::Policy { id } => policies::one(context, id),
        Route::Tasks => tasks::page(context),
    }
}
