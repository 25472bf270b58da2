//! The files of the plugin that follow from the tables: its manifest and its hooks.

use flyball_clients::install::{Plugins, Scope};
use flyball_clients::registration::{Entry, register};
use flyball_clients::{CLIENTS, Client};
use serde::Serialize;
use serde_json::Value;

/// The manifest of a plugin, in the format of its client.
#[derive(Serialize)]
struct Manifest {
    name: &'static str,
    version: &'static str,
    description: &'static str,
    author: Author,
    license: &'static str,
    keywords: &'static [&'static str],
}

#[derive(Serialize)]
struct Author {
    name: &'static str,
}

/// The client that the plugin is for.
fn with_plugins() -> Option<(&'static Client, Plugins)> {
    CLIENTS.iter().find_map(|client| Some((*client, client.facts.plugins?)))
}

/// `plugin.json`
pub(super) fn manifest() -> String {
    let manifest = Manifest {
        name: "flyball",
        version: env!("CARGO_PKG_VERSION"),
        description: "The governor for coding agents: guards tool calls, checks edits, keeps an agent from stopping before its work is proven, and records every decision.",
        author: Author { name: "The flyball developers" },
        license: env!("CARGO_PKG_LICENSE"),
        keywords: &["hooks", "guard", "lint", "review", "audit"],
    };
    serde_json::to_string_pretty(&manifest).unwrap_or_default()
}

/// `hooks.json`: what `flyball init` registers, for a program that is found on the search path.
pub(super) fn hooks() -> String {
    let about = "Every event goes through `flyball hook`. Generated from the code; do not edit.";
    let entries: Vec<Entry> = with_plugins()
        .map(|(client, plugins)| client.entries("flyball", Some(plugins.oldest), Scope::Project))
        .unwrap_or_default();
    let bare = format!("{{\n  \"description\": {}\n}}\n", Value::from(about));
    register(&bare, &entries, &|_| false).map(|edited| edited.text).unwrap_or_default()
}
