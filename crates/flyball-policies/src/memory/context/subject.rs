//! What a call changes in each of its files, as the ranking of rules reads it.

use flyball_core::event::{Change, EventData, Tool};
use flyball_core::facts::SeenEdit;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};

use super::file_path;
use crate::memory::relevance::Subject;

/// How much of a file is read for what is in it already.
const MOST_BYTES: u64 = 16 * 1024;

/// What a call changes in a file.
pub(super) fn of_file(situation: &Situation<'_>, path: &AbsolutePath) -> Result<Subject, PolicyError> {
    let shown = file_path::display_path(situation.world, path);
    // Beside a command, what it does to the file may not be known.
    let command = match situation.event.call().map(|call| &call.tool) {
        Some(Tool::Shell { command, .. }) => command.as_str(),
        _ => "",
    };
    if let EventData::AfterTool { .. } = &situation.event.happening {
        return Ok(Subject::reading(&shown, &text_of(situation, path)));
    }
    let mut texts: Vec<(String, String)> = Vec::new();
    for edit in situation.edits()?.iter().filter(|edit| edit.path == *path) {
        texts.extend(before_and_after(situation, edit));
    }
    if texts.is_empty() {
        return Ok(Subject::command(&shown, command));
    }
    let (old, new): (Vec<String>, Vec<String>) = texts.into_iter().unzip();
    Ok(Subject::edit(&shown, &old.join("\n"), &new.join("\n")))
}

/// The text that an edit replaces and the one that it writes, if that is known.
fn before_and_after(situation: &Situation<'_>, edit: &SeenEdit) -> Option<(String, String)> {
    match edit.change.as_ref()? {
        Change::Write { content } => Some((text_of(situation, &edit.path), content.clone())),
        Change::Replace { old, new, .. } => Some((old.clone(), new.clone())),
        Change::Cell { source, .. } => Some((String::new(), source.clone())),
        Change::Move { to } => Some((String::new(), format!("rename {to}"))),
        Change::Delete => None,
    }
}

/// How a file begins; empty if it cannot be read.
fn text_of(situation: &Situation<'_>, path: &AbsolutePath) -> String {
    let bytes = situation.world.read(path, MOST_BYTES * 16).ok().flatten().unwrap_or_default();
    let start = bytes.get(..usize::try_from(MOST_BYTES).unwrap_or(usize::MAX)).unwrap_or(&bytes);
    String::from_utf8_lossy(start).into_owned()
}
