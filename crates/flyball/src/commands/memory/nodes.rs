//! Finds every rule file of a project: git knows them, and where there is no git a bounded walk does.

use std::collections::BTreeSet;
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

/// How deep a folder of rules goes.
const MOST_RULES_LEVELS: usize = 4;

/// The rule files below a root, in order: those of a folder in the order in which they are read, each file once. What a
/// link leads out of the project to is none of them.
pub(in crate::commands) fn all(machine: &Machine, root: &Path) -> Vec<PathBuf> {
    let root = real_path(root);
    let mut found = by_git(machine, &root).unwrap_or_else(|| by_walk(&root));
    // What belongs to one person is not committed, and mostly ignored.
    found.extend(layout::all_node_names(FACTS).map(|name| root.join(name)));
    found.sort_by_key(|path| place(path));
    let mut seen = BTreeSet::new();
    // Two names of one file, such as a link called CLAUDE.md, are one.
    found.retain(|path| is_inside(path, &root) && seen.insert(real_path(path)));
    found
}

/// Whether a path is that of a rule file.
pub(in crate::commands) fn is_node(path: &Path) -> bool {
    layout::is_node_path(FACTS, &path.to_string_lossy())
}

/// The folder that it covers, and its place among the files there.
fn place(path: &Path) -> (PathBuf, usize, PathBuf) {
    let folder = covered(path);
    let rank = layout::node_names(FACTS).position(|node| node == file_name(path)).unwrap_or(usize::MAX);
    (folder, rank, path.to_path_buf())
}

/// The folder that a rule file covers: that of `.claude/rules/a.md` is the one with `.claude`.
pub(in crate::commands) fn covered(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(path);
    let hidden = layout::hidden_nodes(FACTS).find(|hidden| path.ends_with(hidden));
    if let Some(depth) = hidden.map(|hidden| Path::new(hidden).components().count()) {
        return path.ancestors().nth(depth).unwrap_or(folder).to_path_buf();
    }
    for rules in layout::rules_folders(FACTS) {
        if let Some(above) = folder.ancestors().find(|above| above.ends_with(rules)) {
            let depth = Path::new(rules).components().count();
            return above.ancestors().nth(depth).unwrap_or(folder).to_path_buf();
        }
    }
    folder.to_path_buf()
}

/// The folder that a rule file covers, if that is what somebody asks for; `asked` may be a link. No rule file covers
/// itself: who asks for one wants the rules that hold where it is.
pub(in crate::commands) fn covered_by_rule_file(asked: &Path) -> Option<PathBuf> {
    let place = real_path(asked.parent()?).join(asked.file_name()?);
    // A link has the name under which clients find it; another name may lead to it all the same.
    let by_name = is_node(&place).then_some(place);
    let file = by_name.or_else(|| Some(real_path(asked)).filter(|real| is_node(real)))?;
    file.is_file().then(|| covered(&file))
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Whether it is a rule file below the root, also where its links lead: what is to be shared under a name of its own is
/// a text.
pub(in crate::commands) fn is_inside(path: &Path, root: &Path) -> bool {
    let real = real_path(path);
    let is_text = real
        .extension()
        .is_some_and(|kind| ["md", "mdx", "mdc", "markdown", "txt"].iter().any(|it| kind == *it));
    let is_rules = is_node(&real) || (is_node(path) && is_text);
    real.starts_with(root) && is_rules && real.is_file()
}

/// What git lists: all that it keeps, also in submodules, and what is new and not ignored.
fn by_git(machine: &Machine, root: &Path) -> Option<Vec<PathBuf>> {
    let near = AbsolutePath::from_path(root);
    let wanted = ProgramQuery { name: "git".to_owned(), near, places: Places::SearchPath };
    let program = machine.find(&wanted)?.path;
    let job = |kind: &[&str]| {
        // A repository's config must not start programs, and a listing must not wait for locks.
        let safe = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
        let names = layout::all_node_names(FACTS).map(|name| format!(":(glob)**/{name}"));
        let rules = layout::rules_folders(FACTS).map(|folder| format!(":(glob)**/{folder}/**/*.md"));
        let paths = names.chain(rules);
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
            } else if !is_folder && layout::all_node_names(FACTS).any(|node| node == name) {
                found.push(entry.path());
            }
        }
        for folder in &level {
            found.extend(layout::hidden_nodes(FACTS).map(|hidden| folder.join(hidden)));
            layout::rules_folders(FACTS).for_each(|rules| add_rules(&folder.join(rules), &mut found));
        }
        level = below;
    }
    found
}

/// Adds the files of a folder of rules.
fn add_rules(rules: &Path, found: &mut Vec<PathBuf>) {
    let mut level = vec![rules.to_path_buf()];
    for _ in 0..MOST_RULES_LEVELS {
        let entries = level.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
        let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) =
            entries.map(|entry| entry.path()).partition(|path| path.is_dir());
        found.extend(files.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "md")));
        level = folders;
    }
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
    fn all_files_of_rules_are_found_without_git() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, &["CLAUDE.md", "AGENTS.md", "a/b/CLAUDE.md", "node_modules/x/AGENTS.md", ".x/AGENTS.md"]);
        write(root, &["notes.md"]);
        std::os::unix::fs::symlink("AGENTS.md", root.join("a/AGENTS.md")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", root.join("a/CLAUDE.md")).unwrap();
        write(
            root,
            &[
                ".claude/rules/web/forms.md",
                ".claude/rules/notes.txt",
                ".claude/CLAUDE.md",
                "CLAUDE.local.md",
            ],
        );
        let all = [
            "AGENTS.md",
            ".claude/CLAUDE.md",
            "CLAUDE.md",
            ".claude/rules/web/forms.md",
            "CLAUDE.local.md",
            "a/b/CLAUDE.md",
        ];
        assert_eq!(found(root), all);
    }

    #[test]
    fn git_says_what_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let status = std::process::Command::new("git").args(["init", "--quiet"]).current_dir(root).status();
        assert!(status.unwrap().success());
        write(root, &["kept/AGENTS.md", "made/AGENTS.md", ".hidden/AGENTS.md", "CLAUDE.md"]);
        std::fs::write(root.join(".gitignore"), "made/\n").unwrap();
        write(root, &["CLAUDE.local.md", "kept/.claude/rules/a.md"]);
        std::fs::write(root.join(".gitignore"), "made/\nCLAUDE.local.md\n").unwrap();
        let all = [
            "CLAUDE.md",
            "CLAUDE.local.md",
            ".hidden/AGENTS.md",
            "kept/AGENTS.md",
            "kept/.claude/rules/a.md",
        ];
        assert_eq!(found(root), all);
    }
}
