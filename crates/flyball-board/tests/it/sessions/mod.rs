//! The pages about sessions and events, made from a real store.

#![expect(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and these have helpers")]

mod events;
mod home;
mod lists;
mod one;
