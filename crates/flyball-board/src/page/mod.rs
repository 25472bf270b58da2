//! The pages.

mod calls;
mod changes;
mod context;
mod denials;
mod event;
mod events;
mod inline_code;
mod layout;
mod loop_status;
mod overview;
pub(crate) mod parts;
mod period;
mod policies;
mod reading;
mod session;
mod sessions;
mod span;
mod tasks;
mod titles;

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
        Route::Denials => denials::page(context),
        Route::Event { answer } => event::page(context, answer),
        Route::Policies => policies::all(context),
        Route::Policy { id } => policies::one(context, id),
        Route::Tasks => tasks::page(context),
    }
}
