//! Whether a client gets our hooks from a plugin already.

use flyball_clients::Client;
use serde_json::Value;

use super::site::Site;
use super::snapshot::Snapshot;

/// The name of our plugin, in front of the marketplace that it came from.
const NAME: &str = "flyball@";

/// Our plugin, enabled in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plugin {
    /// Its name with its marketplace.
    pub(crate) name: String,
    /// The file, as it is shown.
    pub(crate) file: String,
}

/// The plugin, if one of the client's settings files enables it.
pub(crate) fn enabled(client: &Client, site: &Site) -> Option<Plugin> {
    let facts = client.facts();
    let key = facts.plugins?.enabled_key;
    facts.settings.iter().find_map(|(_, place)| {
        // A settings file that cannot be read or parsed is reported by `doctor`; here it enables nothing.
        let file = Snapshot::read(&facts.locate(place, &site.places())).ok()?;
        let settings: Value = serde_json::from_str(file.text()).ok()?;
        let plugins = settings.get(key)?.as_object()?;
        let (name, _) =
            plugins.iter().find(|(name, on)| name.starts_with(NAME) && **on == Value::Bool(true))?;
        Some(Plugin { name: name.clone(), file: site.show(&file.path) })
    })
}
