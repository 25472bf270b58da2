//! Whether a call reaches for a file by any route but reading.

use flyball_core::event::{Tool, ToolCall};
use flyball_core::path::is_or_is_below;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::server::ServerCall;
use serde_json::Value;

use super::naming::{may_be_file, names, names_in_call};
use crate::guard::touch::{self, Location, Touch};

/// All that a call touches, computed once for all denied files.
pub(super) struct Reach<'a> {
    situation: &'a Situation<'a>,
    call: &'a ToolCall,
    touches: &'a [Touch],
}

impl<'a> Reach<'a> {
    /// The reach of a call; none for one that only reads.
    pub(super) fn from_call(
        situation: &'a Situation<'a>,
        call: &'a ToolCall,
    ) -> Result<Option<Reach<'a>>, PolicyError> {
        if situation.server_call().is_some_and(ServerCall::only_reads) {
            return Ok(None);
        }
        Ok(Some(Reach { situation, call, touches: touch::touches(situation)? }))
    }

    /// By which route the call would change the file, if by any.
    pub(super) fn route(&self, file: &str) -> Option<&'static str> {
        if let Some(touch) = self.touches.iter().find(|touch| reaches(touch, file)) {
            return Some(touch.route);
        }
        let is_code = matches!(self.call.tool, Tool::Mcp { .. } | Tool::Other)
            && input_names(self.situation, file, &self.call.input);
        is_code.then_some("the input of a tool that may write")
    }
}

/// Whether something is done to the file or, for a deletion or a move, to a folder above it.
fn reaches(touch: &Touch, file: &str) -> bool {
    if touch.kind.is_passed_to_flyball() {
        return false;
    }
    let takes_all_below = touch.kind.affects_all_below();
    match &touch.location {
        Location::Path(path) => path == file || (takes_all_below && is_or_is_below(file, path)),
        Location::Pattern(pattern) => {
            let hits = |path: &str| fast_glob::glob_match(pattern.as_str(), path);
            hits(file) || (takes_all_below && above(file).any(hits))
        }
        // A whole text that may be code, or the one word that may be the file.
        Location::Text(text) if touch.named.is_empty() => names(text, file),
        Location::Text(text) => may_be_file(text, file),
    }
}

/// The folders above a file, including the root of the file system.
fn above(file: &str) -> impl Iterator<Item = &str> {
    let folders = file.match_indices('/').skip(1).filter_map(|(at, _)| file.get(..at));
    folders.chain(std::iter::once("/"))
}

/// Whether one of the texts that a tool is given is the file, or code that takes it.
fn input_names(situation: &Situation<'_>, file: &str, input: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    // Most inputs do not name the file and need not be parsed.
    if !input.contains(name) {
        return false;
    }
    let Ok(value) = serde_json::from_str::<Value>(input) else { return false };
    let mut waiting = vec![&value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => {
                let is_path =
                    text.ends_with(name) && situation.world.real_path(&situation.event.cwd, text) == file;
                if is_path || names_in_call(text, file) {
                    return true;
                }
            }
            Value::Array(items) => waiting.extend(items),
            Value::Object(fields) => waiting.extend(fields.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    false
}
