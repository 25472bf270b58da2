//! Programs that set and delete keys of a document.

use flyball_effects::Command;
use serde_json::Value;

use super::assignment::{self, Assignment};
use super::words::known_words;

const FILTERS: &[&str] = &["jq", "gojq", "jaq", "yq", "tomlq", "dasel"];

pub(super) fn is_filter(command: &Command) -> bool {
    command.program_name().is_some_and(|name| FILTERS.contains(&name))
}

/// `npm pkg set`, `npm pkg delete`.
pub(super) fn changes_manifest(command: &Command) -> bool {
    let words = command
        .arguments
        .iter()
        .filter_map(|word| word.text.as_deref())
        .filter(|word| !word.starts_with('-'));
    let words: Vec<&str> = words.collect();
    let is_manager = matches!(command.program_name(), Some("npm" | "pnpm" | "bun"));
    is_manager
        && matches!(words.as_slice(), ["pkg", "set" | "delete", ..] | ["pm", "pkg", "set" | "delete", ..])
}

pub(super) fn after_pkg(command: &Command, text: &str) -> Option<String> {
    changes_manifest(command).then_some(())?;
    let words = known_words(command)?;
    let is_json = words.contains(&"--json");
    let names = words.iter().filter(|word| !word.starts_with('-') && !matches!(**word, "pkg" | "pm"));
    let mut names = names.copied();
    let deletes = names.next() == Some("delete");
    let assignments = names.map(|word| match word.split_once('=') {
        Some((path, value)) if !deletes => {
            let parsed = is_json.then(|| serde_json::from_str(value).ok()).flatten();
            let value = parsed.unwrap_or_else(|| Value::String(value.to_owned()));
            Assignment::Set { path: assignment::plain_path(path), value }
        }
        _ => Assignment::Delete { path: assignment::plain_path(word) },
    });
    edited(text, "package.json", &assignments.collect::<Vec<_>>())
}

/// What the filters of a line make of a file.
pub(super) fn after_filters(filters: &[&Command], path: &str, text: &str) -> Option<String> {
    let mut assignments = Vec::new();
    for filter in filters {
        let words = known_words(filter)?;
        // The filter is the first word that is neither an option nor a file.
        let source =
            words.iter().find(|word| word.starts_with(['.', 'd', '(']) && word.contains(['=', '(']))?;
        assignments.extend(assignment::from_filter(source)?);
    }
    edited(text, path, &assignments)
}

/// The text with these changes, in the format of its file.
fn edited(text: &str, path: &str, assignments: &[Assignment]) -> Option<String> {
    if assignments.is_empty() {
        return None;
    }
    if path.to_ascii_lowercase().ends_with(".toml") {
        let table: toml::Table = toml::from_str(text).ok()?;
        let mut document = serde_json::to_value(table).ok()?;
        assignment::apply(&mut document, assignments);
        let table: toml::Table = serde_json::from_value(document).ok()?;
        return toml::to_string(&table).ok();
    }
    let mut document: Value = serde_json::from_str(text).ok()?;
    assignment::apply(&mut document, assignments);
    serde_json::to_string_pretty(&document).ok()
}

/// `crudini --set file section key value`.
pub(super) fn after_crudini(command: &Command, text: &str) -> Option<String> {
    let words = known_words(command)?;
    let at = words.iter().position(|word| matches!(*word, "--set" | "--del"))?;
    let rest: Vec<&str> = words.iter().skip(at + 1).filter(|word| !word.starts_with("--")).copied().collect();
    let (section, key) = (rest.get(1)?, rest.get(2).copied());
    let value = rest.get(3).copied().filter(|_| words.get(at) == Some(&"--set"));
    Some(edited_ini(text, section, (key, value)))
}

fn edited_ini(text: &str, section: &str, (key, value): (Option<&str>, Option<&str>)) -> String {
    let mut written = String::new();
    let mut is_inside = false;
    let mut is_done = false;
    let set = || key.zip(value).map(|(key, value)| format!("{key} = {value}\n")).unwrap_or_default();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with('[') {
            if is_inside && !is_done {
                written.push_str(&set());
                is_done = true;
            }
            is_inside = trimmed.trim_matches(['[', ']']) == section;
        }
        let is_key = is_inside
            && key.is_none_or(|key| trimmed.split(['=', ':']).next().is_some_and(|it| it.trim() == key));
        if is_key {
            continue;
        }
        written.push_str(line);
        written.push('\n');
    }
    if !is_done && value.is_some() {
        if !is_inside {
            written.push_str(&format!("[{section}]\n"));
        }
        written.push_str(&set());
    }
    written
}
