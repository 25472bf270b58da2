//! The client's own folder and its settings, as files.

use flyball_core::client::ClientFacts;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use serde_json::Value;

/// Longer settings are not read.
const MOST_BYTES: u64 = 1024 * 1024;

/// The folder of a client in the user's home, or where a variable moved it: its settings are there.
pub(crate) fn own_folder(world: &dyn World, client: &ClientFacts) -> Option<AbsolutePath> {
    let root = world.project_root();
    let (usual, name) = client.settings.iter().find(|file| file.starts_with('~'))?.rsplit_once('/')?;
    let is_system = |path: &AbsolutePath| client.settings.contains(&path.as_str());
    let mut own = world.own_files().iter().map(|own| &own.path);
    let moved =
        own.find(|path| path.rsplit('/').next() == Some(name) && !path.is_in(root) && !is_system(path));
    Some(moved.map_or_else(|| world.real_path(root, usual), AbsolutePath::folder))
}

/// The values of a setting of a client that was started in a folder, the strongest first. A file that cannot be read has none.
pub(crate) fn values<'a>(
    world: &'a dyn World,
    client: &'a ClientFacts,
    started_in: &'a AbsolutePath,
    key: &'a str,
) -> impl Iterator<Item = Value> + 'a {
    let path = move |file: &&str| match file.strip_prefix('~') {
        Some(users) => Some(own_folder(world, client)?.join(users.rsplit('/').next().unwrap_or_default())),
        None => Some(world.real_path(started_in, file)),
    };
    client.settings.iter().filter_map(path).filter_map(move |path| {
        let bytes = world.read(&path, MOST_BYTES).ok()??;
        let mut settings: Value = serde_json::from_slice(&bytes).ok()?;
        settings.get_mut(key).map(Value::take)
    })
}
