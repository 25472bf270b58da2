//! What files were before the session first edited them. What git has may be older: people have changes that are not committed,
//! and branches are switched during a session.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;
use flyball_core::workshop::Workshop;
use flyball_core::world::real_root;
use flyball_quality::scope::Before;

use super::memory::Session;

/// Longer files are not checked.
const MOST_BYTES: u64 = 1024 * 1024;
/// How many files of one command are looked at.
const MOST_FILES: usize = 20;
/// How the stored text of a file begins that was there; anything else is one that was not.
const WAS_THERE: u8 = b'+';

/// Stores the files that a call is about to edit for the first time.
pub(super) fn store(situation: &Situation<'_>, workshop: &dyn Workshop) {
    // What cannot be stored is compared with the last commit.
    let Ok(edits) = situation.edits() else { return };
    if edits.is_empty() {
        return;
    }
    let session: Session = situation.recall().unwrap_or_default();
    let root = real_root(situation.world);
    for edit in edits.iter().take(MOST_FILES) {
        let Some(name) = edit.path.strip_folder(&root) else { continue };
        if session.files.contains_key(name) {
            continue;
        }
        let stored = match (workshop.read(&edit.path, MOST_BYTES), workshop.stat(&edit.path)) {
            (Ok(Some(text)), _) => [&[WAS_THERE][..], &text].concat(),
            (Ok(None), None) => Vec::new(),
            (Ok(None), Some(_)) | (Err(_), _) => continue,
        };
        workshop.cache_result(&key(situation, workshop, name), &stored);
    }
}

/// What these files of the project were, as far as it was stored.
pub(super) fn load<'n>(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
    files: impl Iterator<Item = (&'n str, &'n AbsolutePath)>,
) -> BTreeMap<AbsolutePath, Before> {
    let found = files.filter_map(|(name, path)| {
        let stored = workshop.cached_result(&key(situation, workshop, name))?;
        let before = match stored.split_first() {
            Some((&WAS_THERE, text)) => {
                String::from_utf8(text.to_vec()).map_or(Before::Unknown, Before::Text)
            }
            _ => Before::New,
        };
        Some((path.clone(), before))
    });
    found.collect()
}

fn key(situation: &Situation<'_>, workshop: &dyn Workshop, name: &str) -> String {
    let parts = ["earlier", situation.event.session.as_str(), workshop.project_root().as_str(), name];
    workshop.hash(parts.join("\0").as_bytes()).as_str().to_owned()
}
