//! Setting flyball up in files that belong to other people: found, changed and restored with
//! care. Shared by `init`, `uninstall` and `doctor`.

mod change;
mod client;
mod error;
mod mode;
pub(crate) mod plugin;
mod program;
mod receipt;
mod scope;
mod settings_file;
mod site;
mod snapshot;
mod step;

pub(crate) use change::{Access, Change, apply, remove_empty};
pub(crate) use client::{DetectedClient, detect, on_path, version_of};
pub(crate) use mode::is_executable;
pub(crate) use program::{NAME as PROGRAM_NAME, Program};
pub(crate) use receipt::Receipt;
pub(crate) use scope::{ScopeArguments, scope_name, scope_option};
pub(crate) use settings_file::{
    HookRegistrations, SettingsFile, Unreadable, backup_paths, edit_failure, every_settings_file,
};
pub(crate) use site::Site;
pub(crate) use snapshot::Snapshot;
pub(crate) use step::{Choice, FileOutcome, Question, Step, Steps};
