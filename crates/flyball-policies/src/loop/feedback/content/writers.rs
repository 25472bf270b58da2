//! Which session wrote which content last, for all sessions of a project: what another one wrote while a command of this
//! one ran is not this one's.

use flyball_core::facts::EditRoute;
use flyball_core::memory::OUTER_SESSION;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::workshop::Workshop;

use super::Checkouts;
use super::source_file::{SourceFile, fingerprint};
use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::Fingerprint;

/// The note, with one line for each file, the latest last.
const NOTE: &str = "loop.writers";
const MOST_FILES: usize = 128;
const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// Notes what this call wrote, as far as it names it.
///
/// # Errors
/// When the note cannot be written.
pub(in super::super) fn note_writes(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
) -> Result<(), PolicyError> {
    // What is not known is reported where the edits are judged.
    let Ok(edits) = situation.edits() else { return Ok(()) };
    let named = edits.iter().filter(|edit| edit.route != EditRoute::Noticed);
    let mut named = named.map(|edit| &edit.path).peekable();
    if named.peek().is_none() {
        return Ok(());
    }
    let settings: Settings = situation.config()?;
    let checkouts = Checkouts::new(situation.world);
    let mut written = Vec::new();
    for path in named.filter(|path| checkouts.is_covered(&settings, path)) {
        if let Some(bytes) = workshop.read(path, MOST_BYTES)? {
            let file = SourceFile { path, bytes: &bytes, trivial: &settings.trivial };
            written.push((path.clone(), fingerprint(workshop, &file)));
        }
    }
    if written.is_empty() {
        return Ok(());
    }
    // What an agent has another one do is its own work.
    let outer = situation.memory.peek(OUTER_SESSION)?;
    let session = outer.as_deref().unwrap_or(situation.event.session.as_str());
    workshop.change_note(NOTE, &mut |text| {
        let is_other = |line: &&str| !written.iter().any(|(path, _)| line.ends_with(&format!(" {path}")));
        let mut lines: Vec<String> =
            text.unwrap_or_default().lines().filter(is_other).map(str::to_owned).collect();
        lines.extend(written.iter().map(|(path, print)| format!("{print} {session} {path}")));
        let surplus = lines.len().saturating_sub(MOST_FILES);
        Ok(Some(lines.split_off(surplus).join("\n")))
    })
}

/// What other sessions wrote last.
pub(super) struct OtherSessions(Vec<(String, Fingerprint)>);

impl OtherSessions {
    /// # Errors
    /// When the note cannot be read.
    pub(super) fn read(situation: &Situation<'_>) -> Result<OtherSessions, PolicyError> {
        let text = situation.world.project_note(NOTE)?.unwrap_or_default();
        let entry = |line: &str| {
            let mut parts = line.splitn(3, ' ');
            let print = parts.next()?.parse().ok()?;
            let is_other = parts.next()? != situation.event.session.as_str();
            is_other.then_some((parts.next()?.to_owned(), print))
        };
        Ok(OtherSessions(text.lines().filter_map(entry).collect()))
    }

    /// Whether another session wrote this content of a file, and nobody did since.
    pub(super) fn wrote(&self, path: &AbsolutePath, content: Option<Fingerprint>) -> bool {
        self.0.iter().any(|(known, print)| path == known.as_str() && Some(*print) == content)
    }
}
