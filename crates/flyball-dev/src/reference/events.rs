//! The page of events and tools, with flyball's names and those of each client.

use flyball_clients::install::{Scope, Version};
use flyball_clients::{CLIENTS, Client};
use flyball_core::event::{EventKind, ToolKind};

use super::markdown::{code, head, table};

/// A version that knows every event we know.
const NEWEST: Version = Version::new(u32::MAX, u32::MAX, u32::MAX);

pub(super) fn page() -> String {
    let about =
        "What happens in a client, in flyball's words: rules, policies and `flyball log` use these names.";
    let mut page = head("Events and tools", about);
    page.push_str("\n## Events\n");
    let rows = EventKind::ALL.iter().map(|kind| {
        let waits = if kind.is_gate() { "yes" } else { "" };
        vec![code(kind.name()), kind.about().to_owned(), waits.to_owned()]
    });
    page.push_str(&table(&["event", "when", "guards fail closed"], rows));
    page.push_str("\n## Tools\n\nTools are classified by what they do, not by a client's name for them.\n");
    let rows = ToolKind::ALL.iter().map(|kind| vec![code(kind.name()), kind.about().to_owned()]);
    page.push_str(&table(&["tool", "what it does"], rows));
    for client in CLIENTS {
        page.push_str(&client_section(client));
    }
    page
}

fn client_section(client: &Client) -> String {
    let heading = format!(
        "\n## {}\n\nThe events that `flyball init` registers, in a version that has them.\n",
        client.title()
    );
    let rows = client.entries("flyball", Some(NEWEST), Scope::Project).into_iter().map(|entry| {
        let kinds: Vec<String> = client.kinds_of(&entry.event).iter().map(|kind| code(kind.name())).collect();
        vec![code(&entry.event), kinds.join(", ")]
    });
    heading + &table(&[client.title(), "flyball"], rows)
}
