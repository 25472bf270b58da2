//! Where Claude Code keeps its settings, and our handlers in them.

use serde_json::Value;

use super::ClaudeCode;
use super::events::EVENTS;
use crate::dialect::{NativeEvent, Register};
use crate::install::{Blocker, Facts, Place, Presence, Scope, Version, quote, seconds};
use crate::registration::Entry;

const PROJECT: Place = Place::in_project(".claude/settings.json");
const LOCAL: Place = Place::in_project(".claude/settings.local.json");
const USER: Place = Place::in_client_home("settings.json");
const MANAGED: Place = Place::of_the_system(if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else if cfg!(windows) {
    r"C:\Program Files\ClaudeCode\managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
});

/// Where our plugin lies once it is installed, and which plugins are.
const PLUGIN: Place = Place::in_client_home("plugins/cache/flyball");
const PLUGIN_SOURCE: Place = Place::in_client_home("plugins/marketplaces/flyball");
const PLUGINS: Place = Place::in_client_home("plugins/installed_plugins.json");

const AGENTS: Place = Place::in_project(".claude/agents");
const COMMANDS: Place = Place::in_project(".claude/commands");
const USER_AGENTS: Place = Place::in_client_home("agents");
const USER_COMMANDS: Place = Place::in_client_home("commands");

pub(super) static FACTS: Facts = Facts {
    home_variable: "CLAUDE_CONFIG_DIR",
    session_variable: "CLAUDE_CODE_SESSION_ID",
    marks: &["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"],
    processes: &["claude", "/@anthropic-ai/claude-code/"],
    home_folder: ".claude",
    settings: &[
        (Scope::Project, PROJECT),
        (Scope::Local, LOCAL),
        (Scope::User, USER),
        (Scope::Managed, MANAGED),
    ],
    agents: &[(Scope::Project, AGENTS), (Scope::Local, AGENTS), (Scope::User, USER_AGENTS)],
    commands: &[(Scope::Project, COMMANDS), (Scope::Local, COMMANDS), (Scope::User, USER_COMMANDS)],
    guarded: &[PROJECT, LOCAL, USER, MANAGED, PLUGIN, PLUGIN_SOURCE, PLUGINS],
    plugins: Some("enabledPlugins"),
    blockers: &[
        disabled_in(PROJECT),
        disabled_in(LOCAL),
        disabled_in(USER),
        disabled_in(MANAGED),
        Blocker {
            place: MANAGED,
            key: &["allowManagedHooksOnly"],
            harmful: true,
            effect: "only hooks in the managed settings run",
        },
    ],
    presence: Presence {
        places: &[Place::in_project(".claude"), Place::in_project("CLAUDE.md"), Place::in_client_home("")],
        programs: &["claude"],
    },
    after_install: None,
};

const fn disabled_in(place: Place) -> Blocker {
    Blocker { place, key: &["disableAllHooks"], harmful: true, effect: "no hook runs at all" }
}

/// What is assumed of a client that does not tell its version: an event that it does not know can
/// cost all hooks of the file.
const ASSUMED: Version = Version::new(2, 1, 119);

/// The first version that starts a program with arguments itself; an older one would start it
/// without them.
const EXEC_FORM: Version = Version::new(2, 1, 139);

pub(super) fn entries(binary: &str, version: Option<Version>) -> Vec<Entry> {
    let version = version.unwrap_or(ASSUMED);
    let known = EVENTS.iter().filter(|event| event.since <= version);
    known.filter_map(|event| entry(event, binary, version)).collect()
}

fn entry(event: &NativeEvent, binary: &str, version: Version) -> Option<Entry> {
    let Register::Within(timeout) = event.register else { return None };
    let arguments = ["hook", "--client", ClaudeCode::ID, "--event", event.name];
    let mut handler = vec![("type".to_owned(), Value::from("command"))];
    if version >= EXEC_FORM {
        // Without a shell in between, which takes longer than all that we do.
        handler.push(("command".to_owned(), Value::from(binary)));
        handler.push(("args".to_owned(), Value::from(arguments.to_vec())));
    } else {
        let line = format!("{} {}", quote(binary), arguments.join(" "));
        handler.push(("command".to_owned(), Value::from(line)));
    }
    handler.push(seconds(timeout));
    Some(Entry { event: event.name.to_owned(), matcher: None, handler })
}
