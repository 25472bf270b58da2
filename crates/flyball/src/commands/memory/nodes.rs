//! Finds every rule file of a project: git knows them, and where there is no git a bounded walk does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_clients::FACTS;
use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, Limits, Places, ProgramQuery, Programs};
use flyball_knowledge::layout;
use flyball_world::machine::{Machine, real_path};

/// How long git may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// So many entries of folders are looked at where git does not know.
const MOST_ENTRIES: usize = 50_000;

/// How deep a walk goes.
const MOST_LEVELS: usize = 24;

/// Folders that hold what others wrote or what is made anew.
const SKIPPED: &[&str] = &[
    "node_modules",
    "target",
    "dist",
    "build",
    "out",
    "vendor",
    "venv",
    "__pycache__",
    "coverage",
    "bower_components",
];

/// The rule files below a root, one for each folder, in order. What a link leads out of the project to is none of
/// them.
pub(in crate::commands) fn all(machine: &Machine, root: &Path) -> Vec<PathBuf> {
    let root = real_path(root);
    let found = by_git(machine, &root).unwrap_or_else(|| by_walk(&root));
    let mut nodes: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for path in found {
        let Some(folder) = path.parent() else { continue };
        let is_better = |other: &PathBuf| rank(&path) < rank(other);
        // One file for each folder, as the hook reads it: the first of the known names.
        if nodes.get(folder).is_none_or(is_better) && is_inside(&path, &root) {
            nodes.insert(folder.to_path_buf(), path.clone());
        }
    }
    nodes.into_values().collect()
}

/// Whether a path is that of a rule file, by its name.
pub(in crate::commands) fn is_node(path: &Path) -> bool {
    layout::is_node_name(FACTS, file_name(path))
}

/// Its place among the names of a node.
fn rank(path: &Path) -> usize {
    layout::node_names(FACTS).position(|node| node == file_name(path)).unwrap_or(usize::MAX)
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Whether it is a rule file below the root, also where its links lead.
pub(in crate::commands) fn is_inside(path: &Path, root: &Path) -> bool {
    let real = real_path(path);
    real.starts_with(root) && is_node(&real) && real.is_file()
}

/// What git lists: all that it keeps, also in submodules, and what is new and not ignored.
fn by_git(machine: &Machine, root: &Path) -> Option<Vec<PathBuf>> {
    let near = AbsolutePath::from_path(root);
    let wanted = ProgramQuery { name: "git".to_owned(), near, places: Places::SearchPath };
    let program = machine.find(&wanted)?.path;
    let job = |kind: &[&str]| {
        // A repository's config must not start programs, and a listing must not wait for locks.
        let safe = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
        let paths = layout::node_names(FACTS).map(|name| format!(":(glob)**/{name}"));
        let words = safe.iter().chain(&["ls-files", "-z"]).chain(kind).chain(&["--"]);
        Job {
            program: program.clone(),
            arguments: words.map(|word| (*word).to_owned()).chain(paths).collect(),
            folder: AbsolutePath::from_path(root),
            ..Job::default()
        }
    };
    // Two calls, because git does not look for new files within submodules.
    let jobs = [job(&["--cached", "--recurse-submodules"]), job(&["--others", "--exclude-standard"])];
    let mut found = Vec::new();
    let ran = machine.run(&jobs, Limits { timeout: PATIENCE, ..Limits::default() });
    // Looking for new files takes long in a large tree; those that git keeps are most of them.
    if ran.first()?.ending != Ending::Exited(0) {
        return None;
    }
    for ran in ran.iter().filter(|ran| ran.ending == Ending::Exited(0)) {
        let listed = String::from_utf8_lossy(&ran.stdout);
        found.extend(listed.split('\0').filter(|name| !name.is_empty()).map(|name| root.join(name)));
    }
    Some(found)
}

/// What a walk finds, the upper folders first.
fn by_walk(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut level = vec![root.to_path_buf()];
    let mut left = MOST_ENTRIES;
    for _ in 0..MOST_LEVELS {
        let mut below = Vec::new();
        for entry in level.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten() {
            if left == 0 {
                return found;
            }
            left -= 1;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // A link to a folder is not followed: it may lead round in a circle.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && !name.starts_with('.') && !SKIPPED.contains(&name.as_ref()) {
                below.push(entry.path());
            } else if !is_folder && layout::is_node_name(FACTS, &name) {
                found.push(entry.path());
            }
        }
        level = below;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::memory::place::machine;

    fn found(root: &Path) -> Vec<String> {
        let root = root.canonicalize().unwrap();
        let nodes = all(&machine(&root), &root);
        nodes.iter().map(|node| node.strip_prefix(&root).unwrap().to_string_lossy().into_owned()).collect()
    }

    fn write(root: &Path, names: &[&str]) {
        for name in names {
            std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            std::fs::write(root.join(name), "").unwrap();
        }
    }

    #[test]
    fn one_file_of_each_folder_is_found_without_git() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, &["CLAUDE.md", "AGENTS.md", "a/b/CLAUDE.md", "node_modules/x/AGENTS.md", ".x/AGENTS.md"]);
        write(root, &["notes.md"]);
        std::os::unix::fs::symlink("AGENTS.md", root.join("a/AGENTS.md")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", root.join("a/CLAUDE.md")).unwrap();
        assert_eq!(found(root), ["AGENTS.md", "a/b/CLAUDE.md"]);
    }

    #[test]
    fn git_says_what_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let status = std::process::Command::new("git").args(["init", "--quiet"]).current_dir(root).status();
        assert!(status.unwrap().success());
        write(root, &["kept/AGENTS.md", "made/AGENTS.md", ".hidden/AGENTS.md", "CLAUDE.md"]);
        std::fs::write(root.join(".gitignore"), "made/\n").unwrap();
        assert_eq!(found(root), ["CLAUDE.md", ".hidden/AGENTS.md", "kept/AGENTS.md"]);
    }
}
