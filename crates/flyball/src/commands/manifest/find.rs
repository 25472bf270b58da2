//! The manifests in a project.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use flyball_policies::r#loop::workflow::{self, Settings};

use crate::project_context::ProjectContext;

/// Folders of external or generated files. git is not asked, because workflows often ignore their own files.
const SKIPPED_FOLDERS: [&str; 7] =
    [".git", ".venv", "__pycache__", "node_modules", "target", "vendor", "venv"];
/// More folders are not read: the time must not grow with the repository.
const MOST_FOLDERS: usize = 5_000;

/// The manifest that was changed last, and the names of the others, in that order.
pub(super) fn latest(here: &ProjectContext) -> (Option<PathBuf>, Vec<String>) {
    let config = here.load_config().config;
    let section = config.sections.get(workflow::POLICY.id.as_str());
    let settings: Settings = section.and_then(|section| section.parse().ok()).unwrap_or_default();
    let mut found = walk(&here.root, &settings);
    // Equal times are ordered by name, so that the answer is always the same.
    found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let mut names = found.into_iter().map(|(_, name)| name);
    let first = names.next().map(|name| here.root.join(name));
    (first, names.collect())
}

/// The manifests below a folder: when each changed, and its path from there.
fn walk(root: &Path, settings: &Settings) -> Vec<(SystemTime, String)> {
    let mut folders = VecDeque::from([root.to_path_buf()]);
    let mut found = Vec::new();
    let mut looked_at = 0;
    while let Some(folder) = folders.pop_front().filter(|_| looked_at < MOST_FOLDERS) {
        looked_at += 1;
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            // Links are not followed: they may lead in circles, or out of the project.
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let Some(name) = path.strip_prefix(root).ok().and_then(|it| it.to_str()) else { continue };
            if kind.is_dir() && !SKIPPED_FOLDERS.iter().any(|skipped| entry.file_name() == *skipped) {
                folders.push_back(path);
            } else if kind.is_file() && settings.is_manifest(name) {
                let changed = entry.metadata().and_then(|data| data.modified());
                found.push((changed.unwrap_or(SystemTime::UNIX_EPOCH), name.to_owned()));
            }
        }
    }
    found
}
