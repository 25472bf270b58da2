//! The small files below a state directory, to examine them: notes, ledgers, and drafts that were left behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::project::note_name;

/// Folders below a state directory are not nested deeper than this.
const DEEPEST: usize = 6;

/// A draft of a process that works is younger than this.
const OLD: Duration = Duration::from_secs(60 * 60);

/// The notes of all projects below a state directory.
#[must_use]
pub fn notes(state: &Path) -> Vec<PathBuf> {
    let shards =
        entries(&state.join("projects")).into_iter().flat_map(|project| entries(&project.join("notes")));
    let files = shards.flat_map(|shard| entries(&shard));
    files.filter(|path| path.is_file() && !is_set_aside(path) && !is_draft(path)).collect()
}

/// Whether a note is the one of this key, in whichever project.
#[must_use]
pub fn is_note_of(path: &Path, key: &str) -> bool {
    let parts: Vec<_> = path.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
    let [rest, shard] = parts.as_slice() else { return false };
    format!("{shard}{rest}") == note_name(key)
}

/// The ledgers of approvals and of trust below a state directory: each is one text in JSON.
#[must_use]
pub fn ledgers(state: &Path) -> Vec<PathBuf> {
    let all = entries(state).into_iter().chain(entries(&state.join("approvals")));
    all.filter(|path| path.is_file() && path.extension().is_some_and(|extension| extension == "json"))
        .collect()
}

/// The ledgers that a newer flyball wrote, also those of what people allowed for a while, each with the version of its format.
/// They are left alone, and what is in them is not in force.
#[must_use]
pub fn newer_ledgers(state: &Path) -> Vec<(PathBuf, u64)> {
    let known =
        u64::from(crate::approvals::VERSION.max(crate::config::LEDGER_VERSION).max(crate::grants::VERSION));
    let version = |path: &Path| {
        let value: serde_json::Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        value.get("version")?.as_u64().filter(|version| *version > known)
    };
    let all = ledgers(state).into_iter().chain(entries(&state.join("allowed")));
    all.filter_map(|path| Some((version(&path)?, path))).map(|(version, path)| (path, version)).collect()
}

/// Files that were to replace another one, of processes that were killed.
#[must_use]
pub fn left_over_drafts(state: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find_drafts(state, DEEPEST, &mut found);
    found
}

fn find_drafts(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
        if metadata.is_dir() && depth > 0 {
            find_drafts(&path, depth - 1, found);
        }
        let age = metadata.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
        if metadata.is_file() && is_draft(&path) && age.is_some_and(|age| age > OLD) {
            found.push(path);
        }
    }
}

/// By the names that flyball gives them.
fn is_draft(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_temporary = name.starts_with(".flyball-") && name.ends_with(".tmp");
    let is_of_store =
        [".journal.new", "anchors.new", "anchors.2.jsonl"].iter().any(|end| name.ends_with(end))
            || name.starts_with("flyball.db.new");
    let is_shortened =
        name.ends_with(".new") && path.parent().is_some_and(|folder| folder.ends_with("sessions"));
    is_temporary || is_of_store || is_shortened || name.starts_with(".doctor-")
}

fn is_set_aside(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().contains(".damaged"))
}

/// What is in a folder, sorted; nothing if it cannot be listed.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Project;

    #[test]
    fn notes_are_known_by_their_key_and_drafts_by_their_name() {
        let state = tempfile::tempdir().unwrap();
        let project = Project::at(state.path(), Path::new("/project"));
        project.change_note("task.locks", &mut |_| Ok(Some("{}".to_owned()))).unwrap();
        let found = notes(state.path());
        assert_eq!(found.len(), 1);
        assert!(is_note_of(&found[0], "task.locks") && !is_note_of(&found[0], "memory.reports"));
        for name in ["c.s.journal.new", "c.s.new", "c.s.journal", "c.s.spool"] {
            let path = state.path().join("sessions").join(name);
            assert_eq!(is_draft(&path), name.ends_with(".new"), "{name}");
        }
        assert!(!is_draft(&state.path().join("trust.json")));
    }
}
