//! The folder with the plans of the client's plan mode: as the client itself finds it.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Situation, World};

use super::settings::Settings;
use crate::client_settings::{own_folder, values};

/// The folder that our setting names, else the client's own setting, else its usual one. `None` for a client without plans.
pub(super) fn find(situation: &Situation<'_>, settings: &Settings) -> Option<AbsolutePath> {
    let world = situation.world;
    if !settings.plans.is_empty() {
        return Some(world.real_path(world.project_root(), &settings.plans));
    }
    let client = world.clients().iter().find(|client| client.id == situation.event.client)?;
    let plans = client.plans.as_ref()?;
    // Where the client was started, which may be below the root of our config.
    let root = situation.event.project.as_ref().unwrap_or_else(|| world.project_root());
    let folder = own_folder(world, client)?;
    let usual = world
        .real_path(world.project_root(), &folder.join(plans.usual.rsplit('/').next().unwrap_or_default()));
    let named = values(world, client, root, plans.setting)
        .find_map(|value| value.as_str().filter(|named| !named.is_empty()).map(str::to_owned));
    Some(named.and_then(|named| inside(world, root, &named)).unwrap_or(usual))
}

/// The folder that a setting names. The client takes none outside of the project, and `~` is a name like any other.
fn inside(world: &dyn World, root: &AbsolutePath, named: &str) -> Option<AbsolutePath> {
    let named = if named.starts_with('~') { format!("./{named}") } else { named.to_owned() };
    let folder = world.real_path(root, &named);
    let root = world.real_path(root, ".");
    (folder == root || folder.is_in(&root)).then_some(folder)
}
