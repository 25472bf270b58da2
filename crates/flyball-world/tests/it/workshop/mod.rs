//! The workshop with real processes: those that print without end, hang, leave others behind, are
//! killed, and a flyball that is terminated while they run. And with a real server.

#![expect(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and these have helpers")]

mod endings;
mod memory;
mod post;
mod rewrite;
mod run;
mod sample;
mod terminated;
