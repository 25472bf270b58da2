//! The earlier systems whose hooks do what flyball does: where both are registered, everything happens twice.

use flyball_clients::registration::Found;
use serde_json::Value as Json;

use super::report::Report;
use crate::install::{Site, Snapshot, every_settings_file};
use crate::show::text::one_line;

pub(in crate::commands) struct LegacySystem {
    /// Its name, which is also that of its plugin and of its import.
    pub(in crate::commands) name: &'static str,
    /// What the commands of its hooks contain.
    scripts: &'static [&'static str],
    /// The prefix of the policies that replace it.
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
    LegacySystem {
        name: "plankton",
        scripts: &[
            "multi_linter.sh",
            "protect_linter_configs.sh",
            "enforce_package_managers.sh",
            "stop_config_guardian.sh",
        ],
        policies: "quality",
    },
    LegacySystem { name: "brewcode", scripts: &["brewcode"], policies: "task." },
];

/// Lists what is still registered of an earlier system, for the user to remove. Returns how much that is.
pub(super) fn list_remnants(name: &str, site: &Site, report: &mut Report) -> usize {
    let system = LEGACY_SYSTEMS.iter().filter(|system| system.name == name);
    let remnants: Vec<Remnant> = system.flat_map(|system| system.remnants(site)).collect();
    let count = remnants.len();
    for Remnant { file, kind } in remnants {
        match kind {
            RemnantKind::Hook(event, command) => {
                let what = format!("hook for {event}: {}", one_line(&command));
                report.add_skipped(
                    &file,
                    &what,
                    "delete this entry from the file: flyball does the same, and both would run",
                );
            }
            RemnantKind::Plugin(name) => {
                let what = format!("plugin {name}");
                report.add_skipped(&file, &what, "disable it: flyball does the same, and both would run");
            }
        }
    }
    count
}

/// Something of an earlier system that is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Remnant {
    /// The file it is in, as it is shown.
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
            let mut kinds = Vec::new();
            for handler in registered.foreign_handlers().filter(|found| self.owns(found)) {
                let command = handler.handler.get("command").and_then(Json::as_str).unwrap_or_default();
                kinds.push(RemnantKind::Hook(handler.event.clone(), command.to_owned()));
            }
            let text = Snapshot::read(&registered.file.path).ok();
            let settings: Option<Json> = text.and_then(|file| serde_json::from_str(file.text()).ok());
            let plugins = settings.as_ref().and_then(|settings| settings.get("enabledPlugins")?.as_object());
            let is_on = |(name, value): &(&String, &Json)| {
                let is_own = name.split('@').next().is_some_and(|name| name.contains(self.name));
                // Anything else counts as on: a warning too many is better than hooks that run twice.
                is_own && **value != Json::Bool(false)
            };
            let plugins = plugins.into_iter().flatten().filter(is_on);
            kinds.extend(plugins.map(|(name, _)| RemnantKind::Plugin(name.clone())));
            found.extend(kinds.into_iter().map(|kind| Remnant { file: file.clone(), kind }));
        }
        found
    }

    fn owns(&self, found: &Found) -> bool {
        let command = found.handler.get("command").and_then(Json::as_str).unwrap_or_default();
        let arguments = found.handler.get("args").and_then(Json::as_array).into_iter().flatten();
        let mut parts = arguments.filter_map(Json::as_str).chain([command]);
        parts.any(|part| self.scripts.iter().any(|script| part.contains(script)))
    }
}
