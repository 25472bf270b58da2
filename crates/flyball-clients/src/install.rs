//! Where a client's settings are and how flyball is registered in them: facts, no file access.

mod facts;
pub(crate) mod gate;
pub(crate) mod handler;
mod quoting;
mod version;

pub(crate) use facts::HookCall;
pub use facts::{
    Base, Blocker, Facts, FailureOption, FailureRule, HookShell, OwnSandbox, Place, Places, Plugins, ReadBy,
    SandboxMode, SandboxSettings, Scope, ServersFile,
};
pub use gate::{PROGRAM_LINK, UNINSTALLED, program_of_gate};
pub use handler::is_ours;
pub use version::Version;
