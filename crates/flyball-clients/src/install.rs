//! Where a client's settings are and how flyball is registered in them: facts, no file access.

mod facts;
pub(crate) mod handler;
mod version;

pub use facts::{Base, Blocker, Facts, Place, Places, Plugins, ReadBy, Scope, ServersFile};
pub use handler::is_ours;
pub use version::Version;
