//! The files of a project, to see whether a path that a rule names is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, Limits, Places, ProgramQuery, Programs};
use flyball_knowledge::node;
use flyball_world::machine::Machine;

use super::patterns::Pattern;

/// How long git may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// So many paths are asked about at once.
const AT_ONCE: usize = 500;

/// What git knows of a project.
pub(in crate::commands) struct ProjectFiles<'m> {
    machine: &'m Machine,
    root: PathBuf,
    /// The paths that end with a name: of files and of folders.
    by_name: BTreeMap<String, Vec<String>>,
    /// Whether git was there to say it.
    is_known: bool,
}

impl<'m> ProjectFiles<'m> {
    pub(in crate::commands) fn read(machine: &'m Machine, root: &Path) -> ProjectFiles<'m> {
        let mut files =
            ProjectFiles { machine, root: root.to_path_buf(), by_name: BTreeMap::new(), is_known: false };
        let jobs: [&[&str]; 2] = [
            &["ls-files", "-z", "--cached", "--recurse-submodules"],
            &["ls-files", "-z", "--others", "--exclude-standard"],
        ];
        let mut all = BTreeSet::new();
        for words in jobs {
            let Some(listed) = files.listing(words.iter().map(|word| (*word).to_owned()).collect()) else {
                continue;
            };
            files.is_known = true;
            for path in listed.split('\0').filter(|path| !path.is_empty()) {
                all.extend(Path::new(path).ancestors().map(|path| path.to_string_lossy().into_owned()));
            }
        }
        for path in all.into_iter().filter(|path| !path.is_empty()) {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            files.by_name.entry(name).or_default().push(path);
        }
        files
    }

    fn listing(&self, words: Vec<String>) -> Option<String> {
        let near = AbsolutePath::from_path(&self.root);
        let wanted = ProgramQuery { name: "git".to_owned(), near: near.clone(), places: Places::SearchPath };
        let program = self.machine.find(&wanted)?.path;
        // A repository's config must not start programs, and a question must not wait for locks.
        let safe = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
        let arguments = safe.map(str::to_owned).into_iter().chain(words).collect();
        let job = Job { program, arguments, folder: near, ..Job::default() };
        let ran = self.machine.run(&[job], Limits { timeout: PATIENCE, ..Limits::default() });
        let ran = ran.first().filter(|ran| matches!(ran.ending, Ending::Exited(0 | 1)))?;
        Some(String::from_utf8_lossy(&ran.stdout).into_owned())
    }

    /// Whether a path is there: from the folder of the file that names it, from a folder above, or as the end of a path
    /// anywhere in the project.
    pub(in crate::commands) fn has(&self, path: &str, folder: &Path) -> bool {
        let bare = path.trim_start_matches("./").trim_matches('/');
        if self.is_on_disk(bare, folder) || bare.is_empty() {
            return true;
        }
        // Without git it is only known what is not at the place itself.
        if !self.is_known && !bare.contains('/') {
            return true;
        }
        let name = bare.rsplit('/').next().unwrap_or(bare);
        let end = format!("/{bare}");
        self.by_name.get(name).is_some_and(|paths| paths.iter().any(|it| it == bare || it.ends_with(&end)))
    }

    /// Whether it is at its place, from the folder or one above.
    pub(in crate::commands) fn is_on_disk(&self, path: &str, folder: &Path) -> bool {
        let above = folder.ancestors().take_while(|above| above.starts_with(&self.root));
        above.into_iter().any(|above| above.join(path).exists())
    }

    /// A path of the project from its root.
    pub(in crate::commands) fn path_below_root(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The patterns that match no file below a folder; none where that is not known.
    pub(in crate::commands) fn unmatched(&self, patterns: Vec<Pattern>, folder: &Path) -> Vec<Pattern> {
        let matches = |glob: &str, path: &str| {
            let path = self.root.join(path);
            let below = path.strip_prefix(folder).ok().map(|below| below.to_string_lossy().into_owned());
            below.is_some_and(|below| node::matches(&[glob.to_owned()], &below))
        };
        let is_dead = |pattern: &Pattern| {
            self.is_known && !self.by_name.values().flatten().any(|path| matches(&pattern.glob, path))
        };
        let dead: Vec<Pattern> = patterns.into_iter().filter(is_dead).collect();
        let from_root = |pattern: &Pattern| self.path_below_root(&folder.join(pattern.example()));
        let ignored = self.ignored(&dead.iter().map(from_root).collect::<Vec<_>>());
        // What a build makes is not there yet.
        dead.into_iter().filter(|pattern| !ignored.contains(&from_root(pattern))).collect()
    }

    /// Whether a name is the first part of a path from the folder or one above.
    pub(in crate::commands) fn begins_here(&self, path: &str, folder: &Path) -> bool {
        let first = path.trim_start_matches("./").split('/').next().unwrap_or_default();
        !first.is_empty() && self.is_on_disk(first, folder)
    }

    /// Those of the paths, from the root, that git ignores: they are made by a build.
    pub(in crate::commands) fn ignored(&self, paths: &[String]) -> BTreeSet<String> {
        let mut ignored = BTreeSet::new();
        for some in paths.chunks(AT_ONCE) {
            let words = ["check-ignore", "--no-index", "--"].map(str::to_owned).into_iter();
            // Links out of the repository would make git refuse all of them.
            let inside = some
                .iter()
                .filter(|path| !path.starts_with('/') && !path.split('/').any(|part| part == ".."));
            let listed = self.listing(words.chain(inside.cloned()).collect()).unwrap_or_default();
            ignored.extend(listed.lines().map(str::to_owned));
        }
        ignored
    }
}
