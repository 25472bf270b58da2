//! Pages of the board, made from a real store.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "clippy knows tests by their attribute, and these share a store"
)]

mod content;
mod contrast;
mod denials;
mod errors;
mod gallery;
mod hostile;
mod sample;
