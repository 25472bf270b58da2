//! The board: pages about what happened, served to the people of this machine.
//!
//! It reads the store and what a [`ViewSource`] gives, and changes nothing. Pages are made here, on the server, as
//! HTML: the script in the browser only fetches them again when something has happened. The same parts make
//! the files of `flyball report --html` and `flyball explain --html`.

#![forbid(unsafe_code)]

pub mod chart;
pub mod document;
pub mod explanation;
pub mod markdown;
mod page;
pub mod report;
mod route;
mod server;
pub mod table;
pub mod view;
mod view_source;

pub use page::{Page, PageContext, PageError, explanation_document, render};
pub use route::{Place, Range, Request, Route};
pub use server::{Address, Board, BoardError, asset, serve, serve_on};
pub use view_source::ViewSource;
