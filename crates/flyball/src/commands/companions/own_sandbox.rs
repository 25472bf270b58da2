//! A client's own sandbox: whether it is on, and flyball's files among what it keeps from being written. Where it is on, flyball
//! puts no seatbelt around commands, because one inside the other only fails.

use std::path::{Path, PathBuf};

use flyball_clients::Client;
use flyball_clients::install::{OwnSandbox, Places, SandboxSettings, Scope};
use flyball_clients::registration::Object;
use serde_json::Value;

use crate::install::{Site, Snapshot};

/// Settings that count more come first.
const BY_RANK: [Scope; 4] = [Scope::Managed, Scope::Local, Scope::Project, Scope::User];

/// The settings file that switches on the client's own sandbox; `None` if it is off, or leaves files alone.
pub(in crate::commands) fn switched_on_in(client: &Client, places: &Places<'_>) -> Option<PathBuf> {
    let keys = settings(client)?;
    let files = BY_RANK.iter().filter_map(|scope| client.facts().settings_file(*scope, places));
    let read: Vec<(PathBuf, String)> = files
        .filter_map(|path| {
            let text = Snapshot::read(&path).ok()?.text().to_owned();
            Some((path, text))
        })
        .collect();
    let leaves_files =
        |text: &str| find(text, &[keys.key, keys.files, keys.files_off]) == Some(Value::Bool(true));
    if read.iter().any(|(_, text)| leaves_files(text)) {
        return None;
    }
    let decided =
        read.into_iter().find_map(|(path, text)| Some((path, find(&text, &[keys.key, keys.enabled])?)));
    decided.filter(|(_, value)| *value == Value::Bool(true)).map(|(path, _)| path)
}

/// What flyball has kept from being written: the rest the client's sandbox keeps by itself, or knows nobody beforehand.
pub(in crate::commands) fn places_of_ours(site: &Site, program: &Path, scope: Scope) -> Vec<PathBuf> {
    let state = site.state().map(Path::to_owned);
    let config = site.environment.config_dir().map(Path::to_owned).filter(|folder| folder.exists());
    // Settings for all projects name none.
    let project = (scope != Scope::User).then(|| site.root.join("flyball.toml"));
    let mut places: Vec<PathBuf> =
        state.into_iter().chain(config).chain([program.to_owned()]).chain(project).collect();
    places.retain(|place| place.to_str().is_some_and(is_ours));
    places
}

/// The settings in which these places are kept from being written; `None` if they are already.
pub(in crate::commands) fn add(text: &str, client: &Client, places: &[PathBuf]) -> Option<String> {
    let keys = settings(client)?;
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = Object::root(text)?;
    let has = list(text, keys);
    let missing: Vec<String> = places
        .iter()
        .filter_map(|place| place.to_str())
        .filter(|place| !has.iter().any(|entry| entry == place))
        .map(|place| Value::from(place).to_string())
        .collect();
    if missing.is_empty() {
        return None;
    }
    let items = missing.join(", ");
    let Some(sandbox) = root.below(text, keys.key) else {
        let value = format!("{{ \"{}\": {{ \"{}\": [{items}] }} }}", keys.files, keys.denied);
        return root.value(text, keys.key).is_none().then(|| root.with(text, keys.key, &value));
    };
    let Some(files) = sandbox.below(text, keys.files) else {
        let value = format!("{{ \"{}\": [{items}] }}", keys.denied);
        return sandbox.value(text, keys.files).is_none().then(|| sandbox.with(text, keys.files, &value));
    };
    match files.text(text, keys.denied) {
        None => Some(files.with(text, keys.denied, &format!("[{items}]"))),
        Some(list) => Some(files.changed(text, keys.denied, &with_items(list, &missing)?)),
    }
}

/// The settings without our places; `None` if there are none.
pub(in crate::commands) fn remove(text: &str, client: &Client) -> Option<String> {
    let keys = settings(client)?;
    let ours: Vec<String> = list(text, keys).into_iter().filter(|entry| is_ours(entry)).collect();
    if ours.is_empty() {
        return None;
    }
    let files = Object::root(text)?.below(text, keys.key)?.below(text, keys.files)?;
    let rest = ours
        .iter()
        .try_fold(files.text(text, keys.denied)?.to_owned(), |list, entry| without_item(&list, entry))?;
    if !is_empty(&rest) {
        return Some(files.changed(text, keys.denied, &rest));
    }
    let mut text = files.without(text, keys.denied);
    // What is empty now we made, or it means nothing.
    for (above, key) in [(Some(keys.key), keys.files), (None, keys.key)] {
        let root = Object::root(&text)?;
        let holder = match above {
            Some(above) => root.below(&text, above)?,
            None => root,
        };
        if holder.below(&text, key).is_some_and(|object| object.is_empty()) {
            text = holder.without(&text, key);
        }
    }
    Some(text)
}

/// Whether the settings keep something of ours from being written.
pub(in crate::commands) fn keeps_ours(text: &str, client: &Client) -> bool {
    settings(client).is_some_and(|keys| list(text, keys).iter().any(|entry| is_ours(entry)))
}

fn settings(client: &Client) -> Option<&SandboxSettings> {
    match client.facts().own_sandbox.as_ref()? {
        OwnSandbox::Settings(settings) => Some(settings),
        OwnSandbox::Mode(_) => None,
    }
}

fn find(text: &str, path: &[&str]) -> Option<Value> {
    let root: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    path.iter().try_fold(&root, |value, key| value.get(key)).cloned()
}

/// The places that the settings keep from being written.
fn list(text: &str, keys: &SandboxSettings) -> Vec<String> {
    let found = find(text, &[keys.key, keys.files, keys.denied]);
    let entries = found.as_ref().and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(|entry| entry.as_str().map(str::to_owned)).collect()
}

/// Our folders, program and config file have this name, wherever they are.
fn is_ours(entry: &str) -> bool {
    [crate::install::PROGRAM_NAME, "flyball.toml"]
        .into_iter()
        .any(|name| entry.rsplit('/').next() == Some(name))
}

fn is_empty(list: &str) -> bool {
    list.trim_start_matches('[').trim_end_matches(']').trim().is_empty()
}

/// A list in JSON with further items, as those before them are written.
fn with_items(list: &str, items: &[String]) -> Option<String> {
    let before = list.trim_end().strip_suffix(']')?;
    if is_empty(list) {
        return Some(format!("[{}]", items.join(", ")));
    }
    let (kept, space) = before.split_at(before.trim_end().len());
    let between = match kept.rfind('\n') {
        Some(at) => {
            let line = kept.get(at + 1..)?;
            format!("\n{}", line.get(..line.len() - line.trim_start().len())?)
        }
        None => " ".to_owned(),
    };
    let added: String = items.iter().map(|item| format!(",{between}{item}")).collect();
    Some(format!("{kept}{added}{space}]"))
}

/// A list in JSON without an item that is a text, and without the comma before it.
fn without_item(list: &str, entry: &str) -> Option<String> {
    let item = Value::from(entry).to_string();
    let at = list.rfind(&item)?;
    let (before, after) = (list.get(..at)?, list.get(at + item.len()..)?);
    if let Some(before) = before.trim_end().strip_suffix(',') {
        return Some(format!("{before}{after}"));
    }
    let rest = after.trim_start();
    Some(match rest.strip_prefix(',') {
        Some(rest) => format!("{before}{}", rest.trim_start()),
        None => format!("{before}{after}"),
    })
}

#[cfg(test)]
mod tests {
    use flyball_clients::find as client;

    use super::*;

    #[test]
    fn our_places_are_added_once_and_removed_to_the_byte() {
        let claude = client("claude-code").unwrap();
        let places = [PathBuf::from("/s/flyball"), PathBuf::from("/p/flyball.toml")];
        for (before, after) in [
            (
                "{ \"sandbox\": { \"enabled\": true } }\n",
                "{ \"sandbox\": { \"enabled\": true, \"filesystem\": { \"denyWrite\": [\"/s/flyball\", \"/p/flyball.toml\"] } } }\n",
            ),
            (
                "{\n  \"model\": \"x\"\n}\n",
                "{\n  \"model\": \"x\",\n  \"sandbox\": { \"filesystem\": { \"denyWrite\": [\"/s/flyball\", \"/p/flyball.toml\"] } }\n}\n",
            ),
            (
                "{\"sandbox\": {\"enabled\": true, \"filesystem\": {\"denyWrite\": [\n    \"~/mine\"\n  ]}}}",
                "{\"sandbox\": {\"enabled\": true, \"filesystem\": {\"denyWrite\": [\n    \"~/mine\",\n    \"/s/flyball\",\n    \"/p/flyball.toml\"\n  ]}}}",
            ),
        ] {
            let text = add(before, claude, &places).unwrap();
            assert_eq!(text, after);
            assert!(keeps_ours(&text, claude) && !keeps_ours(before, claude));
            assert_eq!(add(&text, claude, &places), None);
            assert_eq!(remove(&text, claude).unwrap(), before);
            assert_eq!(remove(before, claude), None);
        }
        assert_eq!(add("{}", client("codex").unwrap(), &places), None);
    }
}
