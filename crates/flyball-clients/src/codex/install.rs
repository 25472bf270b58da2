//! Where Codex keeps its hooks, and our handlers in them.

use serde_json::Value;

use super::Codex;
use super::events::EVENTS;
use crate::dialect::{NativeEvent, Register};
use crate::install::{Blocker, Facts, Place, Presence, Scope, Version, quote, seconds};
use crate::registration::Entry;

const PROJECT: Place = Place::in_project(".codex/hooks.json");
const PROJECT_CONFIG: Place = Place::in_project(".codex/config.toml");
const USER: Place = Place::in_client_home("hooks.json");
const USER_CONFIG: Place = Place::in_client_home("config.toml");
const MANAGED: Place = Place::of_the_system("/etc/codex/hooks.json");
const MANAGED_CONFIG: Place = Place::of_the_system("/etc/codex/config.toml");
const REQUIREMENTS: Place = Place::of_the_system("/etc/codex/requirements.toml");

pub(super) static FACTS: Facts = Facts {
    home_variable: "CODEX_HOME",
    session_variable: "CODEX_THREAD_ID",
    marks: &["CODEX_THREAD_ID", "CODEX_SANDBOX"],
    processes: &["codex", "/@openai/codex/"],
    home_folder: ".codex",
    settings: &[(Scope::Project, PROJECT), (Scope::User, USER), (Scope::Managed, MANAGED)],
    agents: &[],
    commands: &[],
    // The config files can hold hooks too, and the user's holds which hooks are trusted.
    guarded: &[PROJECT, PROJECT_CONFIG, USER, USER_CONFIG, MANAGED, MANAGED_CONFIG, REQUIREMENTS],
    plugins: None,
    blockers: &[
        switched_off_in(PROJECT_CONFIG),
        switched_off_in(USER_CONFIG),
        switched_off_in(MANAGED_CONFIG),
        Blocker {
            place: REQUIREMENTS,
            key: &["allow_managed_hooks_only"],
            harmful: true,
            effect: "only managed hooks run",
        },
    ],
    presence: Presence {
        places: &[Place::in_project(".codex"), Place::in_client_home("")],
        programs: &["codex"],
    },
    after_install: Some(
        "Codex skips hooks that nobody has reviewed, without a word: start `codex` and trust them under `/hooks`",
    ),
};

const fn switched_off_in(place: Place) -> Blocker {
    Blocker { place, key: &["features", "hooks"], harmful: false, effect: "no hook runs at all" }
}

/// The client ignores events that it does not know, so an unknown version gets all of them.
pub(super) fn entries(binary: &str, version: Option<Version>) -> Vec<Entry> {
    let is_known = |event: &&NativeEvent| version.is_none_or(|version| event.since <= version);
    EVENTS.iter().filter(is_known).filter_map(|event| entry(event, binary)).collect()
}

fn entry(event: &NativeEvent, binary: &str) -> Option<Entry> {
    let Register::Within(timeout) = event.register else { return None };
    let command = format!("{} hook --client {} --event {}", quote(binary), Codex::ID, event.name);
    let handler = vec![
        ("type".to_owned(), Value::from("command")),
        ("command".to_owned(), Value::from(command)),
        seconds(timeout),
    ];
    Some(Entry { event: event.name.to_owned(), matcher: None, handler })
}
