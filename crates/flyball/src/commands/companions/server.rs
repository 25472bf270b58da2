//! Registers `flyball mcp` where a client reads the tool servers of a project, and removes it again. Other servers
//! in the file are never touched.

use std::path::Path;

use flyball_clients::Client;
use flyball_clients::install::Scope;
use flyball_clients::registration::Object;
use serde_json::{Value, json};

use super::removal::Removal;
use crate::install::{Access, Change, FileOutcome, Receipt, Site, Snapshot, Step};
use crate::outcome::Failed;

const NAME: &str = "flyball";

/// Whether the server is added where it is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum OnMissing {
    Write,
    Leave,
}

/// The server to register with a client.
pub(in crate::commands) struct ServerEdit<'a> {
    pub(in crate::commands) client: &'a Client,
    pub(in crate::commands) scope: Scope,
    pub(in crate::commands) program: &'a str,
    pub(in crate::commands) on_missing: OnMissing,
}

/// What is done to the client's file of servers.
pub(in crate::commands) fn step(site: &Site, edit: &ServerEdit<'_>) -> Result<Option<Step>, Failed> {
    let &ServerEdit { client, scope, program, on_missing } = edit;
    let impossible = |about: &str| {
        let step = Step::idle(FileOutcome::Impossible, client.title(), about);
        Ok(Some(step).filter(|_| on_missing == OnMissing::Write))
    };
    let Some(servers) = client.facts.servers else {
        return impossible(
            "has no file for the servers of a project: register `flyball mcp` with it by hand",
        );
    };
    // The file is in the project and committed: it is not the place for one person's server.
    if scope != Scope::Project {
        return impossible("only reads servers of the project: run `flyball init --mcp` without a scope");
    }
    let path = site.root.join(servers.path);
    let file = Snapshot::read(&path)?;
    let name = site.show(&path);
    let (text, outcome) = match with_server(file.text(), servers.key, program) {
        ServerEntry::Broken if on_missing == OnMissing::Leave => return Ok(None),
        ServerEntry::Broken => {
            let what = format!("`{name}` is not a JSON object of objects; nothing changed");
            return Err(Failed::new(what, "fix the file, then run `flyball init` again"));
        }
        ServerEntry::Missing(_) if on_missing == OnMissing::Leave => return Ok(None),
        ServerEntry::Missing(text) if file.content().is_none() => (text, FileOutcome::New),
        ServerEntry::Missing(text) | ServerEntry::Outdated(text) => (text, FileOutcome::Edited),
        ServerEntry::Current | ServerEntry::Foreign if on_missing == OnMissing::Leave => return Ok(None),
        ServerEntry::Current => {
            return Ok(Some(Step::idle(FileOutcome::Kept, name, "the server is registered already")));
        }
        ServerEntry::Foreign => {
            let about = "has a server `flyball` that is not flyball's: not changed";
            return Ok(Some(Step::idle(FileOutcome::Kept, name, about)));
        }
    };
    let mut changes = Vec::new();
    if let Some(state) = site.state() {
        // What the file would be without us, if our entry is in it already.
        let original =
            file.content().map(|text| without_server(text, servers.key).unwrap_or_else(|| text.to_owned()));
        let mut receipt = Receipt::new(&file, &text, original);
        let earlier = Receipt::find(&path, Some(state)).filter(|earlier| earlier.matches(&file));
        if let Some(earlier) = earlier {
            receipt.original = earlier.original;
        }
        changes.push(receipt.save_change(state)?);
    }
    changes.push(Change::write(file, text, Access::Default));
    Ok(Some(Step {
        outcome,
        name,
        about: "the server `flyball mcp`, for agents that ask".to_owned(),
        changes,
    }))
}

/// Removes the server.
pub(super) fn remove(site: &Site, client: &Client, removal: &mut Removal) -> Result<(), Failed> {
    let Some(servers) = client.facts.servers else { return Ok(()) };
    let path = site.root.join(servers.path);
    let file = Snapshot::read(&path)?;
    let Some(rest) = without_server(file.text(), servers.key) else { return Ok(()) };
    let receipt = Receipt::find(&path, site.state());
    let exact = receipt.as_ref().filter(|receipt| receipt.matches(&file));
    let after = match exact {
        Some(receipt) => receipt.original.clone(),
        // Edited since: only our entry goes, and the file itself only if nothing else is in it.
        None => Some(remove_empty_list(rest, servers.key, receipt.as_ref()))
            .filter(|rest| receipt.as_ref().is_none_or(|receipt| !receipt.leaves_nothing(rest))),
    };
    let (outcome, about) = match (&after, exact.is_some()) {
        (None, _) => (FileOutcome::Deleted, "made by `flyball init`"),
        (Some(_), true) => (FileOutcome::Edited, "as it was before `flyball init`"),
        (Some(_), false) => (FileOutcome::Edited, "the server `flyball mcp` removed, the rest stays"),
    };
    let mut changes = vec![Change { before: file, after, access: Access::Default }];
    changes.extend(Receipt::discard_change(&path, site.state())?);
    removal.steps.push(Step { outcome, name: site.show(&path), about: about.to_owned(), changes });
    Ok(())
}

/// The file that registers our server with a client, as it is shown, and the program that it names.
pub(in crate::commands) fn find_registered(site: &Site, client: &Client) -> Option<(String, String)> {
    let servers = client.facts.servers?;
    let path = site.root.join(servers.path);
    let file = Snapshot::read(&path).ok()?;
    let all = Object::root(file.text())?.below(file.text(), servers.key)?;
    let server = all.value(file.text(), NAME).filter(is_ours)?;
    Some((site.show(&path), server.get("command")?.as_str()?.to_owned()))
}

/// The state of the server in a file, and the file with it.
enum ServerEntry {
    Broken,
    Missing(String),
    Outdated(String),
    Current,
    Foreign,
}

fn with_server(text: &str, key: &str, program: &str) -> ServerEntry {
    let server = format!("{{ \"command\": {}, \"args\": [\"mcp\"] }}", Value::from(program));
    if text.trim().is_empty() {
        return ServerEntry::Missing(format!("{{\n  \"{key}\": {{\n    \"{NAME}\": {server}\n  }}\n}}\n"));
    }
    let Some(root) = Object::root(text) else { return ServerEntry::Broken };
    if root.value(text, key).is_none() {
        return ServerEntry::Missing(root.with(text, key, &format!("{{ \"{NAME}\": {server} }}")));
    }
    let Some(servers) = root.below(text, key) else { return ServerEntry::Broken };
    match servers.value(text, NAME) {
        None => ServerEntry::Missing(servers.with(text, NAME, &server)),
        Some(found) if !is_ours(&found) => ServerEntry::Foreign,
        Some(found) if found.get("command") == Some(&json!(program)) => ServerEntry::Current,
        Some(_) => ServerEntry::Outdated(servers.changed(text, NAME, &server)),
    }
}

/// The text without the server; `None` if ours is not in it.
fn without_server(text: &str, key: &str) -> Option<String> {
    let servers = Object::root(text)?.below(text, key)?;
    servers.value(text, NAME).filter(is_ours)?;
    Some(servers.without(text, NAME))
}

/// Removes the list of servers if it is empty and we added it.
fn remove_empty_list(text: String, key: &str, receipt: Option<&Receipt>) -> String {
    let had_list = |original: &String| Object::root(original).and_then(|root| root.value(original, key));
    let is_our_list = receipt.is_some_and(|receipt| receipt.original.as_ref().and_then(had_list).is_none());
    let Some(root) = Object::root(&text).filter(|_| is_our_list) else { return text };
    let is_empty = root.below(&text, key).is_some_and(|servers| servers.is_empty());
    if is_empty { root.without(&text, key) } else { text }
}

fn is_ours(server: &Value) -> bool {
    let command = server.get("command").and_then(Value::as_str).unwrap_or_default();
    let is_program = Path::new(command).file_name().is_some_and(|name| name == NAME);
    // Both, since somebody's own server may be called `flyball` as well.
    is_program && server.get("args") == Some(&json!(["mcp"]))
}
