//! Learns which values are secrets before an event is judged: those of files and variables, and those that the event
//! itself reads from or writes to a secret file.

use std::path::{Path, PathBuf};

use flyball_clients::FACTS;
use flyball_core::event::{Event, Tool};
use flyball_core::redact;
use flyball_policies::guard::secret_files::holds_secret;
use flyball_world::secret_values::{add_file, is_file};
use serde_json::Value;

use super::context::EventContext;
use super::input::HookInput;
use crate::secret_values::{note_seen, seen, values};

/// The longest command whose words are looked at.
const LONGEST_COMMAND: usize = 16 * 1024;

/// Makes `redact` strike out what must not be stored of this event.
pub(super) fn learn(input: &HookInput<'_>, event: &Event, context: &EventContext) {
    let cwd = Path::new(event.cwd.as_str());
    let root = &context.real_root;
    let mut known = values(&input.environment, root, cwd);
    let touched = secret_files(event, input.environment.home.as_deref());
    if !touched.is_empty() {
        let files: Vec<PathBuf> = touched.into_iter().filter(is_file).collect();
        for file in &files {
            add_file(&mut known, file);
        }
        // What the file holds after the call, or held before it, is only in the payload.
        if let Ok(payload) = serde_json::from_str::<Value>(&input.payload) {
            for part in ["tool_input", "tool_response"] {
                add_texts(&mut known, payload.get(part).unwrap_or(&Value::Null));
            }
        }
        let before = seen(&input.environment, root);
        let new: Vec<PathBuf> = files.into_iter().filter(|file| !before.contains(file)).collect();
        // If it cannot be noted, the file is found again when it is used again.
        drop(note_seen(&input.environment, root, &new));
        known.forget_in(&root.to_string_lossy());
    }
    if context.root != *root {
        known.forget_in(&context.root.to_string_lossy());
    }
    redact::know(known);
}

/// The secret files that a call names.
fn secret_files(event: &Event, home: Option<&Path>) -> Vec<PathBuf> {
    let Some(call) = event.call() else { return Vec::new() };
    let is_secret = |path: &&str| holds_secret(FACTS, path);
    let names: Vec<&str> = match &call.tool {
        Tool::Read { path } => vec![path],
        Tool::Edit(edits) => edits.iter().map(|edit| edit.path.as_str()).collect(),
        Tool::Search { path: Some(path), .. } => vec![path],
        Tool::Shell { command, .. } if command.len() <= LONGEST_COMMAND => {
            let ends = |letter: char| letter.is_whitespace() || "\"'`=<>|&;(){}[],:@".contains(letter);
            let may_be_path = |word: &&str| word.contains(['.', '/', '_']) && word.len() < 512;
            command.split(ends).filter(may_be_path).collect()
        }
        _ => Vec::new(),
    };
    let below_home = |path: &str| {
        let rest = path.strip_prefix("~/").or_else(|| path.strip_prefix("$HOME/"))?;
        Some(home?.join(rest))
    };
    let cwd = Path::new(event.cwd.as_str());
    names
        .into_iter()
        .filter(is_secret)
        .map(|path| below_home(path).unwrap_or_else(|| cwd.join(path)))
        .collect()
}

/// Adds the values in every text of a part of the payload.
fn add_texts(known: &mut redact::Values, part: &Value) {
    match part {
        Value::String(text) => known.add_file(".env", text),
        Value::Array(items) => items.iter().for_each(|item| add_texts(known, item)),
        Value::Object(members) => members.values().for_each(|member| add_texts(known, member)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
