//! The pipeline on real files, with real programs, in real repositories.

#![expect(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and these have helpers")]

mod before;
mod broken_config;
mod caching;
mod chosen;
mod chosen_table;
mod failing;
mod fixing;
mod formatting;
mod left_out;
mod limits;
mod looking;
mod names;
mod owners;
mod project;
mod real;
mod scopes;
mod site;
mod unread;
mod untrusted;
