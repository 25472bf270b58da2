//! Setting flyball up in files that belong to other people: found, changed and given back with
//! care. Shared by `init`, `uninstall` and `doctor`.

mod change;
mod client;
mod failure;
mod mode;
pub(crate) mod plugin;
mod program;
mod receipt;
mod registered;
mod scope;
mod site;
mod snapshot;
mod step;

pub(crate) use change::{Access, Change, apply, remove_empty};
pub(crate) use client::{Detected, detect, on_path, version_of};
pub(crate) use mode::is_executable;
pub(crate) use program::Program;
pub(crate) use receipt::Receipt;
pub(crate) use registered::{Registered, Unreadable, backup_path, broken, every_settings_file};
pub(crate) use scope::{ScopeArguments, scope_name, scope_option};
pub(crate) use site::Site;
pub(crate) use snapshot::Snapshot;
pub(crate) use step::{Fate, Step, Steps};
