//! Where a client keeps its settings and how flyball is written into them: facts, no files.

mod facts;
mod handler;
mod version;

pub use facts::{Base, Blocker, Facts, Place, Places, Presence, Scope};
pub use handler::is_ours;
pub(crate) use handler::{quote, seconds};
pub use version::Version;
