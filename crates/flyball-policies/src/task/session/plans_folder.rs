//! The folder with the plans of the client's plan mode: as the client itself finds it.

use flyball_core::client::PlanFolder;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{Situation, World};
use serde_json::Value;

use super::settings::Settings;

/// Longer settings are not read.
const MOST_BYTES: u64 = 1024 * 1024;

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
    let usual = usual(world, plans);
    let named = plans
        .settings
        .iter()
        .find_map(|file| read(world, &settings_file((world, root), file, &usual), plans));
    Some(named.and_then(|named| inside((world, root), &named)).unwrap_or(usual))
}

/// The usual folder, where a variable moved the client's own one: its settings are beside it.
fn usual(world: &dyn World, plans: &PlanFolder) -> AbsolutePath {
    let root = world.project_root();
    let users = plans.settings.iter().find(|file| file.starts_with('~'));
    let users = users.and_then(|file| file.rsplit('/').next());
    let is_system = |path: &AbsolutePath| plans.settings.contains(&path.as_str());
    let own = world.own_files().iter().map(|own| &own.path);
    let mut own =
        own.filter(|path| path.rsplit('/').next() == users && !path.is_in(root) && !is_system(path));
    let name = plans.usual.rsplit('/').next().unwrap_or_default();
    let moved = own.next().map(|path| path.folder().join(name));
    world.real_path(root, moved.as_deref().unwrap_or(plans.usual))
}

fn settings_file(
    (world, root): (&dyn World, &AbsolutePath),
    file: &str,
    usual: &AbsolutePath,
) -> AbsolutePath {
    match file.strip_prefix('~') {
        Some(users) => usual.folder().join(users.rsplit('/').next().unwrap_or_default()),
        None => world.real_path(root, file),
    }
}

/// What a settings file says. One that cannot be read says nothing.
fn read(world: &dyn World, file: &AbsolutePath, plans: &PlanFolder) -> Option<String> {
    let bytes = world.read(file, MOST_BYTES).ok()??;
    let settings: Value = serde_json::from_slice(&bytes).ok()?;
    settings.get(plans.setting)?.as_str().filter(|named| !named.is_empty()).map(str::to_owned)
}

/// The folder that a setting names. The client takes none outside of the project, and `~` is a name like any other.
fn inside((world, root): (&dyn World, &AbsolutePath), named: &str) -> Option<AbsolutePath> {
    let named = if named.starts_with('~') { format!("./{named}") } else { named.to_owned() };
    let folder = world.real_path(root, &named);
    let root = world.real_path(root, ".");
    (folder == root || folder.is_in(&root)).then_some(folder)
}
