//! What is registered in one settings file of a client.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flyball_clients::install::{Scope, is_ours};
use flyball_clients::registration::{self, Found};
use flyball_clients::{CLIENTS, Client};

use super::error::FileError;
use super::receipt;
use super::site::Site;
use super::snapshot::Snapshot;
use crate::outcome::Failed;

/// One settings file in which a client reads hooks.
pub(crate) struct SettingsFile {
    pub(crate) client: &'static Client,
    pub(crate) scope: Scope,
    pub(crate) path: PathBuf,
}

/// A settings file and the handlers in it.
pub(crate) struct HookRegistrations {
    pub(crate) file: SettingsFile,
    /// The handlers, or why they cannot be read.
    pub(crate) handlers: Result<Vec<Found>, Unreadable>,
}

/// Why the handlers in a file cannot be listed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    /// The file cannot be read at all.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not a file of hooks.
    #[error(transparent)]
    Content(#[from] registration::Error),
}

impl HookRegistrations {
    pub(crate) fn own_handlers(&self) -> impl Iterator<Item = &Found> {
        self.handlers.iter().flatten().filter(|found| is_ours(&found.handler))
    }

    pub(crate) fn foreign_handlers(&self) -> impl Iterator<Item = &Found> {
        self.handlers.iter().flatten().filter(|found| !is_ours(&found.handler))
    }
}

/// Every settings file that exists, of every client and scope.
pub(crate) fn every_settings_file(site: &Site) -> Vec<HookRegistrations> {
    let mut seen = BTreeSet::new();
    let files = CLIENTS.iter().flat_map(|client| settings_files(client, site));
    // In the home directory the project's file and the user's are one.
    files.filter(|file| file.path.exists() && seen.insert(file.path.clone())).map(read).collect()
}

fn settings_files(client: &'static Client, site: &Site) -> impl Iterator<Item = SettingsFile> {
    let facts = client.facts();
    facts.settings.iter().map(move |(scope, place)| SettingsFile {
        client,
        scope: *scope,
        path: facts.locate(place, &site.places()),
    })
}

fn read(file: SettingsFile) -> HookRegistrations {
    let handlers = Snapshot::read(&file.path).map_err(Unreadable::from);
    let handlers = handlers.and_then(|snapshot| Ok(registration::list(snapshot.text())?));
    HookRegistrations { file, handlers }
}

/// The paths of the backup of a settings file, the present one first: below the state directory, because a copy beside the
/// file would be committed with it; and beside the file, where there is no state directory and where older versions put it.
pub(crate) fn backup_paths(file: &Path, state: Option<&Path>) -> Vec<PathBuf> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".flyball-backup");
    let below = state.map(|state| receipt::path(file, state).with_extension("before"));
    below.into_iter().chain([PathBuf::from(beside)]).collect()
}

/// The failure of a file that cannot be edited.
pub(crate) fn edit_failure(site: &Site, path: &Path, error: &registration::Error) -> Failed {
    let help = error.problem.help().unwrap_or("fix the file, then run this again");
    Failed::new(format!("{}:{error}; nothing was changed", site.show(path)), help)
}
