//! Where a client keeps its settings and how flyball is written into them: facts, no files.

mod facts;
pub(crate) mod handler;
mod version;

pub use facts::{Base, Blocker, Facts, Place, Places, Plugins, ReadBy, Scope, ServersFile};
pub use handler::is_ours;
pub use version::Version;
