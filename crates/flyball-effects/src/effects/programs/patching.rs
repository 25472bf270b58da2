//! `patch` and `apply_patch`.

use super::super::call::{Call, input_file};
use super::super::collector::Collector;
use super::super::content;
use super::super::patch::{self, Application, Strip};
use crate::model::{Content, Directory, FileAct, OpaqueReason, Word};

/// `patch [file [patchfile]]`
pub(super) fn patch(call: &Call, found: &mut Collector) {
    if call.has("dry-run C check") {
        return;
    }
    call.writes_values("o output r reject-file", found);
    let mut operands = call.operands.iter().copied();
    let file = operands.next();
    let source = call.value("i input").or_else(|| operands.next()).or_else(|| input_file(call.command));
    if !call.has("o output") {
        call.each(file, &FileAct::Change, found);
    }
    if let Some(source) = source {
        let act = if file.is_some() { FileAct::Read } else { FileAct::ApplyPatch };
        return found.file(act, call.target(source), call.name);
    }
    if file.is_some() {
        return;
    }
    match content::input(call.script, call.index) {
        Content::Text(text) => {
            let strip = call.value("p strip").and_then(|word| word.text.as_deref()?.parse().ok());
            let directory = match call.value("d directory") {
                None => call.directory().clone(),
                Some(Word { text: Some(folder), .. }) => call.directory().join(folder),
                Some(_) => Directory::Unknown,
            };
            let strip = strip.map_or(Strip::Git, Strip::Parts);
            patch::apply(&text, &Application { directory: &directory, by: call.name, strip }, found);
        }
        Content::Unknown => found.opaque(OpaqueReason::Program, call.name),
    }
}

/// `apply_patch`: the patch is its argument or its input.
pub(super) fn apply_patch(call: &Call, found: &mut Collector) {
    if let Some(file) = input_file(call.command) {
        return found.file(FileAct::ApplyPatch, call.target(file), call.name);
    }
    let argument = call.arguments.first();
    let text = match argument {
        Some(word) => word.text.clone().map_or(Content::Unknown, Content::Text),
        None => content::input(call.script, call.index),
    };
    match text {
        Content::Text(text) => {
            let application = Application { directory: call.directory(), by: call.name, strip: Strip::Git };
            patch::apply(&text, &application, found);
        }
        Content::Unknown => found.opaque(OpaqueReason::Program, call.name),
    }
}
