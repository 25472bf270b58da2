//! The pipeline on real files, with real programs, in real repositories.

#![expect(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and these have helpers")]

mod caching;
mod chosen;
mod failing;
mod fixing;
mod formatting;
mod limits;
mod looking;
mod names;
mod project;
mod real;
mod scopes;
mod site;
mod unread;
mod untrusted;
