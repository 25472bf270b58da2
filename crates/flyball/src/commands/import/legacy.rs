//! The earlier systems whose hooks do what flyball does: where both are registered, everything happens twice.

use flyball_clients::registration::Found;
use serde_json::Value as Json;

use crate::install::{Site, Snapshot, every_settings_file};

pub(in crate::commands) struct LegacySystem {
    /// Its name, which is also that of its plugin and of its import.
    pub(in crate::commands) name: &'static str,
    /// What the commands of its hooks contain.
    scripts: &'static [&'static str],
    /// How the ids of the policies begin that do what it did.
    pub(in crate::commands) policies: &'static str,
}

pub(in crate::commands) const LEGACY_SYSTEMS: &[LegacySystem] = &[
    LegacySystem {
        name: "intent-layer",
        scripts: &[
            "pre-edit-check",
            "post-edit-check",
            "capture-tool-failure",
            "inject-learnings",
            "stop-learning-check",
            "intent-layer",
        ],
        policies: "memory.",
    },
    LegacySystem { name: "brewcode", scripts: &["brewcode"], policies: "task." },
];

/// The one of a name.
pub(super) fn find(name: &str) -> impl Iterator<Item = &'static LegacySystem> {
    LEGACY_SYSTEMS.iter().filter(move |elder| elder.name == name)
}

/// Something of an earlier system that is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Remnant {
    /// The file it stands in, as it is shown.
    pub(in crate::commands) file: String,
    pub(in crate::commands) kind: RemnantKind,
}

/// What can be registered of an earlier system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) enum RemnantKind {
    /// A hook for an event, with its command.
    Hook(String, String),
    /// A plugin that is switched on.
    Plugin(String),
}

impl LegacySystem {
    /// What of it is registered, in any settings file.
    pub(in crate::commands) fn remnants(&self, site: &Site) -> Vec<Remnant> {
        let mut found = Vec::new();
        for registered in every_settings_file(site) {
            let file = site.show(&registered.file.path);
            let mut whats = Vec::new();
            for handler in registered.foreign_handlers().filter(|found| self.owns(found)) {
                let command = handler.handler.get("command").and_then(Json::as_str).unwrap_or_default();
                whats.push(RemnantKind::Hook(handler.event.clone(), command.to_owned()));
            }
            let text = Snapshot::read(&registered.file.path).ok();
            let settings: Option<Json> = text.and_then(|file| serde_json::from_str(file.text()).ok());
            let plugins = settings.as_ref().and_then(|settings| settings.get("enabledPlugins")?.as_object());
            let is_on = |(name, value): &(&String, &Json)| {
                let is_its = name.split('@').next().is_some_and(|name| name.contains(self.name));
                is_its && **value != Json::Bool(false)
            };
            let plugins = plugins.into_iter().flatten().filter(is_on);
            whats.extend(plugins.map(|(name, _)| RemnantKind::Plugin(name.clone())));
            found.extend(whats.into_iter().map(|what| Remnant { file: file.clone(), kind: what }));
        }
        found
    }

    fn owns(&self, found: &Found) -> bool {
        let command = found.handler.get("command").and_then(Json::as_str).unwrap_or_default();
        let arguments = found.handler.get("args").and_then(Json::as_array).into_iter().flatten();
        let mut words = arguments.filter_map(Json::as_str).chain([command]);
        words.any(|word| self.scripts.iter().any(|script| word.contains(script)))
    }
}
